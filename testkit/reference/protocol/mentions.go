package protocol

import "slices"

// mentions tells whether an expression is made of one that is looked for, also by definitions that it uses.
func (m *Model) mentions(e *Expr, what func(*Expr) bool) bool {
	if e == nil {
		return false
	}
	if d := m.defines[e.Name]; d != nil && (e.Op == "call" || e.Op == "name") && m.mentions(d.Body, what) {
		return true
	}
	return what(e) || m.mentions(e.Default, what) || slices.ContainsFunc(e.Args, func(a *Expr) bool { return m.mentions(a, what) })
}

// states tells whether some statement of some rules is made of what is looked for.
func (m *Model) states(rules []*Rule, what func(*Expr) bool) bool {
	var within func(list []*Stmt) bool
	within = func(list []*Stmt) bool {
		return slices.ContainsFunc(list, func(st *Stmt) bool {
			asks := func(c *Expr) bool { return m.mentions(c, what) }
			return asks(st.Value) || asks(st.Target) || slices.ContainsFunc(st.Conds, asks) || slices.ContainsFunc(st.Args, asks) ||
				slices.ContainsFunc(st.Bodies, within)
		})
	}
	return slices.ContainsFunc(rules, func(r *Rule) bool { return within(r.Body) })
}

// mayCrash tells whether the text mentions the status of processes that may stop.
func (m *Model) mayCrash() bool {
	crash := func(e *Expr) bool { return e.Op == "name" && e.Name == "crash" }
	return m.states(append(slices.Clone(m.Text.Inits), m.Text.Rules...), crash) ||
		slices.ContainsFunc(m.Text.Properties, func(p *Property) bool { return m.mentions(p.Body, crash) })
}

func status(e *Expr) bool { return e.Op == "field" && e.Name == "status" }

// exact tells whether an invariant is decided as well if crashes are left out: neither it nor a rule speaks of statuses.
func (m *Model) exact(p *Property) bool {
	c := m.Text.Channels
	return !c.Synchronous && !c.Reliable && !m.mentions(p.Body, status) && !m.states(m.Text.Rules, status)
}
