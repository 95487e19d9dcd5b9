package protocol

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/participle/v2/lexer"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Free lists the constants that are any numbers that the text assumes of them.
func (m *Model) Free() (names []string) {
	for _, k := range m.Constants {
		if k.Free() {
			names = append(names, k.Name)
		}
	}
	return names
}

// Sizes lists the constants that are sizes: the free ones; or, where the text assumes nothing, those that numbers of
// processes are made of and that are not made of others, in the order of the text, with the least number that they may
// be for all that is known: 1 where a role has as many processes, else 0. Of free ones, least is nil.
func (m *Model) Sizes() (names []string, least map[string]int64) {
	if names = m.Free(); names != nil {
		return names, nil
	}
	least = map[string]int64{}
	made := map[string]*Term{}
	for _, k := range m.Constants {
		made[k.Name] = k.Term
	}
	var visit func(name string)
	visit = func(name string) {
		t := made[name]
		if t.Op == ftdp.Number && t.Const == "" {
			if _, known := least[name]; !known {
				least[name] = 0
			}
			return
		}
		t.constants(visit)
	}
	for i := range m.Roles {
		if r := &m.Roles[i]; r.Count != nil {
			r.Count.constants(visit)
			if _, alone := least[r.Count.Const]; alone && r.Count.Op == ftdp.Number {
				least[r.Count.Const] = max(least[r.Count.Const], 1, int64(len(r.Named)))
			}
		}
	}
	for _, k := range m.Constants {
		if _, is := least[k.Name]; is && !k.Bool {
			names = append(names, k.Name)
		}
	}
	return names, least
}

// sized notes that a constant is a size, and so are those that it is made of.
func (m *Model) sized(name string) {
	i := slices.IndexFunc(m.Constants, func(k Constant) bool { return k.Name == name })
	if i >= 0 && !m.Constants[i].Size {
		m.Constants[i].Size = true
		m.Constants[i].Term.constants(func(name string) { m.sized(name) })
	}
}

// Assuming is the protocol with further assumptions about its constants, which are true of the values that they have.
// Its text is the one at hand, with a section at the end.
func (m *Model) Assuming(conditions []*ftdp.Expr) (*Model, error) {
	if len(conditions) == 0 {
		return m, nil
	}
	f := m.Source.With(&ftdp.Section{Assume: conditions})
	f.Tokens = append(slices.Clip(f.Tokens), lexer.Token{Value: "\n" + Assumption(conditions) + "\n"})
	return m.Remodel(f, m.Chosen(), false)
}

// Assumption is a section that assumes conditions, as it is written.
func Assumption(conditions []*ftdp.Expr) string {
	return fmt.Sprintf("assume %s;", strings.Join(lists.Map(conditions, (*ftdp.Expr).String), ", "))
}

// Chosen are the values of the constants.
func (m *Model) Chosen() map[string]int64 {
	set := map[string]int64{}
	for _, k := range m.Constants {
		set[k.Name] = k.Value
	}
	return set
}

// Assumed lists what is assumed of constants.
func (m *Model) Assumed() []string {
	return lists.Map(Assumed(m.Source), (*ftdp.Expr).String)
}

// Assumed lists the assumptions about parameters.
func Assumed(f *ftdp.File) (list []*ftdp.Expr) {
	for _, sec := range f.Sections {
		list = append(list, sec.Assume...)
	}
	return list
}

// Symbols lists the names in an expression, each once.
func Symbols(e *ftdp.Expr) (list []string) {
	for name := range e.NamesIn() {
		list = lists.Union(list, name)
	}
	return list
}

// Under returns a text without the assumptions that drop selects, and with a condition in their place.
func Under(f *ftdp.File, drop func(e *ftdp.Expr) bool, condition *ftdp.Expr) *ftdp.File {
	out := *f
	out.Sections = nil
	for _, sec := range f.Sections {
		if sec.Assume == nil {
			out.Sections = append(out.Sections, sec)
			continue
		}
		c := *sec
		c.Assume = nil
		for _, e := range sec.Assume {
			if !drop(e) {
				c.Assume = append(c.Assume, e)
			}
		}
		if c.Assume != nil {
			out.Sections = append(out.Sections, &c)
		}
	}
	out.Sections = append(out.Sections, &ftdp.Section{Assume: []*ftdp.Expr{condition}})
	return &out
}
