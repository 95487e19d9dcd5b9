package ftdp

import (
	"errors"
	"sync"

	"github.com/alecthomas/participle/v2"
)

type exprText struct {
	Expr *Expr `parser:"@@"`
}

type typeText struct {
	Type *TypeExpr `parser:"@@"`
}

var (
	ExprOnly = sync.OnceValue(func() *participle.Parser[exprText] { return Build[exprText](3) })
	TypeOnly = sync.OnceValue(func() *participle.Parser[typeText] { return Build[typeText](3) })
)

func AsProblem(err error) error {
	var p participle.Error
	if errors.As(err, &p) {
		return Problem(At(p.Position()), 1, "%s", p.Message())
	}
	return err
}
