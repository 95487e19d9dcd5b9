package syntax

import (
	"sync"

	"github.com/alecthomas/participle/v2"
	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tacheck/tacheck/internal/scan"
)

// ruleGrammar is Rule as its tags have it.
type ruleGrammar Rule

var ruleParser = sync.OnceValue(func() *participle.Parser[ruleGrammar] {
	return participle.MustBuild[ruleGrammar](participle.Lexer(language), participle.UseLookahead(0))
})

// Parse reads a rule; participle calls it. Large models are nearly all rules, and
// reading one by its tags takes three times as long as reading it like this. What
// is not quite as it should be is read by the tags, which know what to say of it.
func (r *Rule) Parse(lex *lexer.PeekingLexer) error {
	if t := lex.Peek().Type; t != scan.Number && t != scan.Name {
		return participle.NextMatch
	}
	start := lex.MakeCheckpoint()
	if (&ruleReader{lex: lex}).read(r) {
		return nil
	}
	lex.LoadCheckpoint(start)
	g, err := ruleParser().ParseFromLexer(lex, participle.AllowTrailing(true))
	if g != nil {
		*r = Rule(*g)
	}
	return err
}

// ruleReader reads rules that are as they should be.
type ruleReader struct {
	lex *lexer.PeekingLexer
	bad bool
}

func (p *ruleReader) token(value string) {
	if tok := p.lex.Peek(); p.bad || tok.Type != scan.Sign && tok.Type != scan.Name || tok.Value != value {
		p.bad = true
		return
	}
	p.lex.Next()
}

func (p *ruleReader) is(value string) bool { return !p.bad && p.lex.Peek().Value == value }

func (p *ruleReader) ident() *Ident {
	tok := p.lex.Peek()
	if p.bad || tok.Type != scan.Name {
		p.bad = true
		return nil
	}
	p.lex.Next()
	return &Ident{Pos: tok.Pos, Name: tok.Value}
}

func (p *ruleReader) expr() *Expr {
	e := &Expr{}
	p.bad = p.bad || e.Parse(p.lex) != nil
	return e
}

// read reports whether all of a rule could be read.
func (p *ruleReader) read(r *Rule) bool {
	*r = Rule{Pos: p.lex.Peek().Pos, ID: p.lex.Next().Value}
	p.token(":")
	r.From = p.ident()
	p.token("->")
	r.To = p.ident()
	if p.is("when") {
		p.token("when")
		r.Guard = p.expr()
	}
	if p.is("do") {
		p.token("do")
		p.token("{")
		for !p.bad && !p.is("}") {
			r.Actions = append(r.Actions, p.action())
		}
		p.token("}")
		r.Close = "}"
	}
	if p.is(";") {
		p.token(";")
	}
	return !p.bad
}

func (p *ruleReader) action() *Action {
	a := &Action{Pos: p.lex.Peek().Pos}
	if p.is("unchanged") {
		a.Unchanged = &Unchanged{Keyword: "unchanged"}
		p.token("unchanged")
		p.token("(")
		for !p.bad && !p.is(")") {
			if len(a.Unchanged.Names) > 0 {
				p.token(",")
			}
			a.Unchanged.Names = append(a.Unchanged.Names, p.ident())
		}
		p.token(")")
	} else {
		a.Update = &Update{Var: p.ident()}
		p.token("'")
		if p.is(":=") {
			p.token(":=")
		} else {
			p.token("==")
		}
		a.Update.Value = p.expr()
	}
	if p.is(";") {
		p.token(";")
	}
	return a
}
