package pml

// Jump is where goto and break go: what is executed next, until the step is over.
type Jump struct{ List []*Statement }
