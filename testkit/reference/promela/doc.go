// Package promela is a reference for parametric Promela: a second reading of the language, written from its
// documentation and from what Spin does, to be held against the program.
//
// It is slow and plain on purpose. A text goes through a preprocessor (preprocess.go), a lexer and a parser of its
// own; the body of the process becomes a graph of control nodes (control.go); an instance has explicit processes that
// are told apart (instance.go), and every state is visited (graph.go). A run that cannot go on repeats its last state for
// ever. Formulas are read as Spin 6.5.2 reads them (expressions.go) and decided by a tableau over the whole graph
// (tableau.go); what a single run says of a formula is decided once more, by itself (lasso.go).
//
// The rest is for campaigns: random texts (generate*.go), the program as a process (program.go), what has to agree
// (compare.go), real Spin as a third opinion (spin.go), and which features and pairs of features occurred (coverage.go).
package promela
