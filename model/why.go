package model

import (
	"fmt"
	"runtime/debug"

	"tacheck/run"
)

// Why says what goes wrong in a run, for those who write it beside a verdict, all at once: a mistake of this program in
// the reasons is an error, so that the verdict is written.
func Why(x Counterexample) (out run.Explanation, err error) {
	defer func() {
		if r := recover(); r != nil {
			out, err = nil, fmt.Errorf("what goes wrong cannot be told, by a mistake of this program: %v\n%s", r,
				debug.Stack())
		}
	}()
	return x.Why()
}
