package linear

import "strings"

// Addend is a part of a sum as it is written: a multiple of something, or a number if that is "".
type Addend struct {
	Coef Int
	Of   string
}

// Write writes a sum as texts have it, 0 if there is nothing in it. minus comes before what is first and subtracted.
func Write(list []Addend, minus string) string {
	var b strings.Builder
	for _, x := range list {
		switch {
		case x.Coef.Sign() == 0:
			continue
		case b.Len() > 0 && x.Coef.Sign() < 0:
			b.WriteString(" - ")
		case b.Len() > 0:
			b.WriteString(" + ")
		case x.Coef.Sign() < 0:
			b.WriteString(minus)
		}
		n := x.Coef.Abs()
		switch {
		case x.Of == "":
			b.WriteString(n.String())
		case n.Is(1):
			b.WriteString(x.Of)
		default:
			b.WriteString(n.String() + " * " + x.Of)
		}
	}
	if b.Len() == 0 {
		return "0"
	}
	return b.String()
}

// Text writes s with the given names: what is added, then what is subtracted.
func (s Sum[V]) Text(name func(V) string) string {
	var list []Addend
	for _, sign := range []int{1, -1} {
		for _, t := range s.terms {
			if t.Coef.Sign() == sign {
				list = append(list, Addend{t.Coef, name(t.Var)})
			}
		}
		if s.number.Sign() == sign {
			list = append(list, Addend{s.number, ""})
		}
	}
	return Write(list, "-")
}

// TextThenNumber is Text with the number at the end.
func (s Sum[V]) TextThenNumber(name func(V) string) string {
	var add, take []Addend
	for _, t := range s.terms {
		if t.Coef.Sign() > 0 {
			add = append(add, Addend{t.Coef, name(t.Var)})
		} else {
			take = append(take, Addend{t.Coef, name(t.Var)})
		}
	}
	return Write(append(append(add, take...), Addend{s.number, ""}), "-")
}
