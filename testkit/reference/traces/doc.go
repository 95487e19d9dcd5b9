// Package traces is a reference for `tacheck trace`: it decides whether the log of a program is a run of a protocol by
// trying everything. It was written from the documentation alone (docs/traces.md), over the reference of protocols, and
// shares nothing with what finds runs.
//
// All states are kept that explain the log so far, with all hidden steps, for all numbers of the names in the log, and
// for all orders of events that the clocks allow. A generator writes protocols, readings and logs, most of them runs, and
// others near one; a campaign compares what both say of them.
package traces
