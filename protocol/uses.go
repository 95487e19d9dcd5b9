package protocol

import "tacheck/internal/diag"

// uses notes where names are used while they are resolved, for editors.
type uses struct {
	of    map[diag.Pos]diag.Pos // a place to where its name is declared
	words map[diag.Pos]string   // built-in words
	wrote map[diag.Pos]bool
}

func newUses() *uses {
	return &uses{map[diag.Pos]diag.Pos{}, map[diag.Pos]string{}, map[diag.Pos]bool{}}
}

// moving has what is used from now on, until the function that it returns is called, noted at the places
// where a text stands that is read by itself.
func (u *uses) moving(at diag.Pos) (done func()) {
	if u == nil {
		return func() {}
	}
	outer := *u
	*u = *newUses()
	return func() {
		for p, declared := range u.of {
			if declared.File != elsewhere {
				outer.of[shifted(p, at)] = declared
			}
		}
		for p, word := range u.words {
			outer.words[shifted(p, at)] = word
		}
		*u = outer
	}
}

// use notes that what stands at a place is declared at another.
func (c *checker) use(at, declared diag.Pos) {
	if c.uses != nil && at.IsValid() && declared.IsValid() && at != declared {
		c.uses.of[at] = declared
	}
}

// useWord notes a built-in word.
func (c *checker) useWord(e *Expr) {
	if c.uses != nil {
		c.uses.words[e.At] = e.Name
	}
}

// useValue notes the value of an enumeration, or a status.
func (c *checker) useValue(e *Expr) {
	if at, declared := c.values[e.Name]; declared {
		c.use(e.At, at)
	} else {
		c.useWord(e)
	}
}

// written notes that a place is assigned to: its innermost name.
func (c *checker) written(e *Expr) {
	for e.Op == Index {
		e = e.Args[0]
	}
	if c.uses != nil {
		c.uses.wrote[e.At] = true
	}
}

// unused resolves definitions that nothing uses, so that the names in them are known. What
// is wrong with them nobody will see.
func (c *checker) unused(sections []*Section) {
	problems, hints, more := c.errs, c.m.Asymmetry, c.m.Numbering
	for _, s := range sections {
		d := s.Define
		if d == nil || c.defines[d.Name.Name] != d {
			continue
		}
		sc := c.scope()
		sc.property, sc.temporal = true, true
		for _, p := range d.Params {
			if p.Quorum != nil {
				continue
			}
			if t := c.typeOf(p.Type); t != nil {
				sc.push(p.Name.Name, t, p.Name.Place())
			}
		}
		sc.term(d.Value)
	}
	c.errs, c.m.Asymmetry, c.m.Numbering = problems, hints, more
}
