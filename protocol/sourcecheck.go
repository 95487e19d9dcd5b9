package protocol

import (
	"slices"

	"tacheck/internal/spell"
)

// where an expression stands.
type sourceScope uint8

const (
	scopeParams  sourceScope = iota // parameters only
	scopeLocal                      // variables of a process
	scopeProcess                    // and heard(...), parameters
	scopeFormula                    // all(...), some(...), count(...), parameters, temporal operators
)

// counters are what properties say of processes.
var counters = []string{"all", "some", "count", "every"}

// check checks names and operators of an expression.
func (s *Source) check(e *Expr, in sourceScope) {
	bad := func(format string, args ...any) { s.errs.Add(e.Pos, max(1, e.Width), format, args...) }
	if s.given[e] {
		return
	}
	switch e.Op {
	case Number:
	case Name:
		s.name(e, in, bad)
	case Field:
		s.qualified(e, in, bad)
	case Call:
		s.call(e, in, bad)
	case Finally, Globally:
		if in != scopeFormula {
			bad("this is for formulas")
		}
		s.check(e.Args[0], in)
	case And, Or, Not, Implies, Eq, Ne, Lt, Le, Gt, Ge, Plus, Sub, Times, Minus, Chain, Iff, Floor, Ceiling:
		for _, a := range e.Args {
			s.check(a, in)
		}
		if e.Op == Times {
			if _, ok := s.Number(e.Args[0], nil); !ok {
				if _, ok := s.Number(e.Args[1], nil); !ok {
					bad("one of the factors has to be a number: thresholds are sums of parameters")
				}
			}
		}
	case Div:
		s.check(e.Args[0], in)
		if k, ok := s.Number(e.Args[1], nil); !ok || k < 1 {
			bad("what is divided by has to be a positive number")
		}
	case Out: // 2t
		bad("2%s: a number times a parameter is 2 * %s", e.Name, e.Name)
	case Until, Release:
		bad("%s cannot be asked of threshold automata: formulas have F and G", e.Op)
	case ForAll, Exists:
		if in == scopeParams {
			bad("this is about parameters: sums of them are compared, nothing is said of processes")
			return
		}
		bad("processes have no names here: all(...), some(...), count(...) of their variables")
	case Index:
		bad("processes have no names here: heard(...) counts those that have sent something, all(...), some(...), count(...) those that are in some state")
	case Mod:
		bad("remainders have no meaning in a protocol for all sizes")
	case Undefined:
		bad("isundefined has no meaning in a protocol for all sizes: variables begin with a value")
	case In, SetOf:
		bad("there are no sets in a protocol for all sizes: x = 1 or x = 2 for x in {1, 2}")
	case Max, Min, Count:
		bad("%s has no meaning in a protocol for all sizes: rules with parameters, `[](v: 0..1) r: ...`, distinguish values", e.Op)
	default:
		bad("%s has no meaning in a protocol for all sizes", e.Op)
	}
}

// name checks a name.
func (s *Source) name(e *Expr, in sourceScope, bad func(string, ...any)) {
	if _, ok := s.Value(e.Name); ok {
		return
	}
	param := slices.Contains(s.Params, e.Name)
	if e.Name == "crashes" && in == scopeProcess && s.crashing() {
		return // how many have crashed, as a perfect failure detector tells
	}
	local := s.variable(e.Name) != nil || e.Name == "crashed" && s.crashing()
	var known []string
	if in != scopeLocal {
		known = append(known, s.Params...)
	}
	if in == scopeLocal || in == scopeProcess {
		for i, t := range s.Types {
			for _, v := range t.Vars {
				if s.here < 0 || s.here == i {
					known = append(known, v.Name)
				}
			}
		}
	}
	switch {
	case param && in == scopeLocal:
		bad("the parameter %s is not something of a process: in what a process assigns, and inside all(...), some(...), count(...), there are its variables and numbers", e.Name)
	case param, local && (in == scopeLocal || in == scopeProcess):
	case local && in == scopeFormula:
		bad("whose %s? all(%s), some(%s), count(%s)", e.Name, e.Name, e.Name, e.Name)
	case e.Name == "crashes" && in == scopeFormula && s.crashing():
		bad("crashes is what a process is told, in guards: count(crashed) is how many have crashed")
	case e.Name == "crashes" || e.Name == "crashed":
		bad("who has crashed is known with `faults crash f;` or `faults clean f;`, and how many, crashes, in guards")
	default:
		bad("unknown name %q%s", e.Name, spell.Hint(e.Name, known))
	}
}

// qualified checks a variable of processes of a type: king.v.
func (s *Source) qualified(e *Expr, in sourceScope, bad func(string, ...any)) {
	t := -1
	if e.Args[0].Op == Name {
		t = s.typeIndex(e.Args[0].Name)
	}
	switch {
	case t < 0:
		bad("unknown: %s; a variable of processes of a type, in properties: TYPE.x", e)
	case s.here >= 0:
		bad("a process knows its own variables: what others do it knows from messages, heard(...)")
	case in == scopeFormula:
		bad("whose %s? all(%s), some(%s), count(%s)", e, e, e, e)
	case s.Types[t].Var(e.Name) == nil && (e.Name != "crashed" || !s.crashing()):
		if e.Name == "crashed" {
			bad("who has crashed is known with `faults crash f;` or `faults clean f;`, and how many, crashes, in guards")
			return
		}
		var known []string
		for _, v := range s.Types[t].Vars {
			known = append(known, v.Name)
		}
		bad("%s has no variable %q%s", s.Types[t].Name, e.Name, spell.Hint(e.Name, known))
	}
}

func (s *Source) call(e *Expr, in sourceScope, bad func(string, ...any)) {
	switch {
	case e.Name == "heard" && in == scopeProcess:
		if len(e.Args) != 1 {
			bad("heard has one argument: a kind of messages")
			return
		}
		s.heard(e.Args[0])
	case slices.Contains(counters, e.Name) && in == scopeFormula:
		if len(e.Args) != 1 {
			bad("%s has one argument: a condition on a process", e.Name)
			return
		}
		before := len(s.errs)
		of := scopeLocal
		if s.given != nil {
			of = scopeProcess // who watches sees what guards see
		}
		s.check(e.Args[0], of)
		if len(s.errs) == before && len(s.Meant(e.Args[0])) == 0 {
			bad("no process has all of these variables: a condition is on one process, of one type")
		}
	case e.Name == "arrived" && in == scopeProcess:
		s.arrival(e, bad)
	case e.Name == "heard", e.Name == "arrived":
		bad("%s(...) is for guards of rules: ask there, and note in a variable what came out", e.Name)
	case slices.Contains(counters, e.Name) && in == scopeParams:
		bad("this is about parameters: `init %s(...) ...;` is about processes in initial states", e.Name)
	case slices.Contains(counters, e.Name) && s.here < 0:
		bad("%s(...) does not stand inside another one: a condition is on one process", e.Name)
	case slices.Contains(counters, e.Name):
		bad("%s(...) is for properties: a process knows its own variables, and from how many it has heard, heard(K)", e.Name)
	case slices.Contains(collectionWords, e.Name):
		bad("%s(...) is for protocols of fixed size: here there are no sequences and sets, but heard(K), from how many processes a K was received", e.Name)
	default:
		bad("unknown: %s(...)%s", e.Name, spell.Hint(e.Name, append([]string{"heard", "arrived"}, counters...)))
	}
}

// whole checks that an expression is a sum, without quotients.
func (s *Source) whole(e *Expr) {
	if e.divides() {
		s.errs.Add(e.Pos, max(1, e.Width), "numbers of processes are sums of parameters"+forQuotient)
	}
}

const forQuotient = ": take a parameter for the quotient, `assume 2 * h <= n, n <= 2 * h + 1` for n / 2"

func (e *Expr) divides() bool {
	return e.Op == Div || e.Op == Floor || e.Op == Ceiling || slices.ContainsFunc(e.Args, (*Expr).divides)
}
