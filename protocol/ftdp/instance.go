package ftdp

// Mentions reports whether a name is in an expression.
func (e *Expr) Mentions(name string) bool {
	return e.Any(func(e *Expr) bool { return (e.Op == Name || e.Op == Field) && e.Name == name })
}
