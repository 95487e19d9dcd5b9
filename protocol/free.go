package protocol

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/protocol/ftdp"
)

// free reports whether a name can be given to something inside a rule or property, and says so otherwise.
func (s *scope) free(id *ftdp.Ident) bool {
	problem := s.taken(id.Name)
	if problem != "" {
		s.c.failAt(id, "%s", problem)
	}
	return problem == ""
}

// taken says what a name is already; "" if it is nothing.
func (s *scope) taken(name string) string {
	if s.find(name) != nil {
		return fmt.Sprintf("there is a variable %q already", name)
	}
	if name == "sender" && s.rule != nil && !s.heading {
		return senderTaken
	}
	return s.c.taken(name)
}

const senderTaken = "sender is the process that what a rule receives comes from: take another name"

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

// parametersOfDefinitions checks their names, whether or not the definitions are used.
func (c *Checker) parametersOfDefinitions() {
	for _, s := range c.M.Source.Sections {
		if s.Define == nil {
			continue
		}
		list := s.Define.Params
		for i, p := range list {
			problem := c.taken(p.Name.Name)
			if slices.ContainsFunc(list[:i], func(o *ftdp.Param) bool { return o.Name.Name == p.Name.Name }) {
				problem = fmt.Sprintf("there is a parameter %q already", p.Name.Name)
			}
			if problem != "" {
				c.failAt(p.Name, "%s", problem)
			}
		}
	}
}

// roleIDs are the names of the types of processes.
func (c *Checker) roleIDs() (list []string) {
	for _, r := range c.M.Roles {
		if !r.Shared {
			list = append(list, r.ID)
		}
	}
	return list
}
