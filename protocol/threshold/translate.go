// Package threshold makes threshold automata of protocols for all sizes
// (parametric.Source), and runs of protocols of their counterexamples. What faulty processes do,
// and what is fair, follows from the fault model that the text names (docs/sizes.md).
package threshold

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/linear"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/names"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/parametric"
	"github.com/tacheck/tacheck/ta/syntax"
)

// Translation is a protocol as a threshold automaton.
type Translation struct {
	Source    *parametric.Source
	Locations []Location
	Moves     []Move // by rule of the automaton
	// Inexact are rules whose guards say less than the text: counterexamples that use them may be none.
	Inexact []string

	// others are the Byzantine processes, if there may be no correct ones: a process is
	// there while nothing happens.
	others string

	how
	form      counter.Form
	automaton *syntax.Builder
	ctx       context.Context
	stop      context.CancelCauseFunc // ends the translation, with the reason
	bound     int                     // conditions in an elimination
	steps     int                     // how many moves there may be
	large     bool                    // which is that it takes too many conditions
	guards    counter.Guards
	projected map[string]projection // by conditions
	coins     map[int][]int         // by location where a coin is waited for, where it may lead
	never     map[string]bool       // rules that no process takes, by their labels, when fairness is derived
	params    []string              // in the order of their names, in which sums are written
	sorted    []int                 // locations, in that of their first names
	items     []item                // by kind, in that of their names, value, and type of senders
	channels  []channel
	together  map[string][][]int64                 // by kind: values that rules count together
	matters   map[string]map[counter.Quantity]bool // by type and values: what later finds
	index     map[string]int                       // of locations, by key
	names     map[counter.Quantity]string
	refused   diag.List
}

// item is messages of a channel with a value (0 if the kind has none).
type item struct {
	channel int
	value   int64
}

// channel is a kind of messages from processes of a type.
type channel struct {
	kind   *parametric.MessageKind
	number int // of the kind
	from   int
	items  []int // one a value
	joined bool  // senders are counted with the crashed processes
	waited bool  // it stands in an `arrived`
	awaits bool  // it does, and its senders may crash
}

// Location is a local state.
type Location struct {
	Name   string
	first  string  // the name that it had before rename
	Type   int     // of processes
	Values []int64 // by variable of the type
	Sent   uint64  // kinds that were sent, by index in Source.Kinds
	Said   []int   // with which values, where that matters (union.go)
	Faulty bool    // from the start (symmetric, omission)
	Down   bool    // it has crashed
	Start  bool
	// Facts are what a process here is known to have heard, which stays so.
	Facts []amount
}

// Move is a rule of the automaton: what a process does that is somewhere.
type Move struct {
	From, To int
	Rule     int // index in Source.Rules; -1 for what is not a rule of the text
	What     string
	Needs    []amount      // what it has to have heard
	sends    []int         // items
	adds     []counter.Add // to shared variables
	crash    bool
}

// Bounds of translations.
const (
	maxLocations = 2000
	maxMoves     = 20_000
	checked      = 200 // locations, before a text is explored
)

// Translate makes the automaton. Its error is a diag.List, with what cannot be translated and why.
func Translate(ctx context.Context, s *parametric.Source) (*Translation, error) {
	return translate(ctx, s, how{})
}

// TranslateFree makes the automaton without use of what the text assumes of parameters, so
// that it is one of the protocol under other assumptions, too. It may be larger.
func TranslateFree(ctx context.Context, s *parametric.Source) (*Translation, error) {
	return translate(ctx, s, how{free: true})
}

// some is put behind the name of what counts messages that may reach some processes only.
const some = "_some"

// how says how to translate.
type how struct {
	blocked   []*syntax.Expr   // assumptions that leave out parameters
	processes int64            // of an instance: so many there are, and no more (counter.Form.Unmix); 0 for all sizes
	given     map[string]int64 // the parameters of that instance
	// it is searched by counting (countersearch.go): what processes have heard is known there, and is no part of
	// locations
	bare bool
	busy []string // locations at which no process is to rest
	free bool     // no use is made of what is assumed of parameters: other assumptions may take its place
}

func newTranslation(ctx context.Context, s *parametric.Source, h how) *Translation {
	t := &Translation{Source: s, params: slices.Sorted(slices.Values(s.Params)), index: map[string]int{}, how: h,
		projected: map[string]projection{}, together: map[string][][]int64{},
		matters: map[string]map[counter.Quantity]bool{}, bound: maxConditions, steps: maxMoves}
	t.ctx, t.stop = context.WithCancelCause(ctx)
	t.guards = counter.Guards{Known: &counter.Known{Over: func() bool { return t.ctx.Err() != nil }}, Stop: t.tooMany}
	t.form.Called, t.form.Known = t.called, t.guards.Known
	return t
}

func translate(ctx context.Context, s *parametric.Source, h how) (*Translation, error) {
	t, err := explored(ctx, s, h)
	if err != nil {
		return nil, err
	}
	if err := t.build(); err != nil {
		return nil, err
	}
	return t, t.refused.Err()
}

// explored is a translation whose local states, and steps between them, are known, but not written yet.
func explored(ctx context.Context, s *parametric.Source, h how) (*Translation, error) {
	t := newTranslation(ctx, s, h)
	if err := t.locations(maxLocations); err != nil {
		return nil, err
	}
	if len(t.Locations) > maxLocations || len(t.Moves) > maxMoves {
		t.refuseTooMany()
		return nil, t.refused.Err()
	}
	t.name()
	return t, nil
}

// locations finds all local states, or somewhat more than so many.
func (t *Translation) locations(most int) error {
	for i := range t.Source.Kinds {
		k := &t.Source.Kinds[i]
		for _, from := range k.From {
			falls, waited := t.Source.MayCrash(from), t.Source.Awaited(k.Name)
			t.channels = append(t.channels, channel{kind: k, number: i, from: from, waited: waited,
				joined: falls && t.Source.Joined(k.Name), awaits: falls && waited})
		}
	}
	for _, n := range t.byName() {
		for v := t.Source.Kinds[n].Lo; v <= t.Source.Kinds[n].Hi; v++ {
			for c := range t.channels {
				if ch := &t.channels[c]; ch.number == n {
					ch.items = append(ch.items, len(t.items))
					t.items = append(t.items, item{c, v})
				}
			}
		}
	}
	t.assume()
	for typ := range t.Source.Types {
		t.start(typ)
	}
	for i := 0; i < len(t.Locations) && len(t.Locations) <= most && len(t.Moves) <= t.steps && t.refused == nil; i++ {
		if t.ctx.Err() != nil {
			return context.Cause(t.ctx)
		}
		t.from(i)
	}
	return t.refused.Err()
}

// byName are the numbers of kinds, in the order of their names, in which sums are written.
func (t *Translation) byName() (list []int) {
	for i := range t.Source.Kinds {
		list = append(list, i)
	}
	slices.SortFunc(list, func(a, b int) int { return strings.Compare(t.Source.Kinds[a].Name, t.Source.Kinds[b].Name) })
	return list
}

// Check finds what a text does that is refused where it does it: messages that are sent twice, values
// that variables do not have. In texts with very many local states, it looks at some.
func Check(ctx context.Context, s *parametric.Source) error {
	t := newTranslation(ctx, s, how{})
	t.bound = checkedConditions
	if err := t.locations(checked); !t.large {
		return err
	}
	return t.refused.Err()
}

func (t *Translation) refuse(e *ftdp.Expr, format string, args ...any) {
	t.refused.Add(e.Pos, max(1, e.Width), format, args...)
}

// faulty is how many processes of a type are faulty from the start, or Byzantine.
func (t *Translation) faulty(typ int) amount {
	if t.Source.Faults.Stop || t.Source.Types[typ].Group < 0 {
		return number(0)
	}
	return t.sum(t.Source.Faulty(typ), nil)
}

// liars is how many processes of a type send anything to any process.
func (t *Translation) liars(typ int) amount {
	if !t.Source.Faults.Byzantine() {
		return number(0)
	}
	return t.faulty(typ)
}

// crashes is how many processes of some types have crashed.
func (t *Translation) crashes(types []int) (out amount) {
	for _, typ := range types {
		if t.Source.MayCrash(typ) {
			out = out.Add(counter.Of(counter.Crashed, typ))
		}
	}
	return out
}

// location returns the number of a local state.
func (t *Translation) location(l Location) int {
	facts := lists.Map(l.Facts, amount.Key)
	slices.Sort(facts)
	key := fmt.Sprint(l.Type, l.Values, l.Sent, l.Said, l.Faulty, l.Down, facts)
	if i, ok := t.index[key]; ok {
		return i
	}
	t.index[key] = len(t.Locations)
	t.Locations = append(t.Locations, l)
	return len(t.Locations) - 1
}

// start finds the local states in which processes of a type may begin.
func (t *Translation) start(typ int) {
	vars := t.Source.Types[typ].Vars
	first := lists.Map(vars, func(v parametric.SourceVar) int64 { return v.First })
	lo, hi := slices.Clone(first), slices.Clone(first)
	for i, v := range vars {
		if v.Input {
			lo[i], hi[i] = v.Lo, v.Hi
		}
	}
	for list := range lists.Product(lo, hi) {
		t.location(Location{Type: typ, Values: slices.Clone(list), Start: true, Said: t.said(nil, nil)})
		if t.Source.Faults.Omit() && t.Source.Flagged(typ) {
			t.location(Location{Type: typ, Values: slices.Clone(list), Start: true, Faulty: true})
		}
	}
	if t.Source.Faults.Alike && t.Source.Flagged(typ) {
		t.location(Location{Type: typ, Values: first, Start: true, Faulty: true})
	}
}

func (t *Translation) values(l *Location) values {
	v := values{}
	for i, x := range t.Source.Types[l.Type].Vars {
		v[x.Name] = l.Values[i]
	}
	if t.Source.Faults.Stop {
		v["crashed"] = 0
		if l.Down {
			v["crashed"] = 1
		}
	}
	return v
}

// path is a way through a rule.
type path struct {
	typ   int // of the process
	needs cube
	v     values
	sent  []int        // items
	at    []*ftdp.Send // where
}

// acts reports whether a way through a rule, from values of the variables, sends or
// changes something: not if what it changes is changed back.
func (p path) acts(from values) bool { return len(p.sent) > 0 || !maps.Equal(p.v, from) }

// paths returns the ways through statements.
func (t *Translation) paths(list []*ftdp.Statement, p path) []path {
	out := []path{p}
	for _, st := range list {
		var next []path
		for _, p := range out {
			next = append(next, t.statement(st, p)...)
		}
		out = next
	}
	return out
}

func (t *Translation) statement(st *ftdp.Statement, p path) []path {
	switch {
	case st.Assign != nil:
		name := st.Assign.Place.Name
		n, ok := t.Source.Number(st.Assign.Value, p.v)
		v := t.Source.Types[p.typ].Var(name)
		if !ok || n < v.Lo || n > v.Hi {
			t.refuse(st.Assign.Value, "%s cannot become %s: it is in %d..%d; let a guard ask what %[1]s is", name,
				map[bool]string{true: fmt.Sprint(n), false: "that"}[ok], v.Lo, v.Hi)
			return nil
		}
		p.v = maps.Clone(p.v)
		p.v[name] = n
		return []path{p}
	case st.Send != nil:
		return t.sending(st.Send, p)
	case st.If != nil:
		var out []path
		rest := always
		then := func(when dnf, body []*ftdp.Statement) {
			for _, c := range when {
				if needs, ok := linear.Tidy(append(slices.Clone(p.needs), c...)); ok {
					q := p
					q.needs = needs
					out = append(out, t.paths(body, q)...)
				}
			}
		}
		for _, b := range st.If.Branches() {
			if b.Guard == nil {
				then(rest, b.Body)
				return out
			}
			then(and(rest, t.condition(b.Guard, p.v, true)), b.Body)
			rest = and(rest, t.condition(b.Guard, p.v, false))
		}
		then(rest, nil)
		return out
	}
	return []path{p}
}

// sending is a way on which a message is sent.
func (t *Translation) sending(m *ftdp.Send, p path) []path {
	k := t.Source.Kind(m.Kind.Name)
	value := int64(0)
	var fields []int64
	for f, e := range m.Values {
		n, ok := t.Source.Number(e, p.v)
		if !ok || n < k.Fields[f].Lo || n > k.Fields[f].Hi {
			t.refuse(e, "%s has values %s", k.Name, &k.Fields[f])
			return nil
		}
		fields = append(fields, n)
	}
	if fields != nil {
		value = k.Encode(fields)
	}
	p.sent, p.at = append(slices.Clone(p.sent), t.item(k, value, p.typ)), append(slices.Clone(p.at), m)
	return []path{p}
}

// item is the one of a kind with a value from processes of a type.
func (t *Translation) item(k *parametric.MessageKind, value int64, from int) int {
	c := slices.IndexFunc(t.channels, func(ch channel) bool { return ch.kind == k && ch.from == from })
	return t.channels[c].items[value-k.Lo]
}

// channelOf is the channel of an item.
func (t *Translation) channelOf(i int) *channel { return &t.channels[t.items[i].channel] }

func (t *Translation) refusedAt(id *ftdp.Ident, format string, args ...any) {
	t.refused.Add(id.Place(), len(id.Name), format, args...)
}

// bounds are what a process can have heard: at most what was sent to it.
func (t *Translation) bounds() cube {
	var out cube
	for _, ch := range t.channels {
		total, faulty := number(0), t.liars(ch.from)
		for _, i := range ch.items {
			r, most := received(i), t.reached(i)
			total = total.Add(most).Sub(r)
			out = append(out, r, most.Add(faulty).Sub(r))
		}
		if ch.kind.Valued() {
			out = append(out, total.Add(faulty)) // one message of a kind from each
			out = append(out, t.lies(ch, faulty)...)
		}
		if ch.joined {
			out = append(out, t.joined(ch)...)
		}
	}
	return out
}

// maxTogether bounds the values of a kind all sets of which are counted together.
const maxTogether = 5

// lies are bounds on messages of a kind with some of its values: those that were sent, and one from each liar. Of one
// value, and of all, there are bounds already; with many values, there are bounds on those that rules count together.
func (t *Translation) lies(ch channel, faulty amount) (out cube) {
	items := ch.items
	if faulty.Equal(number(0)) {
		return nil
	}
	bound := func(list []int) {
		if len(list) < 2 || len(list) == len(items) {
			return
		}
		sum := faulty
		for _, i := range list {
			sum = sum.Add(t.reached(i)).Sub(received(i))
		}
		out = append(out, sum)
	}
	if len(items) <= maxTogether {
		for set := range 1 << len(items) {
			bound(subset(items, func(v int) bool { return set>>v&1 != 0 }))
		}
		return out
	}
	for _, set := range t.together[ch.kind.Name] {
		bound(subset(items, func(v int) bool { return slices.Contains(set, t.items[items[v]].value) }))
	}
	return out
}

func subset[T any](list []T, in func(i int) bool) (out []T) {
	for i, x := range list {
		if in(i) {
			out = append(out, x)
		}
	}
	return out
}

// arrived says what has arrived eventually.
func (t *Translation) arrived() (out cube) {
	for _, ch := range t.channels {
		for _, i := range ch.items {
			out = append(out, received(i).Sub(sure(i)))
			if ch.joined { // a process that has sent to some only has crashed
				out = append(out, either(i).Sub(t.reached(i)))
			}
		}
	}
	return out
}

// reached counts the messages that some process may have received, sure those that reach all.
func (t *Translation) reached(i int) amount {
	if t.Source.Faults.Some {
		return counter.Of(counter.SentSome, i)
	}
	return sure(i)
}

func sure(i int) amount { return counter.Of(counter.Sent, i) }

// from finds the steps from a local state.
func (t *Translation) from(i int) {
	l := t.Locations[i]
	if l.Down {
		return
	}
	if l.Faulty && t.Source.Faults.Alike {
		t.lie(i)
		return
	}
	from := t.values(&l)
	for k, r := range t.Source.Rules {
		if r.Type != l.Type {
			continue
		}
		for _, p := range t.paths(r.Body, path{typ: l.Type, v: from}) {
			if p.acts(from) && !t.waitsForItself(&l, p) && !t.step(i, k, p) {
				return
			}
		}
	}
	if t.Source.MayCrash(l.Type) {
		t.Moves = append(t.Moves, Move{From: i, To: t.crashed(l.Type, from), Rule: -1, What: "crash", crash: true,
			adds: t.adds(&l, nil, false, true)})
	}
}

// step adds the moves of a way through rule k from local state i; false if it is refused.
func (t *Translation) step(i, k int, p path) bool {
	l := t.Locations[i]
	what := t.Source.Rules[k].Label.Name
	p.needs = append(slices.Clone(p.needs), l.Facts...)
	if !t.bare && !t.possible(p.needs) {
		return true
	}
	next := Location{Type: l.Type, Sent: l.Sent, Said: t.said(l.Said, p.sent), Faulty: l.Faulty}
	for _, v := range t.Source.Types[l.Type].Vars {
		next.Values = append(next.Values, p.v[v.Name])
	}
	for n, sent := range p.sent {
		ch := t.channelOf(sent)
		if t.bare && !ch.waited {
			continue // what it has sent is no part of what it can do
		}
		if next.sent(ch) {
			t.refusedAt(p.at[n].Kind, "%s may be sent twice here: note that it was sent%s", ch.kind.Name,
				kindEach(ch.kind))
			return false
		}
		next.Sent |= 1 << ch.number
	}
	if !t.bare {
		next.Facts = t.remembered(p.needs, &next)
	}
	m := Move{From: i, To: t.location(next), Rule: k, What: what, Needs: p.needs, sends: p.sent,
		adds: t.adds(&l, p.sent, !l.Faulty, false)}
	t.Moves = append(t.Moves, m)
	if len(p.sent) > 0 && t.Source.Faults.Some && t.Source.MayCrash(l.Type) {
		m.To, m.What, m.adds, m.crash = t.crashed(l.Type, p.v), what+", crashing", t.adds(&l, p.sent, false, true), true
		t.Moves = append(t.Moves, m)
	}
	return true
}

// possible reports whether a process may have heard what it needs, as far as is known of what is sent.
func (t *Translation) possible(needs cube) bool {
	guard, possible, _ := t.project(append(slices.Clone(needs), t.bounds()...))
	return possible && !t.guards.Excluded(guard)
}

// remembered are the conditions that stay true once they are, as more is heard, and that
// matter for what the process does later; of two, the one that implies the other.
func (t *Translation) remembered(needs cube, next *Location) cube {
	later := t.later(next.Type, t.values(next))
	var facts cube
	for _, l := range needs {
		stays, matters := true, false
		for _, term := range l.Terms() {
			q := term.Var
			stays = stays && (term.Coef.Sign() > 0 || !q.Own() && !q.Shared())
			matters = matters || later[q]
		}
		if stays && matters {
			facts = append(facts, l)
		}
	}
	facts, _ = linear.Tidy(facts)
	var out cube
	for i, l := range facts {
		implied := false
		for j, m := range facts {
			if d := l.Sub(m); i != j && !d.Has(counter.Quantity.Own) && t.guards.Implies(d) {
				implied = implied || j < i || !t.guards.Implies(d.Neg())
			}
		}
		if !implied {
			out = append(out, l)
		}
	}
	return out
}

// later lists what a process with some values, or with values that it may have later, looks at of what it has heard.
func (t *Translation) later(typ int, v values) map[counter.Quantity]bool {
	of := fmt.Sprint(typ, v)
	if known := t.matters[of]; known != nil {
		return known
	}
	out := map[counter.Quantity]bool{}
	t.matters[of] = out
	seen := map[string]bool{}
	var visit func(v values)
	visit = func(v values) {
		key := fmt.Sprint(v)
		if seen[key] {
			return
		}
		seen[key] = true
		for _, r := range t.Source.Rules {
			if r.Type != typ {
				continue
			}
			for _, p := range t.paths(r.Body, path{typ: typ, v: v}) {
				for _, l := range p.needs {
					for _, q := range l.Vars() {
						out[q] = out[q] || q.Own()
					}
				}
				if p.acts(v) {
					visit(p.v)
				}
			}
		}
	}
	visit(v)
	return out
}

// size is how many processes there are of a type.
func (t *Translation) size(typ int) amount { return t.sum(t.Source.Types[typ].Size, nil) }

// sent reports whether a process has sent a message of a channel.
func (l *Location) sent(ch *channel) bool { return l.Sent>>ch.number&1 != 0 }

// crashed returns the local state of a process that has crashed: it keeps what a property can see.
func (t *Translation) crashed(typ int, v values) int {
	l := Location{Type: typ, Down: true}
	for _, x := range t.Source.Types[typ].Vars {
		if t.Source.Seen(typ, x.Name) {
			l.Values = append(l.Values, v[x.Name])
		} else {
			l.Values = append(l.Values, x.First)
		}
	}
	return t.location(l)
}

// lie adds what faulty processes do that send the same to all.
func (t *Translation) lie(i int) {
	l := t.Locations[i]
	for _, ch := range t.channels {
		if l.sent(&ch) || ch.from != l.Type {
			continue
		}
		for n := range ch.items {
			next := l
			next.Sent |= 1 << ch.number
			next.Start = false
			sends := ch.items[n : n+1]
			t.Moves = append(t.Moves, Move{From: i, To: t.location(next), Rule: -1, What: "lie", sends: sends,
				adds: t.adds(&l, sends, true, false)})
		}
	}
}

// name names locations by what is true of them.
func (t *Translation) name() {
	taken := names.Taken{}
	for _, p := range t.Source.Params {
		taken[p] = true
	}
	for i := range t.Locations {
		l := &t.Locations[i]
		parts := t.described(l)
		if parts == nil {
			parts = []string{"idle"}
		}
		l.Name = taken.Fresh(t.nameOf(l, parts), "_")
		l.first = l.Name
		t.sorted = append(t.sorted, i)
	}
	slices.SortFunc(t.sorted, func(l, m int) int { return strings.Compare(t.Locations[l].first, t.Locations[m].first) })
	correct := number(0)
	for typ := range t.Source.Types {
		correct = correct.Add(t.size(typ)).Sub(t.liars(typ))
	}
	if t.Source.Faults.Byzantine() && !t.guards.Implies(correct.Plus(-1)) {
		t.others = taken.Fresh("byzantine", "_")
	}
	t.nameQuantities(taken)
}

// described says what is true of a location, but for some variables.
func (t *Translation) described(l *Location, but ...string) (parts []string) {
	switch {
	case l.Down:
		parts = []string{"crashed"}
	case l.Faulty:
		parts = []string{"faulty"}
	}
	for k := range t.Source.Types[l.Type].Vars {
		v := &t.Source.Types[l.Type].Vars[k]
		switch {
		case l.Down && !t.Source.Seen(l.Type, v.Name) || l.Faulty && t.Source.Faults.Alike ||
			slices.Contains(but, v.Name):
		case !v.Bool || l.Values[k] == 1:
			parts = append(parts, valued(v, l.Values[k]))
		}
	}
	return parts
}

// nameOf makes a name of what is true of a location.
func (t *Translation) nameOf(l *Location, parts []string) string {
	if len(t.Source.Types) > 1 {
		parts = append([]string{t.Source.Types[l.Type].Name}, parts...)
	}
	name := strings.Join(parts, "_")
	if !syntax.IsName(name) { // a word of automata
		name = "is_" + name
	}
	return name
}

// valued names a value of a variable.
func valued(v *parametric.SourceVar, n int64) string {
	switch {
	case v.Bool:
		return map[bool]string{true: v.Name, false: "not_" + v.Name}[n == 1]
	case v.Names != nil:
		return v.Names[n]
	case n < 0:
		return fmt.Sprintf("%sm%d", v.Name, -n)
	}
	return fmt.Sprintf("%s%d", v.Name, n)
}

// nameQuantities names shared variables, and parameters whose names automata do not accept.
func (t *Translation) nameQuantities(taken names.Taken) {
	t.names = map[counter.Quantity]string{}
	fresh := func(key counter.Quantity, name string) {
		if !syntax.IsName(name) {
			name = "n_" + name
		}
		if taken[name] {
			name = strings.TrimRight(name, "_0123456789")
		}
		t.names[key] = taken.Fresh(name, "_")
	}
	for _, p := range t.Source.Params {
		if !syntax.IsName(p) { // a word of automata
			fresh(t.parameter(p).Vars()[0], p)
		}
	}
	for i, it := range t.items {
		k, from := t.channelOf(i).kind, t.channelOf(i).from
		name := strings.ToLower(k.Name)
		for f, v := range k.Values(it.value) {
			if f > 0 || k.Fields[0].Names != nil || k.Fields[0].Bool {
				name += "_"
			}
			name += strings.ReplaceAll(k.Fields[f].Format(v), "-", "m")
		}
		if len(k.From) > 1 {
			name += "_" + t.Source.Types[from].Name
		}
		fresh(counter.Sent.Numbered(i), name)
		if t.Source.Faults.Some {
			fresh(counter.SentSome.Numbered(i), name+some)
		}
	}
	for _, typ := range t.Source.Stopping() {
		name := "down"
		if len(t.Source.Types) > 1 {
			name = "down_" + t.Source.Types[typ].Name
		}
		fresh(counter.Crashed.Numbered(typ), name)
	}
	for c, ch := range t.channels {
		if ch.awaits {
			name := "lost_" + strings.ToLower(ch.kind.Name)
			if len(ch.kind.From) > 1 {
				name += "_" + t.Source.Types[ch.from].Name
			}
			fresh(counter.Lost.Numbered(c), name)
		}
		if !ch.joined {
			continue
		}
		fresh(counter.Gone.Numbered(c), "down_before_"+strings.ToLower(ch.kind.Name))
		for _, i := range ch.items {
			fresh(counter.Fell.Numbered(i), "down_after_"+t.names[counter.Sent.Numbered(i)])
		}
	}
}

// called returns the name of a quantity in the automaton.
func (t *Translation) called(q counter.Quantity) string {
	switch name := t.names[q]; {
	case q.Kind == counter.At:
		return t.Locations[t.sorted[q.Index]].Name
	case name == "" && q.Kind == counter.Parameter:
		return t.params[q.Index]
	default:
		return name
	}
}
