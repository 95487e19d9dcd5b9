package chart

import "slices"

// Lanes is a run of processes that share variables and send no messages: who moves in each step, and what that changes.
type Lanes struct {
	Title      []string
	Heads      []string // names of processes
	Start, End []string // how each of them begins and ends
	Acts       []Act
	Loop       int // the act from which on all repeat; -1 if none does
	Notes      []string
}

// Act is a step of a process.
type Act struct {
	Lane    int
	Name    string
	Changes []string
}

func (a *Act) lines() []line {
	list := []line{{name, a.Name}}
	for _, text := range a.Changes {
		list = append(list, line{change, text})
	}
	return list
}

// DrawLanes lays out a run: a line down for each process, with boxes for what it does.
func DrawLanes(r *Lanes) *Chart {
	l := &layout{Chart: &Chart{}, y: margin}
	l.wide = slices.Repeat([]float64{narrowest}, len(r.Heads))
	grow := func(c int, class Class, text string) {
		l.wide[c] = max(l.wide[c], min(widest, roomFor(class, text)+2*padding))
	}
	for c := range r.Heads {
		grow(c, head, r.Heads[c])
		grow(c, state, r.Start[c])
	}
	for i := range r.Acts {
		for _, line := range r.Acts[i].lines() {
			grow(r.Acts[i].Lane, line.class, line.text)
		}
	}
	l.place()
	l.headline(r.Title)
	l.row(head, 0, r.Heads)
	l.row(state, 0, r.Start)
	l.y += gap
	for i := range r.Acts {
		if i == r.Loop {
			l.frame = l.y
			l.y = l.text(number, i+1, margin+gutter, l.y+2, false, []string{again}) + gap
		}
		l.Breaks = append(l.Breaks, l.y-gap/2)
		l.number(i+1, l.y+12)
		l.act(i+1, &r.Acts[i])
	}
	l.framed(r.Loop + 1)
	bottom, last := l.y, len(r.Acts)
	l.row(state, last, r.End)
	l.y += gap
	for c := range r.Heads {
		l.Marks = append([]Mark{{Kind: Line, Class: life, X: l.x[c], Y: l.Top, X2: l.x[c], Y2: bottom}}, l.Marks...)
	}
	for _, note := range r.Notes {
		l.y = l.text(subtitle, last, margin, l.y, false, wrap(subtitle, note, l.Width-2*margin)) + gap
	}
	return l.finish()
}

// row draws a box for each process, all as high as the highest.
func (l *layout) row(class Class, step int, texts []string) {
	most := 0
	wrapped := make([][]string, len(texts))
	for c, text := range texts {
		wrapped[c] = wrap(class, text, l.wide[c]-2*padding)
		most = max(most, len(wrapped[c]))
	}
	height := float64(most)*letters[class]*1.3 + 2*padding
	begin := len(l.Marks)
	for c := range texts {
		left, right := l.x[c]-l.wide[c]/2, l.x[c]+l.wide[c]/2
		l.add(Mark{Kind: box, Class: class, Step: step, X: left, Y: l.y, X2: right, Y2: l.y + height})
		l.text(class, step, l.x[c], l.y+padding, true, wrapped[c])
	}
	if class == head {
		l.Heads, l.Top = slices.Clone(l.Marks[begin:]), l.y
	}
	l.y += height
}

// act draws what a process does.
func (l *layout) act(step int, a *Act) {
	left, right := l.x[a.Lane]-l.wide[a.Lane]/2, l.x[a.Lane]+l.wide[a.Lane]/2
	top, begin := l.y, len(l.Marks)
	l.add(Mark{})
	y := top + padding
	for _, line := range a.lines() {
		y = l.text(line.class, step, left+padding, y, false, wrap(line.class, line.text, right-left-2*padding))
	}
	y += padding
	l.Marks[begin] = Mark{Kind: box, Class: action, Step: step, X: left, Y: top, X2: right, Y2: y}
	l.y = y + gap
}
