// Package copper works out the real copper of a board: what is left of every
// copper layer when later artwork has erased earlier, and what of it is connected.
//
// # Architecture
//
//	board.Layer ──► items    one exact shape of copper each: a track, a pad, a pour
//	            ──► islands  items of one layer that touch
//	            ──► nodes    islands joined through plated holes
//
// Almost all features are dark and nothing erases them: they stay the exact shapes
// of package shape. Where a later clear feature touches one, what is left of it is
// worked out by package clip; holes that touch nothing else stay exact circles even
// then. Every feature keeps its own items, so that it is always known where copper
// comes from and whose net it is; items of a layer may overlap.
//
// A negative layer is the board's area less what is drawn.
package copper
