// Package chart draws runs of protocols as message sequence charts (in the
// manner of ITU-T Z.120): a line down for each process, a row for each event,
// an arrow for each message from the row where it was sent to the row where it
// was received.
package chart

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"

	"tacheck/protocol"
)

// Sizes in pixels.
const (
	column = 190
	left   = 110
	row    = 46
	top    = 60
	letter = 62 // width of a letter of notes, in tenths
)

type arrow struct {
	fromRow, from, toRow, to int
	text, short              string
	lost, absent             bool
}

// SVG draws a run. Elements of row k have the class r<k>, so that a page can
// show the run step by step.
func SVG(r *protocol.Run) string {
	m, n := r.Model, r.Model.Processes()
	arrows := arrows(r)
	width, height := left+n*column+column/2, top+row*len(r.Events)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" class="chart" width="%d" height="%d" viewBox="0 0 %d %d" font-family="Helvetica, Arial, sans-serif" font-size="12">`+"\n", width, height, width, height)
	b.WriteString(`<style>.chart .life{stroke:#9aa5b1;stroke-dasharray:4 4}.chart .head{fill:#eef2f6;stroke:#52606d}.chart .event{fill:#fff;stroke:#52606d}.chart .msg{stroke:#1f5fae;fill:none}.chart .msg.late{stroke:#9aa5b1}.chart .tip{fill:#1f5fae}.chart .lost{stroke:#b3261e}.chart text{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}.chart .note{fill:#323f4b;font-size:11px}.chart .what{fill:#1f5fae;font-size:11px}.chart .late{stroke-dasharray:2 3}.chart .num{fill:#7b8794}.chart .loop{stroke:#b7791f;stroke-width:2;stroke-dasharray:6 3}</style>` + "\n")
	b.WriteString(`<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto-start-reverse"><path class="tip" d="M0 0 8 4 0 8z"/></marker></defs>` + "\n")
	x := func(p int) int { return left + p*column + column/2 }
	y := func(k int) int { return top + row*k + row/2 }
	for p := range n {
		fmt.Fprintf(&b, `<line class="life" x1="%d" y1="%d" x2="%d" y2="%d"/>`+"\n", x(p), 40, x(p), height-8)
		label := m.ProcessName(p)
		if s := r.States[0].Status[p]; s != protocol.Correct {
			label += " (" + s.String() + ")"
		}
		fmt.Fprintf(&b, `<rect class="head" x="%d" y="12" width="%d" height="28" rx="4"/><text x="%d" y="31" text-anchor="middle">%s</text>`+"\n", x(p)-column/2+12, column-24, x(p), html.EscapeString(label))
	}
	for _, a := range arrows {
		class, end := "msg", ` marker-end="url(#tip)"`
		if a.lost {
			class, end = "msg lost", ""
		}
		x1, y1, x2, y2 := x(a.from), y(a.fromRow), x(a.to), y(a.toRow)
		if a.toRow >= len(r.Events) { // on its way for ever: only how it sets out
			class, end = "msg late", ""
			x2, y2 = x1+(x2-x1)*2/5, y1+row*2/5
		}
		switch {
		case x1 < x2:
			x1, x2 = x1+6, x2-7
		case x1 > x2:
			x1, x2 = x1-6, x2+7
		}
		show := max(a.fromRow, 0)
		fmt.Fprintf(&b, `<g class="r%d"><path class="%s" d="M%d %dL%d %d"%s><title>%s</title></path>`, show, class, x1, y1, x2, y2, end, html.EscapeString(a.text))
		if a.lost {
			fmt.Fprintf(&b, `<path class="lost" d="M%d %dl10 10m0 -10l-10 10" transform="translate(-5 -5)"/>`, x2, y2)
		}
		// The text stands near the receiver, where arrows are apart.
		if a.toRow < len(r.Events) {
			fmt.Fprintf(&b, `<text class="what" text-anchor="middle" x="%d" y="%d">%s</text>`, x2+(x1-x2)/4, y2+(y1-y2)/4-4, clip(a.short))
		}
		b.WriteString("</g>\n")
	}
	for k, beat := range r.Story() {
		fmt.Fprintf(&b, `<g class="r%d"><text class="num" x="12" y="%d">%d</text>`+"\n", k, y(k)+4, k)
		if beat.Loop {
			fmt.Fprintf(&b, `<line class="loop" x1="30" y1="%d" x2="%d" y2="%d"/><text class="note" x="32" y="%d">repeats from here</text>`+"\n", y(k)-row/2, width-8, y(k)-row/2, y(k)-row/2+12)
		}
		me, label := mover(r, k)
		if me >= 0 {
			fmt.Fprintf(&b, `<rect class="event" x="%d" y="%d" width="12" height="18"/>`+"\n", x(me)-6, y(k)-9)
			fmt.Fprintf(&b, `<text class="note" x="%d" y="%d">%s</text>`+"\n", x(me)+10, y(k)-1, clip(label))
		}
		if k > 0 && len(beat.Changes) > 0 && me >= 0 {
			fmt.Fprintf(&b, `<text class="note" x="%d" y="%d">%s<title>%s</title></text>`+"\n", x(me)+10, y(k)+12, clip(beat.Changes[0]), html.EscapeString(strings.Join(beat.Changes, "\n")))
		}
		b.WriteString("</g>\n")
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// clip shortens text to what fits beside a line.
func clip(text string) string {
	most := (column - 24) * 10 / letter
	if utf8.RuneCountInString(text) > most {
		text = string([]rune(text)[:most-1]) + "…"
	}
	return html.EscapeString(text)
}

// mover returns the process that an event happens at, and what it does there.
func mover(r *protocol.Run, k int) (int, string) {
	e := r.Events[k]
	switch {
	case e.Init || e.Fate == protocol.Idle:
		return -1, ""
	case e.Fate == protocol.Delivered:
		return e.To, ""
	}
	t := &r.Model.Rules[e.Rule]
	me := r.Model.Process(t, t.Executor, e.Frame)
	switch e.Fate {
	case protocol.Lost, protocol.Stopped:
		return -1, ""
	}
	return me, t.Label
}

// arrows matches messages that are received with where they were sent. Those
// that never are go to a row after the last.
func arrows(r *protocol.Run) (list []arrow) {
	m := r.Model
	type flight struct {
		row      int
		delivery protocol.Delivery
	}
	var open []flight
	for k, e := range r.Events {
		if k == 0 {
			continue
		}
		to := e.To
		if e.Fate != protocol.Delivered && e.Fate != protocol.Idle {
			t := &m.Rules[e.Rule]
			to = m.Process(t, t.Executor, e.Frame)
		}
		for _, p := range e.Packets {
			if e.Fate == protocol.Delivered {
				continue // drawn where it is received
			}
			a := arrow{fromRow: k, from: p.From, toRow: k, to: to, text: m.MessageText(p.Message), short: m.MessageName(p.Message), lost: e.Fate == protocol.Lost || e.Fate == protocol.Stopped, absent: p.Absent}
			if p.Absent {
				a.text, a.short, a.lost = "nothing", "nothing", true
			}
			for i, f := range open {
				if f.delivery.From == p.From && f.delivery.To == to && m.MessageText(f.delivery.Message) == m.MessageText(p.Message) {
					a.fromRow = f.row
					open = append(open[:i], open[i+1:]...)
					break
				}
			}
			list = append(list, a)
		}
		for _, d := range m.Sent(e, r.States[k-1], r.States[k]) {
			open = append(open, flight{k, d})
		}
	}
	for _, f := range open {
		list = append(list, arrow{fromRow: f.row, from: f.delivery.From, toRow: len(r.Events), to: f.delivery.To, text: m.MessageText(f.delivery.Message)})
	}
	return list
}
