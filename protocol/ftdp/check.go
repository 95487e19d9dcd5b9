package ftdp

import "github.com/tacheck/tacheck/internal/lists"

// Statements drops separators.
func Statements(list []*Statement) []*Statement {
	return lists.Keep(list, func(s *Statement) bool { return s.Sep == "" })
}
