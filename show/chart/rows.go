package chart

import (
	"fmt"
	"strings"

	"tacheck/protocol"
	"tacheck/protocol/interp"
	"tacheck/protocol/story"
)

// line is a line in a box.
type line struct {
	class Class
	text  string
}

// step draws a step: an arrow for each message that is received, and a box for what the process does.
func (l *layout) step(k int) {
	if k == 0 {
		return
	}
	if l.beats[k].Loop {
		l.frame = l.y
		l.y = l.text(number, k, margin+gutter, l.y+2, false, []string{again}) + gap
	}
	l.Breaks = append(l.Breaks, l.y-gap/2)
	begin := l.y
	e := l.r.Events[k]
	for _, p := range e.Packets {
		l.arrow(k, p)
	}
	if lines := l.action(k); lines != nil {
		l.box(k, mover(l.r, k), lines)
	}
	if l.y > begin {
		l.number(k, begin+12)
	}
	for _, d := range interp.Sent(l.r.Model, e, l.r.States[k-1], l.r.States[k]) {
		if !story.Partial(l.r, k) || story.Reaches(l.r, k, d) { // what else it would have sent it has not
			l.sent = append(l.sent, sending{k, d})
		}
	}
}

// again is what stands over what repeats.
const again = "again and again, for ever"

// action lists what a process does in a step; nothing if it only receives.
func (l *layout) action(k int) []line {
	e, m := l.r.Events[k], l.r.Model
	if e.Init || e.Fate != interp.Processed || story.Rests(l.r, k) {
		return nil
	}
	o := m.Origin(e.Rule)
	var list []line
	switch o.Act {
	case protocol.ActHear, protocol.ActMayHear:
		return nil
	case protocol.ActCrash:
		list = append(list, line{crash, "crashes"})
	case protocol.ActCrashIn:
		list = append(list, line{name, story.Said(m, o.Name)}, line{crash, "crashes while it sends"})
	case protocol.ActLie:
		list = append(list, line{crash, "lies"})
	case protocol.ActWait:
		list = append(list, line{change, "(does nothing)"})
	case protocol.ActFaulty:
		list = append(list, line{name, story.Said(m, o.Name)}, line{crash, "being faulty"})
	default:
		list = append(list, line{name, story.Said(m, o.Name)})
	}
	b := l.beats[k]
	for _, text := range b.Changes {
		list = append(list, line{change, text})
	}
	for _, text := range b.Sends {
		list = append(list, line{sends, "sends " + text})
	}
	return list
}

// box draws what a process does.
func (l *layout) box(k, p int, lines []line) {
	c := l.column[p]
	top, y := l.y, l.y+padding
	begin := len(l.Marks)
	l.add(Mark{})
	crashed := false
	for _, line := range lines {
		crashed = crashed || line.class == crash && line.text != "lies" && line.text != "being faulty"
		y = l.text(line.class, k, l.x[c]-l.wide[c]/2+padding, y, false,
			wrap(line.class, line.text, l.wide[c]-2*padding))
	}
	y += padding
	class := action
	if l.byzantine(p) || l.r.States[k].Status[p] == protocol.Byzantine {
		class = faulty
	}
	l.Marks[begin] = Mark{Kind: box, Class: class, Step: k, X: l.x[c] - l.wide[c]/2, Y: top, X2: l.x[c] + l.wide[c]/2,
		Y2: y}
	if crashed || l.r.States[k-1].Status[p] != protocol.Crashed && l.r.States[k].Status[p] == protocol.Crashed {
		l.add(Mark{Kind: cross, Class: crash, Step: k, X: l.x[c], Y: y + 9})
		l.gone[p] = y + 9
		y += 18
	}
	l.y = y + gap
}

// label is what stands at the arrow of a message: the message, and what is to be said of it.
func (l *layout) label(k int, p protocol.Packet) []string {
	text := story.Said(l.r.Model, interp.MessageName(l.r.Model, p.Message))
	e := l.r.Events[k]
	switch {
	case p.Absent:
		return []string{"nothing"}
	case e.Fate == interp.Lost:
		return []string{text, "is lost"}
	case e.Fate == interp.Stopped:
		return []string{text, "was not sent: the sender had crashed"}
	case e.Fate == interp.Delivered:
		return []string{text, "arrives"}
	case l.byzantine(p.From):
		return []string{text + ",", "made up"}
	}
	if from := l.origin(k, p); from > 0 && from < k-1 {
		return []string{text + ",", fmt.Sprintf("sent in %d", from)}
	}
	return []string{text}
}

// labelled breaks a label into lines: between its parts first.
func labelled(c Class, parts []string, limit float64) (lines []string) {
	if whole := strings.Join(parts, " "); roomFor(c, whole) <= limit {
		return []string{whole}
	}
	for _, part := range parts {
		lines = append(lines, wrap(c, strings.TrimSuffix(part, ","), limit)...)
	}
	return lines
}

// origin returns the step in which a message was sent; 0 if it is not known.
func (l *layout) origin(k int, p protocol.Packet) int {
	to := receiver(l.r, k)
	for _, s := range l.sent {
		if s.delivery.From == p.From && s.delivery.To == to && interp.MessageText(l.r.Model,
			s.delivery.Message) == interp.MessageText(l.r.Model, p.Message) {
			return s.step
		}
	}
	return 0
}

// arrow draws a message that a process receives in a step, in a row of its own.
func (l *layout) arrow(k int, p protocol.Packet) {
	e, to := l.r.Events[k], receiver(l.r, k)
	label := l.label(k, p)
	l.arrived(k, p, to)
	class := message
	switch {
	case p.Absent || e.Fate == interp.Lost || e.Fate == interp.Stopped:
		class = lost
	case l.byzantine(p.From):
		class = faulty
	}
	text := Label
	if class != message {
		text = class
	}
	x, x2 := l.lineOf(p.From), l.lineOf(to)
	if l.column[p.From] == l.column[to] {
		lines := labelled(text, label, l.wide[l.column[to]]/2+beside-selfWidth)
		height := max(22, float64(len(lines))*letters[text]*1.3+6)
		l.add(Mark{Kind: loop, Class: class, Step: k, X: x, Y: l.y + 4, X2: x + selfWidth - 8, Y2: l.y + height - 4,
			Tip: class != lost})
		l.text(text, k, x+selfWidth, l.y, false, lines)
		l.y += height + gap/2
		return
	}
	left, right := min(x, x2), max(x, x2)
	lines := labelled(text, label, right-left-16)
	l.y = l.text(text, k, (left+right)/2, l.y, true, lines) + 3
	end := x2
	if class == lost {
		l.y += 4 // the cross is higher than the line
		end = x + (x2-x)*0.8
		l.add(Mark{Kind: cross, Class: lost, Step: k, X: end, Y: l.y})
	}
	l.add(Mark{Kind: Line, Class: class, Step: k, X: x, Y: l.y, X2: end, Y2: l.y, Tip: class != lost})
	l.y += gap
}

// arrived takes a message from those that are on their way, once it is received.
func (l *layout) arrived(k int, p protocol.Packet, to int) {
	if l.r.Events[k].Fate == interp.Delivered {
		return
	}
	for i, s := range l.sent {
		if s.delivery.From == p.From && s.delivery.To == to && interp.MessageText(l.r.Model,
			s.delivery.Message) == interp.MessageText(l.r.Model, p.Message) {
			l.sent = append(l.sent[:i:i], l.sent[i+1:]...)
			return
		}
	}
}

// ending draws how the run ends: the frame around what repeats, the last state, and what never arrives.
func (l *layout) ending() {
	l.Breaks = append(l.Breaks, l.y-gap/2)
	last := len(l.r.Events) - 1
	l.framed(l.r.Loop)
	bottom := l.y
	l.states(last, last)
	for c, list := range l.columns {
		top := l.Top
		class := life
		if l.byzantine(list[0]) {
			class = faulty
		}
		end := bottom
		if at, ok := l.gone[list[0]]; ok && len(list) == 1 {
			l.Marks = append([]Mark{{Kind: Line, Class: gone, X: l.x[c], Y: at, X2: l.x[c], Y2: end}}, l.Marks...)
			end = at
		}
		l.Marks = append([]Mark{{Kind: Line, Class: class, X: l.x[c], Y: top, X2: l.x[c], Y2: end}}, l.Marks...)
	}
	var notes []string
	if f := l.r.Failure; f != nil {
		notes = append(notes, f.Error())
	}
	if text := l.sharedAt(last); text != "" && text != l.sharedAt(0) {
		notes = append(notes, "shared at the end: "+text)
	}
	if text := l.underway(); text != "" {
		notes = append(notes, "never received: "+text)
	}
	for _, note := range notes {
		l.y = l.text(subtitle, last, margin, l.y, false, wrap(subtitle, note, l.Width-2*margin)) + gap
	}
}

// framed draws a frame around what repeats, if there is such a thing.
func (l *layout) framed(step int) {
	if l.frame > 0 {
		l.add(Mark{Kind: box, Class: frame, Step: step, X: margin + gutter - 10, Y: l.frame,
			X2: l.x[len(l.x)-1] + l.wide[len(l.wide)-1]/2 + 8, Y2: l.y - gap/2})
		l.y += gap
	}
}

// underway lists the messages that nobody has received by the end, equal ones together.
func (l *layout) underway() string {
	var order []string
	to := map[string][]string{}
	for _, s := range l.sent {
		text := story.Said(l.r.Model, interp.MessageName(l.r.Model, s.delivery.Message)) + " from " +
			interp.ProcessName(l.r.Model, s.delivery.From)
		if to[text] == nil {
			order = append(order, text)
		}
		to[text] = append(to[text], interp.ProcessName(l.r.Model, s.delivery.To))
	}
	var list []string
	for _, text := range order {
		list = append(list, text+" to "+interp.Enumerate(to[text]))
	}
	return strings.Join(list, "; ")
}

func (l *layout) finish() *Chart {
	l.Height = l.y + margin
	return l.Chart
}

// receiver returns the process that receives in a step, -1 if none does.
func receiver(r *interp.Run, k int) int {
	e := r.Events[k]
	if e.Fate == interp.Delivered {
		return e.To
	}
	if e.Init || e.Fate == interp.Idle {
		return -1
	}
	t := &r.Model.Rules[e.Rule]
	return interp.Process(r.Model, t, t.Executor, e.Frame)
}

// mover returns the process that does something in a step, -1 if none does.
func mover(r *interp.Run, k int) int {
	if e := r.Events[k]; e.Init || e.Fate != interp.Processed {
		return -1
	}
	return receiver(r, k)
}
