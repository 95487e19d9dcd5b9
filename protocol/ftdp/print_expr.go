package ftdp

import (
	"strconv"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
)

// String prints the expression in ASCII, with the parentheses that it needs: what is
// printed reads as an expression of the same structure.
func (e *Expr) String() string { return e.Text(0) }

// String prints the expression as the bound of a range.
func (s *Sum) String() string { return s.Text(8) }

// String prints the type.
func (t *TypeExpr) String() string {
	switch {
	case t.Bool:
		return "bool"
	case t.Record != nil:
		fields := lists.Map(t.Record.Fields, (*Decl).String)
		return "record " + strings.Join(fields, "; ") + " end"
	case t.Array != nil:
		return "array[" + t.Array.Index.String() + "] of " + t.Array.Of.String()
	case t.Enum != nil:
		return "enum {" + namesOf(t.Enum) + "}"
	case t.Seq != nil:
		return "seq[" + t.Seq.Max.String() + "] of " + t.Seq.Of.String()
	case t.Set != nil:
		return "set of " + t.Set.String()
	case t.Range.To != nil:
		return t.Range.From.String() + ".." + t.Range.To.String()
	}
	return t.Range.From.String()
}

// String prints the declaration.
func (d *Decl) String() string { return d.names() + ": " + d.Type.String() + d.first() }

// names are those declared, as they are written.
func (d *Decl) names() string {
	if d.Stable {
		return "stable " + namesOf(d.Names)
	}
	return namesOf(d.Names)
}

// first is the value that they begin with, as it is written.
func (d *Decl) first() string {
	if d.First == nil {
		return ""
	}
	return " = " + d.First.String()
}

func namesOf(ids []*Ident) string {
	list := lists.Map(ids, func(id *Ident) string { return id.Name })
	return strings.Join(list, ", ")
}

// Text prints the expression where operators stand that bind with some strength: what binds less is in parentheses.
func (e *Expr) Text(outer int) string {
	text := e.bare()
	if e.Op.Strength() < outer || outer > 0 && outer <= 10 && e.temporalName() {
		return "(" + text + ")"
	}
	return text
}

// temporalName reports whether the expression is a name that would be an operator before some others.
func (e *Expr) temporalName() bool { return e.Op == Name && (e.Name == "F" || e.Name == "G") }

// beginsRecord says whether the text begins with a record: behind the
// variables of a quantifier it would be read as more of them.
func beginsRecord(text string) bool {
	first, _, found := strings.Cut(text, ":")
	return found && first[0] == '(' && IsName(first[1:])
}

func (e *Expr) bare() string {
	s := e.Op.Strength()
	arg := func(i, min int) string { return e.Args[i].Text(min) }
	switch e.Op {
	case Number:
		return strconv.FormatInt(e.Num, 10)
	case Name:
		return e.Name
	case Out:
		return "2" + e.Name
	case Call, Undefined:
		name := e.Name
		if e.Op == Undefined {
			name = "isundefined"
		}
		args := lists.Make(len(e.Args), func(i int) string { return arg(i, 0) })
		if name == "" { // TYPE.KIND(values)
			name, args = args[0], args[1:]
		}
		return name + "(" + strings.Join(args, ", ") + ")"
	case Field:
		return arg(0, 11) + "." + e.Name
	case InRound:
		return arg(0, s) + " of round " + strconv.FormatInt(e.Num, 10)
	case Index:
		return arg(0, 11) + "[" + arg(1, 0) + "]"
	case Ceiling, Floor:
		if e.Op == Floor {
			return "⌊" + arg(0, 0) + "⌋"
		}
		return "[" + arg(0, 0) + "]"
	case Minus:
		return "-" + arg(0, s)
	case Not:
		return "not " + arg(0, s)
	case Finally, Globally:
		text := arg(0, s)
		if strings.HasPrefix(text, "[") { // it would be the index of a name
			text = "(" + text + ")"
		}
		return string(e.Op) + " " + text
	case ForAll, Exists:
		text := arg(0, 0)
		if beginsRecord(text) {
			text = "(" + text + ")"
		}
		return string(e.Op) + " (" + e.Name + ": " + e.Type.String() + ") " + text
	case Count, Max, Min:
		head := string(e.Op) + " (" + e.Name + ": " + e.Type.String() + ") "
		last := ""
		if len(e.Args) == 3 {
			last = " default " + arg(2, s+1)
		}
		switch {
		case len(e.Args) == 1:
			return head + arg(0, s)
		case e.Args[0] == e.Args[1] || last != "" && e.Args[0].String() == e.Args[1].String():
			return head + arg(0, s+1) + last
		case last == "":
			return head + arg(0, s+1) + " by " + arg(1, s) // another one would take the "by"
		}
		return head + arg(0, s+1) + " by " + arg(1, s+1) + last
	case Choice:
		return "if " + arg(0, 0) + " then " + arg(1, 0) + " else " + arg(2, 0)
	case Those:
		if len(e.Args) == 0 {
			return "{" + e.Name + ": " + e.Type.String() + "}"
		}
		return "{" + e.Name + ": " + e.Type.String() + " | " + arg(0, 0) + "}"
	case SetOf:
		args := lists.Make(len(e.Args), func(i int) string { return arg(i, 0) })
		return "{" + strings.Join(args, ", ") + "}"
	case Tuple:
		var args []string
		for i, n := range e.Names {
			args = append(args, n.Name+": "+arg(i, 0))
		}
		return "(" + strings.Join(args, ", ") + ")"
	case Chain:
		text := arg(0, s+1)
		for i, op := range e.Ops {
			text += " " + string(op) + " " + arg(i+1, s+1)
		}
		return text
	case Implies:
		return arg(0, s+1) + " -> " + arg(1, s)
	case And, Or:
		var args []string
		for i := range e.Args {
			args = append(args, arg(i, s+1)) // a quantifier would take in what follows
		}
		return strings.Join(args, " "+string(e.Op)+" ")
	case Eq, Ne, Lt, Le, Gt, Ge, In, Iff, Xor: // two in a row would be a chain, or nothing
		s++
	}
	return arg(0, s) + " " + string(e.Op) + " " + arg(1, e.Op.Strength()+1)
}
