package pml

import (
	"github.com/tacheck/tacheck/internal/diag"
)

// Constant is a name that #define gives to a number.
type Constant struct {
	Name  string
	Value int64
	Pos   diag.Pos
}
