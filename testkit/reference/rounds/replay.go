package rounds

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A player executes a run that the program shows. What the page does not say of it (who is faulty, who begins with what, what a
// coin says) may be anything: the player keeps all states that it may be in.
type player struct {
	in    *Instance
	last  int // round
	casts []*cast
}

// replay executes a run, and looks whether it violates the property.
func (c *Case) replay(p Property, r result) {
	if r.Witness == nil {
		c.disagree("replay", "%s is violated, and no run is shown", p.Name)
		return
	}
	rest, stays := violation(p), p.Class != ""
	switch {
	case stays:
		rest = yes
	case rest == nil:
		c.note("replay: not a finite run")
		return
	}
	constants := r.Witness.Values
	var parameters []int
	for _, name := range c.Text.Parameters {
		parameters = append(parameters, constants[name])
	}
	last := max(constants["unrolled_rounds"], constants["rounds"], 1)
	in := NewInstance(c.Text, parameters, 1, "", "")
	if in == nil {
		c.disagree("replay", "%s: not admissible: %v", p.Name, constants)
		return
	}
	if in.size > 5 {
		c.note("replay: too many processes")
		return
	}
	coins := map[int]int{}
	for name, value := range constants {
		if round, err := strconv.Atoi(strings.TrimPrefix(name, "common_coin")); err == nil && strings.HasPrefix(name, "common_coin") {
			coins[round] = value
		}
	}
	play := player{in: in, last: last, casts: casts(in, coins, rest)}
	play.look()
	for i, s := range r.Witness.Steps {
		if err := play.step(s); err != nil {
			c.disagree("replay", "%s: step %d, %s: %v", p.Name, i+1, s.Text, err)
			return
		}
	}
	if !slices.ContainsFunc(play.casts, func(c *cast) bool { return c.rest == yes && (!stays || play.stuck(c, p.Formula.Args[0])) }) {
		c.disagree("replay", "%s: the run does not violate it", p.Name)
		return
	}
	c.note("replayed: %d rounds%s", last, map[bool]string{true: ", and stuck"}[stays])
}

// stuck tells whether a state is one in which a run may stay for ever, though it is fair, with a process that has neither ended
// the rounds nor come to the goal.
func (p *player) stuck(c *cast, goal *Expr) bool {
	inside := c.clone()
	for q, round := range c.round {
		inside.crashed[q] = c.crashed[q] || round > p.last
	}
	if inside.state(p.in).holds(goal) {
		return false
	}
	for q, round := range c.round {
		if !c.counts(q) {
			continue
		}
		for l, n := range c.sent {
			sure := !n.partly && (!c.faulty[l.from] || p.in.Text.Faults == "symmetric")
			if sure && !c.received[receipt{q, l, n.number}] {
				return false
			}
		}
		for i := range p.in.Text.Rules {
			r := &p.in.Text.Rules[i]
			for at := 1; at <= min(round, p.last) && !r.Maybe; at++ {
				for _, d := range p.take(c, q, at, r.Label) {
					if d.key() != c.key() && !d.crashed[q] {
						return false
					}
				}
			}
		}
	}
	return true
}

// look notes what has happened, and forgets states that are there twice.
func (p *player) look() {
	met := map[string]bool{}
	var next []*cast
	for _, c := range p.casts {
		c.rest = c.rest.after(c.state(p.in))
		if key := c.key(); c.rest != no && !met[key] {
			met[key] = true
			next = append(next, c)
		}
	}
	p.casts = next
}

var (
	named  = regexp.MustCompile(`^(\w+?)_r(\d+)(|_\w+)$`)
	number = regexp.MustCompile(`\d+$`)
	whose  = regexp.MustCompile(`^\w+( \d+)?`)
)

// who is the process of a name: those that coordinate rounds are called coordinator1, coordinator2 and so on, and have these
// numbers; others come behind them.
func (p *player) who(name string) int {
	place := 0
	if n := number.FindString(name); n != "" {
		place = atoi(n) - 1
	}
	switch coordinators := min(p.last, p.in.size); {
	case !p.in.Text.turns:
	case strings.HasPrefix(name, "coordinator"):
		place %= p.in.size
	default:
		place += coordinators
	}
	return min(place, p.in.size-1)
}

// step executes a step of the run in all states.
func (p *player) step(s runStep) error {
	if strings.HasSuffix(s.Text, " does nothing") {
		return nil
	}
	who, ok := s.With["i_"].(float64)
	if !ok {
		return fmt.Errorf("it does not say whose step it is")
	}
	if p.in.Text.turns {
		who = float64(p.who(whose.FindString(s.Text)) + 1)
	}
	match := named.FindStringSubmatch(s.Rule)
	var next []*cast
	for _, c := range p.casts {
		switch {
		case len(s.Received) == 1:
			next = append(next, p.hear(c, int(who)-1, s)...)
		case match == nil && strings.Contains(s.Rule, "crash"):
			next = append(next, p.crash(c, int(who)-1)...)
		case match == nil:
			return fmt.Errorf("no such step")
		case strings.HasPrefix(match[1], "lie_"):
			next = append(next, p.lie(c, int(who)-1, atoi(match[2]), match[1][4:])...)
		default:
			next = append(next, p.take(c, int(who)-1, atoi(match[2]), match[1])...)
		}
	}
	p.casts = next
	p.look()
	if len(p.casts) == 0 {
		return fmt.Errorf("it cannot happen, or what remains does not violate the property")
	}
	return nil
}

func atoi(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	return n
}

// take is a rule that a process takes in a round, whatever it draws, and whether or not it crashes.
func (p *player) take(c *cast, who, round int, label string) []*cast {
	t := p.in.Text
	i := slices.IndexFunc(t.Rules, func(r Rule) bool { return r.Label == label })
	if i < 0 || c.crashed[who] || c.faulty[who] && t.Faults != "omission" || round > p.last {
		return nil
	}
	r := &t.Rules[i]
	if round > c.round[who] || round < c.round[who] && !r.Always {
		return nil
	}
	s := c.scope(p.in, who, round)
	if !s.holds(r.Guard) {
		return nil
	}
	var results []*cast
	for outcome := range max(1, t.execute(r, s, 0).outcomes) {
		e := t.execute(r, s, outcome)
		said, known := c.coins[round]
		if e.draw == "coin" && known && said != outcome {
			continue
		}
		d := c.clone()
		if e.draw == "coin" {
			d.coins[round] = outcome
		}
		for i, v := range t.Variables {
			if v.Kept {
				d.kept[who][i] = e.variables[i]
			} else {
				d.local[who][place{i, round}] = e.variables[i]
			}
		}
		twice := false
		for _, m := range e.sends {
			l := letter{who, round, m[0]}
			_, already := d.sent[l]
			twice = twice || already
			d.sent[l] = note{number: m[1]}
		}
		if twice {
			continue
		}
		d.round[who] += truth(e.next)
		results = append(results, d)
		if t.Faults == "crash" && len(e.sends) > 0 {
			for _, gone := range p.crash(d, who) {
				for _, m := range e.sends {
					gone.sent[letter{who, round, m[0]}] = note{m[1], true}
				}
				results = append(results, gone)
			}
		}
	}
	return results
}

// crash is that a process stops.
func (p *player) crash(c *cast, who int) []*cast {
	count := 0
	for _, crashed := range c.crashed {
		count += truth(crashed)
	}
	if c.crashed[who] || count >= p.in.faults {
		return nil
	}
	d := c.clone()
	d.crashed[who] = true
	return []*cast{d}
}

// lie is that a faulty process sends the same to all.
func (p *player) lie(c *cast, who, round int, kind string) []*cast {
	i := slices.IndexFunc(p.in.Text.Kinds, func(k Kind) bool { return k.Name == kind })
	if i < 0 || !c.faulty[who] || p.in.Text.Faults != "symmetric" {
		return nil
	}
	l := letter{who, round, i}
	if _, already := c.sent[l]; already {
		return nil
	}
	return grow([]*cast{c}, 0, p.in.Text.Kinds[i].values()-1, func(d *cast, value int) { d.sent[l] = note{number: value} })
}

// hear is that a process receives a message.
func (p *player) hear(c *cast, who int, s runStep) []*cast {
	t := p.in.Text
	message := s.Received[0].Message
	match := named.FindStringSubmatch(fmt.Sprint(message["kind"]))
	if match == nil {
		return nil
	}
	kind := slices.IndexFunc(t.Kinds, func(k Kind) bool { return k.Name == match[1] })
	from := p.who(s.Received[0].From)
	if kind < 0 || c.crashed[who] || c.faulty[who] && t.Faults != "omission" {
		return nil
	}
	l := letter{from, atoi(match[2]), kind}
	var results []*cast
	for value := range t.Kinds[kind].values() {
		sent, ok := c.sent[l]
		if !carries(t.Kinds[kind], value, message) || !(ok && sent.number == value || c.faulty[from] && t.Faults == "byzantine") {
			continue
		}
		again := false
		for other := range t.Kinds[kind].values() {
			again = again || c.received[receipt{who, l, other}]
		}
		if !again {
			d := c.clone()
			d.received[receipt{who, l, value}] = true
			results = append(results, d)
		}
	}
	return results
}

// carries tells whether a message of a run has these values, in some order.
func carries(k Kind, number int, message map[string]any) bool {
	var want, got []string
	for i, value := range k.of(number) {
		f := k.Fields[i]
		switch {
		case f.Names != nil:
			want = append(want, f.Names[value])
		case f.Bool:
			want = append(want, fmt.Sprint(value == 1))
		default:
			want = append(want, fmt.Sprint(value))
		}
	}
	for name, value := range message {
		if name != "kind" && name != "sure" && k.Fields != nil {
			got = append(got, fmt.Sprint(value))
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	return slices.Equal(want, got)
}
