package trace

import (
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/trace/reading"
)

// value converts a value of a line into one of a type. Numbers that do not fit into 32 bits
// are an error. The process that a name is depends on the numbering.
func value(x *reading.LogExpr, c *checker, e *reading.Event, root any, t *protocol.Type, by []int32) (
	v int32, ok bool, err error) {
	if e.Loose {
		return 0, false, nil
	}
	got, ok, err := x.Look(e, root)
	if err != nil || !ok {
		return 0, false, err
	}
	if got == nil {
		return protocol.Undef, true, nil
	}
	wrong := func(what string) (int32, bool, error) {
		return 0, false, e.WrongAt(x.Path, "%s is %s, which is no %s", x.Text, reading.Plain(got), what)
	}
	sum := func(n int64) (int32, bool, error) {
		if n += x.Add; n > math.MaxInt32 || n < -math.MaxInt32 {
			return wrong("whole number (or too large): name it with value or id")
		}
		return int32(n), true, nil
	}
	if x.How == "id" {
		return sum(c.ids(x.Table, identity(got)))
	}
	if t.Kind != protocol.KindRole {
		if n, known := c.values[typeKey(t)][reading.Plain(got)]; known {
			return sum(int64(n))
		}
	}
	switch t.Kind {
	case protocol.KindInt:
		n, isInt := reading.Integer(got)
		if !isInt || n > 1<<40 || n < -1<<40 {
			n = 1 << 40 // it stays too large
		}
		return sum(n)
	case protocol.KindBool:
		if b, is := got.(bool); is {
			if b {
				return 1, true, nil
			}
			return 0, true, nil
		}
		return wrong("truth value")
	case protocol.KindEnum, protocol.KindStatus:
		if i := slices.Index(t.Values, reading.Plain(got)); i >= 0 {
			return int32(i), true, nil
		}
		return wrong("value of the protocol: one of " + strings.Join(t.Values, ", ") +
			" (value NAME = \"...\" says how the log calls them)")
	case protocol.KindRole:
		return process(x, c, e, got, t, by)
	}
	return wrong("single value")
}

// process converts the name of a process.
func process(x *reading.LogExpr, c *checker, e *reading.Event, got any, t *protocol.Type, by []int32) (
	int32, bool, error) {
	names, name := c.names[t.Role], reading.Plain(got)
	switch got.(type) {
	case string, json.Number:
	default:
		return 0, false, e.WrongAt(x.Path, "%s is %s, which is no name of a process: a text or a number", x.Text, name)
	}
	if slices.Contains(names.none, name) {
		return protocol.Undef, true, nil
	}
	if names.own {
		n, isInt := reading.Integer(got)
		if s, text := got.(string); text {
			n, isInt = reading.IntegerText(s)
		}
		if n += x.Add; !isInt || n < 1 || n > int64(names.role.Size) {
			return 0, false, e.WrongAt(x.Path, "%s is %s, and there are processes 1 to %d of %s", x.Text, name,
				names.role.Size, names.role.Name)
		}
		return int32(n), true, nil
	}
	if x.Add != 0 {
		return 0, false,
			e.WrongAt(x.Path, "%s adds to %s, which is the name of a process (process %s numbers: names are numbers)",
				x.Text, name, names.role.ID)
	}
	k, ok := names.number(name)
	if !ok {
		return 0, false,
			e.WrongAt(x.Path,
				"%s is %s, one process more than the protocol has: there are %d of %s (a constant can be read "+
					"off the log)", x.Text, name, names.role.Size, names.role.Name)
	}
	if by == nil {
		return k + 1, true, nil
	}
	n := by[names.role.First+int(k)]
	if n < 0 {
		return 0, false, &unnumbered{names, k}
	}
	return n + 1, true, nil
}

// unnumbered says that it is open in a node which process a name is, the one that has appeared as the k-th one of its
// role.
type unnumbered struct {
	names *nameTable
	k     int32
}

func (u *unnumbered) Error() string { return "which process a name is, is open" }

// maxOrders bounds the ways to number so many names that are tried.
const maxOrders = 5040

// numbers makes the first way to number processes: with the numbers that the reading gives. If they do not matter,
// there is no other one.
func (c *checker) number(matters bool) {
	c.orders, c.orderOf, c.tried = [][]int32{nil}, map[string]int{}, map[int]int{}
	if !matters {
		return
	}
	order := slices.Repeat([]int32{-1}, c.m.Processes())
	for _, t := range c.names {
		for _, k := range t.known {
			order[t.role.First+int(k)] = k
		}
	}
	c.orders[0] = order
}

// numberings calls yield with what a node is for each process that a name may be.
func (c *checker) numberings(n *node, u *unnumbered, yield func(*node) error) error {
	own := c.orders[n.order][u.names.role.First:][:u.names.role.Size]
	for number := range int32(len(own)) {
		if slices.Contains(own, number) {
			continue
		}
		order := slices.Clone(c.orders[n.order])
		order[u.names.role.First+int(u.k)] = number
		k, known := c.orderOf[fmt.Sprint(order)]
		if !known {
			k = len(c.orders)
			c.orderOf[fmt.Sprint(order)] = k
			c.orders = append(c.orders, order)
			open := 0
			for _, v := range order {
				if v < 0 {
					open++
				}
			}
			if c.tried[open]++; c.tried[open] > maxOrders {
				return fmt.Errorf("%w: %s tells processes apart, and there are more than %d ways to say which of "+
					"them a name is: say so of some in the reading (process %s \"a\" is 1, ...)", errTooMany, c.m.File,
					maxOrders, u.names.role.ID)
			}
		}
		next := *n
		next.parent, next.order, next.step = n, k, &step{none: true}
		if err := yield(&next); err != nil {
			return err
		}
	}
	return nil
}

// exchanged says in which roles the names may be any processes, although the text tells these apart: a log is
// explained, too, if the processes that it names are others than the program's.
func (c *checker) exchanged() (notes []string) {
	for _, t := range c.names {
		if c.m.Asymmetry == nil || t.role.Size == 1 || len(t.order) == 0 {
			continue
		}
		why := c.m.Asymmetry[0]
		notes = append(notes, fmt.Sprintf("which processes of %s are %s was chosen to explain the log, and the text "+
			"tells them apart (%s: %s): process %s %q is 1, ... in the reading says which they are", t.role.Name,
			reading.Listed(t.order), why.Pos, why.Msg, t.role.ID, t.order[0]))
	}
	return notes
}

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
