//go:build cgo

package z3

import (
	"testing"

	"tacheck/smt/smttest"
)

func TestConformance(t *testing.T) { smttest.Conformance(t, New) }
