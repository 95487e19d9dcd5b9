package protocol

// mistake names a mistake that the reference makes on purpose. Tests set it to see whether comparisons notice.
var mistake string

// The mistakes.
const (
	mistakeLoss     = "messages are not lost"
	mistakeBound    = "channels hold one message more"
	mistakeOrder    = "queues have no order"
	mistakeFair     = "fairness asks for nothing"
	mistakeStop     = "nobody stops"
	mistakeAbsent   = "Byzantine processes send every message"
	mistakeAtLeast  = "quorums are exact"
	mistakeIdle     = "nothing idles while something can happen"
	mistakeOrbits   = "states that differ by a permutation count"
	mistakeStrategy = "all Byzantine processes send anything"
	mistakeRounding = "quotients are rounded towards 0"
)

// Mistakes about single constructs.
const (
	mistakeFirst        = "variables have no first values"
	mistakeFirstElement = "the first value of an array is that of one element"
	mistakeSeqOrbits    = "processes in sequences are not interchanged"
	mistakeSetOrbits    = "processes in sets are not interchanged"
	mistakeDefault      = "the default is taken always"
	mistakeLet          = "what a name stands for is evaluated where it is used"
	mistakeRecord       = "fields that are left out have the least value"
	mistakeIn           = "the last element is not in a sequence"
	mistakeElement      = "elements of sequences count from 0"
	mistakeLast         = "the last element is the first"
	mistakeSlice        = "slices end before their last element"
	mistakeSize         = "sets have all elements that they may have"
	mistakeSubset       = "subsets are those that are none"
	mistakeUnion        = "union, intersection and difference do nothing"
	mistakeChange       = "-= adds"
	mistakeOthers       = "all are all others, and others are all"
	mistakeToSet        = "what is sent to a set is sent to all"
	mistakeRestart      = "processes that restart forget nothing"
	mistakeStable       = "processes that restart forget what is stable"
	mistakeRestartFair  = "processes have to restart"
	mistakeKinds        = "Byzantine processes send all fields"
	mistakeMaybe        = "somebody makes what may be happen"
	mistakeHead         = "messages of all kinds are received"
	mistakeNames        = "names of fields are in reverse order"
	mistakeDuplicates   = "messages are received once"
	mistakeSequence     = "messages are sent in reverse order"
	mistakeGlobals      = "global variables are not interchanged"
	mistakeRoom         = "a rule that reliable channels have no room for sends what there is room for"
	mistakeEager        = "names before a guard are evaluated before it"
	mistakeBoxes        = "[] and <> are the other way round"
	mistakeNested       = "forall (i, j: T) is forall (i: T)"
	mistakeAppend       = "append to a full sequence does nothing"
	mistakeTwice        = "a process is sent one message in a step"
)
