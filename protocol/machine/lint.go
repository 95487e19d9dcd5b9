package machine

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/story"
)

// lintStates bounds what Lint explores.
const lintStates = 300_000

// Lint looks for what is probably not meant: what keeps processes of a role from being interchangeable, constants,
// definitions and fields that nothing uses, rules that change nothing, and at the sizes that the text gives,
// comparisons that types decide, rules that never happen and invariants whose premise is never true. Its error is a
// *ModelError or ctx's.
func Lint(ctx context.Context, m *protocol.Model) (diag.List, error) {
	found := Movers(m)
	for _, e := range m.Asymmetry {
		w := found.Warn(e.Pos, e.Width, "%s: there is no symmetry reduction", e.Msg)
		w.Notes = e.Notes
	}
	for _, n := range m.Names {
		if (n.Kind == "constant" || n.Kind == "definition" || n.Kind == "type" && n.Name != "Msg") &&
			m.Source.Times(n.Name) == 1 {
			found.Warn(n.Pos, len(n.Name), "%s %s is not used", n.Kind, n.Name)
		}
	}
	oneSided(m, &found)
	unwanted(m, &found)
	settled(m, &found)
	seen, _, err := Observe(ctx, m, interp.Options{}, false, true, lintStates)
	for _, n := range seen.Never {
		n.Warn(&found, m.With())
	}
	return found, err
}

// settled warns of comparisons in rules that are always true, or never, whatever values of their types variables have,
// and of rules that change nothing.
func settled(m *protocol.Model, found *diag.List) {
	if m.Made() {
		return
	}
	always := map[diag.Pos]*protocol.Term{} // nil where it is not always the same
	for i := range m.Rules {
		t := &m.Rules[i]
		changes := t.Receives() || t.Strategy
		for s := range protocol.Steps(t.Body) {
			changes = changes || s.Kind != protocol.StepIf && s.Kind != protocol.StepFor
		}
		if !changes {
			found.Warn(t.Pos, len(t.Label), "rule %s changes nothing", t.Label)
		}
		for c := range t.Conditions() {
			for t := range c.All() {
				switch t.Op {
				case ftdp.Lt, ftdp.Le, ftdp.Gt, ftdp.Ge, ftdp.Eq, ftdp.Ne:
					was, seen := always[t.Pos]
					is, a, b := protocol.Bounds(t), protocol.Bounds(t.Args[0]), protocol.Bounds(t.Args[1])
					other := seen && (was == nil || is != protocol.Bounds(was))
					if always[t.Pos] = t; a.Known() && b.Known() || !is.Known() || other {
						always[t.Pos] = nil
					}
				}
			}
		}
	}
	of := func(pos diag.Pos) (last *ftdp.Section) { // the section in which it stands
		for _, s := range m.Source.Written().Sections {
			if !pos.Before(scan.Place(s.Pos)) {
				last = s
			}
		}
		return last
	}
	for pos, t := range always {
		if t != nil && of(pos).Define == nil { // a definition is for other arguments, too
			word := map[bool]string{true: "always", false: "never"}[protocol.Bounds(t).Low == 1]
			found.Warn(pos, t.Width, "%s is %s true%s: so say the types", t.Written.Own(), word, m.With())
		}
	}
}

// oneSided warns of kinds of messages that no rule sends, of those that are sent, and stand nowhere else in the rules,
// and of fields to which receipts give names that no rule reads.
func oneSided(m *protocol.Model, found *diag.List) {
	f, sent, heads := m.Source, map[string]int{}, map[string][]*ftdp.Rule{}
	for _, sec := range f.Written().Sections {
		for _, r := range sec.Rules {
			for st := range ftdp.All(r.Body) {
				if st.Send != nil {
					sent[st.Send.Kind.Name]++
				}
			}
			if r.Head != nil && r.Head.Fields != nil {
				heads[r.Head.Kind.Name] = append(heads[r.Head.Kind.Name], r)
			}
		}
	}
	for _, sec := range f.Sections {
		for _, k := range sec.Message {
			name := k.Name.Name
			switch n, times := sent[name], f.Times(name); {
			case n == 0:
				found.Warn(k.Name.Place(), len(name), "no rule sends %s", name)
			case !m.Channels.Lossy && times == n+1:
				found.Warn(k.Name.Place(), len(name), "no rule receives %s: it stays in its channel", name)
			case len(heads[name]) > 0 && times == n+1+len(heads[name]) && f.Times("msg") == 0:
				at := 0
				for _, d := range k.Fields {
					for _, id := range d.Names {
						if !slices.ContainsFunc(heads[name], func(r *ftdp.Rule) bool { return reads(r, at) }) {
							found.Warn(id.Place(), len(id.Name), "no rule reads %s of %s", id.Name, name)
						}
						at++
					}
				}
			}
		}
	}
}

// unwanted notes kinds of messages that all rules receive under a condition only, where a message that stays in its
// channel keeps others back: those behind it, or those for which there is no room.
func unwanted(m *protocol.Model, found *diag.List) {
	what := "those behind it wait"
	switch {
	case m.Made(), m.Channels.Lossy && !m.Channels.FIFO:
		return
	case !m.Channels.FIFO:
		what = "takes up room"
	}
	guards := map[string][]*ftdp.Expr{} // true for a rule that takes any
	for _, sec := range m.Source.Written().Sections {
		for _, r := range sec.Rules {
			if r.Head != nil {
				name, body := r.Head.Kind.Name, ftdp.Statements(r.Body)
				g := &ftdp.Expr{Op: ftdp.Name, Name: "true"}
				if len(body) == 1 && body[0].If != nil && body[0].If.Else == nil && len(body[0].If.Guards) == 1 {
					g = body[0].If.Guards[0]
				}
				guards[name] = append(guards[name], g)
			}
		}
	}
	for _, sec := range m.Source.Sections {
		for _, k := range sec.Message {
			list := guards[k.Name.Name]
			any := slices.ContainsFunc(list, func(g *ftdp.Expr) bool {
				return g.Name == "true" || slices.ContainsFunc(list, func(h *ftdp.Expr) bool { return opposite(g, h) })
			})
			if len(list) > 0 && !any {
				found.Hint(k.Name.Place(), len(k.Name.Name), "where no rule wants %s it stays in its channel, and %s",
					k.Name.Name, what)
			}
		}
	}
}

// opposite reports whether one condition says that the other one is false.
func opposite(a, b *ftdp.Expr) bool {
	if a.Op == ftdp.Not {
		return a.Args[0].String() == b.String()
	}
	return a.Op.Opposite() == b.Op && len(a.Args) == 2 && a.Args[0].String() == b.Args[0].String() &&
		a.Args[1].String() == b.Args[1].String()
}

// reads reports whether a rule reads a field of the message that it receives.
func reads(r *ftdp.Rule, field int) bool {
	for st := range ftdp.All(r.Body) {
		for _, e := range ftdp.Expressions(st) {
			if e != nil && e.Mentions(r.Head.Fields[field].Name) {
				return true
			}
		}
	}
	return false
}

// Never is something that no run of an instance does.
type Never struct {
	Pos   diag.Pos
	Width int
	Text  string
	Why   string // "" if it is not known
}

// Warn adds the warning, with the instances that it is about.
func (n *Never) Warn(found *diag.List, with string) {
	text := n.Text + with
	if n.Why != "" {
		text += ": " + n.Why
	}
	found.Warn(n.Pos, n.Width, "%s", text)
}

// Observation is what is found in all states of an instance.
type Observation struct {
	Never  []Never
	Lost   int64 // messages, for want of room in a channel
	Waited int64 // steps, for room
}

// observed is a machine with one more condition, so that a search ends where nothing is left to be said: that some rule
// has not happened yet, that messages are counted, or errors looked for.
type observed struct {
	*machine
	erring bool
}

func (x observed) NewWorker() explore.Worker {
	return &observer{worker: x.worker(), more: x.erring || len(x.pairs) > 0}
}

type observer struct {
	*worker
	more bool // there is more to be said than which rules happen
	all  bool // rules have happened
}

func (w *observer) Violated(state []uint32) (uint64, error) {
	set, err := w.worker.Violated(state)
	if w.all = w.all || !w.more && !slices.Contains(w.fired, false); w.all {
		set |= 1 << len(w.conditions)
	}
	return set, err
}

// Observe looks, at the sizes of a protocol, for rules that never happen, and for invariants and formulas G (premise ->
// ...) whose premise is never true, and for receipts that make no room for their answer; it counts what finds no room.
// whole is false if there are more states than so many. If erring is not set, errors in the model are known already.
// Its error is a *ModelError or ctx's.
func Observe(ctx context.Context, m *protocol.Model, o interp.Options, plain, erring bool,
	states int64) (out Observation, whole bool, err error) {
	var conditions []*protocol.Term
	var props []*protocol.Prop
	frames := 0
	for i := range m.Props {
		if t := premise(cmp.Or(m.Props[i].Invariant, m.Props[i].LTL), m.Props[i].Invariant != nil); t != nil {
			conditions, props = append(conditions, t), append(props, &m.Props[i])
			frames = max(frames, m.Props[i].Frame)
		}
	}
	x, err := newMachine(m, o, conditions, frames, m.Asymmetry == nil && !plain, nil)
	if err != nil {
		return out, false, err
	}
	x.counts = true
	r, err := explore.Reach(ctx, observed{x, erring}, len(conditions)+1, explore.Bounds{Jobs: 1, States: states})
	if err != nil {
		return out, false, asModelError(err, m, o)
	}
	if r.Failed != nil {
		return out, false, x.modelError(ctx, r, o)
	}
	if r.Reason != "" {
		return out, false, ctx.Err()
	}
	fired := make([]bool, len(m.Rules))
	crowd := x.workers[0].crowd
	for i, w := range x.workers {
		if i > 0 {
			crowd.add(w.crowd)
		}
		for i, f := range w.fired {
			fired[i] = fired[i] || f
		}
	}
	happens, answered := map[diag.Pos]bool{}, map[diag.Pos]bool{} // of a rule of several rounds: in any of them
	for i, f := range fired {
		at, _, _ := story.OwnRule(m, i)
		happens[at] = happens[at] || f
		answered[at] = answered[at] || crowd.answered[i]
	}
	for i := range fired {
		if at, name, own := story.OwnRule(m, i); own && !happens[at] {
			happens[at] = true // said once
			why := crowd.never(m, i)
			if why == "" {
				why = valueless(m, i, fired)
			}
			out.Never = append(out.Never, Never{at, len(name), "rule " + name + " never happens", why})
		} else if own && crowd.unanswered[i] && !answered[at] {
			answered[at] = true // said once
			out.Never = append(out.Never, Never{at, len(name), "rule " + name + " makes no room for its own answer",
				crowd.unroomy(m.Channels)})
		}
	}
	for i, p := range props {
		if r.First[i] == explore.None {
			out.Never = append(out.Never, Never{story.PropertyPlace(m, p), len(p.Name),
				p.Name + " says nothing: its premise is never true", ""})
		}
	}
	unmet, err := neverAtFirst(m, o)
	out.Never = append(append(out.Never, immortal(m)...), unmet...)
	if m.Channels.Lossy {
		out.Lost = crowd.sends
	} else {
		out.Waited = crowd.sends
	}
	return out, true, err
}

// immortal lists where initial states let processes crash of which no rule sends anything: a process stops as a message
// of its own is received.
func immortal(m *protocol.Model) (found []Never) {
	sends := make([]bool, len(m.Roles))
	for i := range m.Rules {
		t := &m.Rules[i]
		if t.Executor < 0 || t.Strategy {
			continue
		}
		role := t.Params[t.Executor].Type.Role
		t.Touch(func(p *protocol.Term, write bool) {
			sends[role] = sends[role] || write && (p.Base == protocol.BaseOut || p.Base == protocol.BaseOuts)
		})
	}
	dying := func(t *protocol.Term) bool { return t.Op == ftdp.Number && t.Value == int32(protocol.Crash) }
	for i := range m.Inits {
		for s := range protocol.Steps(m.Inits[i].Body) {
			if s.Kind != protocol.StepAssign || s.Target.Base != protocol.BaseStatus || sends[s.Target.Role] ||
				!s.Value.Any(dying) {
				continue
			}
			name := m.Roles[s.Target.Role].Name
			found = append(found, Never{s.Pos, len(name),
				name + " never crashes: a process stops as a message of its own is received, and it sends none",
				"a variable of the record can say who is up: a rule `maybe stop` makes it false, and the guards of " +
					"all rules ask for it"})
		}
	}
	return found
}

// valueless names a variable of processes that a rule reads, and that has no value in any state: it has no
// first one, and no rule that fires writes it; "" if there is none.
func valueless(m *protocol.Model, rule int, fired []bool) (why string) {
	overlap := func(p, q *protocol.Term) bool {
		return p.Base == q.Base && p.Role == q.Role &&
			p.Offset < q.Offset+q.Type.Cells && q.Offset < p.Offset+p.Type.Cells
	}
	var written []*protocol.Term
	writes := func(p *protocol.Term, write bool) {
		if write {
			written = append(written, p)
		}
	}
	for i := range m.Inits {
		m.Inits[i].Touch(writes)
	}
	for i := range m.Rules {
		if fired[i] || m.Rules[i].Restart {
			m.Rules[i].Touch(writes)
		}
	}
	m.Rules[rule].Touch(func(p *protocol.Term, write bool) {
		if why != "" || write || p.Base != protocol.BaseRole || len(p.Indices) > 0 || !p.Type.Scalar() ||
			slices.ContainsFunc(written, func(q *protocol.Term) bool { return len(q.Indices) > 0 || overlap(p, q) }) {
			return
		}
		m.Roles[p.Role].State.Leaves("", 0, func(path string, t *protocol.Type, offset int) {
			if offset == p.Offset {
				why = fmt.Sprintf("%s has no value; a first one would stand behind its type: = %s",
					strings.TrimPrefix(path, "."), t.Format(t.Lo))
			}
		})
	})
	return why
}

// neverAtFirst lists formulas P -> Q whose premise, which is about the first state, is true in no initial state.
func neverAtFirst(m *protocol.Model, o interp.Options) (found []Never, err error) {
	var starts []interp.Successor
	x := &interp.Interpreter{Model: m, Options: o}
	for i := range m.Props {
		p := &m.Props[i]
		if p.LTL == nil || p.LTL.Op != ftdp.Implies || p.LTL.Args[0].Any(func(t *protocol.Term) bool {
			return t.Op.Temporal()
		}) {
			continue
		}
		if starts == nil {
			if starts, err = x.Initial(); err != nil {
				return nil, err
			}
		}
		met := false
		for _, s := range starts {
			holds, err := x.Holds(s.State, p.LTL.Args[0], p.Frame)
			if met = err != nil || holds; met { // an error is told where the formula is evaluated
				break
			}
		}
		if !met {
			found = append(found, Never{story.PropertyPlace(m, p), len(p.Name),
				p.Name + " says nothing: its premise is true in no initial state", ""})
		}
	}
	return found, nil
}

// Movers warns of rules that are about another process than the one that moves, and of those that receive any message,
// though they look at none.
func Movers(m *protocol.Model) (found diag.List) {
	for i := range m.Rules {
		t := &m.Rules[i]
		switch why, other := taken(t), meant(t); {
		case t.Strategy || t.Restart:
		case why != "" && several(m):
			found.Warn(t.Pos, len(t.Label), "rule %s looks at no message that it takes: %s", t.Label, why)
		case other != "" && !t.Receives() && m.Roles[t.Params[t.Executor].Type.Role].State != nil:
			found.Warn(t.Pos, len(t.Label), "%s moves here, since it is the last parameter, and rule %s is about %s: "+
				"exchange the parameters", t.Params[t.Executor].Name, t.Label, other)
		}
	}
	return found
}

// meant is a process that a rule writes, where it neither reads nor writes what the one that moves has, which sends
// nothing to others either; "" if there is none.
func meant(t *protocol.Transition) (other string) {
	own := false
	t.Touch(func(p *protocol.Term, write bool) {
		at := -1 // the parameter that it is of
		if p.Who != nil && p.Who.Op == ftdp.Name {
			at = p.Who.Var
		}
		state := p.Base == protocol.BaseRole || p.Base == protocol.BaseStatus
		sends := p.Base == protocol.BaseOut || p.Base == protocol.BaseOuts
		own = own || state && at == t.Executor || sends && at != t.Executor
		if state && write && at >= 0 && at < len(t.Params) {
			other = t.Params[at].Name
		}
	})
	return map[bool]string{false: other}[own]
}

// premise returns, for an invariant P -> C under quantifiers, that P is false for all values; nil for others. Of a
// formula, always is whether this is asked of every state: it is behind G.
func premise(t *protocol.Term, always bool) *protocol.Term {
	switch {
	case t == nil:
		return nil
	case t.Op == ftdp.Implies && always && !t.Args[0].Any(func(t *protocol.Term) bool { return t.Op.Temporal() }):
		return &protocol.Term{Op: ftdp.Not, Type: t.Type, Args: t.Args[:1], Pos: t.Pos, Width: t.Width}
	case t.Op == ftdp.Globally:
		return premise(t.Args[0], true)
	case t.Op != ftdp.ForAll:
		return nil
	}
	inner := premise(t.Args[0], always)
	if inner == nil {
		return nil
	}
	out := *t
	out.Args = slices.Clone(t.Args)
	out.Args[0] = inner
	return &out
}
