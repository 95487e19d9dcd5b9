package promela

import "sort"

// A Node is a place in the body of a process: what happens next there.
type Node struct {
	Stmt    *Stmt
	Options []*Entry // of if and do
	Next    *Node    // after a plain statement; the first one inside, of an atomic block
	Region  int      // which outermost atomic block it stands in; 0: none
	First   bool     // the first statement of an alternative
	Again   bool     // a step may come back here: a loop or a label in a step
	Number  int
}

// An Entry is an alternative: where it begins, and the line of its ::.
type Entry struct {
	Node *Node
	Line int
	Else bool // it begins with else
}

// initial is the region of the initial block, which a process goes through at once.
const initial = -1

// A place is a label, and the region in which it stands.
type place struct {
	region int
	label  string
}

// Control is the body of a process as a graph.
type Control struct {
	Entry     *Node
	Begin     *Node // what comes after the initial block
	Nodes     []*Node
	Locations []*Node // where processes may stand, by their numbers
	labels    map[place]*Node
	gotos     map[*Node]string
	region    int
}

// control makes the body a graph.
func (m *Model) control() (*Control, error) {
	c := &Control{labels: map[place]*Node{}, gotos: map[*Node]string{}}
	k := firstLoop(m.Body)
	if k < 0 {
		return nil, fail(m.Line, "the process has no loop")
	}
	end := c.node(&Stmt{Kind: "end", Place: 1 << 30}, 0)
	var err error
	if c.Begin, err = c.sequence(m.Body[k:], end, nil, 0); err != nil {
		return nil, err
	}
	if c.Entry, err = c.sequence(m.Body[:k], c.Begin, nil, initial); err != nil {
		return nil, err
	}
	if err := c.link(); err != nil {
		return nil, err
	}
	c.locate()
	return c, nil
}

// firstLoop finds where the initial block ends: at the first loop outside of other statements, or at the first label there that
// a goto below it goes to.
func firstLoop(body []*Stmt) int {
	for i, s := range body {
		if s.Kind == "do" {
			return i
		}
		for _, l := range s.Labels {
			if jumpsTo(body[i:], l) {
				return i
			}
		}
	}
	return -1
}

// jumpsTo says whether a goto in the statements leads to the label outside of steps: a step may have a label of that name.
func jumpsTo(body []*Stmt, label string) bool {
	for _, s := range body {
		if s.Kind == "goto" && s.Name == label {
			return true
		}
		inner := map[string]bool{}
		if s.Kind == "atomic" && collectLabels(s.Body, inner, true) == nil && inner[label] {
			continue
		}
		if jumpsTo(s.Body, label) {
			return true
		}
		for _, o := range s.Options {
			if jumpsTo(o.Body, label) {
				return true
			}
		}
	}
	return false
}

func (c *Control) node(s *Stmt, region int) *Node {
	n := &Node{Stmt: s, Region: region, Number: len(c.Nodes)}
	c.Nodes = append(c.Nodes, n)
	return n
}

// sequence builds statements that are followed by next; break leads to out. It returns where they begin.
func (c *Control) sequence(body []*Stmt, next, out *Node, region int) (*Node, error) {
	for i := len(body) - 1; i >= 0; i-- {
		n, err := c.stmt(body[i], next, out, region)
		if err != nil {
			return nil, err
		}
		for _, l := range body[i].Labels {
			c.labels[place{region, l}] = n
			n.Again = region != 0
		}
		next = n
	}
	return next, nil
}

func (c *Control) stmt(s *Stmt, next, out *Node, region int) (*Node, error) {
	n := c.node(s, region)
	n.Next = next
	var err error
	switch s.Kind {
	case "atomic":
		inside := region
		if inside == 0 {
			c.region++
			inside = c.region
		}
		n.Next, err = c.sequence(s.Body, next, out, inside)
	case "if", "do":
		after, leave := next, out
		if s.Kind == "do" {
			after, leave = n, next
			n.Again = region != 0
		}
		for _, o := range s.Options {
			entry, err := c.sequence(o.Body, after, leave, region)
			if err != nil {
				return nil, err
			}
			entry.First = true
			n.Options = append(n.Options, &Entry{Node: entry, Line: o.Line, Else: o.Body[0].Kind == "else"})
		}
	case "break":
		if out == nil {
			return nil, fail(s.Line, "break outside of a loop")
		}
		n.Next = out
	case "goto":
		c.gotos[n] = s.Name
	case "havoc":
		if region == initial {
			return nil, fail(s.Line, "havoc in the initial block")
		}
	}
	return n, err
}

// link finds where gotos lead: to the label in the same step, or else outside of steps.
func (c *Control) link() error {
	for n, label := range c.gotos {
		to, ok := c.labels[place{n.Region, label}]
		if !ok {
			to, ok = c.labels[place{0, label}]
		}
		if !ok {
			return fail(n.Stmt.Line, "there is no label %s", label)
		}
		n.Next = to
	}
	for _, n := range c.Nodes {
		if n.Next == nil {
			continue
		}
		to, err := landing(n.Next)
		if err != nil {
			return err
		}
		n.Next = to
	}
	for p, n := range c.labels {
		to, err := landing(n)
		if err != nil {
			return err
		}
		c.labels[p] = to
	}
	var err error
	if c.Begin, err = landing(c.Begin); err != nil {
		return err
	}
	c.Entry, err = landing(c.Entry)
	return err
}

// landing is where a process stands that comes to the node: goto and break outside of steps are no steps, but as the first
// statement of an alternative.
func landing(n *Node) (*Node, error) {
	for rounds := 0; n.Region == 0 && (n.Stmt.Kind == "goto" || n.Stmt.Kind == "break") && !n.First; rounds++ {
		if rounds > 1000 {
			return nil, fail(n.Stmt.Line, "gotos that lead to each other")
		}
		n = n.Next
	}
	return n, nil
}

// locate numbers the places where processes may stand: first where they begin, then those that are reached, in the order of the text.
func (c *Control) locate() {
	seen := map[*Node]bool{}
	var stands func(n *Node)
	leads := func(n *Node) {
		for _, to := range c.leads(n) {
			stands(to)
		}
	}
	stands = func(n *Node) {
		if !seen[n] {
			seen[n] = true
			leads(n)
		}
	}
	if c.Entry != c.Begin {
		leads(c.Entry)
	} else {
		stands(c.Begin)
	}
	for n := range seen {
		if n != c.Begin {
			c.Locations = append(c.Locations, n)
		}
	}
	sort.Slice(c.Locations, func(i, j int) bool { return c.Locations[i].Stmt.Place < c.Locations[j].Stmt.Place })
	c.Locations = append([]*Node{c.Begin}, c.Locations...)
}

// leads lists where a step that begins at the node may end, whatever conditions say.
func (c *Control) leads(n *Node) []*Node {
	var out []*Node
	seen := map[*Node]bool{}
	var visit func(n *Node)
	after := func(n, next *Node) {
		if n.Region != 0 && next.Region == n.Region || n.Stmt.Kind == "atomic" {
			visit(next)
		} else {
			out = append(out, next)
		}
	}
	visit = func(n *Node) {
		if seen[n] {
			return
		}
		seen[n] = true
		for _, o := range n.Options {
			visit(o.Node)
		}
		if n.Next != nil && n.Options == nil && n.Stmt.Kind != "end" {
			after(n, n.Next)
		}
	}
	visit(n)
	return out
}

// location is the number of the place where a process stands.
func (c *Control) location(n *Node) int64 {
	for i, l := range c.Locations {
		if l == n {
			return int64(i)
		}
	}
	return -1
}
