package counters

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/promela"
	"github.com/tacheck/tacheck/promela/pml"
)

// executor executes a block for all values of receive counters at once.
type executor struct {
	m      *promela.Model
	params *counter.Known
	locals []amount
	adds   []int64
	when   []*condition
	taken  []diag.Pos
	havocs int
	been   []promela.Been    // in loops
	cases  map[string]amount // what quotients and the like are on this path
	// partial says that the path asks for something that is not in when.
	partial bool
	vague   string // why, if it is not because of other processes
}

// maxPaths bounds the paths of a step.
const maxPaths = 20_000

// read reads expressions where names stand for what they are at this point.
func (x *executor) read() *reading {
	return &reading{m: x.m, params: x.params, cases: x.cases, local: func(k int) amount { return x.locals[k] },
		shared: func(k int) amount { return sent(k).Plus(x.adds[k]) }}
}

func (x *executor) fork() *executor {
	y := *x
	y.locals, y.adds = slices.Clone(x.locals), slices.Clone(x.adds)
	y.when, y.taken = slices.Clip(x.when), slices.Clip(x.taken)
	return &y
}

// run calls then at the end of each path through the statements.
func (x *executor) run(list []*pml.Statement, then func(*executor) error) error {
	for i, s := range list {
		done, err := x.statement(s, list[i+1:], then)
		if open := (*undecided)(nil); errors.As(err, &open) {
			return x.split(open, func(x *executor) error { return x.run(list[i:], then) })
		}
		if done || err != nil {
			return err
		}
	}
	return then(x)
}

// statement executes one; done says that all that comes behind it was executed, too.
func (x *executor) statement(s *pml.Statement, rest []*pml.Statement, then func(*executor) error) (done bool,
	err error) {
	switch {
	case s.Asks() != nil:
		c, err := x.least(s.Asks())
		return err == nil && !x.require(c), err
	case s.To != nil: // goto, break
		if again, err := x.again(s); again || err != nil {
			return true, err
		}
		return true, x.run(s.To.List, then)
	case s.Do != nil:
		if done, err := x.accelerate(s, then); done || err != nil {
			return true, err
		}
		if again, err := x.again(s); again || err != nil {
			return true, err
		}
		return true, x.choose(s.Do, []*pml.Statement{s}, then)
	case s.Assert != nil && len(x.m.Asserts) == 0: // WithoutAsserts
	case s.Assert != nil:
		return true, x.decide(&s.Assert.Expr, func(x *executor, holds int64) error {
			if holds == 0 {
				x.locals[x.m.Flag(s)] = number(1)
			}
			return x.run(rest, then)
		})
	case s.Set != nil && s.Set.Value != nil && isCondition(s.Set.Value) && x.local(s.Set.Name) != nil:
		return true, x.decide(s.Set.Value, func(x *executor, holds int64) error {
			*x.local(s.Set.Name) = number(holds)
			return x.run(rest, then)
		})
	case s.Set != nil:
		return false, x.assign(s.Set)
	case s.Havoc != nil:
		x.locals[x.m.Symbols[s.Havoc.Name].Index] = x.draw()
	case s.Atomic != nil, s.Block != nil:
		return true, x.run(append(s.Inside(), rest...), then)
	case s.If != nil:
		return true, x.choose(s.If, rest, then)
	}
	return false, nil
}

// local is what a variable of the process is; nil if it is shared.
func (x *executor) local(name *pml.Ident) *amount {
	if s := x.m.Symbols[name.Name]; s.Kind == promela.LocalName {
		return &x.locals[s.Index]
	}
	return nil
}

// draw is any natural number.
func (x *executor) draw() amount {
	x.havocs++
	return counter.Of(counter.Drawn, x.havocs-1)
}

// least is what is certain if a condition holds. What it says of other processes is left out.
func (x *executor) least(e *pml.Expr) (*condition, error) {
	if !x.m.Others(e) && e.Op != pml.And {
		return x.known(e, always)
	}
	if e.Op != pml.And {
		x.partial = true
		return always, nil
	}
	out := always
	for _, a := range e.Args {
		c, err := x.least(a)
		if err != nil {
			return nil, err
		}
		out = boolean.And(out, c)
	}
	return out, nil
}

// either is what is certain if a condition holds, and if it does not. Of what is said of other
// processes the automaton knows nothing: both are possible.
func (x *executor) either(e *pml.Expr) (holds, not *condition, err error) {
	if x.m.Others(e) {
		x.partial = true
		return always, always, nil
	}
	holds, err = truth(e, x.read())
	if err != nil {
		return nil, nil, err
	}
	return holds, holds.Negate(), nil
}

// known is a condition, or otherwise where automata cannot say it.
func (x *executor) known(e *pml.Expr, otherwise *condition) (*condition, error) {
	c, err := truth(e, x.read())
	var bad diag.List
	if open := (*undecided)(nil); !errors.As(err, &open) && errors.As(err, &bad) && len(bad) > 0 {
		x.partial, x.vague = true, "the automaton lets a step go on whatever this says: "+bad[0].Msg
		return otherwise, nil
	}
	return c, err
}

// again reports whether a path has been at this statement with the same variables.
func (x *executor) again(s *pml.Statement) (bool, error) {
	key := fmt.Sprint(x.adds)
	for _, l := range x.locals {
		key += ";" + l.Key()
	}
	here := promela.Been{At: s, With: key}
	if slices.Contains(x.been, here) {
		return true, nil
	}
	x.been = append(slices.Clip(x.been), here)
	if len(x.been) > promela.MaxRounds {
		return false, diag.Wrong(scan.Place(s.Pos), 2, "a step may go round here more than %d times", promela.MaxRounds)
	}
	return false, nil
}

// require adds a condition; false if the path ends here.
func (x *executor) require(c *condition) bool {
	if c.IsFalse() {
		return false
	}
	if !c.IsTrue() {
		x.when = append(x.when, c)
	}
	return true
}

func (x *executor) choose(options []*pml.Option, rest []*pml.Statement, then func(*executor) error) error {
	return x.chooseOf(options, func(*pml.Option) bool { return true }, rest, then)
}

// chooseOf takes those of the alternatives that are wanted.
func (x *executor) chooseOf(options []*pml.Option, wanted func(*pml.Option) bool, rest []*pml.Statement,
	then func(*executor) error) error {
	otherwise := always
	for _, o := range options {
		if o.Else != "" {
			continue
		}
		c, err := x.enabled(append(slices.Clone(o.Body), o.Rest...))
		if open := (*undecided)(nil); errors.As(err, &open) {
			return x.split(open, func(x *executor) error { return x.chooseOf(options, wanted, rest, then) })
		}
		if err != nil {
			return err
		}
		otherwise = boolean.And(otherwise, c.Negate())
	}
	for _, last := range []bool{false, true} {
		for _, o := range options {
			if (o.Else != "") != last || !wanted(o) {
				continue
			}
			y := x.fork()
			if last && !y.require(otherwise) {
				continue
			}
			if !o.Spot {
				y.taken = append(y.taken, scan.Place(o.Pos))
			}
			if err := y.run(append(append(slices.Clone(o.Body), o.Rest...), rest...), then); err != nil {
				return err
			}
		}
	}
	return nil
}

// enabled says when the first statement of a block can be executed.
func (x *executor) enabled(list []*pml.Statement) (*condition, error) {
	for _, s := range list {
		switch {
		case s.Sep != "" || s.Vars != nil || s.Label != nil:
			continue
		case s.Asks() != nil && x.m.Others(s.Asks()):
			x.partial = true // it may be impossible
			return never, nil
		case s.Asks() != nil:
			return x.known(s.Asks(), never) // it may be impossible
		case s.Atomic != nil, s.Block != nil:
			return x.enabled(s.Inside())
		case s.If != nil, s.Do != nil:
			any := never
			for _, o := range promela.Alternatives(s) {
				if o.Else != "" {
					return always, nil
				}
				c, err := x.enabled(append(slices.Clone(o.Body), o.Rest...))
				if err != nil {
					return nil, err
				}
				any = boolean.Or(any, c)
			}
			return any, nil
		}
		return always, nil
	}
	return always, nil
}

func (x *executor) assign(a *pml.Assign) error {
	v := x.local(a.Name)
	switch {
	case v == nil:
		n, _ := promela.Increment(a)
		x.adds[x.m.Symbols[a.Name.Name].Index] += n
	case a.Value != nil:
		value, err := sum(a.Value, x.read())
		if err != nil {
			return err // it has its value until it is known in which case this is
		}
		*v = value
	default:
		*v = v.Plus(map[string]int64{"++": 1, "--": -1}[a.Step])
	}
	return nil
}

// decide goes on where a condition does not hold (0), and where it does (1).
func (x *executor) decide(e *pml.Expr, then func(x *executor, holds int64) error) error {
	c, not, err := x.either(e)
	if err != nil {
		return err
	}
	for holds, c := range []*condition{not, c} {
		if y := x.fork(); y.require(c) {
			if err := then(y, int64(holds)); err != nil {
				return err
			}
		}
	}
	return nil
}

// paths returns the paths of a step from a state: constants for control, old values for counters.
func paths(m *promela.Model, params *counter.Known, locals []amount) ([]path, error) {
	var list []path
	x := &executor{m: m, params: params, locals: slices.Clone(locals), adds: make([]int64, len(m.Shared))}
	for _, a := range m.Asserts {
		x.locals[a.Local] = number(0)
	}
	err := x.choose(m.Loop, nil, func(x *executor) error {
		if list = append(list, path{x.when, x.locals, x.adds, x.taken, x.partial, x.vague}); len(list) > maxPaths {
			return diag.Wrong(scan.Place(m.Loop[0].Pos), 2, "a step has more than %d paths", maxPaths)
		}
		return nil
	})
	return list, err
}

// begin is a way to begin: the variables, and what is added to shared ones.
type begin struct {
	locals []amount
	adds   []int64
}

// starts returns the ways in which a process may begin.
func starts(m *promela.Model, params *counter.Known) ([]begin, error) {
	var list []begin
	x := &executor{m: m, params: params, adds: make([]int64, len(m.Shared))}
	for _, v := range m.Locals {
		x.locals = append(x.locals, number(v.Init))
	}
	err := x.run(m.Init, func(x *executor) error {
		for k, l := range x.locals {
			if !l.IsConst() {
				return diag.Wrong(m.Locals[k].Pos, len(m.Locals[k].Name), "%s does not start with a number",
					m.Locals[k].Name)
			}
		}
		if len(x.when) > 0 {
			return diag.Wrong(scan.Place(m.Loop[0].Pos), 2, "what a process starts with cannot depend on parameters")
		}
		list = append(list, begin{x.locals, x.adds})
		return nil
	})
	if err == nil && len(list) == 0 {
		err = Meaningless{diag.Wrong(scan.Place(m.Loop[0].Pos), 2,
			"no process gets here: nothing in the initial block can go on")}
	}
	return list, err
}
