package protocol

import (
	"fmt"
	"slices"
	"strings"
)

// mainFeatures are those of which every pair has to occur in a campaign of sufficient size.
var mainFeatures = []string{
	"asynchronous", "synchronous", "lossy", "reliable", "authenticated", "anonymous", "unordered", "fifo", "bounded 1", "bounded 2",
	"initial status crash", "initial status byz", "byz rule", "quorum", "quorum at least", "receive", "receives from its own role",
	"reply", "send to all", "send to one", "field left undefined", "message with a value",
	"reads what others have", "status in a condition", "array over role", "type record", "type role", "type enum", "type range",
	"undefined at first", "undefine", "number that may be out of range", "ELSE", "elsif", "nested if", "for", "changed and changed back",
	"roles 1", "roles 2", "roles 3", "size 1", "size 2", "size 3", "--set", "const", "named type", "define", "nested quantifiers",
	"count", "max", "max by", "chain", "initial quorum", "initial quorum of 0", "several initial rules", "initial condition",
	"ltl", "fair", "fair rules", "F", "G", "U", "R", "quantifiers before a formula", "quantifier around temporal operators",
	"por lpor", "por lpor-net", "por dpor", "symmetry roles", "symmetry none", "traffic GRM", "traffic RM", "crash implicit", "crash explicit",
	"kinds of messages", "field of several kinds", "message with a set", "message with a seq",
	"receive KIND", "receive KIND from a parameter", "receive KIND from a quorum", "names of fields",
	"send", "send to sender", "send to k", "send to a set", "send to a quorum", "send to all of", "to all", "to others", "several sends",
	"field by field after send",
	"type set", "set of processes", "set of numbers", "set literal", "in a set", "size", "subset", "union", "intersection", "difference",
	"add", "remove", "= of sets", "+= of a set", "-= of a set",
	"type seq", "seq of processes", "seq of numbers", "seq of records", "seq of sets", "named type of seqs", "seq literal", "element of a seq",
	"length", "last", "append", "slice", "in a seq", "= of seqs", "+= of a seq",
	"record literal", "first value", "first value of an array", "global variable", "recovery", "stable", "maybe", "duplicating", "assume",
	"no init", "let", "let before a guard", "let of a process", "let of a set", "let of a seq", "+= of a number", "-= of a number", "default",
	"by and default", "[] and <>", "forall (i, j: T)", "forall k: T. e", "forall k in T: e", "fmt", "--compact",
	"--resume", "--swarm", "--spec", "--crash implicit", "--crash explicit", "induct", "replay",
	"invariant holds", "invariant violated", "formula holds", "formula violated", "verdict error",
}

// rareFeatures are those that have to occur, alone, in a campaign of enough cases.
var rareFeatures = []string{
	"first value asked for in init", "let of what is put together", "let of what is put together before a guard", "let in init",
	"value named before a change", "name that the guard does not always ask for", "x in {a, b}", "set on the left", "in a seq of sets",
	"in a seq of records", "in a seq of seqs", "index behind a function", "field behind a function", "function behind a function",
	"seq of seqs", "seq of messages", "msg as a whole", "message as a record literal", "message copied", "message with a record",
	"record with a set", "record with a seq", "record with an array", "array of arrays", "array of sets", "array of seqs",
	"array over values", "array over bool", "array over range", "set of values", "set of bool", "set as an array",
	"first value of arrays in arrays", "first value of a constant", "constant in place of a number", "channels that are not all said",
	"bounded 3", "kind behind a field", "receive a value of a record", "recovery of several roles", "define before rules",
	"definition of an expression", "definition of sets or seqs", "define without parameters", "max by of a value", "default of a value",
	"parameter of a named type", "initial parameter of a named type", "for over a named type", "for over a range", "for over bool",
	"quantifier over a named type", "quantifier over a range", "quantifier over bool", "quantifier over a quorum",
	"counting over a quorum", "counting over a range", "= of statuses", "byz rule sets a status", "number that is as large as can be",
	"number as a process", "process as a number", "process of another role as an index", "breaks symmetry",
	"undefine a process", "undefine a role", "undefine records or arrays", "assignment of records or arrays",
	"= of records or arrays", "isundefined of records or arrays", "append that may be full", "element that is out of range",
	"divisor that may be 0", "if between conditions", "if between numbers", "if between wholes", "elsif in an expression", "{k: T | e}", "{k: S | e}", "{k: T}",
	"names of processes", "receive nothing", "rounded up", "rounded down", "%", "<->", "other signs", "comment", "semicolon left out",
	"large range", "negative range", "range of one value", "no channels line", "temporal ->", "temporal not",
	"--jobs 2", "--runs rules", "--runs pairs", "--runs conditions", "split none", "split quorum", "split reply", "split combined",
}

// Lacking lists the rare features that did not occur.
func (c *Coverage) Lacking() (list []string) {
	for _, f := range rareFeatures {
		if c.Singles[f] == 0 {
			list = append(list, f)
		}
	}
	return list
}

// exclusive lists features of which a text has one only.
var exclusive = [][]string{
	{"asynchronous", "synchronous"}, {"lossy", "reliable"}, {"authenticated", "anonymous"}, {"unordered", "fifo"},
	{"bounded 1", "bounded 2"}, {"roles 1", "roles 2", "roles 3"},
	// One of them is tried with a text.
	{"--resume", "--swarm", "--spec", "--crash implicit", "--crash explicit", "--compact"},
	{"por lpor", "por lpor-net", "por dpor"}, {"traffic GRM", "traffic RM"},
}

// impossible lists other pairs that cannot occur, with the reason.
var impossible = map[[2]string]string{
	{"roles 3", "size 3"}:  "texts have at most four processes",
	{"size 2", "size 3"}:   "texts have at most four processes",
	{"anonymous", "reply"}: "a rule cannot know the sender",

	{"roles 1", "send to all of"}: "the role is said where there are several", {"send to all of", "to all"}: "likewise",
	{"roles 2", "to all"}: "likewise", {"roles 3", "to all"}: "likewise", {"send to all of", "to others"}: "likewise",
	{"roles 2", "to others"}: "likewise", {"roles 3", "to others"}: "likewise",

	{"duplicating", "por lpor"}: "all steps are followed", {"duplicating", "por lpor-net"}: "likewise",
	{"duplicating", "por dpor"}: "likewise",

	{"initial status crash", "no init"}: "statuses are set there", {"initial status byz", "no init"}: "likewise",
	{"initial quorum", "no init"}: "there is no rule", {"initial quorum of 0", "no init"}: "likewise",
	{"initial condition", "no init"}: "likewise", {"several initial rules", "no init"}: "likewise",
	{"undefined at first", "no init"}: "all variables have first values then",

	{"verdict error", "formula holds"}:    "an error is the answer to all properties",
	{"verdict error", "formula violated"}: "an error is the answer to all properties",
}

// Coverage counts features, and pairs of them.
type Coverage struct {
	Cases   int
	Singles map[string]int
	Pairs   map[[2]string]int
}

// NewCoverage counts nothing yet.
func NewCoverage() *Coverage {
	return &Coverage{Singles: map[string]int{}, Pairs: map[[2]string]int{}}
}

// Add counts a case.
func (c *Coverage) Add(f Features) {
	c.Cases++
	list := f.List()
	for i, a := range list {
		c.Singles[a]++
		for _, b := range list[:i] {
			c.Pairs[pair(a, b)]++
		}
	}
}

func pair(a, b string) [2]string {
	if a > b {
		a, b = b, a
	}
	return [2]string{a, b}
}

// Missing lists the pairs of main features that did not occur and could have.
func (c *Coverage) Missing() (missing [][2]string, possible int) {
	for i, a := range mainFeatures {
		for _, b := range mainFeatures[:i] {
			if excluded(a, b) {
				continue
			}
			possible++
			if c.Pairs[pair(a, b)] == 0 {
				missing = append(missing, pair(a, b))
			}
		}
	}
	return missing, possible
}

func excluded(a, b string) bool {
	for _, group := range exclusive {
		if slices.Contains(group, a) && slices.Contains(group, b) {
			return true
		}
	}
	_, x := impossible[[2]string{a, b}]
	_, y := impossible[[2]string{b, a}]
	return x || y
}

// Table writes the numbers of cases with each feature, and how many pairs occurred.
func (c *Coverage) Table() string {
	var names []string
	for n := range c.Singles {
		names = append(names, n)
	}
	slices.SortFunc(names, func(a, b string) int {
		if c.Singles[a] != c.Singles[b] {
			return c.Singles[b] - c.Singles[a]
		}
		return strings.Compare(a, b)
	})
	var b strings.Builder
	fmt.Fprintf(&b, "%d cases\n", c.Cases)
	for _, n := range names {
		fmt.Fprintf(&b, "%6d  %s\n", c.Singles[n], n)
	}
	missing, possible := c.Missing()
	fmt.Fprintf(&b, "%d of %d pairs of main features occurred\n", possible-len(missing), possible)
	return b.String()
}
