// Package paint gives pictures of finished boards their colours. A picture is
// drawn once, as a map of which materials each pixel shows: an indexed PNG whose
// palette has one entry for each mixture of two materials. In the colours of an
// order it is the same picture with another palette, so that showing any choice of
// options costs a copy of its bytes, and no pixel is drawn or looked at again.
//
// It refuses to know boards and how they are drawn.
package paint
