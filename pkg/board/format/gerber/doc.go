// Package gerber reads Gerber files: RS-274X, X2, X3, the deprecated commands
// that thirty years of CAD tools have written, and RS-274-D given its apertures.
//
// Reading never fails: what can be read is read, and everything else becomes a
// finding that names the line. There is no recursion, and tokens, nesting,
// repetition and coordinates are bounded, so that no input costs unbounded time
// or memory.
package gerber
