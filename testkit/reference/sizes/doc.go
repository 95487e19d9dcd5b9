// Package sizes is a reference for pseudo-code of protocols for all sizes, written from
// docs/sizes.md alone. It shares no code with the program.
//
// It reads a text (lex.go, parse.go, expression.go, resolve.go), writes out rules and definitions with parameters (parameters.go), makes an instance of it for given
// parameters (instance.go), in which each process has its variables and knows how many messages
// of each kind and value it has heard (world.go, moves.go), and visits all states of the instance.
// Invariants are looked up in the states that were visited; formulas are decided by a search for
// a loop that is fair and violates them (formula.go, search.go, loop.go).
//
// Messages of a kind and values differ in nothing but who sent them, and guards only count, so a
// process is described by how many it has heard from each type of processes, and not by whom. Only where guards ask for
// heard(K or crashed), the messages of each process are counted apart. Messages that are sure to
// arrive and those that are not are counted apart.
//
// Random texts (generate.go, generate_types.go, generate_expression.go, generate_property.go, generate_parameters.go, typical.go, typical_types.go,
// typical_parameters.go, rename.go) are given to the program (program.go),
// which verifies, explores, translates and replays them; what it says is compared with the reference (compare.go,
// compare_explore.go, compare_states.go, compare_translate.go, resilience.go). Runs that it shows are followed (replay.go), and the states that it counts are counted
// once more, with processes that have names (states.go, states_steps.go). What is known already is counted apart (known.go). What the texts use is counted, alone and in pairs
// (features.go, features_parameters.go, coverage.go).
//
// What is a disagreement, and what is only noted: verify may say unknown, or refuse a text, and a
// counterexample need not be the smallest one.
package sizes
