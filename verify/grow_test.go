package verify
import ("testing";"math/rand";"fmt";"tacheck/internal/random")
func TestGrowing(t *testing.T) {
	cases, seed := env(t, "TACHECK_GROW", 300), env(t, "TACHECK_SEED", 1)
	var count tally
	inParallel(t, cases, func(i int) (string, tally) {
		text := random.Growing(rand.New(rand.NewSource(int64(seed + i))))
		how := comparing{second: i%5 == 0}
		what, n := how.all(text)
		if what != "" { what = fmt.Sprintf("seed %d: %s", seed+i, how.report(t, fmt.Sprintf("growing-%d", seed+i), text, what)) }
		return what, n
	}, &count)
	t.Logf("%+v", count)
}
