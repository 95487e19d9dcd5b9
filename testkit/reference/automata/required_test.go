package automata

import (
	"sort"
	"strings"
)

// textFeatures are what texts consist of: every pair that is not impossible has to occur (TestTextsCover). Those that
// end in a space stand for all that begin so.
var textFeatures = []string{
	"-> in a state formula", "0 shared", "1 initial locations", "1 locations", "1 parameters", "1 shared", "2 initial locations",
	"2 locations", "2 parameters", "2 shared", "3 locations", "3 parameters", "3 shared", "4 locations", "5 locations",
	"assumption with a division", "assumption with !=", "assumption with ||", "chain a -> b -> c",
	"claim <>", "claim []", "claim [](->)", "claim [](-> <>)", "claim [](-> <> or [])", "claim at the start", "claim with <> in <>",
	"comment", "comparison of parameters", "condition on parameters", "conjunction of premises", "cycle", "define used", "division",
	"formula of any form", "guard !", "guard &&", "guard false", "guard true", "guard ||", "guard or atom ", "head ",
	"initial <=", "initial bound on a location", "initial sum beyond parameters", "local", "location and variable compared",
	"locations compared", "multiple of a variable", "negative variable", "no assumptions", "no guard", "number of a rule twice",
	"open location", "open number of processes", "open variable", "parameter beside the variables", "premise <>", "premise <> in <>",
	"premise <> with [] in it", "premise <>[]", "premise []", "premise []<>", "premise [] with <> in it", "premise about the start",
	"sections in another order", "self-loop with a guard", "self-loops missing", "somebody is in a set, throughout",
	"sum of locations", "sum of variables", "template", "two premises", "unchanged", "unknown in a bound", "update by 2",
	"update said twice", "update with nothing added", "update written in another way", "variable begins beyond parameters",
	"variable begins in a range", "variable begins with !=", "variable grows on a cycle", "variables on both sides",
	"variable with coefficient 0",
}

// runFeatures are options, modes and verdicts: each one has to occur in a campaign that is large enough.
var runFeatures = []string{
	"--encoding flow", "--encoding path", "--except location", "--except rule", "--except-guard", "--no-simplify",
	"--search enumerate", "--search incremental", "--search lazy", "--search symbolic", "--silent -", "--silent parameter",
	"explore no violation", "explore violated", "fair verdict holds", "fair verdict violated", "finite witness",
	"formula of any form is decided", "formula of any form is refused", "mode explore", "mode fairness", "mode fmt",
	"mode replay factor", "mode replay loop", "mode replay parameter", "mode replay specification", "mode replay start",
	"mode replay step left out", "mode replay step twice", "mode replay unchanged", "mode replay variable at the start",
	"mode resilience", "mode synth", "mode verify", "mode verify --fair", "named instance", "no initial configuration",
	"open instance", "replay exit code 0", "replay exit code 1", "resilience counterexample", "resilience refusal",
	"synth refusal", "synth solution", "synth vacuous solution", "vacuous", "verdict holds", "verdict violated", "witness with a loop",
}

// enough is the number of cases from which on every run feature has to occur.
const enough = 1000

// impossible are pairs that cannot occur, by how the features begin, with the reason.
var impossible = []struct{ a, b, reason string }{
	{"head ", "head ", "a text has one head"},
	{"initial <=", "initial ", "one condition on the sum is drawn"},
	{"initial bound", "initial ", "one condition on the sum is drawn"},
	{"initial sum", "initial ", "one condition on the sum is drawn"},
	{"open number of processes", "initial ", "one condition on the sum is drawn"},
	{"assumption", "assumption", "one of them is drawn"},
	{"assumption", "no assumptions", "one of them is drawn"},
	{"0 shared", "guard or atom", "comparisons of variables, and there are none"},
	{"0 shared", "location and variable", "there are no variables"},
	{"0 shared", "multiple of a variable", "there are no variables"},
	{"0 shared", "negative variable", "there are no variables"},
	{"0 shared", "open variable", "there are no variables"},
	{"0 shared", "parameter beside", "there are no variables"},
	{"0 shared", "sum of variables", "there are no variables"},
	{"0 shared", "unchanged", "there are no variables"},
	{"0 shared", "update ", "there are no variables"},
	{"0 shared", "variable", "there are no variables"},
	{"1 shared", "sum of variables", "there is one variable"},
	{"1 locations", "2 initial", "there is one location"},
	{"1 locations", "cycle", "there is one location, where self-loops do not count as cycles"},
	{"1 locations", "number of a rule twice", "there is one rule at most"},
	{"1 locations", "open location", "there is one location, and it is initial"},
	{"1 parameters", "assumption with a division", "there is one parameter, and this is n <= n / 2"},
}

// alike are numbers of which a text has one.
var alike = []string{" shared", " parameters", " locations"}

// possible says whether a pair can occur.
func possible(a, b string) bool {
	for _, pair := range impossible {
		if strings.HasPrefix(a, pair.a) && strings.HasPrefix(b, pair.b) || strings.HasPrefix(b, pair.a) && strings.HasPrefix(a, pair.b) {
			return false
		}
	}
	for _, end := range alike {
		if strings.HasSuffix(a, end) && strings.HasSuffix(b, end) {
			return false
		}
	}
	return true
}

// isRequired says whether pairs of a feature are counted.
func isRequired(feature string) bool {
	for _, name := range textFeatures {
		if feature == name || strings.HasSuffix(name, " ") && strings.HasPrefix(feature, name) {
			return true
		}
	}
	return false
}

// missingPairs are features of texts, and pairs of them, that have to occur and have not.
func (c *coverage) missingPairs() []string {
	var features []string
	for _, feature := range c.features() {
		if isRequired(feature) {
			features = append(features, feature)
		}
	}
	all := c.without(textFeatures)
	for n, a := range features {
		for _, b := range features[n+1:] {
			if c.pairs[[2]string{a, b}] == 0 && possible(a, b) {
				all = append(all, a+" with "+b)
			}
		}
	}
	sort.Strings(all)
	return all
}

// without are the features of a list that have not occurred.
func (c *coverage) without(list []string) []string {
	var all []string
	for _, name := range list {
		if !strings.HasSuffix(name, " ") && c.single[name] == 0 {
			all = append(all, name)
		}
	}
	return all
}
