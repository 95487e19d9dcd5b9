package random

import (
	"math/rand/v2"
	"regexp"
	"strings"
)

// counted is a comparison of what was heard, as Source writes it.
var counted = regexp.MustCompile(`heard\(([AB])(?:\([01]\))?\) >= (?:2 \* t \+ 1|t \+ 1|n - [tf]|[12])\b`)

// Timely is Source with exchanges of messages that are synchronous: some conditions on what was heard become arrived(K).
func Timely(r *rand.Rand) string {
	text := Source(r)
	for strings.Contains(text, "symmetric") {
		text = Source(r)
	}
	return counted.ReplaceAllStringFunc(text, func(c string) string {
		if r.IntN(100) < 50 {
			return c
		}
		also := ""
		if r.IntN(2) == 0 {
			also = " and " + c
		}
		return "(arrived(" + counted.FindStringSubmatch(c)[1] + ")" + also + ")"
	})
}
