package traces

import (
	"slices"
	"testing"

	"github.com/tacheck/tacheck/testkit/need"
)

// mistakes are what the reference is made to do wrong, each with a case that shows it.
var mistakes = []struct {
	mistake string
	known   int64
	of      func(uint64) (*Case, error) // nil for Generate
}{
	{mistakeSilent, 2, nil},
	{mistakeStops, 2, nil},
	{mistakeCases, 4, nil},
	{mistakeRoom, 21, nil},
	{mistakeStart, 33, nil},
	{mistakeUse, 34, nil},
	{mistakeFirst, 48, nil},
	{mistakeSame, 296, nil},
	{mistakeBetween, 329, nil},
	{mistakeLosses, 435, nil},
	{mistakeShown, 1066, nil},
	{mistakeQueue, 1187, nil},
	{mistakeClocks, 1189, nil},
	{mistakeThen, 1815, nil},
	{mistakeLast, 3973, nil},
	{mistakeBehind, 4958, nil},
	{mistakeBefore, 113, Intervals},
	{mistakePending, 28, Intervals},
	{mistakeAnywhere, 2, Middle},
}

// TestMistakes: random cases are such that each deliberate mistake leads to another answer.
func TestMistakes(t *testing.T) {
	for _, m := range mistakes {
		t.Run(m.mistake, func(t *testing.T) {
			for seed := range need.First(m.known, 4000) {
				if m.of == nil {
					m.of = Generate
				}
				c, right := answered(t, uint64(seed), m.of)
				if right == nil {
					continue
				}
				mistake = m.mistake
				wrong := again(t, c)
				mistake = ""
				if wrong == nil || wrong.Skipped == "" && !right.same(wrong) {
					if seed != m.known {
						t.Logf("case %d shows it, case %d does not", seed, m.known)
					}
					return
				}
			}
			t.Error("no case shows it")
		})
	}
}

// answered makes a case and answers it, if there is an answer.
func answered(t *testing.T, seed uint64, generate func(uint64) (*Case, error)) (*Case, *Answer) {
	c, err := generate(seed)
	if err != nil {
		t.Fatalf("case %d: %v", seed, err)
	}
	if c == nil {
		return nil, nil
	}
	a := again(t, c)
	if a == nil || a.Skipped != "" {
		return nil, nil
	}
	return c, a
}

// again answers a case. It says nil where the case is refused.
func again(t *testing.T, c *Case) *Answer {
	q, err := c.Question()
	if err != nil {
		t.Fatalf("case %d: %v", c.Seed, err)
	}
	a, err := q.Answer()
	if err != nil {
		return nil
	}
	return a
}

// same tells whether two answers say the same.
func (a *Answer) same(b *Answer) bool {
	return a.Explained == b.Explained && (!a.Single || a.Events == b.Events) && slices.Equal(a.Masks, b.Masks)
}

// TestKept: what is received in a step that the log does not show may stay where channels duplicate. Random logs seldom
// depend on it.
func TestKept(t *testing.T) {
	c := &Case{
		Protocol: `protocol kept;
channels asynchronous reliable authenticated unordered bounded 1 duplicating;
message A(v: 0..1);
type nodeID: role[2];
var node: array[nodeID] of record
  x: 0..2 = 0;
end;
rules
  [](i: nodeID) tell: send A(1) to others;
  []
  [](i: nodeID) hear: receive A from j: nodeID
    if node[i].x < 2 then
      node[i].x := node[i].x + 1;
    endif
`,
		Reading: `silent hear;
when $e = "tell": tell(i = $at);
when $e = "see": see(i: nodeID = $at) node[i].x = $x;
`,
		Logs: [][]string{{`{"e": "tell", "at": "a"}`, `{"e": "see", "at": "b", "x": 2}`}},
	}
	if a := again(t, c); !a.Explained {
		t.Error("what stays in its channel is not received again")
	}
	mistake = mistakeKept
	defer func() { mistake = "" }()
	if a := again(t, c); a.Explained {
		t.Errorf("nobody notices that %s", mistakeKept)
	}
	said, err := Ask(program, must(c.Write(t.TempDir())))
	if err != nil || said.Verdict != "explained" {
		t.Errorf("the program says %v: %v", said, err)
	}
}

func must(args []string, err error) []string {
	if err != nil {
		panic(err)
	}
	return args
}
