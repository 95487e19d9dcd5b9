package traces

import (
	"fmt"
	"slices"
)

// Coverage counts what cases have, alone and in pairs.
type Coverage struct {
	Cases int
	one   map[string]int
	two   map[[2]string]int
}

// NewCoverage counts nothing yet.
func NewCoverage() *Coverage { return &Coverage{one: map[string]int{}, two: map[[2]string]int{}} }

// Add counts a case with its verdict.
func (c *Coverage) Add(features map[string]bool, verdict string) {
	c.Cases++
	list := []string{"verdict: " + verdict}
	for _, f := range Features {
		if features[f] {
			list = append(list, f)
		}
	}
	for i, f := range list {
		c.one[f]++
		for _, g := range list[:i] {
			c.two[[2]string{g, f}]++
		}
	}
}

// Features are what cases may have.
var Features = []string{
	"lossy", "reliable", "unordered", "fifo", "bounded 1", "bounded 2", "duplicating", "one role", "two roles",
	"synchronous", "restarts", "one is Byzantine", "a clock counts nobody", "numbers written in another way",
	"all may crash", "one may crash", "several initial states", "quorum", "several sends", "two messages to one process",
	"processes told apart", "invariant",
	"one clock", "several files", "clock by process", "vector clocks", "own component left out", "two files", "events in lines",
	"names unnumbered", "names some fixed", "names all fixed", "names numbers", "texts for nobody", "names of values",
	"silent rules", "silent all", "losses are logged", "crashes are logged", "ignored events",
	"rule", "see", "sent", "received", "lost", "stopped", "then", "then in two orders", "messages of no use", "events with several cases",
	"conditions with and", "optional values", "sums", "lengths", "processes as values", "values of what is sent",
	"conditions of states", "numbers of values", "expressions as parameters", "reading in the text", "global variables", "labels that are words of readings",
	"an event is missing", "events are swapped", "an event is there twice", "a value is changed",
}

// Verdicts are what the reference says.
var Verdicts = []string{"verdict: explained", "verdict: not a run", "verdict: violated", "verdict: some run violates"}

// Verdict is what the reference says in a word.
func (a *Answer) Verdict() string {
	switch {
	case !a.Explained:
		return "not a run"
	case len(a.Certain) > 0:
		return "violated"
	case a.Some():
		return "some run violates"
	}
	return "explained"
}

// apart lists features of which a case has one at most, each with why; the rest of a list excludes its first feature.
var apart = [][]string{
	{"lossy", "reliable"}, {"unordered", "fifo"}, {"bounded 1", "bounded 2"}, {"one role", "two roles"},
	{"one clock", "several files", "clock by process", "vector clocks", "two files", "own component left out"},
	{"several files", "clock by process", "vector clocks", "two files", "own component left out"},
	{"clock by process", "vector clocks", "own component left out"},
	{"all may crash", "one may crash", "several initial states"}, {"one may crash", "several initial states"},
	{"reliable", "lost", "losses are logged"},                   // nothing is lost
	{"several initial states", "stopped", "crashes are logged"}, // no process crashes
	{"silent all", "silent rules"},                              // is instead of it
	{"sent", "values of what is sent"},                          // both show what is sent; the page does not say whether twice
}

// Missing lists features and pairs that no case has had, those left out that cannot be.
func (c *Coverage) Missing() []string {
	var list []string
	all := slices.Concat(Verdicts, Features)
	for i, f := range all {
		if c.one[f] == 0 {
			list = append(list, f)
			continue
		}
		for _, g := range all[:i] {
			if c.one[g] > 0 && c.two[[2]string{g, f}] == 0 && !excluded(g, f) && !excluded(f, g) {
				list = append(list, g+" with "+f)
			}
		}
	}
	return list
}

func excluded(f, g string) bool {
	verdict := func(v string) bool { return slices.Contains(Verdicts, v) }
	return verdict(f) && verdict(g) ||
		slices.ContainsFunc(apart, func(list []string) bool { return list[0] == f && slices.Contains(list[1:], g) })
}

// Table says how often each feature occurred.
func (c *Coverage) Table() string {
	s := fmt.Sprintf("%d cases, %d pairs of features\n", c.Cases, len(c.two))
	for _, f := range slices.Concat(Verdicts, Features) {
		s += fmt.Sprintf("%6d %s\n", c.one[f], f)
	}
	return s
}
