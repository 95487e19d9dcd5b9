package diag

// Caught is deferred where what is called may give up by a panic with an E: then gets that. Other panics go on.
func Caught[E any](then func(E)) {
	switch r := recover().(type) {
	case nil:
	case E:
		then(r)
	default:
		panic(r)
	}
}
