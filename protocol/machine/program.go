package machine

import (
	"cmp"
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// program is guards of instances, one after the other: what several in a row begin with is tested once.
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

// group is instances of a unit that look, before all else, at one other process or at none: their guards up to there
// are a program, whose result is remembered by the local states, and the rest is tested each time.
type group struct {
	from, to int   // instances
	touches  []int // processes that the program looks at
	first    program
	rest     [][]func(*env) bool // by instance
}

// arrange puts the instances of a unit that look at the same process side by side, as groups.
func (x *Machine) arrange(u *unitInfo) {
	beside := make([]int, len(u.instances))
	order := make([]int, len(u.instances))
	for k := range u.instances {
		beside[k], order[k] = x.beside(u, k), k
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(beside[i], beside[j]) })
	instances := slices.Clone(u.instances)
	for at, k := range order {
		u.instances[at] = instances[k]
		if at == 0 || beside[k] != beside[order[at-1]] {
			g := group{from: at, touches: []int{u.process}}
			if beside[k] >= 0 {
				g.touches = append(g.touches, beside[k])
			}
			u.groups = append(u.groups, g)
		}
		u.groups[len(u.groups)-1].to = at + 1
	}
}

// beside is the process that most parts of the guard of an instance look at, besides the one that moves; -1 for none.
func (x *Machine) beside(u *unitInfo, k int) int {
	c, best, count := x.known(u, k), -1, make([]int, x.n)
	for _, part := range conjuncts(x.rules[u.instances[k].rule].Guard) {
		list := slices.DeleteFunc(c.touches(part.Places), func(p int) bool { return p == u.process })
		if len(list) != 1 {
			continue
		}
		if count[list[0]]++; best < 0 || count[list[0]] > count[best] {
			best = list[0]
		}
	}
	return best
}

// guards compiles the guards of a unit.
func (w *worker) guards(u *unit) (groups []group) {
	for _, g := range u.unitInfo.groups {
		w.guard(u, &g)
		groups = append(groups, g)
	}
	return groups
}

// guard compiles the guards of a group.
func (w *worker) guard(u *unit, g *group) {
	type open struct {
		key string
		at  int
	}
	var p program
	var path []open // tests that are passed
	leave := func(depth int) {
		for _, o := range path[depth:] {
			p[o.at].otherwise = len(p)
		}
		path = path[:depth]
	}
	g.rest = make([][]func(*env) bool, g.to-g.from)
	for k := g.from; k < g.to; k++ {
		t := &w.rules[u.instances[k].rule]
		c := w.known(u.unitInfo, k)
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
		possible, early := true, true
		for _, part := range conjuncts(t.Guard) {
			v, constant := c.constant(part)
			if constant = constant && v != protocol.Undef; constant && v != 0 {
				continue
			}
			if possible = !constant; !possible {
				break
			}
			if !early || !subset(c.touches(part.Places), g.touches) {
				g.rest[k-g.from] = append(g.rest[k-g.from], c.test(part))
				early = early && c.sure(part) // or what comes after it might hide that it is an error
				continue
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
	g.first = p
}

func subset(list, of []int) bool {
	return !slices.ContainsFunc(list, func(p int) bool { return !slices.Contains(of, p) })
}

// possible lists the instances of a unit whose guards hold, or stops with a failure.
func (w *worker) possible(u *unit, state []uint32) {
	for i := range u.groups {
		g := &u.groups[i]
		known := u.firsts.at(i, g.touches, state)
		if known == nil || known.what == nil {
			u.some = g.first.run(&w.env, u.some[:0])
			if known == nil {
				w.narrow(u, g, u.some)
				continue
			}
			list := slices.Clone(u.some)
			known.what = &list
		}
		w.narrow(u, g, *known.what)
	}
}

// narrow adds those instances for which the rest of the guard holds, too.
func (w *worker) narrow(u *unit, g *group, list []int) {
next:
	for _, k := range list {
		for _, holds := range g.rest[k-g.from] {
			if !holds(&w.env) {
				continue next
			}
		}
		u.ready = append(u.ready, k)
	}
}
