package every

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/fol"
	"github.com/tacheck/tacheck/internal/lists"
)

// Lemmas are clauses of atoms under universal variables; those of one sort are different. Atoms are
// what the text's symbols say of variables and constants; what formulas of the text say of some elements with
// quantifiers of their own; and what all members of a set have in common, where a sort is one of sets.

// atom is a formula about variables of a prefix.
type atom struct {
	t      *fol.Term
	cost   int
	uses   uint64 // variables
	kind   int    // what it is but for variables
	places []int  // of the variables, as the kind has them
}

// kind is an atom with variables of its own.
type kind struct {
	t    *fol.Term
	vars []*fol.Var
}

// prefix is variables, all different.
type prefix struct {
	vars    []*fol.Var
	atoms   []atom
	real    rowSet // of states that can be reached
	assumed rowSet // of states that are taken for such at present
	epoch   int
	byLast  [][]int // atoms by their last variable: none, the first, ...
}

// mostOfSort is how many variables of a sort a lemma is searched with, mostAtoms how many atoms a prefix has.
const (
	mostOfSort = 3
	mostAtoms  = 400
)

// prefixes lists all prefixes with so many variables.
func (p *prover) prefixes(n int) []*prefix {
	if list, is := p.byCount[n]; is {
		return list
	}
	var list []*prefix
	counts := make([]int, len(p.sys.Sorts))
	var fill func(i, left int)
	fill = func(i, left int) {
		if i == len(counts) {
			if left == 0 {
				list = append(list, p.newPrefix(counts))
			}
			return
		}
		for k := 0; k <= min(left, mostOfSort); k++ {
			counts[i] = k
			fill(i+1, left-k)
		}
		counts[i] = 0
	}
	fill(0, n)
	p.byCount[n] = list
	return list
}

// letter is a name for variables of a sort.
func letter(s *fol.Sort) string { return strings.ToUpper(s.Name[:1]) + s.Name[1:] }

func (p *prover) newPrefix(counts []int) *prefix {
	x := &prefix{}
	for i, n := range counts {
		for k := range n {
			x.vars = append(x.vars, &fol.Var{Name: fmt.Sprintf("%s%d", letter(p.sys.Sorts[i]), k),
				Sort: p.sys.Sorts[i]})
		}
	}
	seen := map[string]bool{}
	add := func(t *fol.Term, cost int) {
		key := t.String()
		if seen[key] || len(x.atoms) >= mostAtoms {
			return
		}
		seen[key] = true
		a := atom{t: t, cost: cost}
		last := -1
		of := kind{}
		with := map[*fol.Var]*fol.Term{}
		for i, v := range t.Free() {
			at := slices.Index(x.vars, v)
			a.uses |= 1 << at
			a.places = append(a.places, at)
			last = max(last, at)
			own := &fol.Var{Name: fmt.Sprintf("%s:%d", v.Sort.Name, i), Sort: v.Sort} // no name of a text
			of.vars = append(of.vars, own)
			with[v] = fol.V(own)
		}
		of.t = t.Substitute(with)
		name := of.t.String()
		if _, is := p.kindOf[name]; !is {
			p.kindOf[name] = len(p.kinds)
			p.kinds = append(p.kinds, of)
		}
		a.kind = p.kindOf[name]
		x.byLast[last+1] = append(x.byLast[last+1], len(x.atoms))
		x.atoms = append(x.atoms, a)
	}
	x.byLast = make([][]int, len(x.vars)+1)
	terms, plain := p.terms(x.vars)
	for _, s := range p.sys.Symbols {
		if s.Result == nil {
			each(terms, s.Args, func(args []*fol.Term) { add(fol.Of(s, args...), 1) })
		}
	}
	for _, s := range p.sys.Sorts {
		for i, a := range terms[s.Index] {
			for _, b := range terms[s.Index][:i] {
				if a.Op != fol.Use || b.Op != fol.Use {
					add(fol.Eq(b, a), 1)
				}
			}
		}
	}
	for i, t := range slices.Concat(p.parts, p.pairs) {
		free := t.Free()
		sorts := lists.Map(free, func(v *fol.Var) *fol.Sort { return v.Sort })
		each(plain, sorts, func(args []*fol.Term) {
			with := map[*fol.Var]*fol.Term{}
			for i, v := range free {
				with[v] = args[i]
			}
			cost := 2
			if !quantified(t) {
				cost = 1
			}
			if i >= len(p.parts) {
				cost = 3
			}
			add(t.Substitute(with), cost)
		})
	}
	return x
}

func quantified(t *fol.Term) (is bool) {
	t.Visit(func(t *fol.Term) bool {
		is = is || t.Op == fol.Forall || t.Op == fol.Exists
		return !is
	})
	return is
}

// terms lists elements by sort: variables, constants, and functions of these; and those that are no functions.
func (p *prover) terms(vars []*fol.Var) (out, plain [][]*fol.Term) {
	out = make([][]*fol.Term, len(p.sys.Sorts))
	for _, v := range vars {
		out[v.Sort.Index] = append(out[v.Sort.Index], fol.V(v))
	}
	for _, deep := range []bool{false, true} {
		plain = lists.Map(out, slices.Clone[[]*fol.Term])
		for _, s := range p.sys.Symbols {
			if s.Result != nil && (len(s.Args) > 0) == deep {
				each(plain, s.Args, func(args []*fol.Term) {
					out[s.Result.Index] = append(out[s.Result.Index], fol.Of(s, args...))
				})
			}
		}
	}
	return out, plain
}

// each calls f with all lists of terms of these sorts.
func each(terms [][]*fol.Term, sorts []*fol.Sort, f func([]*fol.Term)) {
	args := make([]*fol.Term, len(sorts))
	var fill func(i int)
	fill = func(i int) {
		if i == len(sorts) {
			f(slices.Clone(args))
			return
		}
		for _, t := range terms[sorts[i].Index] {
			args[i] = t
			fill(i + 1)
		}
	}
	fill(0)
}

// vocabulary collects formulas of the text that lemmas may speak of: those that have a name, parts with quantifiers of
// guards and properties, and what members of sets have in common.
func (p *prover) vocabulary() {
	seen := map[string]bool{}
	add := func(t *fol.Term) {
		if free := t.Free(); len(free) <= 3 && !t.HasNew() {
			names := map[*fol.Var]*fol.Term{}
			for i, v := range free {
				names[v] = fol.V(&fol.Var{Name: fmt.Sprintf("X%d", i), Sort: v.Sort})
			}
			t = p.named(t.Substitute(names))
			if key := t.String(); !seen[key] {
				seen[key] = true
				p.parts = append(p.parts, t)
			}
		}
	}
	for _, t := range p.sys.Vocabulary {
		add(t)
	}
	inner := func(t *fol.Term) {
		t.Visit(func(t *fol.Term) bool {
			if t.Op == fol.Forall || t.Op == fol.Exists {
				for _, part := range t.Conjuncts() {
					if part.Op == fol.Forall || part.Op == fol.Exists {
						add(part)
					}
				}
			}
			return true
		})
	}
	for _, c := range p.sys.Safety {
		t := c.Formula
		if t.Op == fol.Forall {
			t = t.Args[0]
		}
		inner(t)
	}
	for _, t := range p.sys.Transitions {
		for _, part := range t.Formula.Conjuncts() {
			if !part.HasNew() {
				inner(part)
			} else {
				part.Visit(func(t *fol.Term) bool {
					if t.Op == fol.If {
						inner(t.Args[0])
					}
					return true
				})
			}
		}
	}
	for _, t := range p.members() {
		add(t)
	}
}

// named gives the variables that a formula binds names of their own, so that it can be printed and read again.
func (p *prover) named(t *fol.Term) *fol.Term {
	n := 0
	var walk func(t *fol.Term) *fol.Term
	walk = func(t *fol.Term) *fol.Term {
		if t.Op != fol.Forall && t.Op != fol.Exists {
			if len(t.Args) == 0 {
				return t
			}
			out := *t
			out.Args = nil
			for _, a := range t.Args {
				out.Args = append(out.Args, walk(a))
			}
			return &out
		}
		out := *t
		out.Vars = nil
		with := map[*fol.Var]*fol.Term{}
		for _, v := range t.Vars {
			fresh := &fol.Var{Name: fmt.Sprintf("%s_%d", letter(v.Sort), n), Sort: v.Sort}
			n++
			out.Vars = append(out.Vars, fresh)
			with[v] = fol.V(fresh)
		}
		out.Args = []*fol.Term{walk(t.Args[0].Substitute(with))}
		return &out
	}
	return walk(t)
}

// members says of sets what all of their members have in common, or have not: a sort is one of sets if only what never
// changes is about it, relations between it and another sort among that. Bodies have one literal, or two.
func (p *prover) members() (list []*fol.Term) {
	for _, member := range p.sys.Symbols {
		if member.Mutable || member.Result != nil || len(member.Args) != 2 || member.Args[0] == member.Args[1] {
			continue
		}
		for side, set := range member.Args {
			if !p.isSet(set) {
				continue
			}
			of := member.Args[1-side]
			q, n := &fol.Var{Name: "Q", Sort: set}, &fol.Var{Name: "N", Sort: of}
			args := []*fol.Term{fol.V(n), fol.V(n)}
			args[side] = fol.V(q)
			in := fol.Of(member, args...)
			var bodies []*fol.Term
			for _, s := range p.sys.Symbols {
				if !s.Mutable || s.Result != nil {
					continue
				}
				for at, sort := range s.Args {
					if sort != of || len(s.Args) > 4 {
						continue
					}
					var about []*fol.Term
					for i, other := range s.Args {
						if i == at {
							about = append(about, fol.V(n))
						} else {
							about = append(about, fol.V(&fol.Var{Name: fmt.Sprintf("Y%d", i), Sort: other}))
						}
					}
					t := fol.Of(s, about...)
					bodies = append(bodies, t, fol.Neg(t))
				}
			}
			for i, a := range bodies {
				list = append(list, fol.ForAll([]*fol.Var{n}, &fol.Term{Op: fol.Implies,
					Args: []*fol.Term{in, a}}))
				for _, b := range bodies[:i] {
					if fol.Neg(a) == b || a.String() == fol.Neg(b).String() {
						continue
					}
					for _, b := range unified(a, b, n) {
						p.pairs = append(p.pairs, p.named(fol.ForAll([]*fol.Var{n},
							&fol.Term{Op: fol.Implies, Args: []*fol.Term{in, fol.Any(b, a)}})))
					}
				}
			}
		}
	}
	return list
}

// isSet reports whether only what never changes is about a sort.
func (p *prover) isSet(s *fol.Sort) bool {
	return !slices.ContainsFunc(p.sys.Symbols,
		func(x *fol.Symbol) bool { return x.Mutable && slices.Contains(x.Args, s) })
}

// unified lists ways in which the other variables of b are those of a of the same sorts, one for each.
func unified(a, b *fol.Term, n *fol.Var) []*fol.Term {
	free := slices.DeleteFunc(a.Free(), func(v *fol.Var) bool { return v == n })
	with := map[*fol.Var]*fol.Term{n: fol.V(n)}
	for _, v := range b.Free() {
		if v == n {
			continue
		}
		at := slices.IndexFunc(free, func(w *fol.Var) bool { return w.Sort == v.Sort })
		if at < 0 {
			continue // a variable of its own
		}
		with[v] = fol.V(free[at])
		free = slices.Delete(free, at, at+1)
	}
	return []*fol.Term{b.Substitute(with)}
}

// rowSet is what is true of atoms in states, for all different elements that the variables can be: each row once.
type rowSet struct {
	list [][]uint64
	seen map[uint64]bool
	next []int // by sample: states that are in it
}

// add adds a row if it is new. Rows are told apart by their hashes: one that is missed is a state that was not visited.
func (r *rowSet) add(row []uint64, but *rowSet) {
	key := rowHash(row)
	if r.seen[key] || but != nil && but.seen[key] {
		return
	}
	if r.seen == nil {
		r.seen = map[uint64]bool{}
	}
	r.seen[key] = true
	r.list = append(r.list, slices.Clone(row))
}
