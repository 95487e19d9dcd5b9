package promela

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/tacheck/tacheck/testkit/need"
)

// A Program is the program under test, run as a process.
type Program struct {
	Path    string
	Timeout time.Duration
}

// An Answer is what a run of the program gave.
type Answer struct {
	Code    int // exit code, -1 if it was stopped after the timeout
	Out     string
	Message string
}

// A Verdict is a line of --json of verify or explore.
type Verdict struct {
	Spec       string           `json:"spec"`
	Verdict    string           `json:"verdict"`
	Reason     string           `json:"reason"`
	Parameters map[string]int64 `json:"parameters"`
	Witness    json.RawMessage  `json:"witness"`
}

// Run runs the program.
func (p *Program) Run(arguments ...string) (Answer, error) {
	a, err := need.Ask(p.Timeout, "", append([]string{p.Path}, arguments...)...)
	return Answer{Code: a.Code, Out: a.Out, Message: a.Err}, err
}

// Verdicts reads the lines of --json. Those that are no JSON are left out, and the first one is the error.
func (a Answer) Verdicts() ([]Verdict, error) {
	var out []Verdict
	var first error
	for _, line := range strings.Split(strings.TrimSpace(a.Out), "\n") {
		if line == "" {
			continue
		}
		var v Verdict
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			first = fmt.Errorf("%w: %s", err, line)
			continue
		}
		out = append(out, v)
	}
	return out, first
}
