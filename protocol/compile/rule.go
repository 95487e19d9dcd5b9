package compile

import "github.com/tacheck/tacheck/protocol"

// Rule is a transition as Go functions.
type Rule struct {
	*protocol.Transition
	// Never: its guard is false, whatever the state.
	Never bool
	first action          // of initial states: first values
	guard func(*Env) bool // nil if there is none
	body  action
}

// Rule compiles a transition. What its statements change may come to have no value.
func (c Compiler) Rule(t *protocol.Transition) *Rule {
	plain := c.In(nil, nil)
	out := &Rule{Transition: t, first: plain.block(t.First), body: plain.block(t.Body)}
	if t.Guard != nil {
		v, known := c.constant(t.Guard)
		out.Never = known && v == 0
		out.guard = c.condition(t.Guard)
	}
	return out
}

// Statements compiles those of a transition whose guard is known to hold.
func (c Compiler) Statements(t *protocol.Transition) *Rule {
	return &Rule{Transition: t, body: c.block(t.Body)}
}

// Start makes an initial state of a process each, with values for the parameters; false if there is none.
func (r *Rule) Start(e *Env, params []int32) bool {
	e.blank()
	e.Params(params, r.Frame)
	if r.first(e); !r.Holds(e) {
		return false
	}
	r.body(e)
	return true
}

// Holds evaluates the guard.
func (r *Rule) Holds(e *Env) bool { return r.guard == nil || r.guard(e) }

// Execute executes the statements.
func (r *Rule) Execute(e *Env) { r.body(e) }
