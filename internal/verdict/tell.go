package verdict

import (
	"fmt"
	"runtime/debug"
)

// Tell calls what tells why a verdict is so: a story, reasons, a picture. A mistake of this program there is an error,
// so that the verdict is told, whatever else is not.
func Tell[T any](tell func() (T, error)) (out T, err error) {
	defer func() {
		if r := recover(); r != nil {
			var none T
			out, err = none, fmt.Errorf("this cannot be told, by a mistake of this program, please report: %v\n%s",
				r, debug.Stack())
		}
	}()
	return tell()
}
