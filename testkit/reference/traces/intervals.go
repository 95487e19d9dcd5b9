package traces

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"time"
)

// interval is when an event was: at some moment from one time to another one, which belong to it. Without an end it was
// at any time, or never.
type interval struct {
	from, to *big.Rat // nil: since ever, or for ever
}

var errTime = errors.New("this is no time")

// during reads the interval of an event.
func (r *Reading) during(data any) (i interval, err error) {
	if i.from, err = r.From.time(data); err != nil {
		return i, err
	}
	if i.to, err = r.To.time(data); err != nil {
		return i, err
	}
	if i.from != nil && i.to != nil && i.from.Cmp(i.to) > 0 {
		return i, errTime
	}
	return i, nil
}

func (v *value) time(data any) (*big.Rat, error) {
	x, err := v.path.of(data)
	if errors.Is(err, errMissing) && v.path.optional || err == nil && x == nil {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if n, is := x.(json.Number); is {
		if t, ok := new(big.Rat).SetString(n.String()); ok {
			return t.Add(t, big.NewRat(int64(v.plus), 1)), nil
		}
		return nil, errTime
	}
	text, _ := x.(string)
	t, err := time.Parse(time.RFC3339Nano, text)
	return big.NewRat(t.UnixNano(), 1), err
}

// before tells whether an event was over before another one began.
func (e *event) before(f *event) bool {
	return e.during.to != nil && f.during.from != nil && e.during.to.Cmp(f.during.from) < 0
}

// pending tells whether it may be that an event was never.
func (e *event) pending(r *Reading) bool { return r.To != nil && e.during.to == nil }

// Intervals is a case with one clock whose events have intervals in its place, about where they were; in the order of its
// lines they are not. It says nil where there is no case.
func Intervals(seed uint64) (*Case, error) {
	c, err := Generate(seed)
	if c == nil || err != nil || !c.Features["one clock"] || c.Features["a line is damaged"] {
		return nil, err
	}
	r := rand.New(rand.NewPCG(seed, 77))
	lines := c.Logs[0]
	by := r.IntN(4) == 0
	kind := r.IntN(4)
	spread := 1 + r.IntN(35)
	var whole []map[string]any
	for i, line := range lines {
		var e map[string]any
		d := json.NewDecoder(strings.NewReader(line))
		d.UseNumber()
		if err := d.Decode(&e); err != nil {
			return nil, err
		}
		whole = append(whole, e)
		inner := e
		if strings.Contains(c.Reading, "events $d;") {
			inner, _ = e["d"].(map[string]any)
		}
		if inner == nil {
			continue
		}
		at := 10 * i
		if c.Mutated && r.IntN(6) == 0 {
			at += r.IntN(100) - 50
		}
		inner["on"] = fmt.Sprint("thread", r.IntN(3))
		inner["from"], inner["to"] = moment(kind, at-r.IntN(spread)), moment(kind, at+r.IntN(spread))
		if kind == 3 { // one time, of clocks that differ
			inner["from"] = moment(0, at+r.IntN(5)-2)
		}
		switch r.IntN(12) {
		case 0:
			delete(inner, "to")
		case 1:
			inner["to"] = nil
		case 2:
			delete(inner, "from")
		}
	}
	statement := "clock from $from? to $to?;\n"
	if kind == 3 {
		statement = fmt.Sprintf("clock from $from? - %d to $from? + %d;\n", spread, spread)
	}
	if by {
		statement = strings.Replace(statement, "clock", "clock by $on", 1)
	} else {
		r.Shuffle(len(whole), func(i, k int) { whole[i], whole[k] = whole[k], whole[i] })
	}
	c.Reading = statement + c.Reading
	logs := make([][]string, 1+r.IntN(2))
	for _, e := range whole {
		text, err := json.Marshal(e)
		if err != nil {
			return nil, err
		}
		k := r.IntN(len(logs))
		logs[k] = append(logs[k], string(text))
	}
	c.Logs = nil
	for _, list := range logs {
		if list != nil {
			c.Logs = append(c.Logs, list)
		}
	}
	return c, nil
}

// Middle is a case of which the log begins in the middle of a run. It says nil where there is no case.
func Middle(seed uint64) (*Case, error) {
	c, err := Generate(seed)
	if c == nil || err != nil || c.Features["a line is damaged"] || len(c.Logs[0]) < 2 {
		return nil, err
	}
	r := rand.New(rand.NewPCG(seed, 78))
	for i, lines := range c.Logs {
		if c.Logs[i] = lines[r.IntN(len(lines)):]; c.Features["vector clocks"] {
			c.Logs[i] = lines
		}
	}
	c.Reading = "begins anywhere;\n" + c.Reading
	return c, nil
}

// moment writes a time: a whole number, a fraction, or a text.
func moment(kind, at int) any {
	switch kind {
	case 1:
		return json.Number(fmt.Sprintf("%d.5", at+1000))
	case 2:
		return time.Unix(1_700_000_000, int64(at)*1000).UTC().Format(time.RFC3339Nano)
	}
	return at
}
