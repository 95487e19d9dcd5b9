// Package text finds values of unknowns in texts from which automata are made: pseudo-code for all sizes,
// parametric Promela. Unknowns are words; with numbers in their place, a text is a model like any other, so
// that what a solution is follows from what verifying is, and every counterexample is one of the text.
package text

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/synth"
	"github.com/tacheck/tacheck/verify"
)

// span is a part of a text.
type span struct{ from, to int }

var (
	unknown = regexp.MustCompile(`^\s*([A-Za-z_][A-Za-z_0-9]*)\s*:\s*(-?\d+)\s*\.\.\s*(-?\d+)\s*$`)
	word    = regexp.MustCompile(`[A-Za-z_][A-Za-z_0-9]*`)
)

// declarations finds the unknowns that a text declares, `unknowns a: 0..2, b: -1..1;` on lines of their own, and where.
// The error is a diag.List.
func declarations(file, text string) (list []synth.Unknown, where []span, err error) {
	plain, lines := model.Unknowns(text)
	var errs diag.List
	for _, m := range lines {
		where = append(where, span{m[0], m[1]})
		line := plain[m[0]:m[1]]
		begin := strings.Index(line, "unknowns") + len("unknowns")
		rest := strings.TrimSuffix(line[begin:], ";")
		if rest == line[begin:] {
			errs.Add(placeOf(file, text, m[1]), 1, "expected `;`: unknowns are declared on one line")
			continue
		}
		at := m[0] + begin
		for part := range strings.SplitSeq(rest, ",") {
			pos := placeOf(file, text, at+len(part)-len(strings.TrimLeft(part, " \t")))
			u, problem := readUnknown(part)
			switch {
			case problem != "":
				errs.Add(pos, max(1, len(strings.TrimSpace(part))), "%s", problem)
			default:
				for _, old := range list {
					if old.Name == u.Name {
						errs.Add(pos, len(u.Name), "%q is declared again", u.Name)
					}
				}
				u.Pos = pos
				list = append(list, u)
			}
			at += len(part) + 1
		}
	}
	return list, where, errs.Err()
}

// most bounds unknowns.
const most = 1 << 20

func readUnknown(text string) (u synth.Unknown, problem string) {
	m := unknown.FindStringSubmatch(text)
	if m == nil {
		return u, "expected an unknown with its range, such as `a: 0..2`"
	}
	u.Name = m[1]
	for i, to := range []*int64{&u.Min, &u.Max} {
		n, err := strconv.ParseInt(m[2+i], 10, 64)
		if err != nil || n > most || n < -most {
			return u, fmt.Sprintf("%s is beyond %d", m[2+i], most)
		}
		*to = n
	}
	if u.Min > u.Max {
		return u, fmt.Sprintf("there is nothing between %d and %d", u.Min, u.Max)
	}
	return u, ""
}

// placeOf is the place of a byte of a text.
func placeOf(file, text string, at int) diag.Pos {
	before := text[:min(at, len(text))]
	line := strings.Count(before, "\n")
	return diag.Pos{File: file, Line: line + 1, Col: at - strings.LastIndex(before, "\n")}
}

// family is a text with unknowns.
type family struct {
	file, text string
	read       model.Options
	unknowns   []synth.Unknown
	where      []span // declarations
	uses       []use
	specs      []string

	replays replays
}

// use is where an unknown stands.
type use struct {
	span
	of int
}

// Parse reads a text with unknowns. Errors are an *model.InputError.
func Parse(ctx context.Context, file, text string, o model.Options) (*synth.Template, error) {
	f := &family{file: file, text: text, read: o}
	var err error
	if f.unknowns, f.where, err = declarations(file, text); err != nil {
		return nil, &model.InputError{Err: err, Text: text}
	}
	f.find()
	var unused diag.List
	for i, u := range f.unknowns {
		used := slices.ContainsFunc(f.uses, func(x use) bool { return x.of == i })
		if !used {
			unused.Add(u.Pos, len(u.Name), "%q is not used: the text would be the same with all its values", u.Name)
		}
	}
	if len(unused) > 0 {
		return nil, &model.InputError{Err: unused, Text: text}
	}
	var first synth.Values
	for _, u := range f.unknowns {
		first = append(first, u.Min)
	}
	m, err := f.open(ctx, first)
	if err != nil {
		return nil, err
	}
	for _, s := range m.Specs() {
		f.specs = append(f.specs, s.Name)
	}
	return synth.Of(file, f.unknowns, f), nil
}

// find finds where unknowns are used.
func (f *family) find() {
	plain, _ := model.Unknowns(f.text)
	declared := func(at int) bool {
		return slices.ContainsFunc(f.where, func(d span) bool { return d.from <= at && at < d.to })
	}
	for _, m := range word.FindAllStringIndex(plain, -1) {
		field := m[0] > 0 && plain[m[0]-1] == '.' && (m[0] < 2 || plain[m[0]-2] != '.')
		number := m[0] > 0 && '0' <= plain[m[0]-1] && plain[m[0]-1] <= '9'
		if declared(m[0]) || field || number {
			continue
		}
		for i, u := range f.unknowns {
			if u.Name == plain[m[0]:m[1]] {
				f.uses = append(f.uses, use{span{m[0], m[1]}, i})
			}
		}
	}
}

// Text has numbers in place of unknowns, and no declarations: lines stay where they are.
func (f *family) Text(v synth.Values) string {
	var b strings.Builder
	at := 0
	put := func(s span, text string) {
		b.WriteString(f.text[at:s.from] + text)
		at = s.to
	}
	d := f.where
	for _, u := range f.uses {
		for ; len(d) > 0 && d[0].from < u.from; d = d[1:] {
			put(d[0], "")
		}
		put(u.span, number(v[u.of]))
	}
	for ; len(d) > 0; d = d[1:] {
		put(d[0], "")
	}
	return b.String() + f.text[at:]
}

// number is one as it can stand in any sum or product.
func number(n int64) string {
	if n < 0 {
		return fmt.Sprintf("(%d)", n)
	}
	return strconv.FormatInt(n, 10)
}

// Effects are the lines that have unknowns, with their values.
func (f *family) Effects(v synth.Values) (list []string) {
	lines := strings.Split(f.Text(v), "\n")
	last := 0
	for _, u := range f.uses {
		if line := strings.Count(f.text[:u.from], "\n") + 1; line != last {
			list = append(list, fmt.Sprintf("line %d: %s", line, strings.TrimSpace(lines[line-1])))
			last = line
		}
	}
	return list
}

func (f *family) Specs() []string { return f.specs }

// open opens the text with values.
func (f *family) open(ctx context.Context, v synth.Values) (model.ForAll, error) {
	m, err := model.Open(ctx, f.file, f.Text(v), f.read)
	if err != nil {
		return nil, err
	}
	all, ok := m.(model.ForAll)
	if !ok {
		return nil,
			fmt.Errorf("%s is %s: its specifications are not verified for all parameters, so no values are looked "+
				"for under which they hold", f.file, m.What())
	}
	return all, nil
}

func (f *family) Decide(ctx context.Context, v synth.Values, spec string,
	o verify.Options) (*verify.Result, synth.Run, error) {
	m, err := f.open(ctx, v)
	if err != nil {
		return nil, nil, err
	}
	r, x, err := decide(ctx, m, spec, o)
	if err != nil {
		return nil, nil, err
	}
	return r, &run{x.Counterexample, &f.replays,
		func(v synth.Values) (model.ForAll, error) { return f.open(context.WithoutCancel(ctx), v) }}, nil
}
