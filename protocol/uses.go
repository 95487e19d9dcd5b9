package protocol

import (
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// uses notes where names are used while they are resolved, for editors.
type uses struct {
	Of    map[diag.Pos]diag.Pos // a place to where its name is declared
	Words map[diag.Pos]string   // built-in words
	Wrote map[diag.Pos]bool
}

func NewUses() *uses {
	return &uses{map[diag.Pos]diag.Pos{}, map[diag.Pos]string{}, map[diag.Pos]bool{}}
}

// use notes that what stands at a place is declared at another.
func (c *Checker) use(at, declared diag.Pos) {
	if c.Uses != nil && at.IsValid() && declared.IsValid() && at != declared {
		c.Uses.Of[at] = declared
	}
}

// useWord notes a built-in word.
func (c *Checker) useWord(e *ftdp.Expr) {
	if c.Uses != nil {
		c.Uses.Words[e.At] = e.Name
	}
}

// useValue notes the value of an enumeration, or a status.
func (c *Checker) useValue(e *ftdp.Expr) {
	if at, declared := c.values[e.Name]; declared {
		c.use(e.At, at)
	} else {
		c.useWord(e)
	}
}

// written notes that a place is assigned to: its innermost name.
func (c *Checker) written(e *ftdp.Expr) {
	for e.Op == ftdp.Index {
		e = e.Args[0]
	}
	if c.Uses != nil {
		c.Uses.Wrote[e.At] = true
	}
}

// Unused resolves definitions that nothing uses, so that the names in them are known. Their
// errors are not reported.
func (c *Checker) Unused(sections []*ftdp.Section) {
	problems, hints, more := c.Errs, c.M.Asymmetry, c.M.Numbering
	for _, s := range sections {
		d := s.Define
		if d == nil || c.defines[d.Name.Name] != d {
			continue
		}
		sc := c.Scope()
		sc.temporal = true
		for _, p := range d.Params {
			if p.Quorum != nil {
				continue
			}
			if t := c.typeOf(p.Type); t != nil {
				sc.push(p.Name.Name, t, p.Name.Place())
			}
		}
		sc.Term(d.Value)
	}
	c.Errs, c.M.Asymmetry, c.M.Numbering = problems, hints, more
}
