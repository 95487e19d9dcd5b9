//go:build cgo

package z3

// #cgo LDFLAGS: -lz3
// #include <stdlib.h>
// #include <z3.h>
//
// static Z3_error_code leave_signals_alone(Z3_context c, Z3_solver s) {
//	Z3_params p = Z3_mk_params(c);
//	Z3_params_inc_ref(c, p);
//	Z3_params_set_bool(c, p, Z3_mk_string_symbol(c, "ctrl_c"), 0);
//	Z3_solver_set_params(c, s, p);
//	Z3_params_dec_ref(c, p);
//	return Z3_get_error_code(c);
// }
import "C"

import (
	"errors"
	"reflect"
	"unsafe"

	"github.com/aclements/go-z3/z3"
)

// leaveSignalsAlone keeps Z3 from handling SIGINT while it checks. By default
// it replaces the process's handler for that time, by one that interrupts the
// check that began last, and puts back what it has found: with several checks at
// once that may be the handler of one that has ended; Go's own runtime does not
// hear of a Ctrl-C, and falls over if the handler runs on a stack of its own.
//
// go-z3 has no call for a solver's parameters, so what it wraps is taken out of
// its structures.
func leaveSignalsAlone(ctx *z3.Context, s *z3.Solver) error {
	c, solver := wrapped(ctx, "contextImpl"), wrapped(s, "solverImpl")
	if c == nil || solver == nil {
		return errors.New("z3: this version of go-z3 keeps its pointers elsewhere")
	}
	if code := C.leave_signals_alone(C.Z3_context(c), C.Z3_solver(solver)); code != C.Z3_OK {
		return errors.New("z3: the solver takes no parameters")
	}
	return nil
}

// wrapped returns the pointer c in a structure that x, a pointer, embeds.
func wrapped(x any, embedded string) unsafe.Pointer {
	v := reflect.ValueOf(x).Elem().FieldByName(embedded)
	if v.Kind() != reflect.Pointer || v.IsNil() {
		return nil
	}
	if v = v.Elem().FieldByName("c"); v.Kind() != reflect.Pointer {
		return nil
	}
	return v.UnsafePointer()
}
