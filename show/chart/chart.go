// Package chart draws runs as message sequence charts (in the manner of ITU-T Z.120): a line down for each
// process, and time goes down. An arrow goes from where a message was sent, down beside the line of who sends it, to a
// row of its own, in which it is received; what a process does is in a box on its line. Nothing is cut off or hidden.
package chart

import "github.com/tacheck/tacheck/run"

// Chart is a run as it is drawn: marks on a sheet. Lengths are in pixels, y goes down.
type Chart struct {
	Run           *run.Run
	Title         []string
	Width, Height float64
	tight         bool // there is too little room: boxes are wider than columns, and say whose they are
	Marks         []Mark
	Breaks        []float64 // heights at which a page may end
	Heads         []Mark    // what a page begins with: names of processes
	Top           float64   // of what is below the heads
}

// Kind is the kind of a mark.
type Kind uint8

// The kinds.
const (
	segment Kind = iota // from X, Y to X2, Y2; with a tip there if its class says so
	box                 // a rectangle with the corners X, Y and X2, Y2
	text                // left of X if it is to end there, around X if it is in the middle; Y is its base line
	cross               // around X, Y
	loop                // from X, Y to the right and back to X, Y2, with a tip there: a message to oneself
)

// Class says what a mark means; pictures choose colours by it.
type Class string

// The classes.
const (
	title      Class = "title"
	subtitle   Class = "sub"
	head       Class = "head"    // of a process
	faulty     Class = "faulty"  // of a process that is faulty, its line and what it sends
	life       Class = "life"    // of a process
	gone       Class = "gone"    // of a process that has crashed
	action     Class = "action"  // box of what a process does
	name       Class = "name"    // of what it does
	change     Class = "change"  // of variables
	sends      Class = "sends"   // messages
	message    Class = "message" // an arrow
	arrowLabel Class = "label"   // of an arrow
	lost       Class = "lost"    // what does not arrive
	number     Class = "number"  // of a step
	frame      Class = "frame"   // around what repeats
	crash      Class = "crash"
	state      Class = "state" // of a process at the beginning and at the end
	wrong      Class = "wrong" // what breaks the property
	why        Class = "why"   // what else is so, and who waits
)

// Mark is something on the sheet.
type Mark struct {
	Kind         Kind
	Class        Class
	Step         int // with which it appears
	X, Y, X2, Y2 float64
	Text         string
	Middle, End  bool // of text: what is at X
	Tip          bool // of lines
}
