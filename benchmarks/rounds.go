package benchmarks

import (
	_ "embed"
)

//go:embed rounds/expected.json
var expectedRounds []byte

// Rounds lists the embedded algorithms that go round after round, such as "rounds/mmr.ftdp".
func Rounds() []string { return glob("rounds/*.ftdp") }

// ExpectedRounds lists what is expected of all algorithms with rounds.
func ExpectedRounds() []Animal { return embedded[[]Animal]("rounds/expected.json", expectedRounds) }

// RoundVariants lists what is expected of the algorithms with rounds, as they are, and with mistakes.
func RoundVariants() ([]Variant, error) { return variantsIn("rounds", ExpectedRounds()) }
