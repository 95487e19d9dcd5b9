package trace

import "strconv"

// bindIDs numbers the values of an event that the reading numbers, in the order of the reading: so that numbers depend
// on the logs, as they were given, and on nothing else.
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

// identity is what tells values of a log apart: a text is in quotes, a number is not.
func identity(v any) string {
	if text, is := v.(string); is {
		return strconv.Quote(text)
	}
	return plain(v)
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
