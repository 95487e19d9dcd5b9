package machine

import (
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/protocol"
)

// fullChannels is what found no room in a channel, or found some where there was little.
type fullChannels struct {
	sends      int64  // for which there was no room
	waited     []bool // by rule: it was not possible for want of room, if channels are reliable
	unanswered []bool // by rule: it received from a channel in which there was no room for what it sent
	answered   []bool // there was
}

// note looks at a message that an outcome puts into a channel.
func (c *fullChannels) note(o *outcome, channel int, full bool) {
	if full {
		c.sends++
	}
	receives := o.takes && o.from == channel ||
		slices.ContainsFunc(o.changes, func(c change) bool { return c.slot == channel })
	for _, rule := range o.rules {
		c.waited[rule] = c.waited[rule] || full
		c.unanswered[rule] = c.unanswered[rule] || full && receives
		c.answered[rule] = c.answered[rule] || !full && receives
	}
}

// add puts together what workers have noted.
func (c *fullChannels) add(d *fullChannels) {
	c.sends += d.sends
	for i := range c.waited {
		c.waited[i] = c.waited[i] || d.waited[i]
		c.unanswered[i] = c.unanswered[i] || d.unanswered[i]
		c.answered[i] = c.answered[i] || d.answered[i]
	}
}

// unroomy says why what a process sends to itself, when it receives from itself, never has room.
func (c *fullChannels) unroomy(x protocol.ChannelModel) string {
	does := "is never sent"
	if !x.Lossy {
		does = "is waited for"
	}
	return fmt.Sprintf("a process that receives what it has sent to itself answers itself, and the answer %s, since "+
		"room is that before the step (bounded %d)", does, x.Bound)
}

// never is why a rule may never happen.
func (c *fullChannels) never(m *protocol.Model, rule int) string {
	if c.waited[rule] {
		return "there is never room for what it sends"
	}
	return map[bool]string{false: taken(&m.Rules[rule])}[several(m)] // else Movers has said it
}

// several reports whether messages are of several kinds, or of one that is declared: rules say which they receive.
func several(m *protocol.Model) (kinds bool) {
	if m.Message != nil {
		m.Message.Leaves("", 0, func(_ string, t *protocol.Type, _ int) {
			kinds = kinds || t.Kind == protocol.KindEnum && (len(t.Values) > 1 || m.Message.Kinds != nil)
		})
	}
	return kinds
}

// taken explains, for a rule that receives and looks at no message, that its last two parameters
// are what makes it one that receives.
func taken(t *protocol.Transition) string {
	looks := false
	t.Touch(func(p *protocol.Term, _ bool) {
		looks = looks || p.Base == protocol.BaseMsg || p.Base == protocol.BaseAbsent
	})
	if !t.Receives() || t.Quorum() || looks {
		return ""
	}
	me, from := t.Params[t.Executor].Name, t.Params[t.Sender].Name
	return "its last two parameters are processes, so that " + me + " receives from " + from +
		"; a rule that receives nothing says so: \"receive nothing\""
}
