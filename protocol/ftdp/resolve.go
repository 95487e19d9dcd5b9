package ftdp

// Updated is the value that a variable gets.
func (a *Assign) Updated() *Expr {
	op := Plus
	switch a.Op {
	case ":=":
		return a.Value
	case "-=":
		op = Sub
	}
	return &Expr{Op: op, Pos: a.Value.Pos, Width: a.Value.Width, Args: []*Expr{&a.Place.Expr, a.Value}}
}
