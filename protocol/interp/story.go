package interp

import (
	"fmt"
	"strings"

	"github.com/tacheck/tacheck/protocol"
)

// List joins what stands in a list: 1, 2 and 3.
func List(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " and " + list[len(list)-1]
}

// Names joins the names of processes: acceptor 1, 2 and leader.
func Names(m *protocol.Model, processes []int) string {
	var list []string
	last := -1
	for _, p := range processes {
		name := ProcessName(m, p)
		role, number := m.RoleOf(p)
		if role == last && m.Roles[role].Size > 1 {
			name = fmt.Sprint(number)
		}
		list, last = append(list, name), role
	}
	return List(list)
}
