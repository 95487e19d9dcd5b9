package rounds

import (
	"math/rand/v2"
	"testing"

	"github.com/tacheck/tacheck/testkit/need"
)

// TestNoticed: random texts show each mistake of the reference: with it, something that holds is violated.
func TestNoticed(t *testing.T) {
	for _, mistake := range Mistakes {
		found := int64(-1)
		for seed := range need.First(firstShown[mistake], 1500) {
			if shows(t, uint64(seed), mistake) {
				found = seed
				break
			}
		}
		t.Logf("%s: text %d", mistake, found)
		if found < 0 {
			t.Errorf("no text shows: %s", mistake)
		}
	}
}

// firstShown are texts that are known to show mistakes.
var firstShown = map[string]int64{
	roundsMixed: 57, keptForgotten: 0, staysForgotten: 695, alwaysForgotten: 120, coinsOwn: 86, crashesAnew: 44, alwaysFirst: 73,
	anybodyLeads: 78, notAwaited: 7, endedBySome: 7, alwaysLate: 73,
	goOnAsFirst: 50, guardsOnly: 50, coinsMerged: 50,
}

// shows tells whether something holds in a small instance of a random text, and is violated with a mistake.
func shows(t *testing.T, seed uint64, mistake string) bool {
	text, err := Parse(Generate(seed))
	if err != nil {
		t.Fatal(err)
	}
	c := Case{Text: text, Limits: Limits{Instances: 2}, random: rand.New(rand.NewPCG(seed, 1))}
	for _, parameters := range c.sizes(3) {
		for i, p := range text.Properties {
			verdicts := map[string]Verdict{}
			for _, made := range []string{mistake, ""} {
				if p.Class != "" {
					if strategy, complete := NewInstance(text, parameters, 1, p.Class, made).Adversary(p, 1000); strategy != "" {
						verdicts[made] = Violated
					} else if complete {
						verdicts[made] = Holds
					}
				} else {
					verdicts[made] = NewInstance(text, parameters, 2, "", made).Safety(1000, 0, c.random)[i]
				}
				if verdicts[mistake] != Violated {
					break
				}
			}
			if verdicts[mistake] == Violated && verdicts[""] == Holds {
				return true
			}
		}
	}
	return false
}
