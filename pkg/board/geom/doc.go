// Package geom is the plane geometry of printed circuit boards: points, boxes,
// straight and circular edges, paths with arcs, polygons with holes and the
// transforms that place them.
//
// Lengths are integer nanometres, so that sums and comparisons are exact and a
// value means the same in every reader. X grows to the right and Y upwards, as
// one looks at the top of the board. Angles are degrees, counter-clockwise.
// Arcs stay arcs: nothing here is flattened into chords unless [Path.Flatten]
// is asked to, and distances are measured on the true curve.
//
// Coordinates are expected within ±[MaxCoord]; readers clip to it. Products of
// two coordinates are computed in float64, whose error at that size is far
// below one nanometre in any resulting length.
package geom
