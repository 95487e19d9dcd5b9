package parametric

import (
	"cmp"
	"maps"
	"slices"
	"strings"

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

// The types of expressions: truth values, numbers, and (from 0) the enumerations. What is wrong has none.
const (
	truthType  = -1
	numberType = -2
	noType     = -3
)

// wrong is that of problems, of names and expressions in the words of the user.
func (s *Source) wrong(e *ftdp.Expr, format string, args ...any) int {
	for i, a := range args {
		switch a := a.(type) {
		case string:
			args[i] = s.File.Called(a, "")
		case *ftdp.Expr:
			args[i] = s.File.InWords(a)
		}
	}
	return s.problems.wrong(e, format, args...)
}

// want checks an expression where one of a type stands.
func (s *Source) want(e *ftdp.Expr, in sourceScope, want int) { s.expect(e, s.Check(e, in), want) }

func (s *Source) expect(e *ftdp.Expr, got, want int) {
	if got != want && got != noType && want != noType {
		s.wrong(e, "expected %s, not %s", s.typeName(want), s.typeName(got))
	}
}

// wantAll checks operands, which are all of a type. It returns the type of the whole.
func (s *Source) wantAll(e *ftdp.Expr, in sourceScope, want, whole int) int {
	for _, a := range e.Args {
		s.want(a, in, want)
	}
	return whole
}

// Check checks names, operators and types of an expression. It returns its type.
func (s *Source) Check(e *ftdp.Expr, in sourceScope) int {
	if s.Given[e] {
		return noType
	}
	switch e.Op {
	case ftdp.Number:
		return numberType
	case ftdp.Name:
		return s.name(e, in)
	case ftdp.Field:
		return s.qualified(e, in)
	case ftdp.Call:
		return s.call(e, in)
	case ftdp.Finally, ftdp.Globally:
		if in != ScopeFormula {
			s.wrong(e, "%[1]s is for formulas, `ltl name: ...`, and stands outside of all(...) and some(...): "+
				"`%[1]s all(c)`", string(e.Op))
		}
		return s.wantAll(e, in, truthType, truthType)
	case ftdp.And, ftdp.Or, ftdp.Not, ftdp.Iff:
		return s.wantAll(e, in, truthType, truthType)
	case ftdp.Implies:
		a, b := s.Check(e.Args[0], in), s.Check(e.Args[1], in)
		if a == numberType || b == numberType {
			return s.wrong(e, "=> and -> are `implies`: at least is >=")
		}
		s.expect(e.Args[0], a, truthType)
		s.expect(e.Args[1], b, truthType)
		return truthType
	case ftdp.Eq, ftdp.Ne, ftdp.Chain:
		first := s.Check(e.Args[0], in)
		for _, a := range e.Args[1:] {
			s.want(a, in, first)
		}
		if hasTemporal(e) {
			s.wrong(e, "temporal operators are not compared: write an implication or two")
		}
		return truthType
	case ftdp.Lt, ftdp.Le, ftdp.Gt, ftdp.Ge:
		return s.wantAll(e, in, numberType, truthType)
	case ftdp.Plus, ftdp.Sub, ftdp.Times, ftdp.Minus, ftdp.Floor, ftdp.Ceiling:
		constant := func(a *ftdp.Expr) bool { _, ok := s.Number(a, nil); return ok }
		if e.Op == ftdp.Times && !slices.ContainsFunc(e.Args, constant) {
			s.wrong(e, "one of the factors has to be a number: thresholds are sums of parameters")
		}
		return s.wantAll(e, in, numberType, numberType)
	case ftdp.Div:
		s.want(e.Args[0], in, numberType)
		if k, ok := s.Number(e.Args[1], nil); !ok || k < 1 {
			s.wrong(e, "what is divided by has to be a positive number")
		}
		return numberType
	case ftdp.Out: // 2t
		return s.wrong(e, "2%s: a number times a parameter is 2 * %s", e.Name, e.Name)
	case ftdp.Until, ftdp.Release:
		return s.wrong(e, "%s cannot be asked of threshold automata: formulas have F and G", e.Op)
	case ftdp.ForAll, ftdp.Exists:
		if in == scopeParams {
			return s.wrong(e, "this is about parameters: sums of them are compared, nothing is said of processes")
		}
		return s.wrong(e, "processes have no names here: all(...), some(...), count(...) of their variables")
	case ftdp.Index:
		return s.wrong(e, "processes have no names here: heard(...) counts those that have sent something, all(...), "+
			"some(...), count(...) those that are in some state")
	case ftdp.Mod:
		return s.wrong(e, "remainders have no meaning in a protocol for all sizes")
	case ftdp.Undefined:
		return s.wrong(e, "isundefined has no meaning in a protocol for all sizes: variables begin with a value")
	case ftdp.In, ftdp.SetOf, ftdp.Those:
		return s.wrong(e, "there are no sets in a protocol for all sizes: x = 1 or x = 2 for x in {1, 2}")
	case ftdp.Choice:
		return s.wrong(e, "in a protocol for all sizes a value is no `if`: write `if c then x := 1; else x := 2; "+
			"endif`")
	case ftdp.Max, ftdp.Min, ftdp.Count:
		return s.wrong(e, "%s has no meaning in a protocol for all sizes: rules with parameters, `[](v: 0..1) r: "+
			"...`, distinguish values", e.Op)
	}
	return s.wrong(e, "%s has no meaning in a protocol for all sizes", e.Op)
}

// noCrashes says where it is known who has crashed.
const noCrashes = "who has crashed is known with `faults crash f;` or `faults clean f;`, and how many, crashes, in " +
	"guards"

// name checks a name.
func (s *Source) name(e *ftdp.Expr, in sourceScope) int {
	v, value := s.values[e.Name]
	of := s.variable(e.Name)
	_, constant := s.Consts[e.Name]
	param, local := slices.Contains(s.Params, e.Name), of != nil || e.Name == "crashed" && s.Faults.Stop
	process := in == scopeLocal || in == ScopeProcess
	switch {
	case constant:
		return numberType
	case e.Name == "true", e.Name == "false":
		return truthType
	case value:
		return v.enum
	case e.Name == "crashes" && in == ScopeProcess && s.Faults.Stop:
		return numberType // how many have crashed, as a perfect failure detector tells
	case param && in == scopeLocal:
		return s.wrong(e, "the parameter %s is not something of a process: here are its variables, and numbers", e.Name)
	case param:
		return numberType
	case local && process && of == nil:
		return truthType
	case local && process:
		return of.code()
	case local && in == ScopeFormula:
		return s.wrong(e, "whose %s? all(%s), some(%s), count(%s)", e.Name, e.Name, e.Name, e.Name)
	case e.Name == "crashes" && in == ScopeFormula && s.Faults.Stop:
		return s.wrong(e, "crashes is what a process is told, in guards: count(crashed) is how many have crashed")
	case e.Name == "crashes" || e.Name == "crashed":
		return s.wrong(e, noCrashes)
	}
	known := slices.Collect(maps.Keys(s.values))
	if in != scopeLocal {
		known = append(known, s.Params...)
	}
	for i, t := range s.Types {
		for _, v := range t.Vars {
			if process && (s.Here < 0 || s.Here == i) {
				known = append(known, s.File.Called(v.Name, ""))
			}
		}
	}
	hint := spell.Hint(e.Name, append(known, "true", "false"))
	if hint == "" && (e.Name == "toss" || e.Name == "coin") {
		hint = ": a statement, `" + e.Name + " x;`"
	}
	if process && slices.ContainsFunc(s.Kinds, func(k MessageKind) bool { return k.Name == e.Name }) {
		hint = ": heard(" + e.Name + ") is from how many it was received"
	}
	if hint == "" && in == scopeParams {
		hint = ": `parameters " + e.Name + ";` declares a parameter"
	}
	return s.wrong(e, "unknown name %q%s", e.Name, hint)
}

// qualified checks a variable of processes of a type: king.v.
func (s *Source) qualified(e *ftdp.Expr, in sourceScope) int {
	t := -1
	if e.Args[0].Op == ftdp.Name {
		t = s.TypeIndex(e.Args[0].Name)
	}
	switch {
	case t < 0:
		return s.wrong(e, "unknown: %s; a variable of processes of a type, in properties: TYPE.x", e)
	case s.Here >= 0:
		return s.wrong(e, "a process knows its own variables: what others do it knows from messages, heard(...)")
	case in == ScopeFormula:
		return s.wrong(e, "whose %s? all(%s), some(%s), count(%s)", e, e, e, e)
	case s.Types[t].Var(e.Name) != nil:
		return s.Types[t].Var(e.Name).code()
	case e.Name == "crashed" && s.Faults.Stop:
		return truthType
	case e.Name == "crashed":
		return s.wrong(e, noCrashes)
	}
	known := lists.Map(s.Types[t].Vars, func(v SourceVar) string { return s.File.Called(v.Name, "") })
	return s.wrong(e, "%s has no variable %q%s", s.Types[t].Name, e.Name, spell.Hint(e.Name, known))
}

func (s *Source) call(e *ftdp.Expr, in sourceScope) int {
	counts := slices.Contains(Counters, e.Name)
	switch {
	case e.Name == "heard" && in == ScopeProcess && len(e.Args) != 1:
		return s.wrong(e, "heard has one argument: a kind of messages")
	case e.Name == "heard" && in == ScopeProcess:
		s.heard(e.Args[0])
		return numberType
	case e.Name == "arrived" && in == ScopeProcess:
		s.arrival(e)
		return truthType
	case counts && in == ScopeFormula && len(e.Args) != 1:
		return s.wrong(e, "%s has one argument: a condition on a process", e.Name)
	case counts && in == ScopeFormula:
		s.ofProcess(e, e.Args[0])
		if e.Name == "count" {
			return numberType
		}
		return truthType
	case e.Name == "heard", e.Name == "arrived":
		return s.wrong(e, "%s(...) is for guards of rules: ask there, and note in a variable what came out", e.Name)
	case counts && in == scopeParams:
		return s.wrong(e, "this is about parameters: `init %s(...) ...;` is about processes in initial states", e.Name)
	case counts && s.Here < 0:
		return s.wrong(e, "%s(...) does not stand inside another one: a condition is on one process", e.Name)
	case counts:
		return s.wrong(e, "%s(...) is for properties: a process knows its own variables, and from how many it has "+
			"heard, heard(K)", e.Name)
	case slices.Contains(ftdp.CollectionWords, e.Name):
		return s.wrong(e, "%s(...) is for protocols of fixed size: here there are no sequences and sets, but "+
			"heard(K), from how many processes a K was received", e.Name)
	case e.Name == "random":
		return s.wrong(e, "unknown: random(...); `toss x;` gives x a value by a coin of the process, `coin x;` by a "+
			"common one")
	case s.Kind(e.Name) != nil:
		return s.wrong(e, "unknown: %s; from how many processes it was received is heard(%s)", e, e)
	case slices.Contains(heardWords, e.Name):
		return s.wrong(e, "unknown: %s(...); from how many processes a K was received is heard(K)", e.Name)
	}
	if as, known := rounded[e.Name]; known {
		return s.wrong(e, "unknown: %s(...); %s", e.Name, as)
	}
	known := append([]string{"heard", "arrived"}, Counters...)
	return s.wrong(e, "unknown: %s(...)%s", e.Name, spell.Hint(e.Name, known))
}

// arrival checks the argument of arrived.
func (s *Source) arrival(e *ftdp.Expr) {
	if len(e.Args) != 1 || e.Args[0].Op != ftdp.Name && e.Args[0].Op != ftdp.Field {
		s.wrong(e, "arrived has one argument: a kind of messages")
		return
	}
	s.heard(e.Args[0])
	if s.Faults.Alike {
		s.wrong(e, "arrived(...) has no meaning with symmetric faults: who sends is not known to be correct")
	}
}

// heard checks the argument of heard.
func (s *Source) heard(a *ftdp.Expr) {
	joined := a.Op == ftdp.Or
	if joined {
		if len(a.Args) != 2 || a.Args[1].Op != ftdp.Name || a.Args[1].Name != "crashed" || !s.Faults.Stop {
			s.wrong(a, "heard counts processes by one kind of messages: heard(A) + heard(B) for two; with crashes, "+
				"heard(A or crashed)")
			return
		}
		a = a.Args[0]
	}
	of, name, args := a, a.Name, a.Args
	if a.Op == ftdp.Call && name == "" {
		of, name, args = a.Args[0], a.Args[0].Name, a.Args[1:]
	}
	k := s.Kind(name)
	if name == "" {
		s.wrong(a, "heard counts processes by one kind of messages: heard(A) + heard(B) for two")
		return
	}
	if k == nil || a.Op != ftdp.Name && a.Op != ftdp.Call && a.Op != ftdp.Field {
		s.wrong(a, "there are no messages %q%s", name, s.meantKind(name))
		return
	}
	if of.Op == ftdp.Field {
		t := -1
		if of.Args[0].Op == ftdp.Name {
			t = s.TypeIndex(of.Args[0].Name)
		}
		if t < 0 {
			name := of.Args[0].Name
			s.wrong(of.Args[0], "there are no processes %q%s", name, spell.Hint(name, s.typeNames()))
			return
		}
		if !slices.Contains(k.From, t) {
			s.wrong(of, "no %s sends %s", s.Types[t].Name, k.Name)
		}
	}
	if a.Op != ftdp.Call {
		return
	}
	if joined {
		s.wrong(a, "heard(%s or crashed) counts processes by the kind of messages, whatever these say", k.Name)
	}
	if !k.Valued() || len(args) != len(k.Fields) {
		s.wrong(a, "%s has %s", k.Name, numbered(len(k.Fields)))
		return
	}
	for i, e := range args {
		if e.Op != ftdp.Name || e.Name != "_" {
			s.want(e, scopeLocal, k.Fields[i].code())
		}
	}
}

// meantKind says which kind of messages may be meant, or how to declare one.
func (s *Source) meantKind(name string) string {
	known := lists.Map(s.Kinds, func(o MessageKind) string { return o.Name })
	return cmp.Or(spell.Hint(name, known), ": `messages "+name+";` declares them")
}

func numbered(n int) string {
	switch n {
	case 0:
		return "no value"
	case 1:
		return "one value"
	}
	return (&ftdp.Expr{Op: ftdp.Number, Num: int64(n)}).String() + " values"
}

// rounded is what to write in place of functions that round.
var rounded = map[string]string{"floor": "`a / 2` rounds down", "ceil": "`(a + 1) / 2` rounds a half up",
	"ceiling": "`(a + 1) / 2` rounds a half up", "round": "`a / 2` rounds down"}

// ofProcess checks a condition on a process: one of those types that it speaks of, whose variables have the same types.
func (s *Source) ofProcess(e, c *ftdp.Expr) {
	before, in := len(s.Errs), scopeLocal
	if s.Given != nil {
		in = ScopeProcess // who watches sees what guards see
	} else if meant := s.Meant(c); len(meant) > 0 {
		s.about = meant[0] + 1
	}
	got := s.Check(c, in)
	s.about = 0
	if len(s.Errs) > before {
		return
	}
	meant := s.Meant(c)
	if len(meant) == 0 {
		s.wrong(e, "no process has all of these variables: a condition is on one process, of one type")
		return
	}
	s.agree(c, meant)
	s.expect(c, got, truthType)
}

// whole checks a number of processes: a sum, without quotients.
func (s *Source) whole(e *ftdp.Expr) {
	s.want(e, scopeParams, numberType)
	if divides(e) {
		s.wrong(e, "numbers of processes are sums of parameters"+forQuotient)
	}
}

const forQuotient = ": take a parameter for the quotient, h for n / 2: `assume 2 * h <= n, n <= 2 * h + 1`"

func divides(e *ftdp.Expr) bool {
	return e.Op == ftdp.Div || e.Op == ftdp.Floor || e.Op == ftdp.Ceiling || slices.ContainsFunc(e.Args, divides)
}

// heardWords are what other notations have in place of heard.
var heardWords = []string{"received", "receive", "recv", "rcvd", "got", "delivered", "count", "nrcvd"}

// code is the type of expressions that the values have.
func (t *ValueType) code() int {
	switch {
	case t.Bool:
		return truthType
	case t.Names != nil:
		return t.Enum
	}
	return numberType
}

func hasTemporal(e *ftdp.Expr) bool {
	return e.Op == ftdp.Finally || e.Op == ftdp.Globally || slices.ContainsFunc(e.Args, hasTemporal)
}

// agree checks that the types of processes that a condition speaks of have the same type for each of its variables.
func (s *Source) agree(e *ftdp.Expr, meant []int) {
	for a := range e.All() {
		if a.Op != ftdp.Name || len(meant) == 1 {
			continue
		}
		first := s.Types[meant[0]].Var(a.Name)
		for _, i := range meant[1:] {
			if v := s.Types[i].Var(a.Name); v != nil && !v.same(&first.ValueType) {
				s.wrong(a, "%s is %s in %s, and %s in %s: say which, as in %s.%s", a.Name, first,
					s.Types[meant[0]].Name, v, s.Types[i].Name, s.Types[i].Name, a.Name)
				break
			}
		}
	}
}

func (s *Source) typeName(t int) string {
	switch t {
	case truthType:
		return "a truth value"
	case numberType:
		return "a number"
	}
	return "one of " + strings.Join(s.Enums[t], ", ")
}

// Meant returns the types of processes that a condition speaks of: those whose variables it names, or
// all that have all of its variables.
func (s *Source) Meant(e *ftdp.Expr) []int {
	var out []int
	for i := range s.Types {
		if s.Speaks(e, i) {
			out = append(out, i)
		}
	}
	return out
}

func (s *Source) Speaks(e *ftdp.Expr, typ int) bool {
	if s.Given != nil { // guards are watched
		switch {
		case s.Given[e], e.Op == ftdp.Name && (slices.Contains(s.Params, e.Name) || e.Name == "crashes"):
			return true
		case e.Op == ftdp.Call && (e.Name == "heard" || e.Name == "arrived"):
			h := s.Heard(e.Args[0])
			return h.Kind != nil && s.Hears(typ, h.Kind.Name) && !slices.ContainsFunc(h.Args,
				func(a *ftdp.Expr) bool { return a != nil && !s.Speaks(a, typ) })
		}
	}
	switch e.Op {
	case ftdp.Name:
		_, value := s.value(e.Name)
		return value || e.Name == "crashed" || s.Types[typ].Var(e.Name) != nil
	case ftdp.Field:
		return e.Args[0].Op == ftdp.Name && e.Args[0].Name == s.Types[typ].Name &&
			(e.Name == "crashed" || s.Types[typ].Var(e.Name) != nil)
	}
	return !slices.ContainsFunc(e.Args, func(a *ftdp.Expr) bool { return !s.Speaks(a, typ) })
}

// variable returns the variable of a name in the type that is looked at; in conditions of properties, of some type.
func (s *Source) variable(name string) *SourceVar {
	for i := range s.Types {
		if v := s.Types[i].Var(name); v != nil && (s.Here < 0 || s.Here == i) && (s.about == 0 || s.about == i+1) {
			return v
		}
	}
	return nil
}

// Number evaluates an expression of numbers with values for its parameters, constants and variables; false if one has
// none.
func (s *Source) Number(e *ftdp.Expr, values map[string]int64) (int64, bool) {
	n := s.number(e, values, ftdp.Anything)
	return n.Low, n.Known()
}

// number evaluates an expression of numbers where names without a value are such numbers. Where these may be anything,
// so is what is made of them.
func (s *Source) number(e *ftdp.Expr, values map[string]int64, open ftdp.Between) ftdp.Between {
	return ftdp.Eval(e, func(e *ftdp.Expr) ftdp.Between {
		v, ok := values[e.Name]
		switch {
		case e.Op == ftdp.Number:
			return ftdp.Exactly(e.Num)
		case e.Op == ftdp.Name && !ok:
			v, ok = s.value(e.Name)
		}
		switch {
		case e.Op != ftdp.Name && e.Op != ftdp.Field: // of processes of a type
		case ok:
			return ftdp.Exactly(v)
		case e.Op == ftdp.Name:
			return open
		}
		return ftdp.Anything
	}, func(op ftdp.Op, _ *ftdp.Expr, args []ftdp.Between) ftdp.Between {
		by := op == ftdp.Div || op == ftdp.Ceiling
		if open == ftdp.Anything && slices.Contains(args, open) || by && args[1].Low < 0 {
			return ftdp.Anything
		}
		return ftdp.Calculate(op, args)
	})
}
