package reading

import (
	"slices"
	"strings"

	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Canonical lays out the statements of a reading in a text: one mechanism for all, which knows of words and
// expressions only. It is what protocol.FormatWith asks for.
func Canonical(f *ftdp.File) func(*ftdp.TraceBlock) ([]ftdp.Laid, error) {
	text := f.Text()
	return func(b *ftdp.TraceBlock) ([]ftdp.Laid, error) {
		p, err := parseBlock(f.Pos.Filename, text, b)
		if err != nil {
			return nil, err
		}
		var out []ftdp.Laid
		for _, s := range p.statements {
			first, last := p.tokens[s.from], p.tokens[s.to]
			out = append(out, ftdp.Laid{Offset: b.Body.Pos.Offset + first.offset, From: first.pos.Line,
				To: last.pos.Line, Lines: lines(p.words(s))})
		}
		return out, nil
	}
}

// words are the tokens of a statement, with expressions as one word each.
func (p *parser) words(s statementAt) (list []string) {
	for i := s.from; i <= s.to; i++ {
		k := slices.IndexFunc(s.spans, func(x spelled) bool { return x.from == i })
		if k < 0 {
			list = append(list, p.tokens[i].text)
			continue
		}
		x := s.spans[k]
		list = append(list, x.expr.String())
		i = x.to - 1
	}
	return list
}

// widest is how long a line may be.
const widest = 110

// lines puts words together: on one line if that is short enough, else one for what an event is, and one for each part
// and what is checked of it, which are broken behind commas.
func lines(words []string) []string {
	if line := joined(words); len(line)+2 <= widest {
		return []string{line}
	}
	var out []string
	begin := 0
	cut := func(to int) {
		if to > begin {
			out = append(out, filled(words[begin:to], len(out) > 0)...)
			begin = to
		}
	}
	depth := 0
	for i, w := range words {
		switch w {
		case "(":
			depth++
		case ")":
			depth--
		case "before", "after", "then":
			cut(i)
		case ":":
			if depth == 0 {
				cut(i + 1)
			}
		}
	}
	cut(len(words))
	return out
}

// filled is words on as many lines as they need, which end with commas.
func filled(words []string, inner bool) (out []string) {
	indent := ""
	if inner {
		indent = "  "
	}
	begin := 0
	for begin < len(words) {
		end := len(words)
		if len(indent+joined(words[begin:end]))+2 > widest {
			for k := begin; k < len(words)-1; k++ {
				if words[k] != "," {
					continue
				}
				if end < len(words) && len(indent+joined(words[begin:k+1]))+2 > widest {
					break
				}
				end = k + 1
			}
		}
		out = append(out, indent+joined(words[begin:end]))
		begin, indent = end, "    "
	}
	return out
}

// joined is words with spaces where they belong.
func joined(words []string) string {
	var b strings.Builder
	for i, w := range words {
		tight := i == 0 || slices.Contains([]string{",", ";", ")", ":", ".."}, w) || words[i-1] == "(" ||
			words[i-1] == ".."
		tight = tight || w == "(" && i > 0 && !slices.Contains([]string{"in", "and", "or", "not", ","}, words[i-1])
		if !tight {
			b.WriteByte(' ')
		}
		b.WriteString(w)
	}
	return b.String()
}
