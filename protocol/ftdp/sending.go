package ftdp

// With puts an expression in the place of a variable.
func (e *Expr) With(name string, value *Expr) *Expr { return e.Putting(map[string]*Expr{name: value}) }
