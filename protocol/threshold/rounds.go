package threshold

import (
	"context"
	"fmt"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/parametric"
	"github.com/tacheck/tacheck/ta/syntax"
)

// TranslateRounds makes the automaton of a round of a protocol with rounds: that of a single round, with a section that
// says where the next one begins (docs/rounds.md). Its error is a diag.List.
func TranslateRounds(ctx context.Context, r *parametric.RoundSource) (*Translation, error) {
	s, err := parametric.Of(r.One())
	if err != nil {
		return nil, err
	}
	t, err := explored(ctx, s, how{})
	if err != nil {
		return nil, err
	}
	x := &roundTranslation{Translation: t, r: r, typ: &s.Types[0]} // all types have the same variables
	if err := x.findEnds(); err != nil {
		return nil, err
	}
	x.rename()
	if err := x.build(); err != nil {
		return nil, err
	}
	return t, x.buildRounds()
}

// CheckRounds is Check for a protocol with rounds.
func CheckRounds(ctx context.Context, r *parametric.RoundSource) error {
	s, err := parametric.Of(r.One())
	if err != nil {
		return err
	}
	return Check(ctx, s)
}

// roundTranslation adds to the automaton of a round what makes it one of many.
type roundTranslation struct {
	*Translation
	r    *parametric.RoundSource
	typ  *parametric.ProcessType
	next map[int][]int // by location at the end of a round, where the next one begins
}

// site is how a round has ended at a location; nil if it has not.
func (x *roundTranslation) site(l *Location) *parametric.Site {
	if l.Down || l.Faulty && x.Source.Faults.Alike {
		return nil
	}
	if n := x.values(l)[x.r.Ended]; n > 0 {
		return &x.r.Sites[n-1]
	}
	return nil
}

// findEnds finds where rounds end, and where the next ones begin then.
func (x *roundTranslation) findEnds() error {
	x.next, x.coins = map[int][]int{}, map[int][]int{}
	for i := range x.Locations {
		l := &x.Locations[i]
		s := x.site(l)
		if s == nil {
			continue
		}
		x.next[i] = x.outcomes(l, s)
		if x.owes(l); x.refused != nil {
			return x.refused.Err()
		}
		if s.Var() != nil {
			x.coins[i] = x.next[i]
		}
	}
	return nil
}

// buildRounds makes the section of rounds.
func (x *roundTranslation) buildRounds() error {
	b, o := x.automaton, x.at()
	add := func(i syntax.RoundsItem) { b.Rounds = append(b.Rounds, &i) }
	for _, i := range slices.Sorted(maps.Keys(x.next)) {
		l, to := &x.Locations[i], x.next[i]
		s := &syntax.Switch{Kind: "toss", Group: x.listed(to)}
		switch site := x.site(l); {
		case len(to) == 1:
			s = &syntax.Switch{To: s.Group.Names[0]}
		case site.Coin != nil:
			s.Kind = "coin"
		case x.r.Coordinated():
			s.Kind = "turn"
		}
		add(syntax.RoundsItem{Name: o.Ident(l.Name), Switch: s})
	}
	if b.Rounds == nil {
		x.refused.Add(x.typ.Size.Pos, 1, "no process ever comes to the end of a round")
		return x.refused.Err()
	}
	for _, typ := range x.Source.Stopping() {
		add(syntax.RoundsItem{Throughout: o.Idents(x.called(counter.Crashed.Numbered(typ)))})
	}
	x.missing(add)
	if x.r.Coordinated() {
		add(syntax.RoundsItem{Leader: x.coordinator()})
	}
	for _, groups := range x.valuesOf() {
		add(syntax.RoundsItem{Values: groups})
	}
	if asked := x.revealed(); asked != nil {
		add(syntax.RoundsItem{Revealed: asked})
	}
	for _, p := range x.r.After {
		id := originOfName(p.Invariant.Name)
		add(syntax.RoundsItem{Name: id.Ident(p.Invariant.Name.Name),
			After: &syntax.After{Rounds: x.form.Expr(id, x.sum(p.Invariant.After, nil)),
				Formula: x.formula(id, p.Invariant.Formula, true)}})
	}
	fair := func() *syntax.Expr {
		if fair := x.fairness(o); fair != nil {
			return fair
		}
		return o.Truth(true)
	}
	almost := x.almost()
	if len(almost) > 0 {
		add(syntax.RoundsItem{Fair: fair()})
	}
	if slices.ContainsFunc(x.r.Almost, func(sec *ftdp.Section) bool { return sec.LTL.Good }) {
		if late := x.late(); late != nil {
			add(syntax.RoundsItem{Late: late})
			x.never, x.form.Duties = x.r.Late(), nil
			add(syntax.RoundsItem{Timely: fair()})
			x.never, x.form.Duties = nil, nil
		}
	}
	for i := range almost {
		add(almost[i])
	}
	b.Inits = append(x.first(), b.Inits...)
	return x.refused.Err()
}

// owes refuses that a round is ended without a message that others wait for until it has arrived, or its sender has
// crashed: that may be in a later round, after steps there that would have to come before.
func (x *roundTranslation) owes(l *Location) {
	for _, ch := range x.channels {
		if !ch.awaits || ch.from != l.Type || l.sent(&ch) || x.refused != nil {
			continue
		}
		x.refuse(x.Source.Awaits(ch.kind.Name),
			"with crashes, this may depend on who crashes in a later round: a process may end the round without "+
				"having sent %s (%s); "+
				"that is not decided for all rounds, instances can be explored", ch.kind.Name, l.Name)
	}
}

// late says which rules are not taken in good rounds.
func (x *roundTranslation) late() (rules []string) {
	never := x.r.Late()
	for i, m := range x.Moves {
		if m.Rule >= 0 && never[x.Source.Rules[m.Rule].Label.Name] {
			rules = append(rules, x.automaton.Rules[i].ID)
		}
	}
	return rules
}

// coordinator says where the coordinator of a round begins it, how many rounds of any n in a row have a faulty one at
// most, and what tells that a round is one of these.
func (x *roundTranslation) coordinator() *syntax.Leader {
	at := x.places(func(l *Location) bool { return l.Start && l.Type == 0 && (!l.Faulty || !x.Source.Faults.Alike) })
	most, out := number(0), &syntax.Leader{At: x.listed(at)}
	for _, g := range x.Source.Groups {
		most = most.Add(x.sum(g.Count, nil))
		if e := g.Count; !x.Source.Faults.Stop && slices.Contains(g.Types, 0) {
			out.When = originOf(e).Ident(x.called(x.parameter(e.Name).Vars()[0]))
		}
	}
	out.Most = x.form.Expr(x.at(), most)
	return out
}

// missing says what counts who is gone: of the variables that count who has crashed without sending what is waited for.
func (x *roundTranslation) missing(add func(syntax.RoundsItem)) {
	for c, ch := range x.channels {
		if !ch.awaits {
			continue
		}
		at := x.places(func(l *Location) bool { return l.Start && l.Type == ch.from })
		lost := x.at().Ident(x.called(counter.Lost.Numbered(c)))
		add(syntax.RoundsItem{Missing: &syntax.Missing{Var: lost, At: x.listed(at),
			Total: x.form.Expr(x.at(), x.size(ch.from))}})
	}
}

func (x *roundTranslation) listed(list []int) *syntax.Group {
	out := &syntax.Group{}
	for _, l := range list {
		out.Names = append(out.Names, x.at().Ident(x.Locations[l].Name))
	}
	return out
}

// outcomes lists where the next round may begin for who has ended one at a location: by what the common coin says, or
// each place once.
func (x *roundTranslation) outcomes(l *Location, s *parametric.Site) (list []int) {
	v := s.Var()
	if v == nil {
		for typ := range x.Source.Types {
			list = append(list, x.border(l, typ, x.values(l)))
		}
		return list
	}
	own := x.typ.Var(v.Name)
	if own == nil {
		x.refused.Add(v.Place(), len(v.Name), "unknown name %q", v.Name)
		return nil
	}
	for n := own.Lo; n <= own.Hi; n++ {
		after := maps.Clone(x.values(l))
		after[v.Name] = n
		for _, p := range x.paths(s.Rest, path{typ: l.Type, v: after}) {
			if p.needs != nil {
				x.refuse(heardIn(s.Rest),
					"after a coin, conditions are about variables of the process only: note before it what was heard")
				return nil
			}
			if b := x.border(l, l.Type, p.v); s.Coin != nil || !slices.Contains(list, b) {
				list = append(list, b)
			}
		}
	}
	return list
}

// heardIn is the first expression in some statements that asks what was heard.
func heardIn(list []*ftdp.Statement) *ftdp.Expr {
	for st := range ftdp.All(list) {
		for _, e := range ftdp.Expressions(st) {
			for part := range e.All() {
				if part.Op == ftdp.Call {
					return part
				}
			}
		}
	}
	return nil
}

// border finds where a round begins, for a process of a type, with values of what is kept.
func (x *roundTranslation) border(l *Location, typ int, v values) int {
	i := slices.IndexFunc(x.Locations, func(o Location) bool {
		if !o.Start || o.Type != typ || o.Faulty != l.Faulty {
			return false
		}
		for k, own := range x.typ.Vars {
			want := own.First
			if slices.Contains(x.r.Kept, own.Name) {
				want = v[own.Name]
			}
			if o.Values[k] != want {
				return false
			}
		}
		return true
	})
	if i < 0 {
		panic("threshold: a round that begins nowhere")
	}
	return i
}

// borders lists where rounds can begin according to the text: for processes that follow it.
func (x *roundTranslation) borders() (list []int) {
	for _, to := range x.next {
		list = append(list, to...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// first says that the first round begins with the first values of what is kept.
func (x *roundTranslation) first() (list []*syntax.Expr) {
	for _, i := range x.places(func(l *Location) bool {
		return l.Start && (!l.Faulty || !x.Source.Faults.Alike) && x.isLater(l)
	}) {
		list = append(list, x.at().Equation(x.at().Name(x.Locations[i].Name), 0))
	}
	return list
}

// isLater reports whether what is kept has values that it does not begin with.
func (x *roundTranslation) isLater(l *Location) bool {
	for k, own := range x.typ.Vars {
		if slices.Contains(x.r.Kept, own.Name) && !x.r.Begins(own.Name, l.Values[k], x.Source) {
			return true
		}
	}
	return false
}

// valuesOf divides borders by what is kept: first by what coins decide, then by all together.
func (x *roundTranslation) valuesOf() (list [][]*syntax.Group) {
	borders := x.borders()
	seen := map[string]bool{}
	division := func(key func(l *Location) string) {
		groups := map[string][]int{}
		for _, b := range borders {
			k := key(&x.Locations[b])
			groups[k] = append(groups[k], b)
		}
		parts := lists.Map(slices.Sorted(maps.Keys(groups)), func(k string) []int { return groups[k] })
		if same := fmt.Sprint(parts); len(groups) > 1 && !seen[same] { // one group tells nothing apart
			seen[same] = true
			list = append(list, x.groups(parts))
		}
	}
	names := slices.Clone(x.r.Kept)
	slices.SortStableFunc(names, func(a, b string) int { return x.decided(b) - x.decided(a) })
	for _, name := range names {
		division(func(l *Location) string { return fmt.Sprint(x.values(l)[name]) })
	}
	division(func(l *Location) string { return l.first })
	for _, name := range names {
		if x.decided(name) > 0 {
			list = append(list, x.covers(name, borders)...)
		}
	}
	return list
}

func (x *roundTranslation) groups(parts [][]int) []*syntax.Group {
	return lists.Map(parts, x.listed)
}

// covers puts borders into groups that overlap: for sets of values of something that is kept, of two, three ... values,
// those that have one of them.
func (x *roundTranslation) covers(name string, borders []int) (list [][]*syntax.Group) {
	with := map[int64][]int{}
	for _, b := range borders {
		n := x.values(&x.Locations[b])[name]
		with[n] = append(with[n], b)
	}
	all := slices.Sorted(maps.Keys(with))
	for size := 2; size < len(all) && len(all) <= mostCovered; size++ {
		var parts [][]int
		for set := range 1 << len(all) {
			if bits.OnesCount(uint(set)) != size {
				continue
			}
			var group []int
			for i, n := range all {
				if set>>i&1 != 0 {
					group = append(group, with[n]...)
				}
			}
			parts = append(parts, group)
		}
		list = append(list, x.groups(parts))
	}
	return list
}

// mostCovered bounds the values of a variable whose sets are tried.
const mostCovered = 6

// decided counts how often a coin decides a variable, or it is assigned after one.
func (x *roundTranslation) decided(name string) (n int) {
	for _, s := range x.r.Sites {
		if v := s.Var(); v != nil && v.Name == name {
			n++
		}
		for _, st := range s.Rest {
			if st.Assign != nil && st.Assign.Place.Name == name {
				n++
			}
		}
	}
	return n
}

// revealed says how many correct processes have to ask for the common coin before it is known: faulty ones
// may ask, too.
func (x *roundTranslation) revealed() *syntax.Expr {
	o := x.at()
	for _, s := range x.r.Sites {
		switch {
		case s.Coin == nil:
			continue
		case s.Coin.After == nil:
			return o.Int(1)
		}
		asked := x.sum(s.Coin.After, nil) // the same wherever rounds end
		if !x.guards.Implies(x.size(0).Sub(x.stops()).Sub(asked)) {
			x.refuse(s.Coin.After,
				"so many may never ask: the assumptions do not say that it is at most the number of correct processes")
		}
		if !x.Source.Faults.Stop && !x.Source.Faults.Omit() {
			return x.form.Expr(o, asked.Sub(x.faulty(0)))
		}
		// Processes that asked may be gone. If none needs to ask, it is known at once.
		if x.guards.Implies(asked.Plus(-1)) {
			return o.Int(1)
		}
		return o.Int(0)
	}
	return nil
}

// stops is how many processes may not ask for a coin.
func (x *roundTranslation) stops() amount {
	out := x.faulty(0)
	if x.Source.Faults.Stop {
		for _, g := range x.Source.Groups {
			out = out.Add(x.sum(g.Count, nil))
		}
	}
	return out
}

// almost is what happens almost surely.
func (x *roundTranslation) almost() (list []syntax.RoundsItem) {
	for _, p := range x.r.Almost {
		c := p.LTL.Formula.Args[0].Args[0]
		good := func(l int) bool {
			yes, _, ok := x.truth(c, l)
			if !ok {
				x.refuse(c, "this has no value")
			}
			return yes
		}
		o := originOfName(p.LTL.Name)
		var goal []*syntax.Expr
		for i := range x.Locations {
			l := &x.Locations[i]
			_, end := x.next[i]
			if l.Down || l.Faulty || !end && !slices.Contains(x.borders(), i) || !good(i) {
				continue
			}
			goal = append(goal, o.Name(l.Name))
		}
		if !x.stays(good) {
			x.refuse(c,
				"a process that satisfies this may satisfy it no more later: what is reached has to stay so")
			return nil
		}
		if goal == nil {
			x.refuse(c, "no process ever satisfies this at the end of a round")
			return nil
		}
		kind := "almost_surely"
		if p.LTL.Good {
			kind = "good_at_last"
		} else {
			for _, w := range p.LTL.Almost.How {
				kind += "_" + w
			}
		}
		list = append(list, syntax.RoundsItem{Name: o.Ident(p.LTL.Name.Name),
			Almost: &syntax.Almost{Kind: kind, Goal: o.Plus(goal...)}})
	}
	return list
}

// stays reports whether something that is true of a process stays so.
func (x *roundTranslation) stays(good func(l int) bool) bool {
	left := func(from, to int) bool {
		a, b := &x.Locations[from], &x.Locations[to]
		return !a.Down && !b.Down && !a.Faulty && good(from) && !good(to)
	}
	for _, m := range x.Moves {
		if left(m.From, m.To) {
			return false
		}
	}
	for from, to := range x.next {
		if slices.ContainsFunc(to, func(b int) bool { return left(from, b) }) {
			return false
		}
	}
	return true
}

// rename gives locations shorter names: those where rounds begin are named by the variables that rounds keep.
func (x *roundTranslation) rename() {
	taken := map[string]bool{}
	for i := range x.Locations {
		taken[x.Locations[i].Name] = true
	}
	for _, name := range x.names {
		taken[name] = true
	}
	for i := range x.Locations {
		l := &x.Locations[i]
		if l.Down || l.Faulty {
			continue
		}
		name := ""
		if parts := x.described(l, x.r.Ended); len(parts) > 0 && x.values(l)[x.r.Ended] == 0 {
			name = x.nameOf(l, parts)
		}
		if _, end := x.next[i]; end || l.Start {
			name = x.keptName(l)
			if end {
				name += map[bool]string{true: "_over", false: "_coin"}[x.site(l).Var() == nil]
			}
		}
		if name != "" && !taken[name] && syntax.IsName(name) && !slices.Contains(x.Source.Params, name) {
			taken[name] = true
			l.Name = name
		}
	}
}

// keptName names what is kept.
func (x *roundTranslation) keptName(l *Location) string {
	var parts []string
	if len(x.Source.Types) > 1 {
		parts = append(parts, x.Source.Types[l.Type].Name)
	}
	for k, v := range x.typ.Vars {
		if slices.Contains(x.r.Kept, v.Name) {
			parts = append(parts, valued(&v, l.Values[k]))
		}
	}
	return strings.Join(parts, "_")
}
