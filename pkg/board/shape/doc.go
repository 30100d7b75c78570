// Package shape turns the features and holes of a board into exact placed shapes
// and measures between them.
//
// Everything that is drawn is a core swept by a round pen: a point (circle), a line
// (stroke), an arc (thick arc) or an area bounded by lines and arcs. So the
// distance of two shapes is that of their cores less both radii, right to about a
// nanometre however large the coordinates, and nothing is flattened. Two things are
// not exact and stay within [Flatness]: curved outlines of apertures that are not
// round and were used to draw lines, and arcs drawn with such an aperture.
//
// Areas with many corners find their nearest edges by a tree of their own, so that a
// pour of a hundred thousand corners is as quick to measure against as a pad.
// Shapes are values; they may be shared between goroutines.
package shape

// Flatness is how far, in nanometres, a chord may stray from the curve that it
// stands for where a curve cannot be kept.
const Flatness = 100
