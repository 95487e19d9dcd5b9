package ftdp

import (
	"fmt"
	"math/rand"
	"reflect"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/testkit/need"
)

// randomExpr makes an expression of any structure that a text can have.
type randomExpr struct{ *rand.Rand }

func (r randomExpr) one(list ...Op) Op { return list[r.Intn(len(list))] }

func (r randomExpr) kind() *TypeExpr {
	switch r.Intn(4) {
	case 0:
		return &TypeExpr{Bool: true}
	case 1:
		return &TypeExpr{Range: &RangeType{From: &Sum{*r.expr(1)}, To: &Sum{*r.expr(1)}}}
	}
	return &TypeExpr{Range: &RangeType{From: &Sum{Expr{Op: Name, Name: "T"}}}}
}

func (r randomExpr) leaf() *Expr {
	switch r.Intn(5) {
	case 0:
		return &Expr{Op: Number, Num: int64(r.Intn(12))}
	case 1:
		return &Expr{Op: Out, Name: "node"}
	}
	return &Expr{Op: Name, Name: []string{"a", "b", "true", "count", "max", "by", "F", "G", "U"}[r.Intn(9)]}
}

// postfix makes what can have fields and indices.
func (r randomExpr) postfix(depth int) *Expr {
	if depth == 0 {
		return &Expr{Op: Name, Name: "a"}
	}
	if r.Intn(2) == 0 {
		return &Expr{Op: Field, Name: []string{"x", "F", "end"}[r.Intn(3)], Args: []*Expr{r.postfix(depth - 1)}}
	}
	return &Expr{Op: Index, Args: []*Expr{r.postfix(depth - 1), r.expr(depth - 1)}}
}

func (r randomExpr) expr(depth int) *Expr {
	if depth == 0 || r.Intn(8) == 0 {
		return r.leaf()
	}
	args := func(n int) (list []*Expr) {
		for range n {
			list = append(list, r.expr(depth-1))
		}
		return list
	}
	comparison := func() Op { return r.one(Eq, Ne, Lt, Le, Gt, Ge, In) }
	switch r.Intn(12) {
	case 0:
		return &Expr{Op: r.one(Not, Finally, Globally), Args: args(1)}
	case 1:
		return &Expr{Op: r.one(And, Or), Args: args(2 + r.Intn(3))}
	case 2:
		return &Expr{Op: r.one(Implies, Iff), Args: args(2)}
	case 3:
		return &Expr{Op: r.one(Until, Release), Args: args(2)}
	case 4:
		body := args(1)
		if r.Intn(4) == 0 { // not more variables
			body[0] = &Expr{Op: comparison(), Args: []*Expr{
				{Op: Tuple, Names: []*Ident{{Name: "a"}, {Name: "b"}}, Args: args(2)}, body[0]}}
		}
		return &Expr{Op: r.one(ForAll, Exists), Name: "k", Type: r.kind(), Args: body}
	case 5:
		return &Expr{Op: comparison(), Args: args(2)}
	case 6:
		return &Expr{Op: Chain, Ops: []Op{comparison(), comparison()}, Args: args(3)}
	case 7:
		return &Expr{Op: r.one(Plus, Sub, Times, Div, Mod), Args: args(2)}
	case 8:
		return &Expr{Op: r.one(Minus, Floor, Ceiling), Args: args(1)}
	case 9:
		if op := r.one(Count, Max, Min, Max, Min); op == Count || r.Intn(2) == 0 {
			return &Expr{Op: op, Name: "k", Type: r.kind(), Args: args(1)}
		}
		return &Expr{Op: r.one(Max, Min), Name: "k", Type: r.kind(), Args: args(2)}
	case 10:
		switch r.Intn(7) {
		case 5:
			return &Expr{Op: Choice, Args: args(3)}
		case 6:
			return &Expr{Op: Those, Name: "k", Type: r.kind(), Args: args(r.Intn(2))}
		case 0:
			return &Expr{Op: Undefined, Args: args(1)}
		case 1:
			return &Expr{Op: SetOf, Args: args(r.Intn(3))}
		case 2:
			return &Expr{Op: Tuple, Names: []*Ident{{Name: "a"}, {Name: "G"}}, Args: args(2)}
		}
		return &Expr{Op: Call, Name: []string{"p", "heard"}[r.Intn(2)], Args: args(1 + r.Intn(2))}
	}
	return r.postfix(depth)
}

// structure says what an expression consists of, but not where it is.
func (e *Expr) structure() string {
	text := fmt.Sprintf("{%s %s %d %v", e.Op, e.Name, e.Num, e.Ops)
	if t := e.Type; t != nil {
		text += fmt.Sprintf(" of %v", t.Bool)
		if t.Range != nil {
			text += " " + t.Range.From.structure()
			if t.Range.To != nil {
				text += ".." + t.Range.To.structure()
			}
		}
	}
	for _, a := range e.Args {
		text += " " + a.structure()
	}
	return text + "}"
}

// structures lists the expressions of a file.
func structures(v reflect.Value, list *[]string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			structures(v.Elem(), list)
		}
	case reflect.Slice:
		for i := range v.Len() {
			structures(v.Index(i), list)
		}
	case reflect.Struct:
		if e, ok := v.Interface().(Expr); ok {
			*list = append(*list, e.structure())
			return
		}
		for i := range v.NumField() {
			structures(v.Field(i), list)
		}
	}
}

func allStructures(f *File) string {
	var list []string
	structures(reflect.ValueOf(f.Sections), &list)
	return strings.Join(list, "\n")
}

// TestPrintedExpressions checks that every expression that is printed reads as the same one,
// wherever it stands, in both forms of texts.
func TestPrintedExpressions(t *testing.T) {
	r := randomExpr{rand.New(rand.NewSource(1))}
	for range need.Cases(t, 400) {
		e := r.expr(1 + r.Intn(4))
		text := e.String()
		var f *File
		for _, form := range []string{
			"protocol p; const c = %[1]s; channels bounded (%[1]s); type R: role[%[1]s]; A: array[(%[1]s)..3] of bool;" +
				" define d(k: T) = %[1]s; rules [](q: quorum[%[1]s] of R) r: if %[1]s then a[%[1]s] := %[1]s; elsif %[1]s then undefine a; endif;" +
				" for k: (%[1]s)..(%[1]s) do skip; endfor invariant i: %[1]s; ltl l fair: %[1]s;",
			"protocol p; parameters n; assume %[1]s, %[1]s; faults crash %[1]s; messages M((%[1]s)..3); process P[%[1]s] input x: 0..2 = %[1]s;" +
				" r: if %[1]s then x := %[1]s; send M(%[1]s); else skip endif s: if %[1]s then send M; endif end invariant i: %[1]s; ltl l fair: %[1]s;",
		} {
			var err error
			if f, err = Parse("p", fmt.Sprintf(form, text)); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			invariant := f.Sections[len(f.Sections)-2].Invariant.Formula
			if got, want := invariant.structure(), e.structure(); got != want {
				t.Fatalf("%s reads as\n%s, but is\n%s", text, got, want)
			}
			printed := Format(f)
			g, err := Parse("p", printed)
			if err != nil {
				t.Fatalf("%v\n%s", err, printed)
			}
			if allStructures(g) != allStructures(f) {
				t.Fatalf("formatting changes what %s means:\n%s", text, printed)
			}
			if again := Format(g); again != printed {
				t.Fatalf("formatting again changes\n%s\nto\n%s", printed, again)
			}
		}
	}
}

// TestQuantifiers checks that all ways to write the variables of quantifiers mean the same.
func TestQuantifiers(t *testing.T) {
	want := ""
	for _, e := range []string{"forall (i: R) forall (j: R) forall (v: 0..3) a", "forall (i, j: R, v: 0..3) a",
		"forall (i: R, j: R, v: 0..3): a", "forall i, j: R, v: 0..3. a", "forall i in R, j in R, v in 0..3: a"} {
		f, err := Parse("p", "protocol p; type R: role[2]; invariant i: "+e+";")
		if err != nil {
			t.Fatalf("%s: %v", e, err)
		}
		if got := allStructures(f); want == "" {
			want = got
		} else if got != want {
			t.Errorf("%s reads as\n%s, not\n%s", e, got, want)
		}
	}
}
