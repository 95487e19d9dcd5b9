// Package explore has the engines that visit states, and knows nothing of what is explored. A Space has states that are
// vectors of small numbers, which are kept in a Store and visited level by level (Reach), kept as fingerprints only
// (Bounds.Compact), or visited by many different incomplete searches (Swarm). A System has numbered
// states; Search finds a run that satisfies a temporal formula, under weak fairness if it is Fair.
//
// Their users are alike: automata with fixed parameters (explore/automata), Promela
// processes (promela), protocols (protocol/machine).
//
// A run is followed together with what the formula still asks of it (a tableau): a set of subformulas that must hold
// from the current state on. F f is either met now, by f, or put off; G f asks for f now and for G f again. A run
// satisfies the formula if it ends with nothing asked of it any more, or if it is a lasso whose loop takes a step and
// puts no F f off for ever.
package explore

import "errors"

// ErrTooLarge says that there are more states than the limit allows.
var ErrTooLarge = errors.New("too large")

// DefaultStates is how many states are visited where no limit is given.
const DefaultStates = 1_000_000
