package trace

import (
	"encoding/json"
	"strconv"
	"strings"
)

// bindIDs numbers the values of an event that the reading numbers, in the order of the reading: so that numbers depend on
// the logs, as they were given, and on nothing else.
func (c *Checker) bindIDs(e *Event, root any, cases []*boundCase) error {
	bind := func(x *logExpr) error {
		if x == nil || x.how != "id" {
			return nil
		}
		got, ok, err := x.look(e, root)
		if err == nil && ok && got != nil {
			c.ids(x.table, identity(got))
		}
		return err
	}
	for _, bc := range cases {
		for _, p := range bc.parts {
			for i := range p.params {
				if err := bind(p.params[i].log); err != nil {
					return err
				}
			}
			for _, list := range [][]check{p.before, p.after} {
				for i := range list {
					if err := bind(list[i].right); err != nil {
						return err
					}
				}
			}
		}
	}
	return nil
}

// hasIDs reports whether the reading numbers values.
func (r *Reading) hasIDs() bool {
	for i := range r.cases {
		for _, p := range r.cases[i].parts {
			for k := range p.params {
				if x := p.params[k].log; x != nil && x.how == "id" {
					return true
				}
			}
			for _, list := range [][]readCheck{p.before, p.after} {
				for k := range list {
					if x := list[k].right; x != nil && x.how == "id" {
						return true
					}
				}
			}
		}
	}
	return false
}

// identity is what tells values of a log apart: their JSON, in which a text is in quotes, and numbers are written in one way.
func identity(v any) string {
	if n, ok := v.(json.Number); ok && strings.ContainsAny(n.String(), ".eE") {
		if f, err := n.Float64(); err == nil {
			return strconv.FormatFloat(f, 'f', -1, 64)
		}
		return n.String()
	}
	if n, ok := v.(json.Number); ok && n.String() == "-0" {
		return "0"
	}
	data, _ := json.Marshal(v) // of what was read as JSON
	return string(data)
}

// ids numbers the values of a table from 1, as they appear.
func (c *Checker) ids(table, value string) int64 {
	if c.tables[table] == nil {
		c.tables[table] = map[string]int64{}
	}
	if n, ok := c.tables[table][value]; ok {
		return n
	}
	n := int64(len(c.tables[table]) + 1)
	c.tables[table][value] = n
	return n
}
