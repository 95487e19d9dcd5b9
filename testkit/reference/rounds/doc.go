// Package rounds is a reference for pseudo-code of protocols that go round after round, and toss coins, written from
// docs/rounds.md and docs/sizes.md alone. It shares no code with the program.
//
// It reads a text (lex.go, parse.go, expression.go, resolve.go) and makes instances of it (instance.go), in which each process
// has a round, kept variables, and for each round variables of that round and how much it has heard (world.go). Rules are
// executed as they stand (execute.go, evaluate.go); what can happen next is in moves.go.
//
// What never happens is decided by visiting all states of so many rounds, in all orders of steps (safety.go, formula.go). What
// happens with probability one is decided on Markov decision processes (decision.go, components.go): an adversary chooses
// steps, coins are exact, and states repeat when all processes have left a round, which is then forgotten. A violation is an
// end component without a state in which all have come to the goal, in which what is fair can be done.
//
// Coordinators take turns (turns.go, leading.go); with them, processes have numbers as far as it matters. What happens if rounds
// are good at last is decided on the same graphs (good.go).
//
// Random texts (generate.go and others of that name), with all pairs of features (pairs.go), are given to the program (program.go);
// what it says is compared with the reference (compare.go), and runs that it shows are executed again, with processes that
// have names (replay.go).
//
// Messages of a kind and values differ in nothing but who sent them, and guards only count: a process is described by how
// many it has heard. What arrives matters only when a rule asks for it, so a process receives, in one step with a rule,
// of the kinds that the rule asks for. For adversaries the reference looks at some only: so it may miss a violation, but what it
// finds is one.
package rounds
