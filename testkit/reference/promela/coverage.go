package promela

import (
	"sort"
	"strings"
)

// A Table counts features, and pairs of them, that occurred in cases.
type Table struct {
	Cases  int
	Single map[string]int
	Pairs  map[[2]string]int
}

// NewTable makes an empty table.
func NewTable() *Table { return &Table{Single: map[string]int{}, Pairs: map[[2]string]int{}} }

// Add counts the features of a case, which are in order.
func (t *Table) Add(features []string) {
	t.Cases++
	for i, a := range features {
		t.Single[a]++
		for _, b := range features[i+1:] {
			t.Pairs[[2]string{a, b}]++
		}
	}
}

// Features lists all features that occurred.
func (t *Table) Features() []string {
	var out []string
	for f := range t.Single {
		out = append(out, f)
	}
	sort.Strings(out)
	return out
}

// Missing lists pairs of features that never occurred together, though nothing forbids it and at least expected cases should have had both.
func (t *Table) Missing(expected float64) [][2]string {
	var out [][2]string
	list := t.Features()
	for i, a := range list {
		for _, b := range list[i+1:] {
			chance := float64(t.Single[a]) * float64(t.Single[b]) / float64(t.Cases)
			if t.Pairs[[2]string{a, b}] == 0 && chance >= expected && Impossible(a, b) == "" {
				out = append(out, [2]string{a, b})
			}
		}
	}
	return out
}

// alternatives are groups of features of which a text has one only: they begin alike.
var alternatives = map[string]string{
	"rare ":     "a text has one rare construct at most",
	"params ":   "parameters are chosen once",
	"counters ": "so many counters",
	"count ":    "the number of processes is one expression",
	"style ":    "a process is of one style",
	"waits ":    "waiting is chosen once",
	"start ":    "there is one initial block",
	"mistake ":  "a text has one mistake",
}

// rares says which rare construct a feature comes with.
var rares = map[string]string{
	"conditional expression": "conditional", "start condition": "start condition", "alternative else": "alternative", "alternative plain": "alternative",
	"shared set": "shared changes", "shared down": "shared changes", "formula until": "until", "formula until chain": "until",
	"formula equivalence": "equivalence", "inner label": "inner label",
}

// exclusions are pairs of features that exclude each other, by how they begin, with the reason.
var exclusions = [][3]string{
	{"type byte", "type int", "the state has one type"},
	{"type byte", "type short", "the state has one type"},
	{"type int", "type short", "the state has one type"},
	{"type byte", "type pid", "the state has one type"},
	{"type byte", "type unsigned", "the state has one type"},
	{"type int", "type pid", "the state has one type"},
	{"type int", "type unsigned", "the state has one type"},
	{"type short", "type pid", "the state has one type"},
	{"type short", "type unsigned", "the state has one type"},
	{"type pid", "type unsigned", "the state has one type"},
	{"guard both signs", "counters 2", "few instances are small then"},
	{"guard both signs", "counters summed", "few instances are small then"},
	{"difference grows", "counters summed", "few instances are small then"},
	{"difference grows", "counters 2", "few instances are small then"},
	{"difference grows", "bounded N", "more instances are looked at"},
	{"guard both signs", "bounded N", "more instances are looked at"},
	{"type bit", "type bool", "there is one flag"},
	{"fairness none", "fairness ", "none"},
	{"fairness odd", "fairness ", "chosen once"},
	{"fairness several", "fairness ", "chosen once"},
	{"fairness stable", "fairness ", "chosen once"},
	{"counters 0", "receive ", "nothing is received"},
	{"counters 0", "counters summed", "nothing is received"},
	{"counters 0", "proposition counter", "there is none"},
	{"counters 0", "proposition mixed", "there is no counter"},
	{"counters 0", "faults byzantine", "faults are messages"},
	{"counters 0", "faults loss", "faults are messages"},
	{"counters 0", "faults number", "faults are messages"},
	{"counters 0", "style fsm", "this style receives"},
	{"counters 0", "send ", "only the other style sends by itself"},
	{"counters 0", "leftovers", "only the other style remembers"},
	{"counters 1", "counters summed", "a sum needs two"},
	{"style direct", "send ", "only the other style sends by itself"},
	{"style direct", "leftovers", "only the other style remembers"},
	{"params one", "degenerate ", "N alone"},
	{"params one", "faults byzantine", "there is no F"},
	{"params one", "faults crash", "there is no F"},
	{"params one", "faults loss", "there is no F"},
	{"params one", "count N-F", "there is no F"},
	{"params two", "degenerate T=0", "there is no T"},
	{"degenerate N<F", "degenerate N=F", "one or the other"},
	{"faults crash", "count N-F", "those that crash are processes"},
	{"faults crash", "faults byzantine", "one kind of faults"},
	{"result out of range", "result explore", "there is no verdict then"},
	{"counter down", "style fsm", "in the other style"},
	{"counter down", "leftovers", "in the other style"},
	{"counter down", "send ", "in the other style"},
	{"rare start ", "start fixed", "the initial block is the rare one"},
	{"rare start ", "start nested", "the initial block is the rare one"},
	{"rare start ", "start none", "the initial block is the rare one"},
	{"send never", "send many", "one or the other"},
	{"send never", "send without else", "one or the other"},
	{"send never", "shared by two", "nothing is sent"},
	{"send never", "shared written out", "nothing is sent"},
	{"shared set", "shared by two", "all changes are of the rare kind"},
	{"shared set", "shared written out", "all changes are of the rare kind"},
	{"shared down", "shared by two", "all changes are of the rare kind"},
	{"shared down", "shared written out", "all changes are of the rare kind"},
}

// ofPrograms are features that come with several loops, and ofSingleLoops those that come with one; by how they begin.
var (
	ofPrograms    = []string{"style program", "break", "branch ", "between ", "loop by goto", "end", "proposition location"}
	ofSingleLoops = []string{"style fsm", "style direct", "waits ", "send ", "leftovers", "labels several", "inner label", "rare inner label"}
)

func hasPrefix(name string, list []string) bool {
	for _, prefix := range list {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// Impossible gives the reason why two features cannot occur together; empty if they can.
func Impossible(a, b string) string {
	for prefix, reason := range alternatives {
		if strings.HasPrefix(a, prefix) && strings.HasPrefix(b, prefix) {
			return reason
		}
	}
	if strings.HasPrefix(a, "mistake ") || strings.HasPrefix(b, "mistake ") {
		return "what else is in a wrong text does not matter"
	}
	for _, p := range [][2]string{{a, b}, {b, a}} {
		rare, ok := rares[p[0]]
		if !ok {
			continue
		}
		other := strings.TrimPrefix(p[1], "rare ")
		if other == p[1] {
			other, ok = rares[p[1]]
			if !ok {
				continue
			}
		}
		if other != rare {
			return "a text has one rare construct at most"
		}
	}
	for _, p := range [][2]string{{a, b}, {b, a}} {
		if hasPrefix(p[0], ofPrograms) && hasPrefix(p[1], ofSingleLoops) {
			return "there is one loop, or there are several"
		}
	}
	for _, e := range exclusions {
		if strings.HasPrefix(a, e[0]) && strings.HasPrefix(b, e[1]) || strings.HasPrefix(b, e[0]) && strings.HasPrefix(a, e[1]) {
			return e[2]
		}
	}
	if strings.HasPrefix(a, "result ") || strings.HasPrefix(b, "result ") {
		return refusedResult(a, b)
	}
	return ""
}

// refusedResult gives a reason why a result cannot occur: texts that are refused have no other results, and which
// constructs are refused depends on the program.
func refusedResult(a, b string) string {
	for _, p := range [][2]string{{a, b}, {b, a}} {
		if p[0] == "result refused" || p[0] == "result both refuse" || p[0] == "result timeout" || p[0] == "result disagreement" {
			return "there is no verdict, or there should be none"
		}
		if _, ok := rares[p[1]]; strings.HasPrefix(p[0], "result ") && (ok || strings.HasPrefix(p[1], "rare ")) {
			return "the program may refuse it"
		}
	}
	return ""
}
