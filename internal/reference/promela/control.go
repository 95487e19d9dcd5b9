package promela

// A Node is a place in the body of a process: what happens next there.
type Node struct {
	Stmt    *Stmt
	Options []*Entry // of if and do
	Next    *Node    // after a plain statement
	Region  int      // which atomic block it stands in; 0: none
	Number  int
}

// An Entry is an alternative: where it begins, and the line of its ::.
type Entry struct {
	Node *Node
	Line int
	Else bool // it begins with else
}

// Control is the body of a process as a graph.
type Control struct {
	Entry  *Node
	Loop   *Node // the first loop that is not inside of anything: before it, processes are only set up
	Nodes  []*Node
	Labels map[string]*Node
	gotos  map[*Node]string
	region int
}

// control makes the body a graph.
func (m *Model) control() (*Control, error) {
	c := &Control{Labels: map[string]*Node{}, gotos: map[*Node]string{}}
	end := c.node(&Stmt{Kind: "end"}, 0)
	var err error
	if c.Entry, err = c.sequence(m.Body, end, nil, 0); err != nil {
		return nil, err
	}
	for n, label := range c.gotos {
		n.Next = c.Labels[label]
	}
	for _, s := range m.Body {
		if s.Kind == "do" {
			c.Loop = c.place(s)
			break
		}
	}
	if c.Loop == nil {
		return nil, fail(m.Line, "the process has no loop")
	}
	return c, nil
}

func (c *Control) place(s *Stmt) *Node {
	for _, n := range c.Nodes {
		if n.Stmt == s {
			return n
		}
	}
	return nil
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
			c.Labels[l] = n
		}
		next = n
	}
	return next, nil
}

func (c *Control) stmt(s *Stmt, next, out *Node, region int) (*Node, error) {
	switch s.Kind {
	case "atomic":
		if region == 0 {
			c.region++
			region = c.region
		}
		return c.sequence(s.Body, next, out, region)
	case "if", "do":
		n := c.node(s, region)
		after, leave := next, out
		if s.Kind == "do" {
			after, leave = n, next
		}
		for _, o := range s.Options {
			entry, err := c.sequence(o.Body, after, leave, region)
			if err != nil {
				return nil, err
			}
			n.Options = append(n.Options, &Entry{Node: entry, Line: o.Line, Else: o.Body[0].Kind == "else"})
		}
		return n, nil
	case "break":
		if out == nil {
			return nil, fail(s.Line, "break outside of a loop")
		}
		n := c.node(s, region)
		n.Next = out
		return n, nil
	case "goto":
		n := c.node(s, region)
		c.gotos[n] = s.Name
		return n, nil
	}
	n := c.node(s, region)
	n.Next = next
	return n, nil
}
