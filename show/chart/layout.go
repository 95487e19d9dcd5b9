package chart

import (
	"fmt"
	"slices"

	"tacheck/protocol"
	"tacheck/protocol/interp"
	"tacheck/protocol/story"
)

// Lengths in pixels.
const (
	margin    = 16.0 // around everything
	gutter    = 46.0 // for numbers of steps and the frame of what repeats, on the left
	narrowest = 120.0
	widest    = 230.0 // of a column
	between   = 26.0  // columns
	padding   = 6.0   // in boxes
	gap       = 10.0  // between rows
	selfWidth = 34.0  // of messages to oneself
	beside    = 10.0  // a column, what their labels may use; less than the margin
)

// layout is a chart in the making.
type layout struct {
	*Chart
	r       *interp.Run
	column  []int // by process: its column, or -1 if nothing happens to it
	idle    []int // processes to which nothing happens: one column for all of them
	x       []float64
	wide    []float64 // by column
	y       float64   // so far
	beats   []story.Beat
	sent    []sending
	gone    map[int]float64 // by process: where it has crashed
	frame   float64         // where what repeats begins
	columns [][]int         // their processes
	shared  int             // what stands for variables that all have; -1 if there are none
}

// sending is a message on its way.
type sending struct {
	step     int
	delivery interp.Delivery
}

func newLayout(r *interp.Run) *layout {
	l := &layout{Chart: &Chart{}, r: r, y: margin, beats: story.Story(r), gone: map[int]float64{}, shared: -1}
	l.column = slices.Repeat([]int{-1}, r.Model.Processes())
	part := l.takesPart()
	for p := range l.column {
		switch role, _ := r.Model.RoleOf(p); {
		case r.Model.Roles[role].Shared:
			l.shared = p
		case part[p] || r.Model.Members() <= 3:
			l.column[p] = len(l.columns)
			l.columns = append(l.columns, []int{p})
		default:
			l.idle = append(l.idle, p)
		}
	}
	if l.idle != nil {
		for _, p := range l.idle {
			l.column[p] = len(l.columns)
		}
		l.columns = append(l.columns, l.idle)
	}
	l.widths()
	return l
}

// takesPart reports which processes move, send something that is received, or change.
func (l *layout) takesPart() []bool {
	part := make([]bool, l.r.Model.Processes())
	for k := range l.r.Events {
		if k == 0 {
			continue
		}
		if me := mover(l.r, k); me >= 0 {
			part[me] = true
		}
		for _, p := range l.r.Events[k].Packets {
			part[p.From] = true
		}
		for _, c := range interp.Changes(l.r.Model, l.r.States[k-1], l.r.States[k]) {
			part[c.Process] = true
		}
	}
	return part
}

// widths makes columns as wide as what stands in them, within limits.
func (l *layout) widths() {
	l.wide = slices.Repeat([]float64{narrowest}, len(l.columns))
	grow := func(c int, class Class, text string) {
		l.wide[c] = max(l.wide[c], min(widest, roomFor(class, text)+2*padding))
	}
	for c := range l.columns {
		grow(c, head, l.headText(c))
	}
	for k := 1; k < len(l.r.Events); k++ {
		me := mover(l.r, k)
		if me < 0 {
			continue
		}
		for _, line := range l.action(k) {
			grow(l.column[me], line.class, line.text)
		}
	}
	for k := 1; k < len(l.r.Events); k++ { // labels have the room between neighbours at least
		for _, p := range l.r.Events[k].Packets {
			from, to := l.column[p.From], l.column[receiver(l.r, k)]
			c, longest := min(from, to), 0.0
			for _, part := range l.label(k, p) {
				longest = max(longest, roomFor(Label, part))
			}
			switch {
			case from == to:
				l.wide[c] = max(l.wide[c], min(widest, 2*(longest+selfWidth-beside)))
			case from+1 == to || to+1 == from:
				l.wide[c] = max(l.wide[c], longest+2*padding+16)
			}
		}
	}
	l.place()
}

// place puts columns beside each other.
func (l *layout) place() {
	at := margin + gutter
	for _, w := range l.wide {
		l.x = append(l.x, at+w/2)
		at += w + between
	}
	l.Width = at - between + margin
}

// lineOf is the line of a process.
func (l *layout) lineOf(p int) float64 { return l.x[l.column[p]] }

// headText names the processes of a column.
func (l *layout) headText(c int) string {
	var names []string
	for _, p := range l.columns[c] {
		names = append(names, interp.ProcessName(l.r.Model, p))
	}
	text := interp.Enumerate(names)
	if s := l.r.States[0].Status[l.columns[c][0]]; s != protocol.Correct && len(names) == 1 {
		text += map[bool]string{true: " (faulty)", false: " (" + s.String() + ")"}[s == protocol.Byzantine]
	}
	return text
}

// byzantine reports whether a process does what it likes.
func (l *layout) byzantine(p int) bool { return l.r.States[0].Status[p] == protocol.Byzantine }

func (l *layout) add(m Mark) { l.Marks = append(l.Marks, m) }

// text adds lines of text below each other, and returns where they end.
func (l *layout) text(c Class, step int, x, y float64, middle bool, lines []string) float64 {
	for _, line := range lines {
		y += letters[c] * 1.3
		l.add(Mark{Kind: text, Class: c, Step: step, X: x, Y: y - letters[c]*0.3, Text: line, Middle: middle})
	}
	return y
}

// title says what the chart shows.
func (l *layout) title() {
	list := titles(l.r)
	if text := l.sharedAt(0); text != "" {
		list = append(list, "shared at first: "+text)
	}
	l.headline(list)
}

// sharedAt are the variables that all processes have, at a state; "" if there are none.
func (l *layout) sharedAt(k int) string {
	if l.shared < 0 {
		return ""
	}
	return story.StateText(l.r.Model, l.r.States[k], l.shared)
}

func (l *layout) headline(list []string) {
	room := max(l.Width, 420) - 2*margin
	for i, line := range list {
		class := title
		if i > 0 {
			class = subtitle
		}
		l.Title = append(l.Title, line)
		lines := wrap(class, line, room)
		for _, part := range lines {
			l.Width = max(l.Width, roomFor(class, part)+2*margin)
		}
		l.y = l.text(class, 0, margin, l.y, false, lines) + 3
	}
	l.y += gap
}

// heads draws the names of processes, and how they begin.
func (l *layout) heads() {
	rows := 0
	wrapped := make([][]string, len(l.columns))
	for c := range l.columns {
		wrapped[c] = wrap(head, l.headText(c), l.wide[c]-2*padding)
		rows = max(rows, len(wrapped[c]))
	}
	height := float64(rows)*letters[head]*1.3 + 2*padding
	begin := len(l.Marks)
	for c, list := range l.columns {
		class := head
		if l.byzantine(list[0]) {
			class = faulty
		}
		l.add(Mark{Kind: box, Class: class, X: l.x[c] - l.wide[c]/2, Y: l.y, X2: l.x[c] + l.wide[c]/2,
			Y2: l.y + height})
		l.text(head, 0, l.x[c], l.y+padding, true, wrapped[c])
	}
	l.Heads, l.Top = slices.Clone(l.Marks[begin:]), l.y
	l.y += height
	l.states(0, 0)
}

// states writes the states of all processes, and returns where that ends.
func (l *layout) states(k, step int) {
	m, s := l.r.Model, l.r.States[k]
	end := l.y
	for c, list := range l.columns {
		var lines []string
		for _, text := range story.StatesOf(m, s, slices.DeleteFunc(slices.Clone(list),
			func(p int) bool { return l.byzantine(p) && story.StateText(m, s, p) == s.Status[p].String() })) {
			if len(list) == 1 {
				text = story.StateText(m, s, list[0])
			}
			lines = append(lines, wrap(state, text, l.wide[c]-2*padding)...)
		}
		if lines == nil {
			continue
		}
		height := float64(len(lines))*letters[state]*1.3 + 2*padding
		l.add(Mark{Kind: box, Class: state, Step: step, X: l.x[c] - l.wide[c]/2, Y: l.y, X2: l.x[c] + l.wide[c]/2,
			Y2: l.y + height})
		l.text(state, step, l.x[c]-l.wide[c]/2+padding, l.y+padding, false, lines)
		end = max(end, l.y+height)
	}
	l.y = end + gap
}

// number writes the number of a step.
func (l *layout) number(k int, y float64) {
	l.add(Mark{Kind: text, Class: number, Step: k, X: margin + 20, Y: y, Text: fmt.Sprint(k), End: true})
}
