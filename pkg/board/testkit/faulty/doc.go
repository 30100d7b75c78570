// Package faulty makes boards with one known fault each, for testing: a
// [Sketch] is drawn once and written in two forms, as Gerber X2 with Excellon
// drills and an IPC-D-356 netlist, and as a KiCad project.
//
// The writers are small and their own: they share nothing with the packages
// that read, plot or measure boards, so that a mistake there cannot hide
// itself. Lengths are nanometres, Y up.
package faulty
