package emit

import "tacheck/protocol"

// Murphi has no values that are records, so that what a term reads a part of, `length(slice(s, 1, 2))`, is a variable first: of the rule,
// where a statement reads it, and else of a function for the smallest condition or number that it is in.

// partsOf lists the parts of values that are put together that a term reads, but for those that what binds a variable reads.
func partsOf(t *protocol.Term) (list []*protocol.Term) {
	switch t.Op {
	case protocol.ForAll, protocol.Exists, protocol.Count, protocol.Max, protocol.Min, protocol.Collect:
		return nil
	}
	if t.Who != nil {
		list = append(list, partsOf(t.Who)...)
	}
	for _, x := range t.Indices {
		list = append(list, partsOf(x.Index)...)
	}
	if t.IsPlace() && t.Base == protocol.BaseValue {
		return append(list, t)
	}
	for _, a := range t.Args {
		list = append(list, partsOf(a)...)
	}
	return list
}

// isAtom reports whether a term is a condition or number without connectives that reads a part that is no variable yet.
func (w *protocolMurphiWriter) isAtom(t *protocol.Term) bool {
	switch t.Op {
	case protocol.And, protocol.Or, protocol.Not, protocol.Implies, protocol.Iff, protocol.Tuple, protocol.Append, protocol.Slice:
		return false
	}
	if !t.Type.Scalar() {
		return false
	}
	for _, p := range partsOf(t) {
		if w.wholes[p] == "" {
			return true
		}
	}
	return false
}

// atom writes a function for a condition or number, and returns its call.
func (w *protocolMurphiWriter) atom(t *protocol.Term) *expr {
	kind := "number"
	if t.Type.Kind != protocol.KindInt {
		kind = w.kind(t.Type)
	}
	depth := len(w.scope)
	defer func() { w.scope = w.scope[:depth] }()
	parts := partsOf(t)
	e := w.call("part", kind, "-- "+w.m.Excerpt(t), func() {
		w.whole("  ", t)
		w.line("  return %s;", w.term(t))
	})
	for _, p := range parts {
		delete(w.wholes, p)
	}
	return e
}

// whole writes that variables get the values of which a term reads parts.
func (w *protocolMurphiWriter) whole(pad string, t *protocol.Term) {
	for _, p := range partsOf(t) {
		of := p.Args[0]
		name := w.temp("whole", w.kind(of.Type))
		w.line("%sundefine %s;", pad, name)
		w.store(pad, name, of.Type, of)
		w.wholes[p] = name
		w.scope = append(w.scope, scoped{name, w.kind(of.Type)})
	}
}
