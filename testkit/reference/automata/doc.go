// Package automata is a reference for threshold automata: a parser of the documented language, an
// explorer of instances that leaves nothing out, and a generator of random texts, written from the
// documentation (docs/format.md, docs/fairness.md and others) and from nothing else.
//
// It shares no code with the program, and it is slow on purpose: a configuration is a list of numbers,
// a set of configurations is a map of strings, a formula is decided by following runs together with
// what the formula still asks of them (tableau.go), and fairness by following processes that have
// names (identities.go). The tests generate texts, ask the program, and compare.
package automata
