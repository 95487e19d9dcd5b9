package everysize

import (
	"fmt"
	"slices"
	"strings"

	"tacheck/fol"
	own "tacheck/internal/names"
	"tacheck/protocol"
	"tacheck/protocol/ftdp"
	"tacheck/smt"
)

// Lemmas of the first-order system in the words of the text that it was made of.

// Lowered is a protocol as a first-order system.
type Lowered struct {
	*fol.System
	l *lowering
}

// word is what a symbol is in a text: $k stands for its arguments.
type word struct {
	text  string
	ends  int              // how many of the arguments, the first ones, are a sender and a receiver
	types []*protocol.Type // of arguments: nil of those that may be any element of their sort
}

// cell makes a symbol of a cell.
func (l *lowering) cell(f *leaf, at cellAt, name string, mutable bool, result *fol.Sort, form string) *fol.Symbol {
	s := l.symbol(name, mutable, result, at.of...)
	if l.words[s.Name] != nil {
		return s
	}
	text := f.text
	for i := len(at.path) - 1; i >= 0; i-- {
		text = strings.ReplaceAll(text, fmt.Sprintf("$%d", i), "\x00"+strings.TrimPrefix(at.path[i], "$"))
		if !strings.HasPrefix(at.path[i], "$") {
			text = strings.ReplaceAll(text, "\x00", "")
		} else {
			text = strings.ReplaceAll(text, "\x00", "\x01")
		}
	}
	w := &word{text: fmt.Sprintf(form, strings.ReplaceAll(text, "\x01", "$"))}
	for i, p := range at.path {
		switch {
		case !strings.HasPrefix(p, "$"):
		case i == 0:
			w.types = append(w.types, nil)
		default:
			w.types = append(w.types, f.dims[i-1])
		}
	}
	l.words[s.Name] = w
	return s
}

// messageWord says what a relation of messages is.
func (l *lowering) messageWord(s *shape) {
	w := &word{ends: 2}
	var ends []string
	for _, r := range []int{s.of.from, s.of.to} {
		if l.x.Model.Roles[r].Shared {
			return
		}
		ends = append(ends, fmt.Sprintf("$%d", len(ends)))
		w.types = append(w.types, nil)
	}
	name := l.own("x")
	var all []string
	for i, f := range s.fields {
		m := l.x.message[i]
		at := name + "." + m.text
		switch {
		case !f.def && l.x.Model.Message.Kinds == nil:
			all = append(all, "isundefined("+at+")")
		case !f.def:
		case f.sorted:
			all = append(all, fmt.Sprintf("%s = $%d", at, len(w.types)))
			w.types = append(w.types, m.typ)
		case m.typ.Kind == protocol.KindBool && f.value == 0:
			all = append(all, "not "+at)
		case m.typ.Kind == protocol.KindBool:
			all = append(all, at)
		default:
			all = append(all, at+" = "+valueText(m.typ, f.value))
		}
	}
	if all == nil {
		all = []string{"true"}
	}
	w.text = fmt.Sprintf("exists (%s: sent(%s)) (%s)", name, strings.Join(ends, ", "), strings.Join(all, " and "))
	l.words[s.is.Name] = w
}

// own is a name that the text does not have.
func (l *lowering) own(name string) string {
	return own.Free(name, "", func(out string) bool {
		return slices.ContainsFunc(l.x.Model.Names, func(d protocol.Declared) bool { return d.Name == out })
	})
}

// unsaid is panicked with where a formula has no form in the text.
type unsaid struct{}

// Said reports whether lemmas may speak of a symbol.
func (s *Lowered) Said(x *fol.Symbol) bool {
	return s.l.words[x.Name] != nil ||
		slices.ContainsFunc(s.l.classes, func(c *class) bool { return c.member.Name == x.Name })
}

// Lemma says a formula in the words of the text; ok is false if it has none there.
func (s *Lowered) Lemma(t *fol.Term) (text string, ok bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, is := r.(unsaid); !is {
				panic(r)
			}
			text, ok = "", false
		}
	}()
	said := (&teller{l: s.l, names: map[*fol.Var]string{}}).say(t)
	list, err := s.l.x.Model.ParseLemmas("lemma", []string{said}).Printed()
	if err != nil {
		return "", false
	}
	return list[0], true
}

// Facts are lemmas that the system has axioms for: how many processes there are of which something is always true.
func (s *Lowered) Facts() (list []string) {
	for _, c := range s.l.chosenSets {
		size, ok := s.l.linearText(c.of.size)
		t := &teller{l: s.l, names: map[*fol.Var]string{}}
		name := t.name(c.v)
		if !ok {
			continue
		}
		for _, op := range map[bool][]string{true: {">=", "<="}, false: {">="}}[c.of.exact] {
			list = append(list, fmt.Sprintf("count (%s: %s) (%s) %s %s", name, s.l.x.Model.Roles[c.of.role].ID,
				t.say(c.is), op, size))
		}
	}
	return list
}

type teller struct {
	l     *lowering
	names map[*fol.Var]string
}

func (t *teller) say(f *fol.Term) string {
	list := func(op string) string {
		var parts []string
		for _, a := range f.Args {
			parts = append(parts, "("+t.say(a)+")")
		}
		return strings.Join(parts, " "+op+" ")
	}
	switch f.Op {
	case fol.And, fol.Or:
		if len(f.Args) == 0 {
			return fmt.Sprint(f.Op == fol.And)
		}
		return list(map[fol.Op]string{fol.And: "and", fol.Or: "or"}[f.Op])
	case fol.Not:
		if a := f.Args[0]; a.Op == fol.Exists && t.ofSets(a.Vars) {
			return t.all(a.Vars, fol.Neg(a.Args[0]))
		}
		return "not (" + t.say(f.Args[0]) + ")"
	case fol.Implies:
		return t.say(fol.Any(fol.Neg(f.Args[0]), f.Args[1]))
	case fol.Iff:
		return list("<->")
	case fol.Equal:
		return t.say(f.Args[0]) + " = " + t.say(f.Args[1])
	case fol.Use:
		return t.names[f.Vars[0]]
	case fol.Apply:
		w := t.l.words[f.Symbol.Name]
		if w == nil {
			panic(unsaid{})
		}
		text := w.text
		for i := range w.ends { // messages are between processes that are variables
			if a := f.Args[i]; a.Op != fol.Use {
				v := &fol.Var{Name: "P", Sort: a.Sort()}
				out := *f
				out.Args = slices.Clone(f.Args)
				out.Args[i] = fol.V(v)
				return t.say(fol.Quantify(fol.Exists, []*fol.Var{v}, fol.All(fol.Eq(fol.V(v), a), &out)))
			}
		}
		for i := len(f.Args) - 1; i >= 0; i-- {
			text = strings.ReplaceAll(text, fmt.Sprintf("$%d", i), t.say(f.Args[i]))
		}
		return text
	case fol.Exists:
		if body := fol.Neg(f.Args[0]); t.ofSets(f.Vars) {
			if len(f.Vars) == 1 && body.Op != fol.Or {
				return t.count(f.Vars[0], []*fol.Term{body}, ">=")
			}
			return "not (" + t.all(f.Vars, body) + ")"
		}
		return t.bind("exists", f.Vars, f.Args[0])
	case fol.Forall:
		return t.all(f.Vars, f.Args[0])
	}
	panic(unsaid{})
}

// ofSets reports whether some of the variables are sets.
func (t *teller) ofSets(vars []*fol.Var) bool {
	return slices.ContainsFunc(vars, func(v *fol.Var) bool { return t.class(v) != nil })
}

func (t *teller) class(v *fol.Var) *class {
	for _, c := range t.l.classes {
		if c.sort.Name == v.Sort.Name {
			return c
		}
	}
	return nil
}

// all says a formula for all elements; what it says for all sets of a class it says of how many processes there are.
func (t *teller) all(vars []*fol.Var, body *fol.Term) string {
	var plain []*fol.Var
	list := []*fol.Term{body}
	if body.Op == fol.Or {
		list = slices.Clone(body.Args)
	}
	counts := map[*fol.Var][]*fol.Term{}
	for _, v := range vars {
		if t.class(v) == nil {
			plain = append(plain, v)
			continue
		}
		list = slices.DeleteFunc(list, func(l *fol.Term) bool {
			if slices.Contains(l.Free(), v) {
				counts[v] = append(counts[v], l)
				return true
			}
			return false
		})
	}
	return t.bound("forall", plain, func() string {
		var parts []string
		for _, l := range list {
			parts = append(parts, "("+t.say(l)+")")
		}
		for _, v := range vars {
			if len(counts[v]) > 0 {
				parts = append(parts, t.count(v, counts[v], "<"))
			}
		}
		if parts == nil {
			return "false"
		}
		return strings.Join(parts, " or ")
	}, body)
}

// count says that in every set of a class there is a member that is not as conditions say: fewer are; or that not so.
func (t *teller) count(q *fol.Var, list []*fol.Term, op string) string {
	c := t.class(q)
	k := &fol.Var{Name: "K", Sort: t.sortOf(c.role)}
	var all []*fol.Term
	for _, l := range list {
		not := l.Op == fol.Not
		if not {
			l = l.Args[0]
		}
		switch {
		case not && l.Op == fol.Forall && len(l.Vars) == 1:
			all = append(all, t.member(c, q, l.Vars[0], k, l.Args[0]))
		case !not && l.Op == fol.Exists && len(l.Vars) == 1:
			all = append(all, t.member(c, q, l.Vars[0], k, fol.Neg(l.Args[0])))
		default:
			panic(unsaid{})
		}
	}
	size, ok := t.l.linearText(c.size)
	if !ok {
		panic(unsaid{})
	}
	name := t.name(k)
	return fmt.Sprintf("count (%s: %s) (%s) %s %s", name, t.l.x.Model.Roles[c.role].ID, t.say(fol.All(all...)),
		op, size)
}

func (t *teller) sortOf(role int) *fol.Sort { return t.l.sort(role) }

// member is what a formula says of a member of a set, as one about another variable.
func (t *teller) member(c *class, q, n, k *fol.Var, body *fol.Term) *fol.Term {
	if body.Op == fol.Implies {
		body = fol.Any(fol.Neg(body.Args[0]), body.Args[1])
	}
	if body.Op == fol.Not && body.Args[0].Op == fol.And {
		var no []*fol.Term
		for _, a := range body.Args[0].Args {
			no = append(no, fol.Neg(a))
		}
		body = fol.Any(no...)
	}
	list := []*fol.Term{body}
	if body.Op == fol.Or {
		list = slices.Clone(body.Args)
	}
	found := false
	list = slices.DeleteFunc(list, func(l *fol.Term) bool {
		is := l.Op == fol.Not && l.Args[0].Op == fol.Apply && l.Args[0].Symbol.Name == c.member.Name &&
			l.Args[0].Args[0].Op == fol.Use && l.Args[0].Args[0].Vars[0] == n
		found = found || is
		return is
	})
	rest := fol.Any(list...)
	if !found || slices.Contains(rest.Free(), q) {
		panic(unsaid{})
	}
	return rest.Substitute(map[*fol.Var]*fol.Term{n: fol.V(k)})
}

func (t *teller) name(v *fol.Var) string {
	n := t.l.own(fmt.Sprintf("v%d", len(t.names)+1))
	t.names[v] = n
	return n
}

func (t *teller) bind(op string, vars []*fol.Var, body *fol.Term) string {
	return t.bound(op, vars, func() string { return t.say(body) }, body)
}

func (t *teller) bound(op string, vars []*fol.Var, say func() string, body *fol.Term) string {
	text := ""
	for _, v := range vars {
		typ := t.typeOf(v, body)
		text += fmt.Sprintf("%s (%s: %s) ", op, t.name(v), typ)
	}
	if text == "" {
		return say()
	}
	return text + "(" + say() + ")"
}

// typeOf is the type of a variable: the least one that it is an index of.
func (t *teller) typeOf(v *fol.Var, body *fol.Term) string {
	pool, found := 0, false
	for p, s := range t.l.sorts {
		if s.Name == v.Sort.Name {
			pool, found = p, true
		}
	}
	switch {
	case !found:
		panic(unsaid{})
	case pool >= 0:
		return t.l.x.Model.Roles[pool].ID
	}
	typ, low := t.l.types[pool], t.l.least[pool]
	body.Visit(func(u *fol.Term) bool {
		if u.Op == fol.Apply && t.l.words[u.Symbol.Name] != nil {
			for i, a := range u.Args {
				of := t.l.words[u.Symbol.Name].types[i]
				if a.Op == fol.Use && a.Vars[0] == v && of != nil &&
					(int64(of.Lo) > low || of.To != nil && Sum(of.To) != Sum(typ.To)) {
					typ, low = of, int64(of.Lo)
				}
			}
		}
		return true
	})
	if typ.From == nil {
		return fmt.Sprintf("%d..%d", typ.Lo, typ.Hi)
	}
	return fmt.Sprintf("%s..%s", Sum(typ.From), Sum(typ.To))
}

// linearText is a number made of sizes as it is written.
func (l *lowering) linearText(n smt.Linear) (string, bool) {
	text := ""
	add := func(k int64, what string) {
		sign, times := " + ", ""
		if k < 0 {
			sign, k = " - ", -k
		}
		if text == "" {
			sign = strings.TrimPrefix(strings.TrimSpace(sign), "+")
		}
		if what == "" {
			what = fmt.Sprint(k)
		} else if k != 1 {
			times = fmt.Sprintf("%d * ", k)
		}
		text += sign + times + what
	}
	terms := slices.Clone(n.Terms())
	slices.SortStableFunc(terms, func(a, b smt.Term) int { return b.Coef.Sign() - a.Coef.Sign() })
	for _, t := range terms {
		name := ""
		for k, v := range l.x.constant {
			if len(v.Terms()) == 1 && v.Terms()[0].Var == t.Var && v.Const().Sign() == 0 && v.Terms()[0].Coef.Is(1) &&
				(name == "" || k < name) {
				name = k
			}
		}
		if q := l.x.written[t.Var]; name == "" && q != "" {
			name = q
		}
		if name == "" {
			return "", false
		}
		add(t.Coef.Int64(), name)
	}
	if k := n.Const().Int64(); k != 0 || text == "" {
		add(k, "")
	}
	return text, true
}

// Sum is a number made of constants, as it is written.
func Sum(t *protocol.Term) string { return written(t, 0) }

// written is a number where operators stand that bind with some strength: what binds less is in parentheses.
func written(t *protocol.Term, outer int) string {
	join := func(strength int) string {
		s := written(t.Args[0], strength) + " " + string(t.Op) + " " + written(t.Args[1], strength+1)
		if strength < outer {
			return "(" + s + ")"
		}
		return s
	}
	switch t.Op {
	case ftdp.Number:
		if t.Const != "" {
			return t.Const
		}
		return fmt.Sprint(t.Value)
	case ftdp.Minus:
		return "(-" + written(t.Args[0], 3) + ")"
	case ftdp.Plus, ftdp.Sub:
		return join(1)
	case ftdp.Times, ftdp.Div, ftdp.Mod:
		return join(2)
	case ftdp.Ceiling:
		return "[" + written(t.Args[0], 0) + "]"
	case ftdp.Floor:
		return "⌊" + written(t.Args[0], 0) + "⌋"
	}
	return ""
}
