// Package verdict is the answer to a question about a model, from any source: a
// search, an exploration, a proof, a worker of a cluster.
package verdict

// Verdict is an answer; its values are what is printed.
type Verdict string

// The verdicts.
const (
	Holds    Verdict = "holds"
	Violated Verdict = "violated" // by a counterexample, which has been replayed, or was not put together in time
	Unknown  Verdict = "unknown"  // for a reason that is told
)

// rank orders verdicts by how much they weigh.
var rank = map[Verdict]int{Holds: 0, Unknown: 1, Violated: 2}

// Worst is the verdict on several questions together: violated if one of them is, else
// unknown if one of them is, else holds, also of none.
func Worst(list ...Verdict) Verdict {
	worst := Holds
	for _, v := range list {
		if rank[v] > rank[worst] {
			worst = v
		}
	}
	return worst
}

// Tally counts verdicts.
type Tally struct{ Holds, Violated, Unknown int }

// Add counts one more.
func (t *Tally) Add(v Verdict) {
	switch v {
	case Holds:
		t.Holds++
	case Violated:
		t.Violated++
	default:
		t.Unknown++
	}
}
