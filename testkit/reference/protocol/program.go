package protocol

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tacheck/tacheck/testkit/need"
)

// Result is what the program under test says of a property.
type Result struct {
	Property    string          `json:"property"`
	Verdict     string          `json:"verdict"`
	Reason      string          `json:"reason"`
	Symmetry    string          `json:"symmetry"`
	Traffic     string          `json:"traffic"`
	Crash       string          `json:"crash"`
	States      int             `json:"states"`
	Transitions int             `json:"transitions"`
	Depth       int             `json:"depth"`
	POR         string          `json:"por"`
	Split       string          `json:"split"`
	Deadlocks   int             `json:"deadlocks"`
	Witness     json.RawMessage `json:"witness"`
}

// Run is a run of the program under test.
type Run struct {
	Args    []string
	Code    int
	Results []Result
	Message string // what it said that is no result
	Error   *Failure
	Steps   int // of the run that leads to the error
}

// Program is the program under test.
type Program struct{ Path string }

var errorPlace = regexp.MustCompile(`(?m)^(?:tacheck: )?\S+\.ftdp:(\d+):(\d+): (.*)$`)

// run runs the program, and reads what it prints.
func (p Program) run(args ...string) (*Run, error) {
	a, err := need.Ask(time.Minute, "", append([]string{p.Path}, args...)...)
	if err != nil {
		return nil, err
	}
	if a.Code < 0 {
		return nil, fmt.Errorf("%v: no answer within a minute", args)
	}
	r := &Run{Args: args, Code: a.Code}
	for line := range strings.Lines(a.Out) {
		if !strings.HasPrefix(line, "{") {
			r.Message += line
			continue
		}
		var result Result
		if err := json.Unmarshal([]byte(line), &result); err != nil {
			return nil, fmt.Errorf("%v: %w", args, err)
		}
		r.Results = append(r.Results, result)
	}
	r.Message += a.Err
	for _, place := range errorPlace.FindAllStringSubmatch(r.Message, -1) {
		if r.Code != 2 || strings.HasPrefix(place[3], "warning: ") {
			continue
		}
		line, _ := strconv.Atoi(place[1])
		col, _ := strconv.Atoi(place[2])
		r.Error = &Failure{Pos{line, col}, place[3]}
		r.Steps = stepsShown(r.Message)
		break
	}
	return r, nil
}

var stepLine = regexp.MustCompile(`(?m)^ +(\d+)  \S`)

// stepsShown is the number of the last step of a run that is shown as a story.
func stepsShown(message string) int {
	last := 0
	for _, m := range stepLine.FindAllStringSubmatch(message, -1) {
		n, _ := strconv.Atoi(m[1])
		last = max(last, n)
	}
	return last
}

// unable tells whether induct said that it cannot follow a text.
func (r *Run) unable() bool { return strings.Contains(r.Message, "induction cannot follow") }

// static tells whether the program refused a text before it ran it: what goes wrong later is told with a run, if it is
// not in initial states.
func (r *Run) static() bool {
	return r.Error != nil && !strings.Contains(r.Message, "The run that leads there")
}

// result finds what was said of a property.
func (r *Run) result(property string) *Result {
	at := slices.IndexFunc(r.Results, func(x Result) bool { return x.Property == property })
	if at < 0 {
		return nil
	}
	return &r.Results[at]
}
