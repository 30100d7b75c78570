// Package render makes pictures of boards: the finished top and bottom as one
// would hold them, single layers, as pixels (PNG) and as SVG.
//
// # How pixels are made
//
// Every shape becomes a polygon in pixel space, and the exact area that each
// polygon covers of each pixel is accumulated (package-private raster). Shapes
// of one polarity share a buffer, so their union costs one pass; a change of
// polarity settles the buffer into the layer's mask and starts anew. Big pictures
// are made in bands of rows, several at once, so that memory stays small.
//
// [SidePNG] and [StackPNG] compress each band as soon as it is made and write the
// bands in order: a picture of a hundred million pixels takes a few megabytes.
// A stack never has pixels at all. Its layers become places along each row where
// their cover changes, these the runs of one colour, and runs are filtered and
// compressed as such: the cost grows with the edges that a row meets.
//
// A finished side is a stack of such masks (board, copper, mask openings, silkscreen)
// blended with the colours of substrate, solder mask, finish and silkscreen. What no
// board covers, holes included, is transparent.
package render
