package machine

import (
	"cmp"
	"context"
	"slices"

	"tacheck/explore"
	"tacheck/internal/diag"
	"tacheck/protocol"
	"tacheck/protocol/ftdp"
	"tacheck/protocol/interp"
	"tacheck/protocol/story"
)

// lintStates bounds what Lint explores.
const lintStates = 300_000

// Lint looks for what is probably not meant: what keeps processes of a role from
// being interchangeable, constants and definitions that nothing uses, and at the
// sizes that the text gives, rules that never happen and invariants whose premise
// is never true. Its error is a *ModelError or ctx's.
func Lint(ctx context.Context, m *protocol.Model) (diag.List, error) {
	var found diag.List
	for _, e := range m.Asymmetry {
		w := found.Warn(e.Pos, e.Width, "%s: there is no symmetry reduction", e.Msg)
		w.Notes = e.Notes
	}
	used := map[string]int{}
	for _, t := range ftdp.Words("", interp.Text(m)) {
		used[t.Text]++
	}
	for _, n := range m.Names {
		if used[n.Name] == 1 && (n.Kind == "constant" || n.Kind == "definition" || n.Kind == "type" && n.Name != "Msg") {
			found.Warn(n.Pos, len(n.Name), "%s %s is not used", n.Kind, n.Name)
		}
	}
	with := ""
	if a := m.Assignments(); a != "" {
		with = ", with " + a
	}
	never, _, err := Nevers(ctx, m, interp.Options{}, lintStates)
	for _, n := range never {
		n.Warn(&found, with)
	}
	return found, err
}

// Never is something that no run of an instance does.
type Never struct {
	Pos   diag.Pos
	Width int
	Says  string
	Why   string // "" if there is nothing to be said
}

// Warn says it, and of which instances it is so.
func (n *Never) Warn(found *diag.List, with string) {
	text := n.Says + with
	if n.Why != "" {
		text += ": " + n.Why
	}
	found.Warn(n.Pos, n.Width, "%s", text)
}

// Nevers looks, at the sizes of a protocol, for rules that never happen, and for invariants and formulas G (premise -> ...) whose premise
// is never true; whole is false if there are more states than so many. Its error is a *ModelError or ctx's.
func Nevers(ctx context.Context, m *protocol.Model, o interp.Options, states int64) (found []Never, whole bool, err error) {
	var conditions []*protocol.Term
	var props []*protocol.Prop
	frames := 0
	for i := range m.Props {
		if t := premise(cmp.Or(m.Props[i].Invariant, m.Props[i].LTL), m.Props[i].Invariant != nil); t != nil {
			conditions, props = append(conditions, t), append(props, &m.Props[i])
			frames = max(frames, m.Props[i].Frame)
		}
	}
	// One more condition, which is never false, keeps the search from ending early.
	conditions = append(conditions, &protocol.Term{Op: ftdp.Number, Type: &protocol.Type{Kind: protocol.KindBool, Hi: 1, Cells: 1}, Value: 1})
	x, err := New(m, o, conditions, frames, m.Asymmetry == nil, nil)
	if err != nil {
		return nil, false, err
	}
	r, err := explore.Reach(ctx, x, len(conditions), explore.Bounds{Jobs: 1, States: states})
	if err != nil {
		return nil, false, asModelError(err, m, o)
	}
	if r.Failed != nil {
		return nil, false, x.modelError(ctx, r, o)
	}
	if r.Reason != "" {
		return nil, false, ctx.Err()
	}
	fired := make([]bool, len(m.Rules))
	for _, w := range x.workers {
		for i, f := range w.fired {
			fired[i] = fired[i] || f
		}
	}
	happens := map[diag.Pos]bool{} // of a rule of several rounds: in any of them
	for i, f := range fired {
		at, _, _ := story.OwnRule(m, i)
		happens[at] = happens[at] || f
	}
	for i := range fired {
		if at, name, own := story.OwnRule(m, i); own && !happens[at] {
			happens[at] = true // said once
			found = append(found, Never{at, len(name), "rule " + name + " never happens", taken(&m.Rules[i])})
		}
	}
	for i, p := range props {
		if r.First[i] == explore.None {
			found = append(found, Never{story.PropertyPlace(m, p), len(p.Name), p.Name + " says nothing: its premise is never true", ""})
		}
	}
	return found, true, nil
}

// taken says of a rule that receives and looks at no message that its last two parameters
// are what makes it one that receives.
func taken(t *protocol.Transition) string {
	looks := false
	t.Touch(func(p *protocol.Term, _ bool) {
		looks = looks || p.Base == protocol.BaseMsg || p.Base == protocol.BaseAbsent
	})
	if !t.Receives() || t.Quorum() || looks {
		return ""
	}
	me, from := t.Params[t.Executor].Name, t.Params[t.Sender].Name
	return "its last two parameters are processes, so that " + me + " receives from " + from + "; if that is not meant, put another parameter between them"
}

// premise returns, for an invariant P -> C under quantifiers, that P is false for all values; nil for others. Of a formula, always
// is whether this is asked of every state: it is behind G.
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
