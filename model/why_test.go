package model

import (
	"strings"
	"testing"

	"tacheck/run"
)

type untold struct{ Counterexample }

func (untold) Why() (run.Explanation, error) { panic("no reasons") }

func TestWhy(t *testing.T) {
	if out, err := Why(untold{}); out != nil || err == nil || !strings.Contains(err.Error(), "no reasons") {
		t.Errorf("%v, %v", out, err)
	}
}
