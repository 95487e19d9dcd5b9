package parametric

import (
	"slices"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// where an expression stands.
type sourceScope uint8

const (
	scopeParams  sourceScope = iota // parameters only
	scopeLocal                      // variables of a process
	ScopeProcess                    // and heard(...), parameters
	ScopeFormula                    // all(...), some(...), count(...), parameters, temporal operators
)

// counters are what properties say of processes.
var Counters = []string{"all", "some", "count", "every"}

// Check checks names and operators of an expression.
func (s *Source) Check(e *ftdp.Expr, in sourceScope) {
	bad := func(format string, args ...any) { s.Errs.Add(e.Pos, max(1, e.Width), format, args...) }
	if s.Given[e] {
		return
	}
	switch e.Op {
	case ftdp.Number:
	case ftdp.Name:
		s.name(e, in, bad)
	case ftdp.Field:
		s.qualified(e, in, bad)
	case ftdp.Call:
		s.call(e, in, bad)
	case ftdp.Finally, ftdp.Globally:
		if in != ScopeFormula {
			bad("this is for formulas")
		}
		s.Check(e.Args[0], in)
	case ftdp.And, ftdp.Or, ftdp.Not, ftdp.Implies, ftdp.Eq, ftdp.Ne, ftdp.Lt, ftdp.Le, ftdp.Gt, ftdp.Ge, ftdp.Plus,
		ftdp.Sub, ftdp.Times, ftdp.Minus, ftdp.Chain, ftdp.Iff, ftdp.Floor, ftdp.Ceiling:
		for _, a := range e.Args {
			s.Check(a, in)
		}
		if e.Op == ftdp.Times {
			if _, ok := s.Number(e.Args[0], nil); !ok {
				if _, ok := s.Number(e.Args[1], nil); !ok {
					bad("one of the factors has to be a number: thresholds are sums of parameters")
				}
			}
		}
	case ftdp.Div:
		s.Check(e.Args[0], in)
		if k, ok := s.Number(e.Args[1], nil); !ok || k < 1 {
			bad("what is divided by has to be a positive number")
		}
	case ftdp.Out: // 2t
		bad("2%s: a number times a parameter is 2 * %s", e.Name, e.Name)
	case ftdp.Until, ftdp.Release:
		bad("%s cannot be asked of threshold automata: formulas have F and G", e.Op)
	case ftdp.ForAll, ftdp.Exists:
		if in == scopeParams {
			bad("this is about parameters: sums of them are compared, nothing is said of processes")
			return
		}
		bad("processes have no names here: all(...), some(...), count(...) of their variables")
	case ftdp.Index:
		bad("processes have no names here: heard(...) counts those that have sent something, all(...), some(...), " +
			"count(...) those that are in some state")
	case ftdp.Mod:
		bad("remainders have no meaning in a protocol for all sizes")
	case ftdp.Undefined:
		bad("isundefined has no meaning in a protocol for all sizes: variables begin with a value")
	case ftdp.In, ftdp.SetOf, ftdp.Those:
		bad("there are no sets in a protocol for all sizes: x = 1 or x = 2 for x in {1, 2}")
	case ftdp.Choice:
		bad("in a protocol for all sizes a value is no `if`: write `if c then x := 1; else x := 2; endif`")
	case ftdp.Max, ftdp.Min, ftdp.Count:
		bad("%s has no meaning in a protocol for all sizes: rules with parameters, `[](v: 0..1) r: ...`, distinguish "+
			"values", e.Op)
	default:
		bad("%s has no meaning in a protocol for all sizes", e.Op)
	}
}

// name checks a name.
func (s *Source) name(e *ftdp.Expr, in sourceScope, bad func(string, ...any)) {
	if _, ok := s.Value(e.Name); ok {
		return
	}
	param := slices.Contains(s.Params, e.Name)
	if e.Name == "crashes" && in == ScopeProcess && s.Faults.Stop {
		return // how many have crashed, as a perfect failure detector tells
	}
	local := s.variable(e.Name) != nil || e.Name == "crashed" && s.Faults.Stop
	var known []string
	if in != scopeLocal {
		known = append(known, s.Params...)
	}
	if in == scopeLocal || in == ScopeProcess {
		for i, t := range s.Types {
			for _, v := range t.Vars {
				if s.Here < 0 || s.Here == i {
					known = append(known, v.Name)
				}
			}
		}
	}
	switch {
	case param && in == scopeLocal:
		bad("the parameter %s is not something of a process: here are its variables, and numbers", e.Name)
	case param, local && (in == scopeLocal || in == ScopeProcess):
	case local && in == ScopeFormula:
		bad("whose %s? all(%s), some(%s), count(%s)", e.Name, e.Name, e.Name, e.Name)
	case e.Name == "crashes" && in == ScopeFormula && s.Faults.Stop:
		bad("crashes is what a process is told, in guards: count(crashed) is how many have crashed")
	case e.Name == "crashes" || e.Name == "crashed":
		bad("who has crashed is known with `faults crash f;` or `faults clean f;`, and how many, crashes, in guards")
	default:
		for name := range s.values {
			known = append(known, name)
		}
		hint := spell.Hint(e.Name, known)
		if hint == "" && (e.Name == "toss" || e.Name == "coin") {
			hint = ": a statement, `" + e.Name + " x;`"
		}
		if hint == "" && in == scopeParams {
			hint = ": `parameters " + e.Name + ";` declares a parameter"
		}
		bad("unknown name %q%s", e.Name, hint)
	}
}

// qualified checks a variable of processes of a type: king.v.
func (s *Source) qualified(e *ftdp.Expr, in sourceScope, bad func(string, ...any)) {
	t := -1
	if e.Args[0].Op == ftdp.Name {
		t = s.TypeIndex(e.Args[0].Name)
	}
	switch {
	case t < 0:
		bad("unknown: %s; a variable of processes of a type, in properties: TYPE.x", e)
	case s.Here >= 0:
		bad("a process knows its own variables: what others do it knows from messages, heard(...)")
	case in == ScopeFormula:
		bad("whose %s? all(%s), some(%s), count(%s)", e, e, e, e)
	case s.Types[t].Var(e.Name) == nil && (e.Name != "crashed" || !s.Faults.Stop):
		if e.Name == "crashed" {
			bad("who has crashed is known with `faults crash f;` or `faults clean f;`, and " +
				"how many, crashes, in guards")
			return
		}
		known := lists.Map(s.Types[t].Vars, func(v SourceVar) string { return v.Name })
		bad("%s has no variable %q%s", s.Types[t].Name, e.Name, spell.Hint(e.Name, known))
	}
}

func (s *Source) call(e *ftdp.Expr, in sourceScope, bad func(string, ...any)) {
	switch {
	case e.Name == "heard" && in == ScopeProcess:
		if len(e.Args) != 1 {
			bad("heard has one argument: a kind of messages")
			return
		}
		s.heard(e.Args[0])
	case slices.Contains(Counters, e.Name) && in == ScopeFormula:
		if len(e.Args) != 1 {
			bad("%s has one argument: a condition on a process", e.Name)
			return
		}
		before := len(s.Errs)
		of := scopeLocal
		if s.Given != nil {
			of = ScopeProcess // who watches sees what guards see
		}
		s.Check(e.Args[0], of)
		if len(s.Errs) == before && len(s.Meant(e.Args[0])) == 0 {
			bad("no process has all of these variables: a condition is on one process, of one type")
		}
	case e.Name == "arrived" && in == ScopeProcess:
		s.arrival(e, bad)
	case e.Name == "heard", e.Name == "arrived":
		bad("%s(...) is for guards of rules: ask there, and note in a variable what came out", e.Name)
	case slices.Contains(Counters, e.Name) && in == scopeParams:
		bad("this is about parameters: `init %s(...) ...;` is about processes in initial states", e.Name)
	case slices.Contains(Counters, e.Name) && s.Here < 0:
		bad("%s(...) does not stand inside another one: a condition is on one process", e.Name)
	case slices.Contains(Counters, e.Name):
		bad("%s(...) is for properties: a process knows its own variables, and from how many it has heard, heard(K)",
			e.Name)
	case slices.Contains(ftdp.CollectionWords, e.Name):
		bad("%s(...) is for protocols of fixed size: here there are no sequences and sets, but heard(K), from how "+
			"many processes a K was received", e.Name)
	case e.Name == "random":
		bad("unknown: random(...); `toss x;` gives x a value by a coin of the process, `coin x;` by a common one")
	case slices.Contains(heardWords, e.Name):
		bad("unknown: %s(...); from how many processes a K was received is heard(K)", e.Name)
	default:
		bad("unknown: %s(...)%s", e.Name, spell.Hint(e.Name, append([]string{"heard", "arrived"}, Counters...)))
	}
}

// whole checks that an expression is a sum, without quotients.
func (s *Source) whole(e *ftdp.Expr) {
	if divides(e) {
		s.Errs.Add(e.Pos, max(1, e.Width), "numbers of processes are sums of parameters"+forQuotient)
	}
}

const forQuotient = ": take a parameter for the quotient, h for n / 2: `assume 2 * h <= n, n <= 2 * h + 1`"

func divides(e *ftdp.Expr) bool {
	return e.Op == ftdp.Div || e.Op == ftdp.Floor || e.Op == ftdp.Ceiling || slices.ContainsFunc(e.Args, divides)
}

// heardWords are what other notations have in place of heard.
var heardWords = []string{"received", "receive", "recv", "rcvd", "got", "delivered", "count", "nrcvd"}
