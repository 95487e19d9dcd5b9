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
