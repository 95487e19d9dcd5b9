package protocol

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"tacheck/internal/diag"
)

// RoundSource is a protocol for all sizes whose processes go round after round (docs/rounds.md). Both of its
// readings are protocols without rounds: a single round (One), which begins with any values of what is kept, and
// several rounds in a row (Unrolled).
type RoundSource struct {
	File   *File
	Kept   []string // variables that are kept from round to round
	Sites  []Site   // ways in which a round ends; One's variable Ended is at the index of one, plus 1
	Almost []*Section
	After  []*Section // invariants that are asked after some rounds
	// Ended is a variable of One: 0 while the process is in the round.
	Ended string

	process *Section
	always  map[string]bool // variables that rules use which are taken in rounds that are over, too
	turn    diag.Pos        // where rules speak of the coordinator first; none if they do not
	errs    diag.List
}

// Site is a way in which a round ends for a process: for good (Toss and Coin nil), or as a coin says.
type Site struct {
	Toss *Ident // the variable that a coin of its own decides
	Coin *Coin
	Rest []*Statement // what is done then
}

// Var is the variable that a coin decides; nil if none does.
func (s Site) Var() *Ident {
	if s.Coin != nil {
		return s.Coin.Var
	}
	return s.Toss
}

// does spells how a round ends. Rules with parameters stand for several that end rounds at the same place of the text, and do not do the
// same then: what tells ways apart is what is done, not where it is written.
func (s Site) does() string {
	switch {
	case s.Coin != nil:
		return (&Statement{Coin: s.Coin}).round() + ";" + spelled(s.Rest)
	case s.Toss != nil:
		return (&Statement{Toss: s.Toss}).round() + ";" + spelled(s.Rest)
	}
	return ""
}

// spelled prints statements up to `next`, all that they are made of.
func spelled(list []*Statement) string {
	var b strings.Builder
	for _, st := range statements(list) {
		if st.Next {
			break
		}
		b.WriteString(st.round())
		for _, e := range exprsOf(st) {
			fmt.Fprintf(&b, "(%s)", e)
		}
		for _, inner := range blocks(st) {
			fmt.Fprintf(&b, "{%s}", spelled(inner.List))
		}
		b.WriteString(";")
	}
	return b.String()
}

// siteOf is the index of the way in which a round ends by a statement and those after it; -1 if there is none.
func (r *RoundSource) siteOf(st *Statement, rest []*Statement) int {
	way := Site{Toss: st.Toss, Coin: st.Coin, Rest: rest}.does()
	return slices.IndexFunc(r.Sites, func(s Site) bool { return s.does() == way })
}

// round prints a statement of rounds; "" for others.
func (s *Statement) round() string {
	switch {
	case s.Next:
		return "next"
	case s.Toss != nil:
		return "toss " + s.Toss.Name
	case s.Coin != nil && s.Coin.After != nil:
		return "coin " + s.Coin.Var.Name + " after " + s.Coin.After.String()
	case s.Coin != nil:
		return "coin " + s.Coin.Var.Name
	}
	return ""
}

// String prints it with a blank in front; "" for nil.
func (a *Almost) String() string {
	if a == nil {
		return ""
	}
	text := " almost surely"
	for _, w := range a.How {
		text += " " + w
	}
	return text
}

// when prints of which runs a property is asked: of those whose rounds are good at last, or of all.
func (p *Property) when() string {
	if p.Good {
		return " eventually good"
	}
	return ""
}

// surely reports whether a property says what all come to.
func (p *Property) surely() bool { return p != nil && (p.Almost != nil || p.Good) }

// after prints after how many rounds a property is asked.
func (p *Property) after() string {
	if p.After == nil {
		return ""
	}
	return " after " + p.After.String() + " rounds"
}

// inRounds returns the first thing in a text that is for rounds, with its place; "" if there is none.
func (f *File) inRounds() (what string, at diag.Pos) {
	note := func(text string, pos diag.Pos) {
		if what == "" {
			what, at = text, pos
		}
	}
	for _, s := range f.Sections {
		if s.LTL != nil && s.LTL.Almost != nil {
			note("almost surely", s.LTL.Name.Place())
		}
		for _, p := range []*Property{s.Invariant, s.LTL, s.Lemma} {
			if p != nil && (p.After != nil || p.Good) {
				note(strings.TrimPrefix(p.when()+p.after(), " "), p.Name.Place())
			}
		}
		lists := [][]*Statement{}
		if s.Process != nil {
			for _, v := range s.Process.Vars {
				if v.Kept {
					note("kept", v.Names[0].Place())
				}
			}
			for _, r := range s.Process.Rules {
				if r.Always {
					note("always", place(r.Pos))
				}
				if r.Late {
					note("timeout", place(r.Pos))
				}
				lists = append(lists, r.Body)
			}
		}
		for _, list := range lists {
			for st := range all(list) {
				if st.round() != "" {
					note(st.round(), place(st.Pos))
				}
			}
		}
	}
	return what, at
}

// HasRounds reports whether the processes of a protocol for all sizes go round after round.
func (f *File) HasRounds() bool {
	what, _ := f.inRounds()
	return what != "" && f.Parameterized()
}

// Rounds reads the protocol with rounds that the text is. Its error is a diag.List.
func (f *File) Rounds() (*RoundSource, error) {
	r := &RoundSource{always: map[string]bool{}}
	s := &Source{consts: map[string]int64{}, defines: map[string]*definition{}, values: map[string]Literal{}, here: -1}
	sections := s.expanded(f.Sections)
	if err := s.errs.Err(); err != nil {
		return nil, err
	}
	g := &File{Pos: f.Pos, Tokens: f.Tokens}
	for _, sec := range sections {
		switch {
		case sec.Define != nil:
			continue
		case sec.Process != nil && r.process != nil:
			r.errs.Add(sec.Process.Name.Place(), len(sec.Process.Name.Name), "where there are rounds, there is one type of processes")
		case sec.Process != nil:
			r.process = sec
		case sec.Starts != nil:
			r.errs.Add(sec.Starts[0].Pos, max(1, sec.Starts[0].Width), "where there are rounds, processes begin with any values of their inputs: say in the property which ones are meant, `all(x = 0) -> ...`")
		case sec.LTL.surely():
			r.Almost = append(r.Almost, sec)
		case sec.Invariant != nil && sec.Invariant.After != nil:
			r.After = append(r.After, sec)
		}
		g.Sections = append(g.Sections, sec)
	}
	for _, sec := range g.Sections {
		if sec.Invariant == nil && sec.LTL == nil {
			continue
		}
		f := sec.formula()
		for name := range f.names() {
			if name == "every" {
				r.errs.Add(f.Pos, max(1, f.Width), "where there are rounds, properties speak of processes that have not crashed: all(...), some(...), count(...)")
			}
		}
	}
	r.File = g
	if r.process == nil {
		return nil, problem(diag.Pos{File: f.Pos.Filename, Line: 1, Col: 1}, 1, "a protocol with rounds needs a process: `process node[n] ... end`")
	}
	r.variables()
	r.endings()
	if len(r.Sites) == 0 && r.errs == nil {
		r.errs.Add(r.process.Process.Name.Place(), len(r.process.Process.Name.Name), "no process ever ends a round: say `next;` where one does")
	}
	r.coins()
	r.coordinated()
	r.properties()
	r.Ended = r.fresh("ended")
	if err := r.errs.Err(); err != nil {
		return nil, err
	}
	for _, reading := range []func() *File{r.One, func() *File { return r.Unrolled(1) }} {
		if _, err := reading().Source(); err != nil {
			return nil, once(err)
		}
	}
	return r, nil
}

// once leaves out what is said of a place again: a reading may have several copies of what is written there.
func once(err error) error {
	var list diag.List
	if !errors.As(err, &list) {
		return err
	}
	var out diag.List
	for _, e := range list {
		if !slices.ContainsFunc(out, func(o *diag.Error) bool { return o.Pos == e.Pos && o.Msg == e.Msg }) {
			out = append(out, e)
		}
	}
	return out.Err()
}

func (r *RoundSource) variables() {
	for _, v := range r.process.Process.Vars {
		for _, id := range v.Names {
			switch {
			case v.Kept:
				r.Kept = append(r.Kept, id.Name)
			case v.Kind == "input":
				r.errs.Add(id.Place(), len(id.Name), "an input is kept from round to round: `kept input %s`", id.Name)
			}
		}
	}
	for _, rule := range r.process.Process.Rules {
		if !rule.Always {
			continue
		}
		for st := range all(rule.Body) {
			for _, e := range exprsOf(st) {
				for name := range e.names() {
					r.always[name] = true
				}
			}
		}
	}
	for _, name := range r.Kept {
		if r.always[name] {
			r.errs.Add(r.process.Process.Name.Place(), len(r.process.Process.Name.Name), "a rule that is taken in rounds that are over, too (`always`), uses %s, which is kept: it belongs to the round that the process is in", name)
		}
	}
}

// names yields the names in an expression.
func (e *Expr) names() iter.Seq[string] {
	return func(yield func(string) bool) {
		for e := range e.All() {
			if (e.Op == Name || e.Op == Call) && !yield(e.Name) {
				return
			}
		}
	}
}

// exprsOf lists the expressions of a statement itself.
func exprsOf(st *Statement) (list []*Expr) {
	switch {
	case st.If != nil:
		list = append(list, st.If.Guards...)
		for _, e := range st.If.Elsif {
			list = append(list, e.Guard)
		}
	case st.Send != nil:
		list = append(list, st.Send.Values...)
	case st.Assign != nil:
		list = append(list, &st.Assign.Place.Expr, st.Assign.Value)
	}
	return list
}

// coins checks that rules which are taken in rounds that are over do not see coins, and that all ask for a common coin that is not
// known at once.
func (r *RoundSource) coins() {
	asked := false
	for _, s := range r.Sites {
		v := s.Var()
		if v == nil {
			continue
		}
		list := append([]*Statement{assign(&Statement{Pos: v.Pos}, v.Name, numeral(0, &Statement{Pos: v.Pos}))}, s.Rest...)
		for st := range all(list) {
			if st.Assign != nil && r.always[st.Assign.Place.Name] {
				r.errs.Add(v.Place(), len(v.Name), "%s is assigned by a coin, or after one, and rules that are taken in rounds that are over, too (`always`), use it", st.Assign.Place.Name)
			}
		}
		if s.Coin != nil && s.Coin.After != nil {
			asked = true
			r.plain(s.Coin.After)
		}
	}
	if r.errs == nil {
		r.asking()
	}
	for _, s := range r.Sites {
		if asked && (s.Coin == nil || s.Coin.After == nil) {
			name := r.process.Process.Name
			r.errs.Add(name.Place(), len(name.Name), "where the common coin is known after so many have asked, every round ends with `coin ... after ...`: otherwise too few may ask")
			return
		}
	}
}

// assigns checks that a coin is followed by assignments only, perhaps conditional ones.
func (r *RoundSource) assigns(list []*Statement) {
	for st := range all(list) {
		if st.Send != nil || st.round() != "" || st.Assign != nil && st.Assign.Op != ":=" || st.If == nil && st.Assign == nil && st.Sep == "" {
			r.errs.Add(place(st.Pos), 4, "a coin ends the round: after it there are assignments only, until `next;`")
		}
	}
}

// most bounds the ways in which rounds end.
const mostSites = maxValues - 1

func (r *RoundSource) site(s Site) {
	way := s.does()
	if slices.ContainsFunc(r.Sites, func(o Site) bool { return o.does() == way }) {
		return
	}
	if len(r.Sites) == mostSites && r.errs == nil {
		v := s.Var()
		if v == nil {
			v = r.process.Process.Name
		}
		r.errs.Add(v.Place(), len(v.Name), "rounds end in more than %d ways", mostSites)
	}
	r.Sites = append(r.Sites, s)
}

// properties checks that properties speak of what is kept.
func (r *RoundSource) properties() {
	for _, sec := range r.File.Sections {
		if sec.Invariant == nil && sec.LTL == nil {
			continue
		}
		for name := range sec.formula().names() {
			local := slices.ContainsFunc(r.process.Process.Vars, func(v *ProcessVar) bool {
				return !v.Kept && slices.ContainsFunc(v.Names, func(id *Ident) bool { return id.Name == name })
			})
			if local {
				e := sec.formula()
				r.errs.Add(e.Pos, max(1, e.Width), "%s belongs to a round: properties are about what is kept", name)
			}
		}
		if p := sec.Invariant; p != nil && p.After != nil {
			r.plain(p.After)
		}
		if a := sec.LTL; a != nil && a.After != nil {
			r.errs.Add(a.Name.Place(), len(a.Name.Name), "what is true after some rounds is an invariant: `invariant %s after %s rounds: ...`", a.Name.Name, a.After)
		}
		if p := sec.Invariant; p != nil && p.surely() {
			r.errs.Add(p.Name.Place(), len(p.Name.Name), "what all come to is a formula: `ltl %s%s%s: F all(...)`", p.Name.Name, p.Almost, p.when())
		}
		if a := sec.LTL; a.surely() {
			what := strings.TrimPrefix(a.Almost.String()+a.when(), " ")
			e := a.Formula
			if e.Op != Finally || e.Args[0].Op != Call || e.Args[0].Name != "all" || len(e.Args[0].Args) != 1 {
				r.errs.Add(e.Pos, max(1, e.Width), "what happens %s is `F all(...)`", what)
			}
			if a.Fair != nil {
				r.errs.Add(a.Name.Place(), len(a.Name.Name), "%s is of fair runs anyway: leave out `fair`", what)
			}
		}
	}
}

// plain refuses what is not a sum of parameters and numbers, or of such times a number.
func (r *RoundSource) plain(e *Expr) {
	switch e.Op {
	case Number, Name:
		return
	case Plus, Sub, Minus:
		for _, a := range e.Args {
			r.plain(a)
		}
		return
	case Times:
		if a, b := e.Args[0], e.Args[1]; a.Op == Number || b.Op == Number {
			r.plain(a)
			r.plain(b)
			return
		}
	}
	r.noSum(e)
}

// noSum says that an expression is not what it has to be: a sum of parameters and numbers.
func (r *RoundSource) noSum(e *Expr) {
	hint := ""
	if e.divides() {
		hint = forQuotient
	}
	r.errs.Add(e.Pos, max(1, e.Width), "expected a sum of parameters and numbers%s", hint)
}

// fresh returns a name that does not occur in the text.
func (r *RoundSource) fresh(name string) string { return r.File.words().Fresh(name, "") }

// Size is how many processes there are, for values of the parameters; false if that takes others.
func (r *RoundSource) Size(values map[string]int64) (int64, bool) {
	return r.constants().Number(r.process.Process.Size, values)
}

// Late lists the labels of One's rules that nobody takes in good rounds.
func (r *RoundSource) Late() map[string]bool {
	out := map[string]bool{}
	for _, rule := range r.process.Process.Rules {
		for _, of := range r.roles(0, 1, true) {
			if rule.Late {
				out[rule.Label.Name+of.label] = true
			}
		}
	}
	return out
}

// Begins reports whether a variable that is kept may have a value at first; s knows the values of One.
func (r *RoundSource) Begins(name string, value int64, s *Source) bool {
	for _, v := range r.process.Process.Vars {
		if v.Kind == "input" || !slices.ContainsFunc(v.Names, func(id *Ident) bool { return id.Name == name }) {
			continue
		}
		first, ok := s.Number(v.first(), nil)
		return !ok || first == value
	}
	return true
}
