package protocol

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/scan"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Resolve is model of a text of fixed size.
func Resolve(f *ftdp.File, set map[string]int64, followed bool) (*Model, error) {
	c := NewChecker(f)
	c.followed = followed
	if err := c.Check(set); err != nil {
		return nil, err
	}
	return c.M, nil
}

// most is how many cells an array or a record has at most.
func (c *Checker) most() int {
	if c.followed {
		return 16 * maxCells
	}
	return maxCells
}

func NewChecker(f *ftdp.File) *Checker {
	return &Checker{M: &Model{Source: f, Remodel: Resolve, File: f.Pos.Filename,
		Channels: ChannelModel{Lossy: true, Bound: 1}}, consts: map[string]Constant{}, types: map[string]*Type{},
		enums: map[string]*Term{}, defines: map[string]*ftdp.Define{}, expanded: map[*ftdp.Define]bool{},
		names:  map[string]diag.Pos{},
		values: map[string]diag.Pos{}, globals: map[string]TypeField{}, shared: -1, placed: map[*ftdp.Decl]bool{},
		Sent: map[*ftdp.Send]receiving{}}
}

// Check makes the model.
func (c *Checker) Check(set map[string]int64) error {
	c.header(set)
	if c.Errs != nil {
		return c.Errs.Err()
	}
	c.declarations()
	if c.Errs != nil {
		return c.Errs.Err()
	}
	c.transitions()
	c.properties()
	c.Unused()
	if c.Errs != nil {
		return c.Errs.Err()
	}
	c.symmetry()
	c.M.Checker = c
	return nil
}

func (c *Checker) header(set map[string]int64) {
	for i, s := range statusType.Values {
		c.enums[s] = &Term{Op: ftdp.Number, Type: statusType, Value: int32(i)}
	}
	c.otherForm()
	used := map[string]bool{}
	for _, s := range c.M.Source.Sections {
		switch {
		case s.Protocol != nil:
			c.M.Name = s.Protocol.Name
		case s.Consts != nil:
			for _, k := range s.Consts {
				used[k.Name.Name] = true
				c.constant(k, set)
			}
		case s.Define != nil:
			if c.declare(s.Define.Name, "definition") {
				c.defines[s.Define.Name.Name] = s.Define
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		if used[name] {
			continue
		}
		known := lists.Map(c.M.Constants, func(k Constant) string { return k.Name })
		c.fail(diag.Pos{File: c.M.File}, 1, "there is no constant %q%s", name, spell.Hint(name, known))
	}
	c.assumptions()
	seen := false
	for _, s := range c.M.Source.Sections {
		if s.Channels != nil {
			if seen {
				c.fail(scan.Place(s.Pos), len("channels"), "the model of channels is given twice")
			}
			seen = true
			c.channels(s.Channels)
		}
	}
}

// assumptions resolves what a text assumes of its constants. What is assumed of an instance
// has to be true of it; a constant that an assumption speaks of is a size.
func (c *Checker) assumptions() {
	for _, sec := range c.M.Source.Sections {
		for _, e := range sec.Assume {
			t := c.Scope().boolean(e)
			if t == nil {
				continue
			}
			v, ok := constantOf(t)
			switch {
			case !ok:
				c.fail(e.Pos, e.Width, "an assumption is a condition on constants")
			case v != 1:
				c.fail(e.Pos, e.Width, "the assumption is false with %s", c.M.Assignments())
			default:
				c.M.Assume = append(c.M.Assume, t)
				t.constants(func(name string) { c.M.sized(name) })
			}
		}
	}
}

func (c *Checker) constant(k *ftdp.Const, set map[string]int64) {
	if !c.declare(k.Name, "constant") {
		return
	}
	t := c.Scope().Term(k.Value)
	if t == nil {
		return
	}
	v, ok := constantOf(t)
	if !ok || t.Type.Kind != KindInt && t.Type.Kind != KindBool {
		c.fail(k.Value.Pos, k.Value.Width,
			"the value of a constant has to be a number or a truth value made of constants")
		return
	}
	out := Constant{Name: k.Name.Name, Value: int64(v), Bool: t.Type.Kind == KindBool, Term: t}
	if given, ok := set[out.Name]; ok {
		out.Value = given
		if given < -1<<28 || given > 1<<28 || out.Bool && given != 0 && given != 1 {
			c.failAt(k.Name, "%s cannot be %d", out.Name, given)
		}
	}
	c.consts[out.Name] = out
	c.M.Constants = append(c.M.Constants, out)
}

func (c *Checker) channels(ch *ftdp.Channels) {
	m := &c.M.Channels
	kinds := map[string]string{"asynchronous": "synchrony", "synchronous": "synchrony", "lossy": "reliability",
		"reliable": "reliability", "authenticated": "authentication", "anonymous": "authentication",
		"unordered": "order", "fifo": "order", "duplicating": "duplication"}
	words := append(slices.Sorted(maps.Keys(kinds)), "bounded")
	seen := map[string]bool{}
	once := func(pos diag.Pos, kind string) {
		if seen[kind] {
			c.fail(pos, 1, "the %s of channels is given twice", kind)
		}
		seen[kind] = true
	}
	for _, w := range ch.Words {
		if w.Bound != nil {
			once(w.Bound.Pos, "bound")
			m.Bound = int(c.number(&w.Bound.Expr))
			if m.Bound < 1 || m.Bound > 100 {
				c.fail(w.Bound.Pos, w.Bound.Width, "channels hold between 1 and 100 messages, not %d", m.Bound)
			}
			continue
		}
		kind := kinds[w.Name.Name]
		if w.Name.Name == "bounded" {
			c.failAt(w.Name, "say how many messages a channel holds: bounded 1")
			continue
		}
		if kind == "" {
			hint := spell.Hint(w.Name.Name, words)
			if hint == "" {
				hint = ": there are " + strings.Join(words, ", ")
			}
			c.failAt(w.Name, "unknown property of channels %q%s", w.Name.Name, hint)
			continue
		}
		once(w.Name.Place(), kind)
		switch w.Name.Name {
		case "synchronous":
			m.Synchronous = true
		case "reliable":
			m.Lossy = false
		case "anonymous":
			m.Anonymous = true
		case "fifo":
			m.FIFO = true
		case "duplicating":
			m.Duplicating = true
		}
	}
}

// number evaluates a constant number.
func (c *Checker) number(e *ftdp.Expr) int32 {
	t := c.constants().Term(e)
	if t == nil {
		return 1
	}
	v, ok := constantOf(t)
	if !ok || t.Type.Kind != KindInt {
		c.fail(e.Pos, e.Width, "expected a number made of constants")
		return 1
	}
	return v
}

// constants is the scope of sizes.
func (c *Checker) constants() *scope {
	s := c.Scope()
	s.unnamed = "; `const n = 3;` declares a number"
	return s
}

func (c *Checker) declarations() {
	var later []*ftdp.TypeDecl
	for _, s := range c.M.Source.Sections {
		for _, d := range s.Types {
			if d.Role == nil {
				later = append(later, d)
				continue
			}
			if !c.declare(d.Name, "role") {
				continue
			}
			n := c.number(d.Role)
			if n < 1 || n > maxRole {
				c.fail(d.Role.Pos, d.Role.Width, "a role has between 1 and %d processes, not %d", maxRole, n)
				n = 1
			}
			t := scalar(KindRole, 1, n)
			t.Role, t.To = len(c.M.Roles), c.constants().Term(d.Role)
			c.types[d.Name.Name] = t
			c.M.Roles = append(c.M.Roles, Role{ID: d.Name.Name, Size: int(n), Count: t.To, Pos: d.Name.Place()})
		}
	}
	for _, s := range c.M.Source.Sections {
		if s.Names != nil {
			c.processNames(s.Names)
		}
	}
	for _, d := range later {
		if c.declare(d.Name, "type") {
			c.types[d.Name.Name] = c.typeOf(d.Type)
		}
	}
	c.kinds()
	if t := c.types["Msg"]; t != nil {
		c.M.Message = t
		if t.Kind != KindRecord {
			c.fail(c.names["Msg"], 3, "Msg has to be a record")
		} else if _, clash := t.Field("absent"); clash {
			c.fail(c.names["Msg"], 3, "the field absent is there already, in synchronous systems")
		}
	}
	for _, s := range c.M.Source.Sections {
		for _, d := range s.Vars {
			c.roleState(d)
		}
	}
	c.globalRole()
	c.parametersOfDefinitions()
	first := 0
	for i := range c.M.Roles {
		r := &c.M.Roles[i]
		if r.Name == "" && c.Errs == nil {
			c.fail(r.Pos, len(r.ID), "role %s has no variables: declare an array[%s] of record ... end", r.ID, r.ID)
		}
		r.First = first
		first += r.Size
	}
	if len(c.M.Roles) == 0 && c.Errs == nil {
		c.fail(diag.Pos{File: c.M.File, Line: 1, Col: 1}, 1,
			"there is no role: declare one, such as `type acceptorID: role[n];`")
	}
}

// parametersOfDefinitions checks their names, whether or not the definitions are used.
func (c *Checker) parametersOfDefinitions() {
	for _, s := range c.M.Source.Sections {
		if s.Define == nil {
			continue
		}
		list := s.Define.Params
		for i, p := range list {
			problem := c.taken(p.Name.Name)
			if slices.ContainsFunc(list[:i], func(o *ftdp.Param) bool { return o.Name.Name == p.Name.Name }) {
				problem = fmt.Sprintf("there is a parameter %q already", p.Name.Name)
			}
			if problem != "" {
				c.failAt(p.Name, "%s", problem)
			}
		}
	}
}

// processNames gives names to processes of a role, in the order of their numbers. They tell processes apart.
func (c *Checker) processNames(d *ftdp.Decl) {
	t := c.typeOf(d.Type)
	if t == nil {
		return
	}
	if t.Kind != KindRole || d.First != nil || d.Stable {
		c.fail(scan.Place(d.Type.Pos), len(d.Type.String()), "names are of processes of a role: names a, b: %s",
			strings.Join(c.roleIDs(), " or "))
		return
	}
	for _, id := range d.Names {
		n := len(c.M.Roles[t.Role].Named) + 1
		if n > t.Size() {
			c.failAt(id, "no process of %s is left for %q: there are %d", c.M.Roles[t.Role].ID, id.Name, t.Size())
			return
		}
		if c.declare(id, "process") {
			c.M.Roles[t.Role].Named = append(c.M.Roles[t.Role].Named, id.Name)
			c.enums[id.Name] = &Term{Op: ftdp.Number, Type: t, Value: int32(n)}
			c.values[id.Name] = id.Place()
			c.Scope().orders([]*Type{t}, id.Place(), len(id.Name), "%s is the name of a process", id.Name)
		}
	}
}

// Unused resolves definitions that nothing uses as those are that something does: in them are names, and mistakes. What
// rules only have, what is received and its sender, has no meaning there.
func (c *Checker) Unused() {
	hints, more := c.M.Asymmetry, c.M.Numbering
	for _, s := range c.M.Source.Sections {
		d := s.Define
		if d == nil || c.defines[d.Name.Name] != d || c.expanded[d] {
			continue
		}
		sc, before := c.Scope(), len(c.Errs)
		sc.temporal = true
		for _, p := range d.Params {
			if p.Quorum != nil {
				c.failAt(p.Name, noQuorums)
			} else if t := c.typeOf(p.Type); t != nil {
				sc.push(p.Name.Name, t, p.Name.Place())
			}
		}
		sc.Term(d.Value)
		if d.Value.Mentions("msg") || d.Value.Mentions("sender") {
			c.Errs = c.Errs[:before]
		}
	}
	c.M.Asymmetry, c.M.Numbering = hints, more
}

// fieldOf is where a record declares a field; where is the place if it is not written there.
func fieldOf(t *ftdp.TypeExpr, name string, where *ftdp.Ident) *ftdp.Ident {
	if t.Array != nil {
		t = t.Array.Of
	}
	if t.Record != nil {
		for _, d := range t.Record.Fields {
			for _, id := range d.Names {
				if id.Name == name {
					return id
				}
			}
		}
	}
	return where
}

// roleState declares the states of a role.
func (c *Checker) roleState(d *ftdp.Decl) {
	for _, id := range d.Names {
		if !c.declare(id, "variables") {
			continue
		}
		t := c.typeOf(d.Type)
		if t == nil {
			continue
		}
		if t.Kind != KindArray || t.Index.Kind != KindRole || t.Elem.Kind != KindRecord || t.Elem.Sequence {
			c.global(id, t, d)
			continue
		}
		if d.First != nil || d.Stable {
			c.failAt(id, "the variables of processes are given values, or are stable, one by one, inside the record")
			continue
		}
		r := &c.M.Roles[t.Index.Role]
		if r.Name != "" {
			c.failAt(id, "role %s has its variables already, in %s", r.ID, r.Name)
			continue
		}
		if _, clash := t.Elem.Field("status"); clash {
			c.failAt(fieldOf(d.Type, "status", id), "every process has a field status already")
		}
		r.Name, r.State = id.Name, t.Elem
		if d.Type.Array != nil {
			r.decls = c.recordDecls(d.Type.Array.Of)
		}
		if t.Elem.Cells > c.most() {
			c.failAt(id, "the state of a process has more than %d cells", c.most())
		}
	}
}

// typeOf resolves a type; nil if that is impossible.
func (c *Checker) typeOf(e *ftdp.TypeExpr) *Type {
	switch {
	case e.Bool:
		return BoolType
	case e.Record != nil:
		return c.recordOf(e)
	case e.Array != nil:
		index, of := c.typeOf(e.Array.Index), c.typeOf(e.Array.Of)
		if index == nil || of == nil {
			return nil
		}
		if !index.Scalar() || index.Size() > maxCells || index.Size()*of.Cells > c.most() {
			c.fail(scan.Place(e.Array.Index.Pos), 1,
				"an array has at most %d cells, with numbers, truth values or processes as indices", c.most())
			return nil
		}
		return &Type{Kind: KindArray, Index: index, Elem: of, Cells: index.Size() * of.Cells}
	case e.Seq != nil:
		of, most := c.typeOf(e.Seq.Of), c.number(e.Seq.Max)
		if of == nil {
			return nil
		}
		if most < 1 || int(most)*of.Cells >= maxCells {
			c.fail(e.Seq.Max.Pos, e.Seq.Max.Width,
				"a sequence holds at least 1 element, and less than %d cells in all (an element of a simple type is "+
					"one cell)", maxCells)
			return nil
		}
		return sequenceOf(most, of)
	case e.Set != nil:
		of := c.typeOf(e.Set)
		if of == nil {
			return nil
		}
		if !of.Scalar() || of.Size() > maxCells {
			c.fail(scan.Place(e.Pos), 1,
				"a set has processes, numbers, truth values or values of an enumeration as members, of at most %d",
				maxCells)
			return nil
		}
		return setOf(of)
	case e.Enum != nil:
		return c.enumOf(e)
	case e.Range.To != nil:
		lo, hi := c.number(&e.Range.From.Expr), c.number(&e.Range.To.Expr)
		if lo > hi {
			c.fail(scan.Place(e.Pos), 1, "the range %d..%d is empty", lo, hi)
			return nil
		}
		t := scalar(KindInt, lo, hi)
		t.From, t.To = c.constants().Term(&e.Range.From.Expr), c.constants().Term(&e.Range.To.Expr)
		return t
	}
	from := &e.Range.From.Expr
	if from.Op == ftdp.Name {
		if t, known := c.types[from.Name]; known { // nil if there was something wrong with it
			c.use(from.At, c.names[from.Name])
			return t
		}
	}
	hint := ""
	if from.Op == ftdp.Name {
		hint = spell.Hint(from.Name, slices.Collect(maps.Keys(c.types)))
		switch {
		case hint != "":
		case slices.Contains([]string{"int", "integer", "nat", "byte"}, from.Name):
			hint = "; numbers have a range, such as 0..3"
		case len(c.roleIDs()) > 0:
			hint = fmt.Sprintf("; there is no type %s, processes are of %s", from.Name, strings.Join(c.roleIDs(), ", "))
		}
	} else if from.Op == ftdp.Index {
		hint = "; processes are `role[n]`, arrays `array[T] of U`"
	}
	c.fail(from.Pos, from.Width,
		"expected a type: a range such as 0..n, bool, enum, record, array, `set of T`, `seq[3] of T`, or the name "+
			"of one%s", hint)
	return nil
}

func (c *Checker) recordOf(e *ftdp.TypeExpr) *Type {
	t := &Type{Kind: KindRecord}
	for _, d := range e.Record.Fields {
		ft := c.typeOf(d.Type)
		if ft == nil {
			return nil
		}
		if d.First != nil || d.Stable {
			c.declared = append(c.declared, d)
		}
		for _, id := range d.Names {
			if _, old := t.Field(id.Name); old {
				c.failAt(id, "field %q is declared twice", id.Name)
				continue
			}
			t.Fields = append(t.Fields, TypeField{id.Name, ft, t.Cells, id.Place()})
			t.Cells += ft.Cells
		}
	}
	if t.Cells > c.most() {
		c.fail(scan.Place(e.Pos), 6, "a record has more than %d cells", c.most())
		return nil
	}
	return t
}

func (c *Checker) enumOf(e *ftdp.TypeExpr) *Type {
	t := &Type{Kind: KindEnum, Hi: int32(len(e.Enum)) - 1, Cells: 1}
	for _, id := range e.Enum {
		t.Values = append(t.Values, id.Name)
	}
	for i, id := range e.Enum {
		if slices.Contains(t.Values[:i], id.Name) {
			c.failAt(id, "value %q is named twice", id.Name)
		}
		old, clash := c.enums[id.Name]
		_, taken := c.names[id.Name]
		if clash && !old.Type.kin(t) || taken {
			c.failAt(id, "%q is declared already", id.Name)
		}
		c.enums[id.Name] = &Term{Op: ftdp.Number, Type: t, Value: int32(i)}
		if first, again := c.values[id.Name]; again {
			c.use(id.Place(), first)
		} else {
			c.values[id.Name] = id.Place()
		}
	}
	return t
}

func (c *Checker) transitions() {
	labels := map[string]diag.Pos{}
	for _, s := range c.M.Source.Sections {
		for _, r := range s.Init {
			c.label(labels, r, "initial state")
			c.init(r)
		}
	}
	for _, s := range c.M.Source.Sections {
		for _, r := range s.Rules {
			c.label(labels, r, "rule")
			c.rule(r)
		}
	}
	c.recovery(labels)
	c.firsts()
	if len(c.M.Inits) == 0 && c.Errs == nil {
		c.fail(diag.Pos{File: c.M.File, Line: 1, Col: 1}, 1, "there is no initial state: write one after init")
	}
	for i := range c.M.Rules {
		t := &c.M.Rules[i]
		if t.Strategy {
			c.M.Roles[t.Params[t.Executor].Type.Role].Strategy = true
		}
	}
}

func (c *Checker) label(labels map[string]diag.Pos, r *ftdp.Rule, kind string) {
	if r.Else {
		return
	}
	if at, old := labels[r.Label.Name]; old {
		c.failAt(r.Label, "label %q is used already, in line %d", r.Label.Name, at.Line)
	}
	labels[r.Label.Name] = r.Label.Place()
	c.note(r.Label, kind)
}

// params declares the parameters of a rule.
func (c *Checker) params(s *scope, r *ftdp.Rule, t *Transition) bool {
	for _, p := range r.Params {
		info := ParamInfo{Name: p.Name.Name}
		if q := p.Quorum; q != nil {
			role := c.types[q.Role.Name]
			if role == nil || role.Kind != KindRole {
				c.failAt(q.Role, "a quorum consists of processes of a role, which %q is not", q.Role.Name)
				return false
			}
			c.use(q.Role.Place(), c.names[q.Role.Name])
			info.Type = &Type{Kind: KindQuorum, Role: role.Role, Cells: 2}
			info.Size, info.AtLeast, info.Count = int(c.number(q.Size)), q.AtLeast, c.Scope().Term(q.Size)
			if info.Size < 1 && !s.init || info.Size < 0 || info.Size > c.M.Roles[role.Role].Size {
				c.fail(q.Size.Pos, q.Size.Width, "a quorum of %d: there are %d processes of %s", info.Size,
					c.M.Roles[role.Role].Size, q.Role.Name)
			}
		} else {
			info.Type = c.typeOf(p.Type)
			if info.Type == nil {
				return false
			}
			if !info.Type.Scalar() {
				c.failAt(p.Name, "a parameter has to be a number, truth value, value of an enumeration or process")
				return false
			}
		}
		if !s.bind(p.Name, info.Type) {
			return false
		}
		t.Params = append(t.Params, info)
	}
	return true
}

func (c *Checker) init(r *ftdp.Rule) {
	if r.Else || r.Byz || r.Maybe || r.Inner || r.Head != nil {
		c.fail(scan.Place(r.Pos), 1, "this is for rules, not for initial states")
		return
	}
	t := Transition{Label: r.Label.Name, Pos: r.Label.Place(), Executor: -1, Sender: -1}
	s := c.Scope()
	s.init = true
	if !c.params(s, r, &t) {
		return
	}
	c.body(s, r, &t)
	c.M.Inits = append(c.M.Inits, t)
}

func (c *Checker) rule(r *ftdp.Rule) {
	if r.Else {
		if len(r.Params) > 0 {
			c.fail(scan.Place(r.Pos), 1, "ELSE has no parameters")
		}
		return
	}
	t := Transition{Label: r.Label.Name, Pos: r.Label.Place(), Executor: -1, Sender: -1, Strategy: r.Byz,
		Maybe: r.Maybe}
	s := c.Scope()
	s.rule = &t
	s.heading = true
	if !c.params(s, r, &t) || r.Head != nil && !c.from(s, r.Head, &t) {
		return
	}
	s.heading = false
	// The process that moves is the last parameter. Where there are messages, a process or a quorum behind it is their
	// sender.
	n := len(t.Params)
	kind := func(i int) Kind {
		if i < 0 {
			return KindInt
		}
		return t.Params[i].Type.Kind
	}
	switch messages := (c.M.Message != nil || r.Head != nil) && !r.Inner; {
	case messages && kind(n-1) == KindQuorum && kind(n-2) == KindRole, messages && kind(n-1) == KindRole &&
		kind(n-2) == KindRole:
		t.Executor, t.Sender = n-2, n-1
	case kind(n-1) == KindRole:
		t.Executor = n - 1
	default:
		c.failAt(r.Label,
			"the last parameter of a rule is the process that moves, or that process and then the sender of a "+
				"message or a quorum of senders: `[](i: %s) %s: ...`",
			cmp.Or(strings.Join(c.roleIDs(), " or "), "ROLE"), r.Label.Name)
		return
	}
	if r.Head != nil && !t.Receives() {
		c.failAt(r.Head.From, "%s is the process that moves: the sender has a name of its own, `from j`",
			r.Head.From.Name)
		return
	}
	for i := range t.Params {
		if t.Params[i].Name == "sender" && (i != t.Sender || kind(i) == KindQuorum) {
			c.failAt(r.Label, "%s", senderTaken)
			return
		}
		if kind(i) == KindQuorum && i != t.Sender {
			c.failAt(r.Label, "a rule has one quorum: the senders of what it receives")
			return
		}
	}
	if t.Receives() && c.M.Message == nil {
		c.failAt(r.Label,
			"a rule that receives needs messages: declare `message KIND(field: type)`, or `type Msg: record ... end`")
		return
	}
	c.body(s, r, &t)
	c.M.Rules = append(c.M.Rules, t)
}

// few reports an error if the parameters of a transition have too many values.
func (c *Checker) few(s *scope, r *ftdp.Rule, t *Transition) {
	if _, quorums := c.M.StartsAlike(t); s.init && quorums {
		return // they are counted where they are listed
	}
	if total := c.M.Values(t); total > maxInstances && r != nil && !c.followed {
		c.failAt(r.Label, "the parameters of %s have %.0f values together, and at most %d are explored", r.Label.Name,
			total, maxInstances)
	}
}

// body resolves statements. A rule whose only statement is an if without else
// has its condition as guard; so has one that names values first.
func (c *Checker) body(s *scope, r *ftdp.Rule, t *Transition) {
	list := ftdp.Statements(r.Body)
	if r.Head != nil {
		t.Guard = s.Head(r.Head)
	}
	if lets, only := OnlyIf(list); only != nil {
		depth := len(s.vars)
		for _, st := range lets {
			s.Alias(st.Let)
		}
		t.Guard = conjunction(t.Guard, s.boolean(only.If.Guards[0]))
		s.vars = s.vars[:depth]
		list = append(slices.Clip(lets), ftdp.Statements(only.If.Thens[0].List)...)
	}
	t.Body = s.block(list)
	s.letters(t)
	t.Frame = s.Frame
	c.few(s, r, t)
}

// OnlyIf is the only statement of a rule behind names of values, if that is an if without else: its condition is the
// guard.
func OnlyIf(body []*ftdp.Statement) (lets []*ftdp.Statement, only *ftdp.Statement) {
	list := ftdp.Statements(body)
	n := 0
	for n < len(list) && list[n].Let != nil {
		n++
	}
	if rest := list[n:]; len(rest) == 1 && rest[0].If != nil && rest[0].If.Else == nil && len(rest[0].If.Elsif) == 0 {
		return list[:n], rest[0]
	}
	return nil, nil
}

// conjunction joins conditions that have to hold both; nil stands for none. What is written is b.
func conjunction(a, b *Term) *Term {
	if a == nil || b == nil {
		if a == nil {
			return b
		}
		return a
	}
	parts := []*Term{a, b}
	if b.Op == ftdp.And {
		parts = append([]*Term{a}, b.Args...)
	}
	return &Term{Op: ftdp.And, Pos: b.Pos, Width: b.Width, Type: BoolType, Args: parts, Written: b.Written}
}

func (c *Checker) properties() {
	seen := map[string]bool{}
	for _, s := range c.M.Source.Sections {
		p, ltl := s.Invariant, false
		if s.LTL != nil {
			p, ltl = s.LTL, true
		}
		if s.Lemma != nil {
			p = s.Lemma
		}
		if p == nil {
			continue
		}
		if seen[p.Name.Name] {
			c.failAt(p.Name, "property %q is there already", p.Name.Name)
		}
		seen[p.Name.Name] = true
		c.note(p.Name, map[bool]string{false: "invariant", true: "formula"}[ltl])
		sc := c.Scope()
		sc.temporal, sc.lemma = ltl, s.Lemma != nil
		out := Prop{Name: p.Name.Name, Pos: p.Name.Place(), Fair: make([]bool, len(c.M.Rules)), Rounds: p.Rounds}
		t := sc.boolean(p.Formula)
		if t == nil || !sc.ofFormulas(t) {
			continue
		}
		if ltl {
			out.LTL = t
		} else {
			out.Invariant = t
		}
		out.Frame = sc.Frame
		if p.Fair != nil {
			if !ltl {
				c.failAt(p.Name, "fairness is for ltl formulas: an invariant has nothing of it")
			}
			c.fair(p.Fair, &out)
		}
		if s.Lemma != nil {
			c.M.Lemmas = append(c.M.Lemmas, out)
			continue
		}
		c.M.Props = append(c.M.Props, out)
	}
}

func (c *Checker) fair(f *ftdp.Fair, out *Prop) {
	if len(f.Rules) == 0 {
		for i := range out.Fair {
			out.Fair[i] = !c.M.Rules[i].Maybe
		}
	}
	labels := lists.Map(c.M.Rules, func(r Transition) string { return r.Label })
	for _, id := range f.Rules {
		i := slices.Index(labels, id.Name)
		if i < 0 {
			c.failAt(id, "there is no rule %q%s", id.Name, spell.Hint(id.Name, labels))
			continue
		}
		if c.M.Rules[i].Maybe {
			c.failAt(id, "no process has to make %s happen: it may be left out, and so is not fair", id.Name)
		}
		out.Fair[i] = true
		c.use(id.Place(), c.M.Rules[i].Pos)
	}
}

// otherForm refuses what is for protocols for all sizes only, and would mean nothing here.
func (c *Checker) otherForm() {
	for _, s := range c.M.Source.Sections {
		word, instead := ofAllSizes(s)
		if word == "" {
			continue
		}
		c.fail(scan.Place(s.Pos), len(word),
			"`%s` is for protocols for all sizes (those with `process`): in one of fixed size %s", word, instead)
	}
	if what, at := c.M.Source.InRounds(); what != "" {
		c.fail(at, 1, "`%s` is for protocols for all sizes, whose processes go round after round", what)
	}
}

// ofAllSizes returns the word of a section that protocols of fixed size do not have, and what to write there instead;
// "" for others.
func ofAllSizes(s *ftdp.Section) (word, instead string) {
	switch {
	case s.Faults != nil:
		return "faults", "initial states say who is faulty, `init start: node[1].status := byz;` (or crash)"
	case s.Messages != nil:
		return "messages", "kinds of messages are declared by `message READ(no: 1..9), STOP;`"
	case s.Starts != nil:
		return "init",
			"initial states have names and statements, `init start: node[1].x := 1;`: conditions on them stand " +
				"there, in an `if`"
	case s.Parameters != nil:
		return "parameters", "sizes are constants, `const n = 3;`"
	case s.Process != nil:
		return "process", "processes are those of a role, `type N: role[3];`"
	}
	return "", ""
}
