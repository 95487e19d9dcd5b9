//go:build cgo

package z3

// #cgo LDFLAGS: -lz3
// #include <z3.h>
import "C"

import "fmt"

// Version returns the version of the library, such as "4.8.12".
func Version() string {
	var major, minor, build, revision C.uint
	C.Z3_get_version(&major, &minor, &build, &revision)
	return fmt.Sprintf("%d.%d.%d", major, minor, build)
}
