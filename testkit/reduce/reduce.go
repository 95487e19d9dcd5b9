// Package reduce makes a model smaller that shows something, such as a wrong
// verdict, and still shows it.
package reduce

import "github.com/tacheck/tacheck/ta/syntax"

// Model returns a model, in canonical form, of which nothing can be left out
// any more: no rule, location, assumption, specification, part of a guard or
// part of a formula, such that keeps still accepts it. keeps must accept text
// itself, and should refuse what is no model. It is called about as often as
// the text has lines, several times over.
func Model(text string, keeps func(text string) bool) string {
	for again := true; again; {
		again = false
		for k := 0; ; {
			smaller, ok := without(text, k)
			if !ok {
				break
			}
			if smaller != text && keeps(smaller) {
				text, again = smaller, true
			} else {
				k++
			}
		}
	}
	return text
}

// without leaves out the k-th thing; ok is false if there are not so many.
func without(text string, k int) (smaller string, ok bool) {
	file, err := syntax.Parse("model.ta", text)
	if err != nil {
		return "", false
	}
	file.Comments = nil
	list := deletions(file)
	if k >= len(list) {
		return "", false
	}
	list[k]()
	return syntax.Format(file), true
}

// deletions lists functions that leave something out, large things first.
func deletions(file *syntax.File) []func() {
	var large, small []func()
	for _, s := range file.Sections {
		if s.Specifications != nil {
			large = append(large, items(&s.Specifications.List)...)
			for _, spec := range s.Specifications.List {
				small = append(small, expression(spec.Formula)...)
			}
		}
		if s.Locations != nil {
			for i := range s.Locations.List {
				large = append(large, func() { location(file, s.Locations, i) })
			}
		}
		if s.Rules != nil {
			large = append(large, items(&s.Rules.List)...)
			for _, r := range s.Rules.List {
				if r.Guard != nil {
					small = append(small, func() { r.Guard = &syntax.Expr{Op: syntax.Bool, Name: "true"} })
					small = append(small, expression(r.Guard)...)
				}
				small = append(small, items(&r.Actions)...)
			}
		}
		for _, c := range []*syntax.Conditions{s.Assumptions, s.Inits} {
			if c != nil {
				small = append(small, items(&c.List)...)
			}
		}
		if len(s.Shared) > 1 {
			small = append(small, items(&s.Shared)...)
		}
	}
	return append(large, small...)
}

// items lists functions that leave out one item each.
func items[T any](list *[]T) []func() {
	var out []func()
	for i := range *list {
		out = append(out, func() { *list = append((*list)[:i:i], (*list)[i+1:]...) })
	}
	return out
}

// location leaves out a location, rules from or to it, and initial conditions
// about it.
func location(file *syntax.File, l *syntax.Locations, i int) {
	name := l.List[i].Name.Name
	l.List = append(l.List[:i:i], l.List[i+1:]...)
	for _, s := range file.Sections {
		if s.Rules != nil {
			keep(&s.Rules.List, func(r *syntax.Rule) bool { return r.From.Name != name && r.To.Name != name })
		}
		if s.Inits != nil {
			keep(&s.Inits.List, func(c *syntax.Condition) bool {
				e := c.Expr
				return e.Op != syntax.Eq || e.Args[0].Op != syntax.Name || e.Args[0].Name != name
			})
		}
	}
}

func keep[T any](list *[]T, wanted func(T) bool) {
	var out []T
	for _, x := range *list {
		if wanted(x) {
			out = append(out, x)
		}
	}
	*list = out
}

// expression lists functions that leave out an argument of &&, ||, -> or +, or
// a temporal operator.
func expression(e *syntax.Expr) []func() {
	var out []func()
	switch e.Op {
	case syntax.And, syntax.Or, syntax.Implies, syntax.Add:
		for i := range e.Args {
			out = append(out, func() {
				if len(e.Args) == 2 {
					*e = *e.Args[1-i]
				} else {
					e.Args = append(e.Args[:i:i], e.Args[i+1:]...)
				}
			})
		}
	case syntax.Finally, syntax.Globally:
		out = append(out, func() { *e = *e.Args[0] })
	}
	for _, arg := range e.Args {
		out = append(out, expression(arg)...)
	}
	return out
}
