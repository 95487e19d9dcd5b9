package parametric

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// String prints the type.
func (t *ValueType) String() string {
	switch {
	case t.Bool:
		return "bool"
	case t.Names != nil:
		return "enum {" + strings.Join(t.Names, ", ") + "}"
	}
	return t.Format(t.Lo) + ".." + t.Format(t.Hi)
}

// Format prints a value.
func (t *ValueType) Format(n int64) string {
	switch {
	case t.Bool:
		return map[bool]string{true: "true", false: "false"}[n != 0]
	case t.Names != nil && n >= 0 && n < int64(len(t.Names)):
		return t.Names[n]
	}
	return (&ftdp.Expr{Op: ftdp.Number, Num: n}).String()
}

// Encode returns the number that stands for the values of the fields.
func (k *MessageKind) Encode(fields []int64) int64 {
	if len(fields) == 1 {
		return fields[0]
	}
	n := int64(0)
	for i, v := range fields {
		n = n*k.Fields[i].size() + v - k.Fields[i].Lo
	}
	return n
}

// Values returns the values of the fields that a number stands for.
func (k *MessageKind) Values(n int64) []int64 {
	out := make([]int64, len(k.Fields))
	if len(out) == 1 {
		out[0] = n
		return out
	}
	for i := len(out) - 1; i >= 0; i-- {
		size := k.Fields[i].size()
		out[i] = k.Fields[i].Lo + n%size
		n /= size
	}
	return out
}

// Format prints a message: PROPOSE(1, ZERO).
func (k *MessageKind) Format(n int64) string {
	if !k.Valued() {
		return k.Name
	}
	var parts []string
	for i, v := range k.Values(n) {
		parts = append(parts, k.Fields[i].Format(v))
	}
	return k.Name + "(" + strings.Join(parts, ", ") + ")"
}

func (s *Source) kind(m *ftdp.KindDecl) {
	k := MessageKind{Name: m.Name.Name}
	if s.Kind(k.Name) != nil {
		return
	}
	total := int64(1)
	for _, f := range m.Fields {
		t, problem := s.valueType(f.Type)
		if problem != "" {
			s.at(m.Name, "the values of %s have to be truth values, an enumeration or a range of at most %d numbers",
				k.Name, maxValues)
			return
		}
		k.Fields = append(k.Fields, t)
		if total *= t.size(); total > maxValues {
			s.at(m.Name, "%s has more than %d values: messages of several kinds may say the same with fewer", k.Name,
				maxValues)
			return
		}
	}
	if k.Hi = total - 1; len(k.Fields) == 1 {
		k.Lo, k.Hi = k.Fields[0].Lo, k.Fields[0].Hi
	}
	s.Kinds = append(s.Kinds, k)
}

// valueType reads a type; otherwise it says what is wrong.
func (s *Source) valueType(t *ftdp.TypeExpr) (v ValueType, problem string) {
	switch {
	case t.Bool:
		return ValueType{Bool: true, Hi: 1}, ""
	case t.Enum != nil:
		v.Hi = int64(len(t.Enum)) - 1
		for _, e := range t.Enum {
			v.Names = append(v.Names, e.Name)
		}
		v.Enum = s.enumeration(t.Enum, v.Names)
		return v, ""
	case t.Range != nil:
		lo, ok := s.Number(&t.Range.From.Expr, nil)
		if t.Range.To == nil {
			return v, "range"
		}
		hi, also := s.Number(&t.Range.To.Expr, nil)
		if !ok || !also || hi < lo || hi-lo >= maxValues {
			return v, "range"
		}
		return ValueType{Lo: lo, Hi: hi}, ""
	}
	return v, "type"
}

// enumeration returns the number of an enumeration. The same enumeration may be written several times.
func (s *Source) enumeration(ids []*ftdp.Ident, names []string) int {
	if i := slices.IndexFunc(s.Enums, func(e []string) bool { return slices.Equal(e, names) }); i >= 0 {
		return i
	}
	out := len(s.Enums)
	for i, id := range ids {
		if _, old := s.values[id.Name]; old || slices.Contains(names[:i], id.Name) {
			s.at(id, "%q is a value of another enumeration already: write the same enumeration, or take another name",
				id.Name)
			out = noType
		}
	}
	for i, id := range ids {
		if _, old := s.values[id.Name]; !old {
			s.values[id.Name] = literal{int64(i), out}
		}
	}
	s.Enums = append(s.Enums, names)
	return out
}

// Heard is what heard(...) counts: messages of a kind from processes of some types; with Args, those
// with these values, where nil stands for any; with Crashed, or processes that have crashed.
type Heard struct {
	Kind    *MessageKind
	From    []int
	Args    []*ftdp.Expr
	Crashed bool
}

// Heard reads the argument of heard. It has been checked.
func (s *Source) Heard(a *ftdp.Expr) Heard {
	h := Heard{}
	if a.Op == ftdp.Or {
		h.Crashed = true
		a = a.Args[0]
	}
	of, m := a, a
	if a.Op == ftdp.Call && a.Name == "" { // TYPE.KIND(values)
		of, m = a.Args[0], &ftdp.Expr{Op: ftdp.Call, Args: a.Args[1:], Name: a.Args[0].Name}
	}
	if of.Op == ftdp.Field {
		h.From = []int{s.TypeIndex(of.Args[0].Name)}
	}
	h.Kind = s.Kind(m.Name)
	if h.From == nil {
		h.From = h.Kind.From
	}
	if m.Op == ftdp.Call {
		for _, e := range m.Args {
			if e.Op == ftdp.Name && e.Name == "_" {
				e = nil
			}
			h.Args = append(h.Args, e)
		}
	}
	return h
}

// asked yields what rules ask of messages: calls of heard and arrived, with the rules.
func (s *Source) asked() iter.Seq2[SourceRule, *ftdp.Expr] {
	return func(yield func(SourceRule, *ftdp.Expr) bool) {
		for _, r := range s.Rules {
			for st := range ftdp.All(r.Body) {
				for _, e := range ftdp.Expressions(st) {
					if e.Any(func(e *ftdp.Expr) bool {
						return e.Op == ftdp.Call && (e.Name == "heard" || e.Name == "arrived") && !yield(r, e)
					}) {
						return
					}
				}
			}
		}
	}
}

// Joined reports whether a rule asks from whom messages of a kind were received or who has crashed.
func (s *Source) Joined(kind string) bool {
	for _, e := range s.asked() {
		if h := s.Heard(e.Args[0]); h.Crashed && h.Kind.Name == kind {
			return true
		}
	}
	return false
}

// Values are the numbers of the messages that are counted (MessageKind.Encode), for values of variables.
func (s *Source) Values(h Heard, v map[string]int64) []int64 {
	var out []int64
	for n := h.Kind.Lo; n <= h.Kind.Hi; n++ {
		fits := true
		for i, f := range h.Kind.Values(n) {
			if h.Args != nil && h.Args[i] != nil {
				want, ok := s.Number(h.Args[i], v)
				fits = fits && ok && want == f
			}
		}
		if fits {
			out = append(out, n)
		}
	}
	return out
}

// sent checks what a process sends.
func (s *Source) sent(m *ftdp.Send) {
	k := s.Kind(m.Kind.Name)
	switch {
	case k == nil:
		s.at(m.Kind, "there are no messages %q%s", m.Kind.Name, s.meantKind(m.Kind.Name))
		return
	case len(m.Values) != len(k.Fields):
		has := numbered(len(k.Fields))
		if len(k.Fields) == 1 {
			has = "a value: `send " + k.Name + "(v)`"
		}
		s.at(m.Kind, "%s has %s", k.Name, has)
	}
	for i, e := range m.Values {
		want := noType
		if len(m.Values) == len(k.Fields) {
			want = k.Fields[i].code()
		}
		s.want(e, scopeLocal, want)
	}
	if !slices.Contains(k.From, s.Here) {
		k.From = append(k.From, s.Here)
		slices.Sort(k.From)
	}
}

// unlisted gives kinds that no rule sends to all types: faulty processes may send them.
func (s *Source) unlisted() {
	for i := range s.Kinds {
		if k := &s.Kinds[i]; k.From == nil {
			for t := range s.Types {
				k.From = append(k.From, t)
			}
		}
	}
}

// UnusedParameters warns of parameters that only inequations of the assumptions have, where these bound them by other
// parameters from one side: they change nothing.
func UnusedParameters(f *ftdp.File) (found diag.List) {
	above, below, assumed := map[string]bool{}, map[string]bool{}, map[string]int{}
	faults := false
	var look func(e *ftdp.Expr)
	look = func(e *ftdp.Expr) {
		greater, less := 0, 1
		switch e.Op {
		case ftdp.Chain:
			for _, pair := range e.Pairs() {
				look(pair)
			}
			return
		case ftdp.Lt, ftdp.Le:
			greater, less = 1, 0
		case ftdp.Gt, ftdp.Ge:
		default:
			for name := range e.NamesIn() {
				above[name], below[name] = true, true
			}
			return
		}
		side := func(at, other int, is map[string]bool) {
			bare := true
			for range e.Args[other].NamesIn() {
				bare = false
			}
			for name := range e.Args[at].NamesIn() {
				is[name] = is[name] || !bare
			}
		}
		side(greater, less, above)
		side(less, greater, below)
	}
	for _, sec := range f.Sections {
		faults = faults || sec.Faults != nil
		for _, e := range sec.Assume {
			look(e)
			for name := range e.NamesIn() {
				assumed[name]++
			}
		}
	}
	for _, sec := range f.Sections {
		for _, p := range sec.Parameters {
			if above[p.Name] && below[p.Name] || f.Times(p.Name) > 1+assumed[p.Name] {
				continue
			}
			if f.Times(p.Name) == 1 {
				found.Warn(p.Place(), len(p.Name), "nothing uses %s", p.Name)
				continue
			}
			hint := ""
			if !faults {
				hint = fmt.Sprintf("; no process is faulty: `faults byzantine %[1]s;` says that %[1]s are", p.Name)
			}
			found.Warn(p.Place(), len(p.Name), "%s stands in assumptions only%s", p.Name, hint)
		}
	}
	return found
}

// FaultsKnown warns of rules that ask how many processes are faulty, where the assumptions bound that by another
// parameter, and of numbers of processes from which the faulty ones are taken away.
func FaultsKnown(f *ftdp.File) (found diag.List) {
	size, bound := map[string]bool{}, map[string]string{}
	for _, sec := range f.Sections {
		if sec.Process != nil {
			for name := range sec.Process.Size.NamesIn() {
				size[name] = true
			}
		}
	}
	for _, sec := range f.Sections {
		for _, e := range sec.Assume {
			for _, pair := range append(e.Pairs(), e) {
				if len(pair.Args) != 2 || pair.Args[0].Op != ftdp.Name || pair.Args[1].Op != ftdp.Name {
					continue
				}
				less, more := pair.Args[0].Name, pair.Args[1].Name
				if pair.Op == ftdp.Gt || pair.Op == ftdp.Ge {
					less, more = more, less
				}
				if pair.Op != ftdp.Eq && pair.Op != ftdp.Ne && !size[more] {
					bound[less] = more
				}
			}
		}
	}
	of := func(process *ftdp.Process, count *ftdp.Faults) bool {
		return count.Of == nil || slices.ContainsFunc(count.Of, func(id *ftdp.Ident) bool {
			return id.Name == process.Name.Name
		})
	}
	for _, sec := range f.Sections {
		faults := sec.Faults
		if faults == nil || faults.Count == nil || faults.Count.Op != ftdp.Name {
			continue
		}
		name := faults.Count.Name
		for _, sec := range f.Sections {
			p := sec.Process
			if p == nil {
				continue
			}
			if p.Size.Op == ftdp.Sub && len(p.Size.Args) == 2 && p.Size.Args[1].Mentions(name) && of(p, faults) {
				found.Warn(p.Size.Pos, p.Size.Width, "%s of these processes are faulty, and it is taken away "+
					"before: `process %s[%s]` counts faulty processes, too", name, p.Name.Name, p.Size.Args[0])
			}
			for _, r := range p.Rules {
				if bound[name] == "" {
					break
				}
				for st := range ftdp.All(r.Body) {
					for _, e := range ftdp.Expressions(st) {
						for x := range e.All() {
							if x.Op == ftdp.Name && x.Name == name {
								found.Warn(x.Pos, x.Width, "no process knows how many are faulty: "+
									"%s is at most %s, which rules can use", name, bound[name])
							}
						}
					}
				}
			}
		}
	}
	return found
}

// UnusedKinds warns of kinds of messages that no rule counts, and of those that no process can send.
func (s *Source) UnusedKinds() (found diag.List) {
	sent, asked := map[string]bool{}, map[string]bool{}
	for _, e := range s.asked() {
		asked[s.Heard(e.Args[0]).Kind.Name] = true
	}
	for _, r := range s.Rules {
		for st := range ftdp.All(r.Body) {
			if st.Send != nil {
				sent[st.Send.Kind.Name] = true
			}
		}
	}
	for _, sec := range s.File.Sections {
		for _, k := range sec.Messages {
			switch name := k.Name.Name; {
			case !asked[name]:
				found.Warn(k.Name.Place(), len(name), "no rule asks who has sent %s", name)
			case !sent[name] && !s.Faults.Lie:
				found.Warn(k.Name.Place(), len(name), "no process sends %s", name)
			}
		}
	}
	return found
}

// Unread warns of variables of processes that are declared, perhaps given values, and stand nowhere else in a text.
func Unread(f *ftdp.File) (found diag.List) {
	var declared []*ftdp.Ident
	written := map[string]int{}
	for _, sec := range f.Sections {
		if sec.Process == nil {
			continue
		}
		for _, v := range sec.Process.Vars {
			declared = append(declared, v.Names...)
		}
		for _, r := range sec.Process.Rules {
			for st := range ftdp.All(r.Body) {
				switch {
				case st.Assign != nil && st.Assign.Place != nil:
					written[st.Assign.Place.Expr.Name]++
				case st.Toss != nil:
					written[st.Toss.Name]++
				case st.Coin != nil:
					written[st.Coin.Var.Name]++
				}
			}
		}
	}
	for _, v := range declared {
		written[v.Name]++
	}
	for _, v := range declared {
		if f.Times(v.Name) == written[v.Name] {
			found.Warn(v.Place(), len(v.Name), "nothing reads %s", v.Name)
		}
	}
	return found
}
