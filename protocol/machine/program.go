package machine

import (
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// program is the guards of the instances of a unit that receives nothing, one after the other: what several in a row
// begin with is tested once.
type program []choice

// choice is a test, after which one goes on at else where it fails; or an instance whose guard holds.
type choice struct {
	test      func(*env) bool
	instance  int
	otherwise int
}

// run lists the instances whose guards hold. Where it stops with a failure, that may be of a guard of several.
func (p program) run(e *env, ready []int) []int {
	for i := 0; i < len(p); {
		switch c := &p[i]; {
		case c.test == nil:
			ready = append(ready, c.instance)
			i++
		case c.test(e):
			i++
		default:
			i = c.otherwise
		}
	}
	return ready
}

// conjuncts lists the parts of a guard that are all to hold, in the order in which they are evaluated.
func conjuncts(t *protocol.Term) (list []*protocol.Term) {
	switch {
	case t == nil:
		return nil
	case t.Op != ftdp.And:
		return []*protocol.Term{t}
	}
	for _, a := range t.Args {
		list = append(list, conjuncts(a)...)
	}
	return list
}

// guards makes the program of a unit.
func (w *worker) guards(u *unit) (p program) {
	type open struct {
		key string
		at  int
	}
	var path []open // tests that are passed
	leave := func(depth int) {
		for _, o := range path[depth:] {
			p[o.at].otherwise = len(p)
		}
		path = path[:depth]
	}
	for k := range u.instances {
		t := &w.rules[u.instances[k].rule]
		c := w.known(u, k)
		c.parts, c.lacks = w.parts, w.lacks
		depth, shared := 0, true
		test := func(key string, build func() func(*env) bool) {
			if shared = shared && depth < len(path) && key != "" && path[depth].key == key; !shared {
				leave(depth)
				path = append(path, open{key, len(p)})
				p = append(p, choice{test: build()})
			}
			depth++
		}
		key := "correct"
		if t.Strategy {
			key = "byzantine"
		}
		test(key, func() func(*env) bool {
			return func(e *env) bool { return may(t, e.status(u.process)) }
		})
		possible := true
		for _, part := range conjuncts(t.Guard) {
			v, constant := c.constant(part)
			if constant = constant && v != protocol.Undef; constant && v != 0 {
				continue
			}
			if possible = !constant; !possible {
				break
			}
			key, ok := c.key(nil, part, nil)
			if !ok {
				key = nil
			}
			test(string(key), func() func(*env) bool { return c.test(part) })
		}
		if leave(depth); possible {
			p = append(p, choice{instance: k})
		}
	}
	leave(0)
	return p
}
