package boolean_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/internal/boolean"
)

// literal is one of few variables, or its complement.
type literal struct {
	name int
	not  bool
}

const names = 4

func (l literal) Negate() literal { return literal{l.name, !l.not} }

func (l literal) String() string {
	if l.not {
		return "!x" + strconv.Itoa(l.name)
	}
	return "x" + strconv.Itoa(l.name)
}

type formula = boolean.Formula[literal]

// table is where a formula is true: bit i says it of the row in which variable k is bit k of i.
type table uint16

const all table = 1<<(1<<names) - 1

func (l literal) table() (t table) {
	for row := range 1 << names {
		if (row>>l.name&1 == 1) != l.not {
			t |= 1 << row
		}
	}
	return t
}

// random makes a formula together with its table.
func random(r *rand.Rand, depth int) (*formula, table) {
	switch n := r.Intn(10); {
	case depth == 0 || n < 3:
		switch r.Intn(8) {
		case 0:
			return boolean.True[literal](), all
		case 1:
			return boolean.False[literal](), 0
		}
		l := literal{r.Intn(names), r.Intn(2) == 0}
		return boolean.Of(l), l.table()
	case n < 5:
		f, t := random(r, depth-1)
		return f.Negate(), all &^ t
	default:
		var list []*formula
		and, or := all, table(0)
		for range r.Intn(4) {
			f, t := random(r, depth-1)
			list, and, or = append(list, f), and&t, or|t
		}
		if n < 8 {
			return boolean.And(list...), and
		}
		return boolean.Or(list...), or
	}
}

func tableOf(f *formula) (t table) {
	for row := range 1 << names {
		if f.Holds(func(l literal) bool { return l.table()>>row&1 == 1 }) {
			t |= 1 << row
		}
	}
	return t
}

// flat reports whether a formula is as the package says that all are.
func flat(f *formula, part bool) bool {
	if f.Op != boolean.OpAtom && (len(f.Args) == 1 || part && len(f.Args) == 0) {
		return false
	}
	return !slices.ContainsFunc(f.Args, func(a *formula) bool { return a.Op == f.Op && a.Op != boolean.OpAtom || !flat(a, true) })
}

// TestTables compares what is done with random formulas with their truth tables.
func TestTables(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	kept := 0
	keys := map[string]string{}
	for range 20000 {
		f, want := random(r, 4)
		text := f.Text(literal.String)
		check := func(what string, got, want table) {
			t.Helper()
			if got != want {
				t.Fatalf("%s of %s: true in rows %016b, want %016b", what, text, got, want)
			}
		}
		check("Holds", tableOf(f), want)
		check("Negate", tableOf(f.Negate()), all&^want)
		check("Conjuncts", tableOf(boolean.And(f.Conjuncts()...)), want)
		check("Map", tableOf(boolean.Map(f, func(l literal) *formula { return boolean.Of(l.Negate()).Negate() })), want)
		check("Fold", boolean.Fold(f, literal.table, func(op boolean.Op, parts []table) table {
			t := all
			for _, p := range parts {
				t &= p
			}
			if op == boolean.OpOr {
				t = 0
				for _, p := range parts {
					t |= p
				}
			}
			return t
		}), want)
		check("parse of Text", parse(text), want)
		if !flat(f, false) || !flat(f.Negate(), false) {
			t.Fatalf("%s is not flat", text)
		}
		if back := f.Negate().Negate().Text(literal.String); back != text {
			t.Fatalf("twice negated, %s is %s", text, back)
		}
		for _, most := range []int{3, 1000} {
			cases, ok := boolean.Cases(f, most, func(l literal) [][]literal { return [][]literal{{l}} })
			if !ok {
				continue
			}
			kept++
			if len(cases) > most {
				t.Fatalf("%s has %d cases, more than %d", text, len(cases), most)
			}
			var got table
			for _, list := range cases {
				one := all
				for _, l := range list {
					one &= l.table()
				}
				got |= one
			}
			check("Cases", got, want)
		}
		key := string(f.AppendKey(nil, func(b []byte, l literal) []byte { return append(b, l.String()...) }))
		if old, there := keys[key]; there && old != text {
			t.Fatalf("%s and %s have the same key", old, text)
		}
		keys[key] = text
	}
	if kept < 20000 {
		t.Errorf("only %d formulas had cases", kept)
	}
}

// parse returns the table of a text: it knows nothing of formulas.
func parse(text string) table {
	p := parser(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(text) + " .")
	return p.any()
}

type parser string

func (p *parser) next() string {
	word, rest, _ := strings.Cut(strings.TrimLeft(string(*p), " "), " ")
	*p = parser(rest)
	return word
}

func (p *parser) peek() string { q := *p; return q.next() }

func (p *parser) any() table {
	t := p.every()
	for p.peek() == "||" {
		p.next()
		t |= p.every()
	}
	return t
}

func (p *parser) every() table {
	t := p.one()
	for p.peek() == "&&" {
		p.next()
		t &= p.one()
	}
	return t
}

func (p *parser) one() table {
	switch word := p.next(); word {
	case "(":
		t := p.any()
		p.next()
		return t
	case "true":
		return all
	case "false":
		return 0
	default:
		bare, not := strings.CutPrefix(word, "!")
		var l literal
		if _, err := fmt.Sscanf(bare, "x%d", &l.name); err != nil {
			panic(word)
		}
		l.not = not
		return l.table()
	}
}
