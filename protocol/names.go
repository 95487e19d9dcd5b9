package protocol

import (
	"fmt"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Checker resolves the names of a text, and checks the types: what is declared, and where it is used.
type Checker struct {
	M       *Model
	Errs    diag.List
	consts  map[string]Constant
	types   map[string]*Type
	enums   map[string]*Term // values of enumerations and statuses
	defines map[string]*ftdp.Define
	names   map[string]diag.Pos // everything declared
	depth   int                 // of definitions in definitions
	// expanded are definitions that something uses.
	expanded map[*ftdp.Define]bool
	values   map[string]diag.Pos // of enumerations
	globals  map[string]TypeField
	shared   int // the role that has the global variables, or -1
	shares   []*ftdp.Decl
	// declared are declarations with a first value, or stable: of variables of processes only.
	declared []*ftdp.Decl
	placed   map[*ftdp.Decl]bool
	Uses     *uses // nil where they are not collected
	Sent     map[*ftdp.Send]receiving
	followed bool // parameters of rules are not listed
}

func (c *Checker) fail(pos diag.Pos, width int, format string, args ...any) {
	c.Errs.Add(pos, max(1, width), format, args...)
}

func (c *Checker) failAt(id *ftdp.Ident, format string, args ...any) {
	c.fail(id.Place(), len(id.Name), format, args...)
}

// declare notes a name, which must be new.
func (c *Checker) declare(id *ftdp.Ident, kind string) bool {
	if at, old := c.names[id.Name]; old {
		c.failAt(id, "%q is declared already, in line %d", id.Name, at.Line)
		return false
	}
	if _, clash := c.enums[id.Name]; clash {
		c.failAt(id, "%q is a value already", id.Name)
		return false
	}
	c.names[id.Name] = id.Place()
	c.note(id, kind)
	return true
}

// note lists a name among those declared.
func (c *Checker) note(id *ftdp.Ident, kind string) {
	c.M.Names = append(c.M.Names, Declared{id.Name, kind, id.Place()})
}

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

// taken says what a name is in the whole text; "" if it is nothing.
func (c *Checker) taken(name string) string {
	if at, clash := c.names[name]; clash {
		return fmt.Sprintf("%q is declared already, in line %d", name, at.Line)
	}
	if _, clash := c.enums[name]; clash {
		return fmt.Sprintf("%q is a value already", name)
	}
	if name == "msg" {
		return "msg is what a rule receives: take another name"
	}
	return ""
}

const senderTaken = "sender is the process that what a rule receives comes from: take another name"

// roleIDs are the names of the types of processes.
func (c *Checker) roleIDs() (list []string) {
	for _, r := range c.M.Roles {
		if !r.Shared {
			list = append(list, r.ID)
		}
	}
	return list
}
