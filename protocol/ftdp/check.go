package ftdp

// Statements drops separators.
func Statements(list []*Statement) []*Statement {
	var out []*Statement
	for _, s := range list {
		if s.Sep == "" {
			out = append(out, s)
		}
	}
	return out
}
