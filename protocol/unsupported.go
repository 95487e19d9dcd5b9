package protocol

import (
	"fmt"

	"github.com/tacheck/tacheck/internal/diag"
)

// Unsupported is a construct that an encoding for solvers cannot say: of an instance, or for every size.
type Unsupported struct {
	Pos   diag.Pos
	Width int
	Msg   string
}

// Error says what it is and where.
func (u *Unsupported) Error() string { return fmt.Sprintf("%s: %s", u.Pos, u.Msg) }

// Problem returns it as a diag.List.
func (u *Unsupported) Problem() error {
	var list diag.List
	list.Add(u.Pos, max(1, u.Width), "%s", u.Msg)
	return list.Err()
}
