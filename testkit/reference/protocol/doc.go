// Package protocol is a reference for protocols with identities: it reads the
// documented language, visits every state of an instance with no reduction
// whatsoever, and decides invariants and temporal formulas in the most obvious
// way. It was written from the documentation alone and shares nothing with the
// explorer, so that the two can be held against each other: a generator writes
// random texts, and a campaign compares what both say of them.
//
// It is slow on purpose. A state is kept as it is read in the documentation, and
// recognised by a string of its contents; a step executes the text.
package protocol
