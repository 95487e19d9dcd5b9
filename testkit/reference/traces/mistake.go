package traces

// mistake is a deliberate one, about what a log means. Tests make each, and hold the reference against itself.
var mistake string

const (
	mistakeLosses   = "losses that the log does not show are forgotten"
	mistakeStops    = "that a sender had stopped is forgotten where the log does not show it"
	mistakeKept     = "what is received in a step that the log does not show leaves its channel"
	mistakeSilent   = "silent rules do not happen"
	mistakeThen     = "something may happen between the parts of an event"
	mistakeClocks   = "vector clocks are not looked at"
	mistakeLast     = "what was sent before the last step may be shown"
	mistakeShown    = "what was sent may be shown again and again"
	mistakeBehind   = "of a queue the first message alone is on its way"
	mistakeQueue    = "messages behind others in a queue are received"
	mistakeUse      = "each message is of use"
	mistakeSame     = "two names may be one process"
	mistakeFirst    = "names have numbers in the order in which they appear"
	mistakeRoom     = "channels have room for whatever is sent"
	mistakeStart    = "all runs begin in the first of the initial states"
	mistakeCases    = "an event of several cases is the first of them"
	mistakeBefore   = "what was over before may be after"
	mistakeAnywhere = "all logs begin with the run"
	mistakePending  = "what has no end has happened"
	mistakeBetween  = "invariants are not asked between events"
)
