package chart

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/run"
)

// Lengths in pixels.
const (
	margin    = 12.0 // around everything
	gutter    = 34.0 // for numbers of steps and the frame of what repeats, on the left
	slimmest  = 48.0 // of a column where there is little room
	narrowest = 120.0
	widest    = 230.0 // of a column
	between   = 26.0  // columns; half of it where there is little room
	padding   = 6.0   // in boxes
	gap       = 10.0  // between rows
	selfWidth = 34.0  // of messages to oneself
	beside    = 10.0  // a column, what their labels may use; less than the margin
	nearby    = 260.0 // how far labels reach from who receives
	track     = 7.0   // between what goes down side by side
	least     = 360.0 // how wide a chart is: a telephone's screen
)

// again is what stands over what repeats.
const again = "again and again, for ever"

// repeated is the heading of the steps that repeat in a run: if nothing happens in them, that.
func repeated(r *run.Run) string {
	if slices.ContainsFunc(r.Events[r.Loop:], func(e run.Event) bool {
		return content(&e) != nil || len(e.Arrows) > 0
	}) {
		return again
	}
	return "nothing happens any more"
}

// layout is a chart in the making.
type layout struct {
	*Chart
	r     *run.Run
	apart float64 // columns
	x     []float64
	wide  []float64    // by lane
	y     float64      // so far
	track map[way]int  // by what goes down there
	room  [][2]int     // by lane: how many tracks there are to the left of it, and to the right
	left  map[way]Mark // the box of a step, which what is sent leaves
	gone  []float64    // by lane: where it has ended; 0 if it has not
	frame float64      // where what repeats begins
	under []Mark       // arrows, which go behind labels
}

// way is what a step sends to the left or to the right: it goes down beside the lane of who sends, in a track of its
// own, to the rows in which it is received.
type way struct {
	step, lane int
	right      bool
}

// wayOf is the way of an arrow; false if it has none: it goes to who has sent it, or it is not known where it comes
// from.
func (l *layout) wayOf(a run.Arrow) (way, bool) {
	known := a.Sent > 0 && a.From != a.To && l.r.Events[a.Sent-1].Lane == a.From &&
		content(&l.r.Events[a.Sent-1]) != nil
	return way{a.Sent, a.From, a.To > a.From}, known
}

// tracks gives each way a track that it has alone from where it leaves to where it ends.
func (l *layout) tracks() {
	last := map[way]int{}
	for k := range l.r.Events {
		for _, a := range l.r.Events[k].Arrows {
			if w, ok := l.wayOf(a); ok {
				last[w] = k + 1
			}
		}
	}
	ways := slices.SortedFunc(maps.Keys(last), func(a, b way) int { return a.step - b.step })
	free := map[way][]int{} // by side of a lane: when each track is free
	for _, w := range ways {
		side := way{lane: w.lane, right: w.right}
		at := slices.IndexFunc(free[side], func(until int) bool { return until < w.step })
		if at < 0 {
			at = len(free[side])
			free[side] = append(free[side], 0)
		}
		free[side][at], l.track[w] = last[w], at
	}
	for c := range l.r.Lanes {
		l.room = append(l.room, [2]int{len(free[way{lane: c}]), len(free[way{lane: c, right: true}])})
	}
}

// Draw lays out a run, as wide as it likes.
func Draw(r *run.Run) *Chart { return draw(r, math.Inf(1)) }

// Sizes are the chart, and narrower ones for screens with less room, as SVG, widest first: a page shows the first one
// that fits.
func (c *Chart) Sizes() []string {
	list, last := []string{c.SVG()}, c.Width
	for _, room := range []float64{800, least} { // a window, a telephone
		if narrow := c.Within(room); narrow.Width < last {
			list, last = append(list, narrow.SVG()), narrow.Width
		}
	}
	return list
}

// Within is the chart as it is for a room: itself if it is no wider.
func (c *Chart) Within(room float64) *Chart {
	if c.Width <= room {
		return c
	}
	return draw(c.Run, room)
}

func draw(r *run.Run, room float64) *Chart {
	l := &layout{Chart: &Chart{Run: r}, r: r, y: margin, left: map[way]Mark{}, track: map[way]int{},
		gone: make([]float64, len(r.Lanes)), apart: between}
	l.tracks()
	l.widths()
	if l.place(); l.Width > room {
		l.tight, l.apart = true, between/2
		l.squeeze(room)
	}
	l.titled()
	l.heads()
	l.wrong(0)
	for k := range r.Events {
		l.step(k)
	}
	l.ending()
	l.Height = l.y + margin
	return l.Chart
}

// needs is how wide a text wants to be: as its lines are, within a limit.
func needs(class Class, text string, times, more float64) float64 {
	// No word is broken that is not very long.
	limit := max((widest-more)/times, min((2*widest-more)/times, longest(class, text)))
	return times*widestOf(class, wrap(class, text, limit)) + more
}

// longest is how much room the longest word of a text takes.
func longest(c Class, text string) float64 { return widestOf(c, strings.Split(text, " ")) }

// widths makes columns as wide as the lines that stand in them, within limits.
func (l *layout) widths() {
	l.wide = slices.Repeat([]float64{narrowest}, len(l.r.Lanes))
	grow := func(c int, class Class, text string, times, more float64) {
		l.wide[c] = max(l.wide[c], needs(class, text, times, more))
	}
	for c, lane := range l.r.Lanes {
		grow(c, head, lane.Name, 1, 2*padding)
		for _, text := range slices.Concat(lane.Start, lane.End) {
			grow(c, state, text, 1, 2*padding)
		}
	}
	for k := range l.r.Events {
		e := &l.r.Events[k]
		for _, line := range content(e) {
			grow(e.Lane, line.class, line.text, 1, 2*padding)
		}
		for _, a := range e.Arrows { // labels have the room between neighbours at least
			c, times, more := min(a.From, a.To), 1.0, 2*padding+16
			switch _, known := l.wayOf(a); {
			case a.From == a.To:
				times, more = 2, 2*(selfWidth-beside)
			case known: // beside the track
				c, times, more = a.To, 2, 2*16-between
			case max(a.From, a.To) != c+1:
				continue
			}
			for _, part := range a.Label {
				grow(c, arrowLabel, part, times, more)
			}
		}
	}
	if room := least - 2*margin - gutter + between; len(l.wide) > 0 {
		for c := range l.wide {
			l.wide[c] = max(l.wide[c], room/float64(len(l.wide))-between)
		}
	}
}

// place puts columns beside each other.
func (l *layout) place() {
	l.x = nil
	at := margin + gutter
	for c, w := range l.wide {
		l.x = append(l.x, at+w/2)
		at += w + l.apart
		if c+1 < len(l.wide) { // beyond the first one, tracks need more room
			at += track * float64(max(0, l.room[c][1]+l.room[c+1][0]-1))
		}
	}
	l.Width = max(least, at-l.apart+margin)
}

// squeeze makes the widest columns narrower until there is room: as slim as words of names are, and only then slimmer.
func (l *layout) squeeze(room float64) {
	slim := lists.Map(l.r.Lanes, func(lane run.Lane) float64 { return longest(head, lane.Name) + 2*padding })
	for _, least := range [][]float64{slim, slices.Repeat([]float64{slimmest}, len(slim))} {
		for limit := slices.Max(l.wide); l.Width > room && limit > slimmest; l.place() {
			limit--
			for c := range l.wide {
				l.wide[c] = min(l.wide[c], max(limit, least[c]))
			}
		}
	}
	l.Width = max(l.Width, room)
}

func (l *layout) add(m Mark) { l.Marks = append(l.Marks, m) }

// text adds lines of text below each other, and returns where they end.
func (l *layout) text(c Class, step int, x, y float64, middle bool, lines []string) float64 {
	for _, line := range lines {
		y += letters[c] * 1.3
		l.add(Mark{Kind: text, Class: c, Step: step, X: x, Y: y - letters[c]*0.3, Text: line, Middle: middle})
	}
	return y
}

// headline says what the chart shows.
func headline(r *run.Run) []string {
	first := r.Name
	switch {
	case r.Failure != "":
		first += ": an error in the model"
	case r.Spec == run.Sought:
		first += ": found"
	case r.Spec != "":
		first += ": " + r.Spec + " is violated"
	}
	if r.With != "" {
		first += ", with " + strings.ReplaceAll(r.With, " = ", "\u00a0=\u00a0")
	}
	list := []string{first}
	if r.Formula != "" {
		list = append(list, spell.Abridged(r.Formula, run.LongestMark))
	}
	if len(r.Assumed) > 0 {
		list = append(list, "assumed: "+strings.Join(r.Assumed, "; "))
	}
	return list
}

func (l *layout) titled() {
	room := l.Width - 2*margin
	for i, line := range headline(l.r) {
		class := title
		if i > 0 {
			class = subtitle
		}
		l.Title = append(l.Title, line)
		l.y = l.text(class, 0, margin, l.y, false, wrap(class, line, room)) + 3
	}
	l.y += gap
}

// heads draws the names of lanes, and how they begin.
func (l *layout) heads() {
	rows := 0
	wrapped := make([][]string, len(l.r.Lanes))
	for c := range l.r.Lanes {
		wrapped[c] = wrap(head, l.r.Lanes[c].Name, l.wide[c]-2*padding)
		rows = max(rows, len(wrapped[c]))
	}
	height := float64(rows)*letters[head]*1.3 + 2*padding
	begin := len(l.Marks)
	for c, lane := range l.r.Lanes {
		class := head
		if lane.Faulty {
			class = faulty
		}
		l.add(l.boxed(c, class, 0, l.y, l.y+height, l.wide[c]))
		l.text(head, 0, l.x[c], l.y+padding, true, wrapped[c])
	}
	l.Heads, l.Top = slices.Clone(l.Marks[begin:]), l.y
	l.y += height
	l.states(0, func(lane run.Lane) []string { return lane.Start })
}

// boxed is a box on a line.
func (l *layout) boxed(c int, class Class, step int, top, bottom, wide float64) Mark {
	left := l.within(l.x[c], wide) - wide/2
	return Mark{Kind: box, Class: class, Step: step, X: left, Y: top, X2: left + wide, Y2: bottom}
}

// within is the middle of what is on the sheet, as near to x as can be.
func (l *layout) within(x, wide float64) float64 {
	return max(margin+gutter+wide/2, min(x, l.Width-margin-wide/2))
}

// states writes what lanes have, at first or at the end: beside each other, or in a list where columns are too narrow.
func (l *layout) states(step int, of func(run.Lane) []string) {
	end, begin := l.y, len(l.Marks)
	list, broken := []line(nil), false
	for c, lane := range l.r.Lanes {
		var lines []line
		for _, text := range of(lane) {
			lines = append(lines, line{state, text})
			broken = broken || longest(state, text) > l.wide[c]-2*padding
		}
		if lines != nil {
			list = append(list, line{state, lane.Name + ": " + strings.Join(of(lane), ", ")})
			end = max(end, l.fill(c, state, step, lines, l.wide[c]).Y2)
		}
	}
	if l.tight && broken {
		l.Marks = l.Marks[:begin]
		end = l.fill(0, state, step, list, l.Width-2*margin-gutter).Y2
	}
	l.y = end + gap
}

// line is a line in a box.
type line struct {
	class Class
	text  string
}

// content is what stands in the box of a step; none if it has no box.
func content(e *run.Event) (list []line) {
	if e.Lane < 0 {
		return nil
	}
	if e.Name != "" {
		list = append(list, line{name, e.Name})
	}
	if e.Fault != "" {
		list = append(list, line{crash, e.Fault})
	}
	for _, text := range e.Changes {
		list = append(list, line{change, text})
	}
	for _, text := range e.Notes {
		list = append(list, line{why, text})
	}
	for _, text := range e.Sends {
		list = append(list, line{sends, "sends " + text})
	}
	return list
}

// step draws a step: an arrow for each message that is received, and a box for what is done.
func (l *layout) step(k int) {
	e, step := &l.r.Events[k], k+1
	if k == l.r.Loop {
		l.frame = l.y
		l.y = l.text(number, step, margin+gutter, l.y+2, false, []string{repeated(l.r)}) + gap
	}
	l.Breaks = append(l.Breaks, l.y-gap/2)
	begin := l.y
	for _, a := range e.Arrows {
		l.arrow(step, a)
	}
	if lines := content(e); lines != nil {
		l.done(step, e, lines)
	}
	if l.y > begin {
		class := number
		if slices.ContainsFunc(l.r.Wrong, func(r run.Reason) bool { return r.Kind == run.Broken && r.Step == step }) {
			class = wrong
		}
		middle := begin + 12
		if len(e.Arrows) > 0 && e.Arrows[0].From != e.Arrows[0].To { // beside the arrow
			middle = begin + 8
		}
		l.add(Mark{Kind: text, Class: class, Step: step, X: margin + 18, Y: middle, End: true,
			Text: fmt.Sprint(l.r.First + step)})
	}
	l.wrong(step)
}

// wrong says after a step what breaks there, and who waits.
func (l *layout) wrong(step int) {
	top, begin := l.y, len(l.Marks)
	left, right := margin+gutter-6, l.Width-margin
	for _, r := range l.r.Wrong {
		if r.Step != step {
			continue
		}
		if l.y == top {
			l.add(Mark{})
			l.y += padding
		}
		class := wrong
		if r.Kind != run.Broken && r.Kind != run.Never {
			class = why
		} else {
			l.add(Mark{Kind: cross, Class: wrong, Step: step, X: left + 14, Y: l.y + 9})
		}
		l.y = l.text(class, step, left+26, l.y, false, wrap(class, r.Text, right-left-26-padding))
	}
	if l.y > top {
		l.y += padding
		l.Marks[begin] = Mark{Kind: box, Class: wrong, Step: step, X: left, Y: top, X2: right, Y2: l.y}
		l.y += gap
	}
}

// box draws lines in a box on a line, which says whose it is where it is wider than its column.
func (l *layout) box(c int, class Class, step int, lines []line) Mark {
	need := func() (wide float64) {
		for _, line := range lines {
			wide = max(wide, needs(line.class, line.text, 1, 2*padding))
		}
		return min(wide, l.Width-2*margin-gutter)
	}
	wide := l.wide[c]
	if l.tight && need() > wide {
		lines = slices.Clone(lines)
		lines[0].text = l.r.Lanes[c].Name + ": " + lines[0].text
		wide = need()
	}
	return l.fill(c, class, step, lines, wide)
}

// fill draws lines in a box of a width.
func (l *layout) fill(c int, class Class, step int, lines []line, wide float64) Mark {
	m, y, begin := l.boxed(c, class, step, l.y, l.y, wide), l.y+padding, len(l.Marks)
	l.add(m)
	for _, line := range lines {
		y = l.text(line.class, step, m.X+padding, y, false, wrap(line.class, line.text, wide-2*padding))
	}
	l.Marks[begin].Y2 = y + padding
	return l.Marks[begin]
}

// done draws what is done in a step.
func (l *layout) done(step int, e *run.Event, lines []line) {
	c, class := e.Lane, action
	if l.r.Lanes[c].Faulty || e.Fault != "" {
		class = faulty
	}
	m := l.box(c, class, step, lines)
	l.left[way{step: step, lane: c}] = m
	y := m.Y2
	if e.Ends {
		l.add(Mark{Kind: cross, Class: crash, Step: step, X: l.x[c], Y: y + 9})
		l.gone[c] = y + 9
		y += 18
	}
	l.y = y + gap
}

// label is what stands at an arrow that does not show where it leaves.
func label(r *run.Run, step int, a run.Arrow) []string {
	if a.Sent > 0 && a.Sent < step-1 {
		return slices.Insert(slices.Clone(a.Label), 1, fmt.Sprintf("of step %d", r.First+a.Sent))
	}
	return a.Label
}

// labelled breaks a label into lines: between its parts first.
func labelled(c Class, parts []string, limit float64) (lines []string) {
	if whole := strings.Join(parts, " "); roomFor(c, whole) <= limit {
		return []string{whole}
	}
	for _, part := range parts {
		whole := strings.TrimSuffix(part, ",")
		some := wrap(c, whole, limit)
		for room := limit - 4; len(some) > 1; room -= 4 { // as narrow as it can be: no word stands alone, or is broken
			less := wrap(c, whole, room)
			if len(less) > len(some) || room < limit/2 ||
				strings.Join(some, " ") == whole && strings.Join(less, " ") != whole {
				break
			}
			some = less
		}
		lines = append(lines, some...)
	}
	return lines
}

// arrow draws a message from where it was sent, if that is known, to a row of its own, in which it is received.
func (l *layout) arrow(step int, a run.Arrow) {
	parts := a.Label
	w, known := l.wayOf(a)
	if !known && a.From != a.To {
		parts = label(l.r, step, a)
	}
	class := message
	switch {
	case a.Lost:
		class = lost
	case a.Faulty:
		class = faulty
	}
	letter := arrowLabel
	if class != message {
		letter = class
	}
	x, x2 := l.x[a.From], l.x[a.To]
	if a.From == a.To {
		room, from, height := l.wide[a.To]/2+beside-selfWidth, l.y, 22.0
		if l.tight {
			room = l.Width - margin - x - selfWidth
		}
		if l.tight && widestOf(letter, parts) > room {
			lines := labelled(letter, parts, nearby)
			l.y = l.text(letter, step, l.within(x, widestOf(letter, lines)), l.y+height, true, lines)
		} else {
			lines := labelled(letter, parts, room)
			height = max(height, float64(len(lines))*letters[letter]*1.3+6)
			l.text(letter, step, x+selfWidth, l.y, false, lines)
			l.y += height
		}
		l.add(Mark{Kind: loop, Class: class, Step: step, X: x, Y: from + 4, X2: x + selfWidth - 8,
			Y2: from + height - 4, Tip: class != lost})
		l.y += gap / 2
		return
	}
	l.y += 4 // the cross and the tip are higher than the line
	line := func(fromX, fromY, toX, toY float64) {
		l.under = append(l.under, Mark{Kind: segment, Class: class, Step: step, X: fromX, Y: fromY, X2: toX, Y2: toY})
	}
	if known { // beside the box that it leaves, and down
		from := l.left[way{step: w.step, lane: w.lane}]
		edge, leaves := from.X, from.Y2-padding
		if w.right {
			edge = from.X2
		}
		x += math.Copysign(l.wide[a.From]/2+l.apart/2+track*float64(l.track[w]), x2-x)
		if from.X < x && x < from.X2 { // below the box
			leaves = from.Y2
		} else {
			line(edge, leaves, x, leaves)
		}
		line(x, leaves, x, l.y)
	}
	end := x2
	if class == lost {
		end = x + (x2-x)*0.8
		l.add(Mark{Kind: cross, Class: lost, Step: step, X: end, Y: l.y})
	}
	line(x, l.y, end, l.y)
	l.under[len(l.under)-1].Tip = class != lost
	room := math.Abs(x2-x) - 16
	if l.tight { // over lines, too
		room = nearby
	}
	lines := labelled(letter, parts, min(room, nearby))
	wide := widestOf(letter, lines)
	middle := l.within(x2-math.Copysign(8+wide/2, x2-x), wide) // beside who receives it, if there is room
	l.y = l.text(letter, step, middle, l.y+7, true, lines) + gap/2
}

// widestOf is how much room lines take.
func widestOf(c Class, lines []string) (wide float64) {
	for _, line := range lines {
		wide = max(wide, roomFor(c, line))
	}
	return wide
}

// ending draws how the run ends: the frame around what repeats, the last state, and what is to be said of it.
func (l *layout) ending() {
	l.Breaks = append(l.Breaks, l.y-gap/2)
	last := len(l.r.Events)
	if l.frame > 0 {
		l.add(Mark{Kind: box, Class: frame, Step: l.r.Loop + 1, X: margin + gutter - 8, Y: l.frame,
			X2: l.Width - margin + 4, Y2: l.y - gap/2})
		l.y += gap
	}
	bottom := l.y
	l.states(last, func(lane run.Lane) []string { return lane.End })
	behind := []Mark{}
	for c, lane := range l.r.Lanes {
		class, end := life, bottom
		if lane.Faulty {
			class = faulty
		}
		if at := l.gone[c]; at > 0 {
			behind = append(behind, Mark{Kind: segment, Class: gone, X: l.x[c], Y: at, X2: l.x[c], Y2: end})
			end = at
		}
		behind = append(behind, Mark{Kind: segment, Class: class, X: l.x[c], Y: l.Top, X2: l.x[c], Y2: end})
	}
	l.Marks = slices.Concat(behind, l.under, l.Marks)
	for _, note := range l.r.Notes {
		if note == l.r.Failure { // it is marked
			continue
		}
		l.y = l.text(subtitle, last, margin, l.y, false, wrap(subtitle, note, l.Width-2*margin)) + gap
	}
}
