package parametric

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/counter"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// RoundSource is a protocol for all sizes whose processes go round after round (docs/rounds.md). Both of its
// readings are protocols without rounds: a single round (One), which begins with any values of what is kept, and
// several rounds in a row (Unrolled).
type RoundSource struct {
	File   *ftdp.File
	Kept   []string // variables that are kept from round to round
	Sites  []Site   // ways in which a round ends; One's variable Ended is at the index of one, plus 1
	Almost []*ftdp.Section
	After  []*ftdp.Section // invariants that are asked after some rounds
	// Ended is a variable of One: 0 while the process is in the round.
	Ended string

	process *ftdp.Section
	always  map[string]bool // variables that rules use which are taken in rounds that are over, too
	turn    diag.Pos        // where rules speak of the coordinator first; none if they do not
	problems
}

// Site is a way in which a round ends for a process: for good (Toss and Coin nil), or as a coin says.
type Site struct {
	toss *ftdp.Ident // the variable that a coin of its own decides
	Coin *ftdp.Coin
	Rest []*ftdp.Statement // what is done then
	at   *ftdp.Statement   // the first of the text that ends a round so
}

// Var is the variable that a coin decides; nil if none does.
func (s Site) Var() *ftdp.Ident {
	if s.Coin != nil {
		return s.Coin.Var
	}
	return s.toss
}

// does spells how a round ends. Rules with parameters stand for several that end rounds at the same place of the text,
// and do not do the same then: what tells ways apart is what is done, not where it is written.
func (s Site) does() string {
	switch {
	case s.Coin != nil:
		return (&ftdp.Statement{Coin: s.Coin}).Round() + ";" + spelled(s.Rest)
	case s.toss != nil:
		return (&ftdp.Statement{Toss: s.toss}).Round() + ";" + spelled(s.Rest)
	}
	return ""
}

// spelled prints statements up to `next`, all that they are made of.
func spelled(list []*ftdp.Statement) string {
	var b strings.Builder
	for _, st := range ftdp.Statements(list) {
		if st.Next {
			break
		}
		b.WriteString(st.Round())
		for _, e := range ftdp.Expressions(st) {
			fmt.Fprintf(&b, "(%s)", e)
		}
		for _, inner := range ftdp.Blocks(st) {
			fmt.Fprintf(&b, "{%s}", spelled(inner.List))
		}
		b.WriteString(";")
	}
	return b.String()
}

// siteOf is the index of the way in which a round ends by a statement and those after it; -1 if there is none.
func (r *RoundSource) siteOf(st *ftdp.Statement, rest []*ftdp.Statement) int {
	way := Site{toss: st.Toss, Coin: st.Coin, Rest: rest}.does()
	return slices.IndexFunc(r.Sites, func(s Site) bool { return s.does() == way })
}

// surely reports whether a property says what all come to.
func surely(p *ftdp.Property) bool { return p != nil && (p.Almost != nil || p.Good) }

// HasRounds reports whether the processes of a protocol for all sizes go round after round.
func HasRounds(f *ftdp.File) bool {
	what, _ := f.InRounds()
	return what != "" && f.Parameterized()
}

func ofEvery(e *ftdp.Expr) bool { return e.Op == ftdp.Call && e.Name == "every" }

// Rounds reads the protocol with rounds that the text is. Its error is a diag.List.
func Rounds(f *ftdp.File) (*RoundSource, error) {
	r := &RoundSource{always: map[string]bool{}}
	s := &Source{File: f, Consts: map[string]int64{}, defines: map[string]*definition{}, values: map[string]literal{},
		Here: -1}
	s.distinct(f.Sections)
	s.Errs = nil // what is declared twice is so in the readings, too
	sections := s.expanded(f.Sections)
	if err := s.Errs.Err(); err != nil {
		return nil, err
	}
	g := &ftdp.File{Pos: f.Pos, Tokens: f.Tokens}
	var unused []*ftdp.Section
	for _, sec := range sections {
		switch {
		case sec.Define != nil:
			sec.Define.Value = (&rewriting{coordinator: turnWord}).expr(sec.Define.Value)
			unused = append(unused, sec)
			continue
		case sec.Process != nil && r.process != nil:
			r.at(sec.Process.Name, "where there are rounds, there is one type of processes")
		case sec.Process != nil:
			r.process = sec
		case sec.Starts != nil:
			r.wrong(sec.Starts[0], "where there are rounds, processes begin with any values of their inputs: say in "+
				"the property which ones are meant, `all(x = 0) -> ...`")
		case surely(sec.LTL):
			r.Almost = append(r.Almost, sec)
		case sec.Invariant != nil && sec.Invariant.After != nil:
			r.After = append(r.After, sec)
		}
		g.Sections = append(g.Sections, sec)
	}
	crashes := slices.ContainsFunc(g.Sections, func(sec *ftdp.Section) bool {
		return sec.Faults != nil && (sec.Faults.Model.Name == "crash" || sec.Faults.Model.Name == "clean")
	})
	for _, sec := range g.Sections {
		if p := cmp.Or(sec.Invariant, sec.LTL); p != nil && !crashes && p.Formula.Any(ofEvery) {
			r.wrong(p.Formula, "where there are rounds and no crashes, properties speak of correct processes: "+
				"all(...), some(...), count(...)")
		}
	}
	r.File = g
	if r.process == nil {
		return nil, diag.Wrong(diag.Pos{File: f.Pos.Filename, Line: 1, Col: 1}, 1,
			"a protocol with rounds needs a process: `process node[n] ... end`")
	}
	r.variables()
	r.endings()
	if len(r.Sites) == 0 && r.Errs == nil {
		r.at(r.process.Process.Name, "no process ever ends a round: say `next;` where one does")
	}
	r.coins()
	r.coordinated()
	r.properties()
	r.Ended = r.fresh("ended")
	if err := r.Errs.Err(); err != nil {
		return nil, err
	}
	one := func() *ftdp.File {
		g := r.One()
		g.Sections = append(g.Sections, unused...)
		return g
	}
	for _, reading := range []func() *ftdp.File{one, func() *ftdp.File { return r.Unrolled(1) }} {
		if _, err := Of(reading()); err != nil {
			return nil, once(err)
		}
	}
	return r, nil
}

// once leaves out repeated problems of a place: a reading may have several copies of what is written there.
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
				r.at(id, "an input is kept from round to round: `kept input %s`", id.Name)
			}
		}
	}
	for _, rule := range r.process.Process.Rules {
		if !rule.Always {
			continue
		}
		for st := range ftdp.All(rule.Body) {
			for _, e := range ftdp.Expressions(st) {
				for name := range e.NamesIn() {
					r.always[name] = true
				}
			}
		}
	}
	for _, name := range r.Kept {
		if r.always[name] {
			r.at(r.process.Process.Name, "a rule that is taken in rounds that are over, too (`always`), uses %s, "+
				"which is kept: it belongs to the round that the process is in", name)
		}
	}
}

// coins checks that rules which are taken in rounds that are over do not see coins, and that all ask for a common coin
// that is not known at once.
func (r *RoundSource) coins() {
	asked := false
	for _, s := range r.Sites {
		v := s.Var()
		if v == nil {
			continue
		}
		list := append([]*ftdp.Statement{v.From().Assign(v.From().Name(v.Name), nil)}, s.Rest...)
		for st := range ftdp.All(list) {
			if st.Assign != nil && r.always[st.Assign.Place.Name] {
				r.at(v, "%s is assigned by a coin, or after one, and rules that are taken in rounds that are over, "+
					"too (`always`), use it", st.Assign.Place.Name)
			}
		}
		if s.Coin != nil && s.Coin.After != nil {
			asked = true
			r.plain(s.Coin.After, false)
		}
	}
	if r.Errs == nil {
		r.asking()
	}
	for _, s := range r.Sites {
		if asked && (s.Coin == nil || s.Coin.After == nil) {
			r.Errs.Add(scan.Place(s.at.Pos), 4, "where the common coin is known after so many have asked, every "+
				"round ends with `coin ... after ...`: otherwise too few may ask")
			return
		}
	}
}

// assigns checks that a coin is followed by assignments only, perhaps conditional ones.
func (r *RoundSource) assigns(list []*ftdp.Statement) {
	for st := range ftdp.All(list) {
		if st.Send != nil || st.Round() != "" || st.Assign != nil && st.Assign.Op != ":=" ||
			st.If == nil && st.Assign == nil && st.Sep == "" {
			r.Errs.Add(scan.Place(st.Pos), 4,
				"a coin ends the round: after it there are assignments only, until `next;`")
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
	if len(r.Sites) == mostSites && r.Errs == nil {
		v := s.Var()
		if v == nil {
			v = r.process.Process.Name
		}
		r.at(v, "rounds end in more than %d ways", mostSites)
	}
	r.Sites = append(r.Sites, s)
}

// properties checks that properties speak of what is kept.
func (r *RoundSource) properties() {
	for _, sec := range r.File.Sections {
		if sec.Invariant == nil && sec.LTL == nil {
			continue
		}
		for name := range sec.Formula().NamesIn() {
			if v := r.local(name); v != nil && !v.Kept {
				e := sec.Formula()
				r.wrong(e, "%s belongs to a round: properties are about what is kept, as `kept local %[1]s`", name)
			}
		}
		if p := sec.Invariant; p != nil && p.After != nil {
			r.plain(p.After, true)
		}
		if a := sec.LTL; a != nil && a.After != nil {
			r.at(a.Name, "what is true after some rounds is an invariant: `invariant %s after %s rounds: ...`",
				a.Name.Name, a.After)
		}
		if p := sec.Invariant; p != nil && surely(p) {
			r.at(p.Name, "what all come to is a formula: `ltl %s%s%s: F all(...)`", p.Name.Name, p.Almost, p.When())
		}
		if a := sec.LTL; surely(a) {
			what := strings.TrimPrefix(a.Almost.String()+a.When(), " ")
			e := a.Formula
			if e.Op != ftdp.Finally || e.Args[0].Op != ftdp.Call || e.Args[0].Name != "all" ||
				len(e.Args[0].Args) != 1 {
				r.wrong(e, "what happens %s is `F all(...)`", what)
			}
			if a.Fair != nil {
				r.at(a.Name, "%s is of fair runs anyway: leave out `fair`", what)
			}
		}
	}
}

// plain refuses what is not a sum of parameters and numbers, or of such times a number; or divided by one.
func (r *RoundSource) plain(e *ftdp.Expr, divided bool) {
	ok := true
	switch e.Op {
	case ftdp.Number, ftdp.Name, ftdp.Plus, ftdp.Sub, ftdp.Minus:
	case ftdp.Times:
		ok = e.Args[0].Op == ftdp.Number || e.Args[1].Op == ftdp.Number
	case ftdp.Div:
		n, known := r.constants().Number(e.Args[1], nil)
		ok = divided && known && n > 0
	default:
		ok = divided && (e.Op == ftdp.Floor || e.Op == ftdp.Ceiling)
	}
	if !ok {
		r.noSum(e)
		return
	}
	for _, a := range e.Args {
		r.plain(a, divided)
	}
}

// noSum says that an expression is not what it has to be: a sum of parameters and numbers.
func (r *RoundSource) noSum(e *ftdp.Expr) {
	hint := ""
	if divides(e) {
		hint = forQuotient
	}
	r.wrong(e, "expected a sum of parameters and numbers%s", hint)
}

// fresh returns a name that does not occur in the text.
func (r *RoundSource) fresh(name string) string { return r.File.Words().Fresh(name, "") }

// local is the declaration of a variable; nil if there is none of a name.
func (r *RoundSource) local(name string) *ftdp.ProcessVar {
	for _, v := range r.process.Process.Vars {
		if slices.ContainsFunc(v.Names, func(id *ftdp.Ident) bool { return id.Name == name }) {
			return v
		}
	}
	return nil
}

// awaits checks what a rule of a protocol with rounds asks of what has arrived: with crashes, that something has not
// arrived depends on who crashes in other rounds.
func (r *RoundSource) awaits(rule *ftdp.ProcessRule) {
	crashing := slices.ContainsFunc(r.File.Sections, func(s *ftdp.Section) bool {
		if s.Faults == nil {
			return false
		}
		model, _ := counter.FaultsNamed(s.Faults.Model.Name)
		return model.Stop
	})
	body := ftdp.Statements(rule.Body)
	for st := range ftdp.All(body) {
		if !crashing || st.If == nil {
			continue
		}
		more := !slices.Contains(body, st) || st.If.Elsif != nil || st.If.Else != nil // or it goes on after that
		for _, g := range Guards(st.If) {
			if e := notArrived(g, more); e != nil {
				r.wrong(e, "with crashes, that something has not arrived depends on who crashes in other rounds: in "+
					"rounds, `arrived(...)` is for the condition of a rule, without `not`, `elsif` and `else`")
			}
		}
	}
}
