// Package pcb is the one model of a printed circuit board that every reader
// fills and every consumer (measuring, drawing, quoting) reads.
//
// # Architecture
//
//	files ──► classify ──► gerber, excellon, gbrjob, ipc356, odb, ipc2581, kicad, eagle,
//	                              │ altium, easyeda, report, note, partlist (what lies beside the artwork)
//	                              │ one Layer, hole list or whole Board each
//	                              ▼
//	                           reader ── joins files into boards, cross-checks, states Facts
//	                              │
//	                              ▼
//	                        pcb.Project ──► draw    pictures
//	                              │
//	                              ▼
//	                            check ── measures one Board and judges it by a fabricator's limits
//	                              ├── copper   what is left of each layer, and what of it is joined
//	                              ├── shape    exact shapes: distance, containment, index
//	                              └── clip     unions and differences of polygons
//
// Everything is pure: bytes in, values out. No network, clock or logging.
//
// # Layers and features
//
// A [Layer] is a flat slice of [Feature] in drawing order: 64 bytes each and no
// pointers, so that a board with a million of them stays small. What a feature
// needs beyond two points lives in tables of its layer and is reached by index:
// [Layer.Apertures] (shapes), [Layer.Transforms], [Layer.Arcs], [Layer.Regions],
// [Layer.AttributeSets]. Nets and pins live on the [Board]; index 0 of each of
// those tables means "none", so the zero Feature refers to nothing.
//
// Order matters because polarity does: a clear feature erases what was drawn
// before it on the same layer, never what follows.
//
// Lettering that a format knows as such is among the features like anything else;
// [Layer.Texts] says where it is and how it is set.
//
// An [Aperture] states what the file said (kind and sizes) and, whatever its
// kind, is compiled to [Primitive] values, so that drawing and measuring know
// three shapes only: circle, stroke (a line with round ends) and area (a closed
// path with arcs). A primitive that is Clear erases within its own flash only.
//
// # What is known and how
//
// A [Fact] carries its value, where it was read, how sure that is and in what
// way it was found. What no file states stays unknown; a design tool's untouched
// preset is kept but marked [Fact.Default], which counts as unstated.
// Readers never drop anything in silence: what is odd, broken, limited or
// ignored becomes a [Finding] with file and line.
//
// # Budget
//
// A file of a few bytes can expand to any amount of work. So each upload has one
// [Budget], which lives in the context: readers, geometry, checks and pictures count
// in it what they make of a file (features after repetition, corners, pieces of
// apertures, holes, crossings of edges) and what they look at (pairs of neighbours,
// things searched, rows of pixels), before they make it. [MeterOf] a context says
// whether to go on; so the same question answers whether the context has ended, and
// every loop that may be long asks it.
//
// When the budget is used up the context ends and everything stops. A reading then
// has no board, a check names what it did not judge, a picture is an error; each says
// so with a [TooComplex]: the file that took most, what for, and the limit. Nothing is
// ever left out in silence. Package hostile makes uploads to hold this against.
//
// # Geometry
//
// Lengths are integer nanometres, X to the right and Y up as seen from the top;
// see package geom. The bottom side is stored in the same frame, seen through
// the board; drawing mirrors it. Outlines are centre lines of what was drawn.
package pcb
