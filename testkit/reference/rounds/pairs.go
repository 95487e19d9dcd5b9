package rounds

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Coverage counts features of texts, alone and in pairs.
type Coverage struct {
	texts   int
	singles map[string]int
	pairs   map[[2]string]int
}

// NewCoverage counts nothing yet.
func NewCoverage() *Coverage { return &Coverage{singles: map[string]int{}, pairs: map[[2]string]int{}} }

// Add counts a text.
func (c *Coverage) Add(t *Text) {
	c.texts++
	features := Features(t)
	for _, a := range features {
		c.singles[a]++
		for _, b := range features {
			c.pairs[[2]string{a, b}]++
		}
	}
}

// Missing are pairs of features that never occurred, may be in a text together, and would be so in some texts, so many on the average,
// if features had nothing to do with each other.
func (c *Coverage) Missing(least int) []string {
	var missing []string
	for _, a := range slices.Sorted(maps.Keys(c.singles)) {
		for _, b := range slices.Sorted(maps.Keys(c.singles)) {
			if a < b && apart(a, b) == "" && c.pairs[[2]string{a, b}] == 0 && c.singles[a]*c.singles[b] >= least*c.texts {
				missing = append(missing, a+" and "+b)
			}
		}
	}
	return missing
}

// String is a table: how often each feature occurs, and with which other one least.
func (c *Coverage) String() string {
	var table strings.Builder
	together := 0
	for _, a := range slices.Sorted(maps.Keys(c.singles)) {
		rarest, count := "", -1
		for _, b := range slices.Sorted(maps.Keys(c.singles)) {
			if n := c.pairs[[2]string{a, b}]; a != b && apart(a, b) == "" {
				together += truth(n > 0 && a < b)
				if count < 0 || n < count {
					rarest, count = b, n
				}
			}
		}
		fmt.Fprintf(&table, "\n%5d  %-30s least with %s: %d", c.singles[a], a, rarest, count)
	}
	return fmt.Sprintf("%d texts, %d features, %d pairs%s", c.texts, len(c.singles), together, table.String())
}

// Features are what a text uses, for tables of what random texts have, alone and in pairs.
func Features(t *Text) []string {
	features := []string{"faults " + t.Faults}
	add := func(name string, has bool) {
		if has && !slices.Contains(features, name) {
			features = append(features, name)
		}
	}
	for _, r := range t.Rules {
		add("always", r.Always)
		add("maybe", r.Maybe)
		add("timeout", r.Timeout)
		add("rule with elsif", len(r.Body[0].Branches) > 1)
		sends, ends := false, false
		each(r.Body, func(s *Statement) {
			add(s.Op, s.Op == "toss" || s.Op == "coin")
			add("coin after", s.Op == "coin" && s.Value != nil)
			sends, ends = sends || s.Op == "send", ends || s.Op == "next"
			for _, e := range expressions(s) {
				t.mentioned(e, add)
			}
		})
		add("send and next", sends && ends)
	}
	for _, k := range t.Kinds {
		add("only coordinators send", k.led)
		add("two fields", len(k.Fields) > 1)
	}
	for _, v := range t.Variables {
		add("three values", v.Name == "v" && v.High-v.Low == 2)
		add("values with names", v.Name == "v" && v.Names != nil)
		add("kept lock", v.Name == "lock")
		add("no inputs", v.Name == "v" && !v.Input)
	}
	add("define", len(t.Definitions) > 0)
	t.familyFeatures(add)
	add("two parameters", len(t.Parameters) < 3)
	for _, p := range t.Properties {
		add(sort(p), true)
	}
	return features
}

// mentioned adds what a condition of a rule, or a number, asks for.
func (t *Text) mentioned(e *Expr, add func(string, bool)) {
	add("coordinator", e.Op == "coordinator")
	add("arrived", e.Op == "arrived" && !e.Led)
	add("arrived from the coordinator", e.Op == "arrived" && (e.Led || t.Kinds[e.index].led))
	add("heard from the coordinator", e.Op == "heard" && e.Led)
	add("quotient", e.Op == "/" || e.Op == "/ up")
	add("number of the faulty", e.Op == "parameter" && e.Name == "f")
	for _, arg := range e.Args {
		t.mentioned(arg, add)
	}
}

// expressions are those of a statement, but not of what is in its branches.
func expressions(s *Statement) []*Expr {
	all := slices.Clone(s.Values)
	if s.Value != nil {
		all = append(all, s.Value)
	}
	for _, b := range s.Branches {
		if b.Guard != nil {
			all = append(all, b.Guard)
		}
	}
	return all
}

// apart says why two features are in no text together; it is empty if they may be.
func apart(a, b string) string {
	for _, pair := range [][2]string{{a, b}, {b, a}} {
		x, y := implied(pair[0]), implied(pair[1])
		switch {
		case len(x) > 7 && len(y) > 7 && x[:7] == "faults " && y[:7] == "faults ":
			return "a text has one fault model"
		case slices.Contains(ofTurns, x) && slices.Contains(ofCoins, y):
			return "with coordinators, there are no coins"
		case x == "coin after" && y == "toss":
			return "where a round ends with a coin that is known after some have asked, all do"
		case (x == "arrived" || x == "arrived from the coordinator") && (y == "faults symmetric" || y == "faults omission"):
			return "arrivals are not with symmetric faults; the page leaves open what they are with omission"
		}
	}
	return ""
}

// implied is a feature without which another one is not: that of a coin, where something is done after it.
func implied(feature string) string {
	for _, coin := range []string{"toss", "coin"} {
		if strings.HasSuffix(feature, " after "+coin) {
			return coin
		}
	}
	if slices.Contains([]string{"definition after a coin", "instances go on differently after a coin", "other rule with the same coin goes on otherwise"}, feature) {
		return "a coin"
	}
	return feature
}

// Features of texts with coordinators, and of those with coins.
var (
	ofTurns = []string{"coordinator", "arrived from the coordinator", "heard from the coordinator", "only coordinators send"}
	ofCoins = []string{"a coin", "toss", "coin", "coin after", "almost surely unseen", "almost surely in order", "almost surely seen"}
)
