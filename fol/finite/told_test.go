package finite_test

import (
	"context"
	"fmt"
	"math/rand"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/fol/finite"
	"github.com/tacheck/tacheck/fol/pyv"
	"github.com/tacheck/tacheck/run"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/testkit/random"
)

// world is a state as a story has it: what is true, and what constants are. All else is false.
type world map[string]string

// say takes over what a line of a story says, item by item.
func (w world) say(line string) {
	for _, item := range items(line) {
		name, value, is := strings.Cut(item, " = ")
		switch {
		case is:
			w[name] = value
		case item[0] == '!':
			delete(w, item[1:])
		default:
			w[item] = "true"
		}
	}
}

// wrong says what of a line is not so.
func (w world) wrong(line string) (list []string) {
	for _, item := range items(line) {
		name, value, is := strings.Cut(item, " = ")
		if !is {
			if value = "true"; item[0] == '!' {
				name, value = item[1:], ""
			}
		}
		for changed := true; changed; { // constants among arguments
			changed = false
			for of, v := range w {
				if next := regexp.MustCompile(`([(, ])`+regexp.QuoteMeta(of)+`([,)])`).ReplaceAllString(name, "${1}"+v+"${2}"); next != name && v != "true" {
					name, changed = next, true
				}
			}
		}
		if w[name] != value {
			list = append(list, item)
		}
	}
	return list
}

// items takes a list apart at commas outside of parentheses.
func items(line string) (list []string) {
	depth, from := 0, 0
	for i, c := range line + "," {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			if item := strings.TrimSpace(line[from:i]); item != "" {
				list = append(list, item)
			}
			from = i + 1
		}
	}
	return list
}

var (
	because = regexp.MustCompile(`^step (\d+): \w+(?:\([^()]*\))?(?:, since (.*?))?(?:, by steps? [\d, and-]+)?$`)
	states  = regexp.MustCompile(`^after step \d+: .* \(([^()]*(?:\([^()]*\)[^()]*)*)\)$`)
)

// TestStoriesAreTrue rebuilds the states of runs of random systems from the lines of their stories, and looks there whether
// all that explanations say is so; each step that matters is told.
func TestStoriesAreTrue(t *testing.T) {
	cases, seed := need.Cases(t, 150), need.Seed(t, 1)
	read, told := 0, 0
	for i := range cases {
		text := random.FirstOrder(rand.New(rand.NewSource(int64(seed + i))))
		s, err := pyv.Read("random.pyv", text)
		if err != nil {
			t.Fatal(err, text)
		}
		sizes := []int{2, 2}[:len(s.Sorts)]
		x, err := finite.New(s, sizes)
		if err != nil {
			t.Fatal(err)
		}
		e, err := x.Explore(context.Background(), explore.Bounds{States: 20_000})
		if err != nil || e.Runs[0] == nil {
			continue
		}
		of := e.Runs[0].Told()
		at := world{}
		for _, line := range of.Start {
			if line != "nothing is true" {
				at.say(line)
			}
		}
		worlds := []world{at}
		for _, step := range of.Events {
			next := world{}
			for k, v := range worlds[len(worlds)-1] {
				next[k] = v
			}
			for _, line := range step.Changes {
				next.say(line)
			}
			worlds = append(worlds, next)
		}
		why, err := e.Runs[0].Why()
		if err != nil {
			t.Fatal(err)
		}
		last := 0
		for _, line := range why {
			said, k := "", of.Steps
			if line.Kind == run.Because {
				found := because.FindStringSubmatch(line.Text)
				if found == nil {
					t.Fatalf("seed %d: %q cannot be read", seed+i, line.Text)
				}
				said, last = found[2], line.Step
				k, _ = strconv.Atoi(found[1])
				k--
			} else if found := states.FindStringSubmatch(line.Text); found != nil {
				said = found[1]
			}
			if wrong := worlds[k].wrong(said); wrong != nil {
				t.Errorf("seed %d: %q of %q is not so in %v\n%s", seed+i, wrong, line.Text, worlds[k], text)
			}
			read += len(items(said))
		}
		if told++; last < of.Steps {
			t.Errorf("seed %d: what step %d does is not told: %v\n%s", seed+i, of.Steps, fmt.Sprint(why), text)
		}
	}
	t.Logf("%d things are said of %d runs", read, told)
	if read < cases/10 || told < cases/10 {
		t.Errorf("%d things are said of %d runs", read, told)
	}
}
