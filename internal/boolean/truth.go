package boolean

// Truth is the value of a condition where some of what it speaks of has no value.
type Truth int8

// The values; that of a negation has the other sign.
const (
	No    Truth = -1
	Maybe Truth = 0
	Yes   Truth = 1
)
