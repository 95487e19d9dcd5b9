package pool

import (
	"fmt"

	"github.com/tacheck/tacheck/protocol"
)

// mostCubes is how many conditions that something exists there are of a prefix, at most.
const mostCubes = 60

// existing are conditions that something exists about which a cell, or two, and what a prefix
// introduces: `exists (k: nodeID) db[i].whose[k] and node[k].asked[j]`, `exists (k: nodeID) exists (k2: 1..2)
// node[k].has[i][k2]`.
func (p *prefix) existing() (out []atom) {
	v, subjects := p.v, p.subjects()
	if len(p.messages) > 0 || len(subjects) == 0 || len(p.guards) > 0 {
		return nil
	}
	for _, r := range v.roles() {
		k := subject{name: v.own("k"), role: r, bit: closed}
		cells := p.truthsOf(append([]subject{k}, subjects...), closed)
		for i, a := range cells {
			for _, b := range cells[i+1:] {
				if uses := (a.uses | b.uses) &^ closed; uses == p.need {
					out = append(out,
						atom{yes: exists(made.And(a.expr, b.expr), v.variable(k)), uses: uses, counts: true})
				}
			}
		}
	}
	for _, shape := range v.shapes() {
		for some := 1; some < 1<<len(shape)-1; some++ { // those, as bits, that exist
			all, q := []subject{}, prefix{v: v, procs: p.procs, numbers: p.numbers}
			for k, t := range shape {
				if some>>k&1 == 1 {
					var one subject
					q, one = q.thing(fmt.Sprint("k", k), t)
					all = append(all, one)
				}
			}
			bits := q.need
			for _, c := range q.truthsOf(append(all, subjects...), bits) {
				if c.uses == bits|p.need {
					out = append(out, atom{yes: exists(c.expr, q.head...), uses: p.need, counts: true})
				}
			}
		}
	}
	if len(out) > mostCubes {
		return nil
	}
	return once(out)
}

// truthsOf lists the truth values and memberships that say something about all of some subjects, by their bits, and
// perhaps about others.
func (p *prefix) truthsOf(subjects []subject, bits uint64) (out []scalar) {
	list := p.v.globals(subjects...)
	for _, s := range subjects {
		list = append(list, p.v.scalars(s, subjects)...)
	}
	seen := map[string]bool{}
	for _, c := range list {
		text := c.expr.String()
		if c.uses&bits == bits && c.defined && (c.typ.Kind == protocol.KindBool || c.place != nil) && !seen[text] {
			seen[text] = true
			out = append(out, c)
		}
	}
	return out
}
