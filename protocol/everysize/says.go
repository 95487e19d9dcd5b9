package everysize

import (
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/smt"
)

// Says reports whether a condition can be said, all parts of it. Its error is an *protocol.Unsupported.
func (x *Encoding) Says(t *protocol.Term) (err error) {
	defer diag.Caught(func(u *protocol.Unsupported) { err = u })
	t = x.said(t)
	w := newWorld(x)
	r := w.reader()
	w.expand(r.truth(t, nil, true))
	w.expand(r.never(t, nil, true))
	for known := 0; known < len(w.free); {
		known = len(w.free)
		for _, s := range w.free {
			means := s.means
			s.means = nil
			for _, n := range means {
				w.expand(n)
			}
		}
	}
	return nil
}

// expand looks below all quantifiers of a node, once each.
func (w *world) expand(n node) {
	switch n := n.(type) {
	case and:
		for _, a := range n {
			w.expand(a)
		}
	case or:
		for _, a := range n {
			w.expand(a)
		}
	case *quant:
		b := binding{one: number(smt.V(w.symbol("any", smt.Int, noPool)))}
		if n.dom.sent != nil {
			b = binding{fields: w.message()}
		}
		w.expand(n.body(b))
	case *many:
		b := binding{one: number(smt.V(w.symbol("any", smt.Int, noPool)))}
		w.expand(n.yes(b))
		w.expand(n.no(b))
	}
}
