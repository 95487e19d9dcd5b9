package stories

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tacheck/tacheck/run"
)

var (
	definitions = regexp.MustCompile(`(?s)\bdefine (\w+)(?:\(([^()]*)\))? = (.*?);`)
	defines     = regexp.MustCompile(`(?m)^\s*#define (\w+) (.*)$`)
	arrays      = regexp.MustCompile(`\b(\w+): array\[(\w+)\]`)
	placed      = regexp.MustCompile(`^(always|at the start|after step (\d+)|in step (\d+), after (\d+) of \d+ times)(, again and again| for ever)?(?:, when all (?:correct processes )?have ended \d+ rounds?)?(?:: |$)`)
	because     = regexp.MustCompile(`^steps? ([\d, and-]+)(?:, lines? [\d, ]+)?(?::| takes) (.*)$`)
	bySteps     = regexp.MustCompile(`, by steps? [\d, and-]+$`)
	waits       = regexp.MustCompile(`^(.*?): (.*?) is not possible: (.*)$`)
	taken       = regexp.MustCompile(`^(.*?): .* was taken in step (\d+)(?: .*)?, and did not help: (.*)$`)
	from        = regexp.MustCompile(` \((from )?[\w ,]+\)$`)
	forValues   = regexp.MustCompile(`(?:^for |, )(\w+) = `)
	ofProcesses = regexp.MustCompile(`^\w+(?: \d+(?:, \d+)*(?: and \d+)?)?$`)
	becoming    = regexp.MustCompile(`^([\w.\[\]]+) (stays|becomes) (.*?)(?:, since (.*))?$`)
	commonCoin  = regexp.MustCompile(`^the common coin(?: of round (\d+))? gives (.*)$`)
	crowded     = regexp.MustCompile(`^(at last )?(one process:|\d+ x) `)
	ofWhom      = regexp.MustCompile(`^(not )?of (.+)$`)
)

// scope is what names mean in a state, for a process if there is one.
func (s *Story) scope(k int, role string, number int) *scope {
	if s.firstOrder() {
		return s.relations(k)
	}
	names := map[string]any{}
	for name, v := range s.states[k] {
		names[name] = v
	}
	for _, v := range s.run.Values {
		if names[v.Name] = int(v.Value.Int64()); v.Truth {
			names[v.Name] = v.Value.Sign() != 0
		}
	}
	for _, said := range s.run.Said {
		if name, text, ok := strings.Cut(said, "="); ok {
			if v, err := constant(strings.Fields(text + " ?")[0]); err == nil {
				names[name] = v
			}
		}
	}
	crashes := 0
	for _, v := range s.states[k] {
		if all, ok := v.(array); ok {
			for _, p := range all.list {
				if r, ok := p.(record); ok && r["crashed"] == true {
					crashes++
				}
			}
		}
	}
	names["crashes"] = crashes
	if r, ok := s.process(k, role, number); ok {
		for name, v := range r {
			names[name] = v
		}
	}
	list, promela := s.states[k]["processes"].([]any)
	if promela && role == "process" {
		for name, v := range list[number].(record) {
			names[name] = v
		}
	}
	sc := &scope{truncates: promela, names: names, defined: map[string]definition{}, unknown: func(name string) (any, bool) { return symbol(name), true }}
	for _, d := range definitions.FindAllStringSubmatch(s.text, -1) {
		body, err := read(d[3], false)
		if err != nil {
			continue
		}
		one := definition{body: body}
		for _, p := range strings.Split(d[2], ",") {
			if name, _, _ := strings.Cut(strings.TrimSpace(p), ":"); name != "" {
				one.parameters = append(one.parameters, name)
			}
		}
		sc.defined[d[1]] = one
	}
	for _, d := range defines.FindAllStringSubmatch(s.text, -1) {
		if body, err := read(d[2], false); err == nil {
			sc.defined[d[1]] = definition{body: body}
		}
	}
	sc.domain = func(sc *scope, of, to *node) ([]any, error) {
		if to != nil {
			low, err := sc.number(of)
			high, err2 := sc.number(to)
			if err := errors.Join(err, err2); err != nil {
				return nil, err
			}
			list := []any{}
			for v := low; v <= high; v++ {
				list = append(list, v)
			}
			return list, nil
		}
		for _, a := range arrays.FindAllStringSubmatch(s.text, -1) {
			if m, ok := s.states[k][a[1]].(array); ok && a[2] == of.name {
				return m.keys, nil
			}
		}
		if of.name == "bool" {
			return []any{false, true}, nil
		}
		return nil, errUnread
	}
	sc.call = func(inner *scope, n *node) (any, error) { return s.processes(k, role, number, inner, n) }
	return sc
}

// processes evaluates what is said of all processes, or of what one has heard.
func (s *Story) processes(k int, role string, number int, sc *scope, n *node) (any, error) {
	if n.op == "heard" {
		return s.heardOf(k, role, number, sc, n)
	}
	if n.op == "call" {
		return nil, errUnread
	}
	words := mentioned(n.kids[0], nil)
	total, yes := 0, 0
	one := func(names map[string]any) error {
		inner := *sc
		inner.names = maps.Clone(sc.names)
		maps.Copy(inner.names, names)
		total++
		is, err := inner.truth(n.kids[0])
		if is {
			yes++
		}
		return err
	}
	if list, ok := s.states[k]["processes"].([]any); ok { // Promela
		for _, p := range list {
			if err := one(p.(record)); err != nil {
				return nil, err
			}
		}
	}
	named := slices.ContainsFunc(words, func(w string) bool { _, ok := s.states[k][w].(array); return ok })
	for name, v := range s.states[k] {
		all, ok := v.(array)
		if !ok || name == "shared" || named && !slices.Contains(words, name) {
			continue
		}
		for _, p := range all.list {
			r, ok := p.(record)
			if !ok || !named && slices.ContainsFunc(words, func(w string) bool { _, ok := r[w]; return !ok && w != "crashed" && s.field(w) }) {
				break // of types that have all of its variables
			}
			if r["status"] == symbol("byz") || r["faulty"] == true && !(n.name == "every" && strings.Contains(s.text, "omission")) ||
				n.name != "every" && r["crashed"] == true && !slices.Contains(words, "crashed") {
				continue
			}
			names := maps.Clone(r)
			if names[name] = r; r["crashed"] == nil && s.field("crashed") { // it is of a type that never is
				names["crashed"] = false
			}
			if err := one(names); err != nil {
				return nil, err
			}
		}
	}
	switch n.name {
	case "some":
		return yes > 0, nil
	case "all", "every":
		return yes == total, nil
	}
	return yes, nil
}

// field tells whether processes of some type have a variable of a name.
func (s *Story) field(name string) bool {
	for _, v := range s.states[0] {
		if all, ok := v.(array); ok && len(all.list) > 0 {
			if r, ok := all.list[0].(record); ok {
				if _, has := r[name]; has {
					return true
				}
			}
		}
	}
	return false
}

// mentioned lists the names in a condition.
func mentioned(n *node, list []string) []string {
	if n == nil {
		return list
	}
	if n.op == "name" || n.op == "call" || n.op == "." {
		list = append(list, n.name)
	}
	for _, k := range n.kids {
		list = mentioned(k, list)
	}
	return list
}

// heardOf counts from how many processes one has heard a message.
func (s *Story) heardOf(k int, role string, number int, sc *scope, n *node) (any, error) {
	list := s.heard[k][fmt.Sprintf("%s %d", role, number)]
	if _, several := s.process(k, role, 2); !several {
		list = append(slices.Clone(list), s.heard[k][role]...)
	}
	if slices.ContainsFunc(n.kids, func(k *node) bool { return k.op == "or crashed" }) {
		return nil, errUnread // who might have sent it is not told
	}
	senders := map[string]bool{}
	for _, h := range list {
		is, err := matches(sc, n, h)
		if err != nil {
			return nil, err
		}
		if is {
			senders[h.from] = true
		}
	}
	return len(senders), nil
}

// matches tells whether a message is of a pattern: ECHO, or ECHO(0, _) of round 1.
func matches(sc *scope, pattern *node, h hearing) (bool, error) {
	message, round, hasRound := strings.Cut(h.message, " of round ")
	kind, rest, _ := strings.Cut(message, "(")
	if kind != pattern.name {
		return false, nil
	}
	for _, k := range pattern.kids {
		switch k.op {
		case "from":
			if from, _ := named(h.from); from != k.name {
				return false, nil
			}
		case "round":
			v, err := sc.eval(k.kids[0])
			if err != nil || !hasRound {
				return false, errors.Join(err, errUnread)
			}
			if fmt.Sprint(v) != round {
				return false, nil
			}
		case "values":
			values := strings.Split(strings.TrimSuffix(rest, ")"), ", ")
			if len(values) != len(k.kids) {
				return false, errUnread
			}
			for i, arg := range k.kids {
				if arg.op == "name" && arg.name == "_" {
					continue
				}
				v, err := sc.eval(arg)
				if err != nil {
					return false, err
				}
				if fmt.Sprint(v) != values[i] {
					return false, nil
				}
			}
		}
	}
	if hasRound && !slices.ContainsFunc(pattern.kids, func(k *node) bool { return k.op == "round" }) {
		return false, errUnread
	}
	return true, nil
}

// Check evaluates what a line says; the error names what is false.
func (s *Story) Check(line run.Reason) error {
	switch line.Kind {
	case run.Because:
		return s.because(line)
	case run.Waiting:
		return s.waiting(line)
	case run.Edge, run.Fault:
		return nil
	}
	return s.said(line)
}

// items evaluates a list of conditions.
func (s *Story) items(sc *scope, list []string, what string) (err error) {
	for _, item := range list {
		if item = strings.TrimSpace(item); item == "" || item == "..." || item == "and so on" {
			continue
		}
		is, wrong := s.item(sc, item)
		switch {
		case errors.Is(wrong, errUnread):
			s.Unread = append(s.Unread, item)
		case wrong != nil:
			err = errors.Join(err, wrong)
		case !is:
			err = errors.Join(err, fmt.Errorf("%q is false, of %q", item, what))
		default:
			s.Read++
		}
	}
	return err
}

// evidence evaluates what is seen in a state, in groups: those of all; of values, for i = 1 and 2; of processes, node 1.
func (s *Story) evidence(k int, sc *scope, text, what string) (err error) {
	for _, group := range parts(text, "; ") {
		group = strings.TrimPrefix(group, "at last ")
		if found := becoming.FindStringSubmatch(group); found != nil {
			if found[4] != "" {
				err = errors.Join(err, s.evidence(k, sc, found[4], what))
			}
			continue
		}
		scopes := []*scope{sc}
		if of, rest, ok := strings.Cut(group, ": "); ok {
			who, values := of, ""
			if at := strings.Index(of, "for "); at >= 0 {
				who, values = strings.TrimSuffix(of[:at], ", "), of[at:]
			}
			if ofProcesses.MatchString(who) {
				group, scopes = rest, nil
				role, numbers := named(who)
				for _, n := range numbers {
					scopes = append(scopes, s.scope(k, role, n))
				}
			}
			if values != "" {
				group, scopes = rest, ranging(scopes, values)
			}
		}
		for _, in := range scopes {
			err = errors.Join(err, s.items(in, parts(group, ", "), what))
		}
	}
	return err
}

// ranging are scopes in which variables have values: for i = 1 and 2, j = 3.
func ranging(scopes []*scope, text string) []*scope {
	at := forValues.FindAllStringSubmatchIndex(text, -1)
	for i, found := range at {
		end := len(text)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		var inner []*scope
		for _, v := range strings.Split(strings.ReplaceAll(text[found[1]:end], " and ", ", "), ", ") {
			value, err := constant(v)
			for _, sc := range scopes {
				if err == nil {
					inner = append(inner, sc.with(text[found[2]:found[3]], value))
				}
			}
		}
		scopes = inner
	}
	return scopes
}

func (s *Story) item(sc *scope, item string) (bool, error) {
	if place, ok := strings.CutSuffix(item, " = undefined"); ok {
		n, err := read(place, false)
		if err != nil {
			return false, err
		}
		v, err := sc.eval(n)
		return empty(v), err
	}
	if a, b, ok := strings.Cut(item, " is not "); ok {
		return a != b, nil
	}
	if said := commonCoin.FindStringSubmatch(item); said != nil { // of texts here, their values are 0 and 1, or V0 and V1
		if gives, is := sc.names["common_coin"+cmp.Or(said[1], "1")]; is {
			return fmt.Sprint(gives) == strings.TrimPrefix(said[2], "V"), nil
		}
		return false, errUnread
	}
	item = strings.TrimPrefix(item, "at last ")
	if at := strings.LastIndex(item, " = "); at > 0 { // what was seen: a value
		text := from.ReplaceAllString(item[at+3:], "")
		left, err := read(item[:at], false)
		right, wrong := constant(text)
		if _, number := right.(int); err == nil && wrong == nil && left.op != "if" && !(number && slices.Contains(comparisons, left.op)) {
			v, err := sc.eval(left)
			if err != nil {
				return false, err
			}
			if name, ok := right.(symbol); ok {
				if right, err = sc.named(string(name)); err != nil {
					right = name
				}
			}
			return shown(v, right), nil
		}
	}
	n, err := read(item, false)
	if err != nil {
		return false, err
	}
	return sc.truth(n)
}

// comparisons are what is no number or value: it is read together with what it is compared with.
var comparisons = []string{"and", "or", "&&", "||", "->", "<->", "not", "=", "==", "!=", "<", "<=", ">", ">=", "in", "exists", "forall"}

// stepsOf reads 1, 2 and 4-6.
func stepsOf(text string) (list []int) {
	for _, part := range strings.Split(strings.ReplaceAll(text, " and ", ", "), ", ") {
		a, b, span := strings.Cut(part, "-")
		from, _ := strconv.Atoi(a)
		to := from
		if span {
			to, _ = strconv.Atoi(b)
		}
		for k := from; k <= to; k++ {
			list = append(list, k)
		}
	}
	return list
}

// because evaluates what guards saw, in the state before each step.
func (s *Story) because(line run.Reason) (err error) {
	found := because.FindStringSubmatch(line.Text)
	if found == nil {
		s.Unread = append(s.Unread, line.Text)
		return nil
	}
	groups := parts(found[2], "; ")
	for i, g := range groups {
		groups[i] = strings.TrimPrefix(bySteps.ReplaceAllString(g, ""), "then ")
	}
	said := strings.Join(groups, "; ")
	if _, since, ok := strings.Cut(said, ", since "); ok && s.states[0]["processes"] != nil {
		return s.promela(line, found[1], said, since)
	}
	if _, since, ok := strings.Cut(groups[0], ", since "); ok {
		groups[0] = since
	} else {
		groups = groups[1:]
	}
	if len(groups) == 0 {
		return nil
	}
	since := strings.Join(groups, "; ")
	for _, k := range stepsOf(found[1]) {
		if k < 1 || k > len(s.run.Events) {
			return fmt.Errorf("there is no step %d", k)
		}
		role, number := s.who(k - 1)
		sc := s.scope(k-1, role, number)
		sc.unknown = s.moverOr(role, number)
		for _, v := range regexp.MustCompile(`(\w+)=(\w+)`).FindAllStringSubmatch(s.run.Events[k-1].Text, -1) {
			if value, err := constant(v[2]); err == nil && strings.Contains(s.run.Events[k-1].Text, "(") {
				if _, has := sc.names[v[1]]; !has {
					sc.names[v[1]] = value
				}
			}
		}
		err = errors.Join(err, s.evidence(k-1, sc, since, line.Text), s.left(k, role, number, groups))
	}
	return err
}

// left looks whether variables have the values behind a step that are said to stay, or to become so.
func (s *Story) left(k int, role string, number int, groups []string) (err error) {
	for _, g := range groups {
		found := becoming.FindStringSubmatch(g)
		if found == nil {
			continue
		}
		n, wrong := read(found[1], false)
		want, also := constant(found[3])
		if found[3] == "undefined" {
			want = nil
		}
		if wrong != nil || also != nil {
			s.Unread = append(s.Unread, g)
			continue
		}
		v, wrong := s.scope(k, role, number).eval(n)
		if wrong != nil || !shown(v, want) {
			err = errors.Join(err, fmt.Errorf("%q, and it is %v after step %d", g, v, k))
		}
		s.Read++
	}
	return err
}

// moverOr takes short names of which nothing is known for the process that moves.
func (s *Story) moverOr(role string, number int) func(string) (any, bool) {
	return func(name string) (any, bool) {
		if name == "msg" || regexp.MustCompile(`\blet `+name+` = `).MatchString(s.text) {
			return nil, false
		}
		if regexp.MustCompile(`\[\]\(` + name + `: `).MatchString(s.text) {
			return number, true
		}
		return symbol(name), true
	}
}

// waiting evaluates why rules are not possible at the end, or have not helped when they were taken.
func (s *Story) waiting(line run.Reason) (err error) {
	found, at := waits.FindStringSubmatch(line.Text), len(s.states)-1
	if found == nil {
		if found = taken.FindStringSubmatch(line.Text); found == nil {
			return nil
		}
		k, _ := strconv.Atoi(found[2])
		if at = k - 1; at < 0 || at >= len(s.states) {
			return fmt.Errorf("there is no step %s, of %q", found[2], line.Text)
		}
	}
	role, numbers := named(found[1])
	if role == "" {
		return nil
	}
	for _, number := range numbers {
		sc := s.scope(at, role, number)
		sc.unknown = s.moverOr(role, number)
		err = errors.Join(err, s.evidence(at, sc, found[3], line.Text))
	}
	return err
}

// said evaluates what is so, and should not be.
func (s *Story) said(line run.Reason) (err error) {
	text, from, always := line.Text, 0, line.Kind == run.Never
	if found := placed.FindStringSubmatch(text); found != nil {
		text = text[len(found[0]):]
		if found[2] != "" {
			from, _ = strconv.Atoi(found[2])
		}
		always = always || found[5] == " for ever" || found[1] == "always"
	}
	if strings.HasPrefix(line.Text, "in step ") { // between the states of a step that several processes take
		s.Unread = append(s.Unread, line.Text)
		return nil
	}
	if from >= len(s.states) {
		return fmt.Errorf("there is no state %d of %q", from, line.Text)
	}
	condition, seen := text, ""
	if strings.HasSuffix(text, ")") {
		for i := len(text) - 1; i > 0; i-- {
			if text[i] == '(' && strings.Count(text[i:], "(") == strings.Count(text[i:], ")") {
				if before := strings.TrimSuffix(text[:i], " "); before != text[:i] {
					if _, err := read(strings.TrimSuffix(strings.TrimSuffix(before, " is false"), " is true"), false); err == nil {
						condition, seen = before, text[i+1:len(text)-1]
					}
				}
				break
			}
		}
	}
	want := line.Kind != run.Never && line.Kind != run.Broken
	if cut, ok := strings.CutSuffix(condition, " is false"); ok {
		condition, want = cut, false
	} else if cut, ok := strings.CutSuffix(condition, " is true"); ok {
		condition, want = cut, true
	}
	for k := from; k < len(s.states) && (k == from || always); k++ {
		sc := s.scope(k, "", 0)
		is, wrong := s.item(sc, condition)
		switch {
		case errors.Is(wrong, errUnread):
			s.Unread = append(s.Unread, condition)
		case wrong != nil:
			err = errors.Join(err, wrong)
		case is != want && !strings.Contains(condition, " is not "):
			err = errors.Join(err, fmt.Errorf("%q is %v in state %d, of %s %q", condition, is, k, line.Kind, line.Text))
		default:
			s.Read++
		}
		at := k
		if strings.HasPrefix(seen, "at last ") {
			at = len(s.states) - 1
		}
		if seen != "" && !ofWhom.MatchString(seen) && (k == from || line.Kind != run.Never) {
			if list, ok := s.states[at]["processes"].([]any); ok {
				err = errors.Join(err, s.crowd(at, list, seen, line.Text))
			} else {
				err = errors.Join(err, s.evidence(at, s.scope(at, "", 0), seen, line.Text))
			}
		}
	}
	return err
}

// crowd evaluates what is seen of Promela: also how one of the processes is.
func (s *Story) crowd(at int, list []any, seen, what string) (err error) {
	var crowd []any
	for _, part := range parts(seen, ", ") {
		if crowded.MatchString(part) {
			crowd = list
			continue
		}
		if found := has.FindStringSubmatch(part); found != nil && crowd != nil {
			if _, local := crowd[0].(record)[found[1]]; local {
				crowd = slices.DeleteFunc(slices.Clone(crowd), func(p any) bool { return fmt.Sprint(p.(record)[found[1]]) != found[2] })
				if len(crowd) == 0 {
					return fmt.Errorf("no process has %q, of %q", part, what)
				}
				continue
			}
		}
		err = errors.Join(err, s.items(s.scope(at, "", 0), []string{part}, what))
	}
	return err
}

var (
	chosen = regexp.MustCompile(`, with (.*)$`)
	seenIn = regexp.MustCompile(`^(.*?)(?: \(([^()]*)\))?$`)
)

// promela evaluates what an alternative saw: conditions, each with values, of one of the processes, with what it chose.
func (s *Story) promela(line run.Reason, steps, said, since string) error {
	head, _, _ := strings.Cut(said, ", since ")
	k := stepsOf(steps)[0]
	var wrong error
	before, after := s.states[k-1]["processes"].([]any), s.states[k]["processes"].([]any)
	read, unread := s.Read, len(s.Unread)
	changed := !same(before, after)
	for p := range before {
		if changed && same(before[p], after[p]) {
			continue
		}
		s.Read, s.Unread = read, s.Unread[:unread]
		sc := s.scope(k-1, "process", p)
		if with := chosen.FindStringSubmatch(head); with != nil {
			for _, part := range strings.Split(with[1], ", ") {
				name, v, _ := strings.Cut(part, " = ")
				if n, err := strconv.Atoi(v); err == nil {
					sc.names[name] = n
				}
			}
		}
		var list []string
		for _, part := range parts(since, "; ") {
			found := seenIn.FindStringSubmatch(part)
			if list = append(list, found[1]); found[2] != "" {
				list = append(list, parts(found[2], ", ")...)
			}
		}
		if wrong = s.items(sc, list, line.Text); wrong == nil {
			return nil
		}
	}
	return wrong
}
