package trace

import (
	"iter"
	"strconv"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/trace/reading"
)

// values yields the values of a line that the parts of an event speak of, and what they are, in the order of the
// reading.
func values(cases []*boundCase) iter.Seq2[*reading.LogExpr, *protocol.Type] {
	return func(yield func(*reading.LogExpr, *protocol.Type) bool) {
		for _, bc := range cases {
			for _, p := range bc.parts {
				for i := range p.params {
					if b := &p.params[i]; b.log != nil && !yield(b.log, b.info.Type) {
						return
					}
				}
				for _, list := range [][]check{p.before, p.after} {
					for i := range list {
						if x := list[i].Right; x != nil && !yield(x, list[i].term.Type) {
							return
						}
					}
				}
			}
		}
	}
}

// bindIDs numbers the values of an event that the reading numbers, in the order of the reading: so that numbers depend
// on the logs, as they were given, and on nothing else.
func (c *checker) bindIDs(e *reading.Event, root any, cases []*boundCase) error {
	for x := range values(cases) {
		if x.How != "id" {
			continue
		}
		got, ok, err := x.Look(e, root)
		if err != nil {
			return err
		}
		if ok && got != nil {
			c.ids(x.Table, identity(got))
		}
	}
	return nil
}

// identity is what tells values of a log apart: a text is in quotes, a number is not.
func identity(v any) string {
	if text, is := v.(string); is {
		return strconv.Quote(text)
	}
	return reading.Plain(v)
}

// ids numbers the values of a table from 1, as they appear.
func (c *checker) ids(table, value string) int64 {
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
