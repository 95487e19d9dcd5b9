package stories

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Values are int, bool, symbol, []any for sequences, array, set and record; nil is undefined.
type (
	symbol string
	set    map[string]bool
	record map[string]any
	parted map[string]any // an array of which not all elements have a value
	array  struct {
		keys []any // nil for 1, 2, ...
		list []any
	}
)

// key is the index of an element.
func (a array) key(i int) any {
	if a.keys == nil {
		return i + 1
	}
	return a.keys[i]
}

// errUnread says that something is said in words that this package does not know.
var errUnread = errors.New("cannot be read")

// scope is what names mean.
type scope struct {
	names map[string]any
	// call is what conditions on processes mean: some(...), heard(...).
	call    func(s *scope, n *node) (any, error)
	defined map[string]definition
	domain  func(s *scope, of *node, to *node) ([]any, error)
	unknown func(name string) (any, bool)
	depth   int
	// quotients are rounded towards 0, as those of Promela are
	truncates bool
}

type definition struct {
	parameters []string
	body       *node
}

// with is a scope in which a name has a value.
func (s *scope) with(name string, v any) *scope {
	inner := *s
	inner.names = maps.Clone(s.names)
	inner.names[name] = v
	return &inner
}

// node is an expression: an operator with operands, a name, or a value.
type node struct {
	op   string
	name string
	kids []*node
	v    any
}

var words = regexp.MustCompile(`^(\d+|[A-Za-z_]\w*|<->|->|\|\||&&|==|!=|<=|>=|\.\.|:=|[^\s\w])`)

type reader struct {
	words  []string
	values bool // in which a = 1 is a field of a record
	toLeft bool // a -> b -> c is (a -> b) -> c: of Promela and automata
}

// read reads an expression, or a value.
func read(text string, values bool) (n *node, err error) {
	r := &reader{values: values}
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		w := words.FindString(text)
		r.words, text = append(r.words, w), text[len(w):]
		r.toLeft = r.toLeft || w == "==" || w == "&&" || w == "||"
	}
	defer func() {
		if x := recover(); x != nil {
			if x != errUnread {
				panic(x)
			}
			err = errUnread
		}
	}()
	if n = r.whole(); len(r.words) > 0 {
		return nil, errUnread
	}
	return n, nil
}

func (r *reader) peek(k int) string {
	if k < len(r.words) {
		return r.words[k]
	}
	return ""
}

func (r *reader) take(list ...string) string {
	if len(r.words) > 0 && slices.Contains(list, r.words[0]) {
		w := r.words[0]
		r.words = r.words[1:]
		return w
	}
	return ""
}

func (r *reader) must(w string) {
	if r.take(w) == "" {
		panic(errUnread)
	}
}

func (r *reader) name() string {
	w := r.peek(0)
	if w == "" || !isWord(w) {
		panic(errUnread)
	}
	r.words = r.words[1:]
	return w
}

func isWord(w string) bool {
	return w[0] == '_' || w[0] >= 'A' && w[0] <= 'Z' || w[0] >= 'a' && w[0] <= 'z'
}

func (r *reader) whole() *node {
	if r.values {
		return r.sum()
	}
	return r.left(r.implied, "<->")
}

func (r *reader) left(next func() *node, ops ...string) *node {
	n := next()
	for op := r.take(ops...); op != ""; op = r.take(ops...) {
		n = &node{op: op, kids: []*node{n, next()}}
	}
	return n
}

func (r *reader) implied() *node {
	side := func() *node { return r.left(r.both, "or", "||", "|") }
	if r.toLeft {
		return r.left(side, "->")
	}
	n := side()
	if op := r.take("->"); op != "" {
		return &node{op: op, kids: []*node{n, r.implied()}}
	}
	return n
}

func (r *reader) both() *node { return r.left(r.negated, "and", "&&", "&") }

func (r *reader) negated() *node {
	if r.take("not") != "" {
		return &node{op: "not", kids: []*node{r.negated()}}
	}
	if w := r.peek(0); (w == "exists" || w == "forall") && r.peek(1) == "(" {
		n := r.bound()
		n.kids = append(n.kids, r.whole())
		return n
	}
	if r.take("if") != "" {
		n := &node{op: "if", kids: []*node{r.whole()}}
		for _, word := range []string{"then", "else"} {
			r.must(word)
			n.kids = append(n.kids, r.whole())
		}
		return n
	}
	if op := r.take("exists", "forall"); op != "" {
		return r.every(op)
	}
	return r.compared()
}

// every reads the rest of exists X:a, Y:b. r(X, Y).
func (r *reader) every(op string) *node {
	n := &node{op: op, name: r.name()}
	r.must(":")
	n.kids = []*node{{op: "name", name: r.name()}, nil}
	if r.take(",") != "" {
		n.kids = append(n.kids, r.every(op))
		return n
	}
	r.must(".")
	n.kids = append(n.kids, r.whole())
	return n
}

// bound reads exists (k: T).
func (r *reader) bound() *node {
	n := &node{op: r.name()}
	r.must("(")
	n.name = r.name()
	r.must(":")
	n.kids = append(n.kids, r.sum())
	if r.take("..") != "" {
		n.kids = append(n.kids, r.sum())
	} else {
		n.kids = append(n.kids, nil)
	}
	r.must(")")
	return n
}

func (r *reader) compared() *node {
	n := r.sum()
	var all *node
	for op := r.take("=", "==", "!=", "<", "<=", ">", ">=", "in"); op != ""; op = r.take("=", "==", "!=", "<", "<=", ">", ">=", "in") {
		next := r.sum()
		one := &node{op: op, kids: []*node{n, next}}
		if n = next; all == nil {
			all = one
		} else {
			all = &node{op: "and", kids: []*node{all, one}}
		}
	}
	if all != nil {
		return all
	}
	return n
}

func (r *reader) sum() *node     { return r.left(r.product, "+", "-") }
func (r *reader) product() *node { return r.left(r.unary, "*", "/", "%", "mod") }

func (r *reader) unary() *node {
	switch op := r.take("-", "!"); op {
	case "":
		return r.postfix()
	case "!":
		return &node{op: "not", kids: []*node{r.unary()}}
	default:
		return &node{op: "minus", kids: []*node{r.unary()}}
	}
}

func (r *reader) postfix() *node {
	n := r.primary()
	for {
		switch r.take(".", "[") {
		case ".":
			n = &node{op: ".", name: r.name(), kids: []*node{n}}
		case "[":
			n = &node{op: "[", kids: []*node{n, r.whole()}}
			r.must("]")
		default:
			return n
		}
	}
}

func (r *reader) list(end string) (list []*node) {
	for r.take(end) == "" {
		if len(list) > 0 {
			r.must(",")
		}
		if r.take("?") != "" { // an element without a value
			list = append(list, &node{op: "value"})
			continue
		}
		if end == ">" {
			list = append(list, r.sum())
		} else {
			list = append(list, r.whole())
		}
	}
	return list
}

func (r *reader) primary() *node {
	w := r.peek(0)
	if w == "" {
		panic(errUnread)
	}
	if n, err := strconv.Atoi(w); err == nil {
		r.words = r.words[1:]
		return &node{op: "value", v: n}
	}
	switch r.take("(", "{", "<", "[") {
	case "(":
		if r.values && r.peek(1) == "=" {
			n := &node{op: "record"}
			for r.take(")") == "" {
				if len(n.kids) > 0 {
					r.must(",")
				}
				field := r.name()
				r.must("=")
				n.kids = append(n.kids, &node{name: field, kids: []*node{r.whole()}})
			}
			return n
		}
		n := r.whole()
		r.must(")")
		return n
	case "{":
		return &node{op: "set", kids: r.list("}")}
	case "<":
		return &node{op: "sequence", kids: r.list(">")}
	case "[":
		if r.values && r.peek(1) == ":" { // [2: 1, 3: 1]: the others have no value
			n := &node{op: "parts"}
			for r.take("]") == "" {
				if len(n.kids) > 0 {
					r.must(",")
				}
				key := r.peek(0)
				r.words = r.words[1:]
				r.must(":")
				n.kids = append(n.kids, &node{name: key, kids: []*node{r.whole()}})
			}
			return n
		}
		return &node{op: "array", kids: r.list("]")}
	}
	if (w == "count" || w == "max" || w == "min" || w == "sum") && r.peek(1) == "(" && r.peek(3) == ":" {
		n := r.bound()
		n.kids = append(n.kids, r.postfix())
		if r.take("by") != "" {
			n.kids = append(n.kids, r.postfix())
		}
		return n
	}
	name := r.name()
	switch name {
	case "true", "false":
		return &node{op: "value", v: name == "true"}
	}
	if name == "heard" && r.peek(0) == "(" {
		return r.heard()
	}
	if name == "some" || name == "all" || name == "every" || name == "count" || name == "card" {
		if r.take("(") != "" { // of processes: Proc:pc == 0
			n := &node{op: "processes", name: name}
			if r.peek(1) == ":" {
				r.words = r.words[2:]
			}
			n.kids = append(n.kids, r.whole())
			r.must(")")
			return n
		}
	}
	if r.take("(") != "" {
		return &node{op: "call", name: name, kids: r.list(")")}
	}
	return &node{op: "name", name: name}
}

// heard reads heard(node.ECHO(0, _) of round 1 or crashed).
func (r *reader) heard() *node {
	n := &node{op: "heard"}
	r.must("(")
	kind := r.name()
	if r.take(".") != "" {
		n.kids = append(n.kids, &node{op: "from", name: kind})
		kind = r.name()
	}
	n.name = kind
	if r.take("(") != "" {
		n.kids = append(n.kids, &node{op: "values", kids: r.list(")")})
	}
	if r.take("of") != "" {
		r.must("round")
		n.kids = append(n.kids, &node{op: "round", kids: []*node{r.sum()}})
	}
	if r.take("or") != "" {
		r.must("crashed")
		n.kids = append(n.kids, &node{op: "or crashed"})
	}
	r.must(")")
	return n
}

func (s *scope) eval(n *node) (any, error) {
	switch n.op {
	case "value":
		return n.v, nil
	case "name":
		return s.named(n.name)
	case "record", "parts":
		v := record{}
		for _, k := range n.kids {
			x, err := s.eval(k.kids[0])
			if err != nil {
				return nil, err
			}
			v[k.name] = x
		}
		if n.op == "parts" {
			return parted(v), nil
		}
		return v, nil
	case "set", "sequence", "array":
		if n.op == "array" && len(n.kids) == 1 && n.kids[0].op == "/" { // a quotient that is rounded up
			a, err := s.number(n.kids[0].kids[0])
			b, wrong := s.number(n.kids[0].kids[1])
			if err = errors.Join(err, wrong); err == nil && b <= 0 {
				err = errUnread
			}
			return (a + b - 1) / max(1, b), err
		}
		var list []any
		for _, k := range n.kids {
			x, err := s.eval(k)
			if err != nil {
				return nil, err
			}
			list = append(list, x)
		}
		switch n.op {
		case "set":
			v := set{}
			for _, x := range list {
				v[fmt.Sprint(x)] = true
			}
			return v, nil
		case "array":
			return array{nil, list}, nil
		}
		return list, nil
	case "not":
		b, err := s.truth(n.kids[0])
		return !b, err
	case "minus":
		x, err := s.number(n.kids[0])
		return -x, err
	case "if":
		is, err := s.truth(n.kids[0])
		if err != nil {
			return nil, err
		}
		if is {
			return s.eval(n.kids[1])
		}
		return s.eval(n.kids[2])
	case "and", "&&", "&", "or", "||", "|", "->":
		a, err := s.truth(n.kids[0])
		if err != nil {
			return nil, err
		}
		switch {
		case (n.op == "and" || n.op[0] == '&') && !a:
			return false, nil
		case (n.op == "or" || n.op[0] == '|') && a, n.op == "->" && !a:
			return true, nil
		}
		return s.truth(n.kids[1])
	case "<->":
		a, err := s.truth(n.kids[0])
		if err != nil {
			return nil, err
		}
		b, err := s.truth(n.kids[1])
		return a == b, err
	case "=", "==", "!=":
		a, err := s.eval(n.kids[0])
		if err != nil {
			return nil, err
		}
		b, err := s.eval(n.kids[1])
		_, isSet := a.(set)
		if _, ok := b.(set); ok || isSet {
			a, b = members(a), members(b)
		}
		return same(a, b) == (n.op != "!="), err
	case "in":
		a, err := s.eval(n.kids[0])
		if err != nil {
			return nil, err
		}
		b, err := s.eval(n.kids[1])
		switch b := members(b).(type) {
		case set:
			return b[fmt.Sprint(a)], err
		case []any:
			return slices.ContainsFunc(b, func(x any) bool { return same(x, a) }), err
		}
		return nil, errors.Join(errUnread, err)
	case "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "mod":
		return s.calculate(n)
	case ".":
		v, err := s.eval(n.kids[0])
		if err != nil {
			return nil, err
		}
		if v, ok := v.(record); ok {
			return v[n.name], nil
		}
		return nil, errUnread
	case "[":
		v, err := s.eval(n.kids[0])
		if err != nil {
			return nil, err
		}
		at, err := s.eval(n.kids[1])
		if err != nil {
			return nil, err
		}
		return element(v, at)
	case "call":
		return s.called(n)
	case "heard", "processes":
		return s.call(s, n)
	case "exists", "forall", "count", "max", "min", "sum":
		return s.every(n)
	}
	return nil, errUnread
}

func element(v, at any) (any, error) {
	k, isNumber := at.(int)
	switch v := v.(type) {
	case array:
		for i, x := range v.list {
			if same(v.key(i), at) {
				return x, nil
			}
		}
	case []any:
		if isNumber && k >= 1 && k <= len(v) {
			return v[k-1], nil
		}
	case set:
		return v[fmt.Sprint(at)], nil
	}
	return nil, errUnread
}

// same tells whether values are equal. An array of truth values is written as the set of its true elements.
func same(a, b any) bool {
	if x, ok := a.(array); ok {
		if y, ok := b.(array); ok {
			return fmt.Sprint(x.list) == fmt.Sprint(y.list)
		}
	}
	return fmt.Sprintf("%T %v", a, a) == fmt.Sprintf("%T %v", b, b)
}

// empty tells whether no part of a value is defined.
func empty(v any) bool {
	switch v := v.(type) {
	case record:
		for _, x := range v {
			if !empty(x) {
				return false
			}
		}
		return true
	case array:
		return !slices.ContainsFunc(v.list, func(x any) bool { return !empty(x) })
	}
	return v == nil
}

// members is a set, also one that is an array of truth values.
func members(v any) any {
	a, ok := v.(array)
	if !ok {
		return v
	}
	out := set{}
	for i, x := range a.list {
		b, ok := x.(bool)
		if !ok {
			return v
		}
		if b {
			out[fmt.Sprint(a.key(i))] = true
		}
	}
	return out
}

func (s *scope) named(name string) (any, error) {
	if v, ok := s.names[name]; ok {
		return v, nil
	}
	if d, ok := s.defined[name]; ok && s.depth < 50 {
		inner := *s
		inner.depth++
		return inner.eval(d.body)
	}
	if v, ok := s.unknown(name); ok {
		return v, nil
	}
	return nil, fmt.Errorf("%s: %w", name, errUnread)
}

func (s *scope) called(n *node) (any, error) {
	if d, ok := s.defined[n.name]; ok && len(d.parameters) == len(n.kids) && s.depth < 50 {
		inner := s
		for i, p := range d.parameters {
			v, err := s.eval(n.kids[i])
			if err != nil {
				return nil, err
			}
			inner = inner.with(p, v)
		}
		inner.depth++
		return inner.eval(d.body)
	}
	if n.name == "isundefined" && len(n.kids) == 1 {
		v, err := s.eval(n.kids[0])
		return empty(v), err
	}
	if (n.name == "size" || n.name == "length") && len(n.kids) == 1 {
		v, err := s.eval(n.kids[0])
		switch v := members(v).(type) {
		case set:
			return len(v), err
		case []any:
			return len(v), err
		}
		return nil, errors.Join(errUnread, err)
	}
	if s.call != nil {
		return s.call(s, n)
	}
	return nil, errUnread
}

func (s *scope) truth(n *node) (bool, error) {
	v, err := s.eval(n)
	if b, ok := v.(bool); ok || err != nil {
		return b, err
	}
	if k, ok := v.(int); ok { // Promela
		return k != 0, nil
	}
	return false, errUnread
}

func (s *scope) number(n *node) (int, error) {
	v, err := s.eval(n)
	if k, ok := v.(int); ok || err != nil {
		return k, err
	}
	return 0, errUnread
}

func (s *scope) calculate(n *node) (any, error) {
	a, err := s.number(n.kids[0])
	if err != nil {
		return nil, err
	}
	b, err := s.number(n.kids[1])
	if err != nil {
		return nil, err
	}
	switch n.op {
	case "<":
		return a < b, nil
	case "<=":
		return a <= b, nil
	case ">":
		return a > b, nil
	case ">=":
		return a >= b, nil
	case "+":
		return a + b, nil
	case "-":
		return a - b, nil
	case "*":
		return a * b, nil
	}
	if b <= 0 {
		return nil, errUnread
	}
	floor := a / b
	if a%b < 0 && !s.truncates {
		floor--
	}
	if n.op == "/" {
		return floor, nil
	}
	return a - floor*b, nil
}

// every goes through the values of a variable.
func (s *scope) every(n *node) (any, error) {
	if s.domain == nil { // a constant has no variables
		return nil, errUnread
	}
	values, err := s.domain(s, n.kids[0], n.kids[1])
	if err != nil {
		return nil, err
	}
	count, found, best := 0, false, 0
	for _, v := range values {
		inner := s.with(n.name, v)
		switch n.op {
		case "max", "min", "sum":
			k, err := inner.number(n.kids[2])
			if err != nil {
				return nil, err
			}
			if count += k; !found || n.op == "max" && k > best || n.op == "min" && k < best {
				found, best = true, k
			}
		default:
			b, err := inner.truth(n.kids[2])
			if err != nil {
				return nil, err
			}
			if b {
				count++
			}
		}
	}
	switch n.op {
	case "exists":
		return count > 0, nil
	case "forall":
		return count == len(values), nil
	case "count", "sum":
		return count, nil
	}
	if !found || len(n.kids) > 3 {
		return nil, errUnread
	}
	return best, nil
}
