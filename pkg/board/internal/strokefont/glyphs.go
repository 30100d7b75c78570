package strokefont

// Each glyph is drawn on a grid of our own: a digit is the column, 0 to 8, and
// the letter behind it the row, d being the baseline, j the height of small
// letters and m the height of capitals; rows a to c lie below the baseline. Pairs
// that follow each other are one stroke, a space starts the next stroke. The first
// character is the glyph's width in columns.
var ascii = [95]string{
	"4",                              // space
	"11m1g 1e1d",                     // !
	"31m1k 3m3k",                     // "
	"62m1d 5m4d 0j6j 0g6g",           // #
	"66k5l1l0k0j1i5h6g6f5e1e0f 3m3d", // $
	"80d8m 2m1m0l0k1j2j3k3l2m 7g6g5f5e6d7d8e8f7g", // %
	"66d1j1l2m3m4l4k0g0e1d4d6g",                   // &
	"11m1k",                                       // '
	"32n1l0j0f1d2b",                               // (
	"31n2l3j3f2d1b",                               // )
	"53k3g 1j5h 5j1h",                             // *
	"63j3d 0g6g",                                  // +
	"11e1d0b",                                     // ,
	"60g6g",                                       // -
	"11e1d",                                       // .
	"60c6n",                                       // /
	"62m4m5l6j6f5d2d1d0f0j1l2m",                   // 0
	"51k3m3d 1d5d",                                // 1
	"60l1m5m6l6j5i0d6d",                           // 2
	"60m6m3i4i5i6h6e5d1d0e",                       // 3
	"64d4m0f6f",                                   // 4
	"66m1m0i1j5j6i6e5d1d0e",                       // 5
	"65m3m1l0j0e1d5d6e6h5i1i0h",                   // 6
	"60m6m2d",                                     // 7
	"61i0j0l1m5m6l6j5i1i0h0e1d5d6e6h5i",           // 8
	"61d3d5e6g6l5m1m0l0i1h5h6i",                   // 9
	"11j1i 1e1d",                                  // :
	"11j1i 1e1d0b",                                // ;
	"66j0g6d",                                     // <
	"60h6h 0f6f",                                  // =
	"60j6g0d",                                     // >
	"50l1m4m5l5j3h3g 3e3d",                        // ?
	"85h4i3i2h2f3e4e5f5i5f6e7f8h7k5m3m1l0j0f1d3c6c", // @
	"60d3m6d 1g5g",                 // A
	"60d0m4m5m6l6j5i0i 5i6h6e5d0d", // B
	"66l5m2m0k0f2d5d6e",            // C
	"60d0m4m6k6f4d0d",              // D
	"55m0m0d5d 0i4i",               // E
	"50d0m5m 0i4i",                 // F
	"66l5m2m0k0f2d4d6e6h4h",        // G
	"60d0m 6d6m 0i6i",              // H
	"21d1m",                        // I
	"44m4f3d1d0e",                  // J
	"60d0m 6m0h 2i6d",              // K
	"50m0d5d",                      // L
	"70d0m3g6m6d",                  // M
	"60d0m6d6m",                    // N
	"62m4m6k6f4d2d0f0k2m",          // O
	"60d0m5m6l6i5h0h",              // P
	"62m4m6k6f4d2d0f0k2m 3f6c",     // Q
	"60d0m5m6l6i5h0h 3h6d",         // R
	"66l5m1m0l0j1i5h6g6e5d1d0e",    // S
	"60m6m 3m3d",                   // T
	"60m0e1d5d6e6m",                // U
	"60m3d6m",                      // V
	"80m2d4k6d8m",                  // W
	"60m6d 6m0d",                   // X
	"60m3i6m 3i3d",                 // Y
	"60m6m0d6d",                    // Z
	"33n1n1b3b",                    // [
	"60n6c",                        // \
	"31n3n3b1b",                    // ]
	"61k3m5k",                      // ^
	"60c6c",                        // _
	"31m3k",                        // `
	"51j4j5i5d 5g1g0f0e1d4d5e",     // a
	"50m0d 0i1j4j5i5e4d1d0e",       // b
	"55i4j1j0i0e1d4d5e",            // c
	"55m5d 5i4j1j0i0e1d4d5e",       // d
	"50g5g5i4j1j0i0e1d4d",          // e
	"44m3m2l2d 0j4j",               // f
	"55j5b4a1a 5i4j1j0i0e1d4d5e",   // g
	"50m0d 0i1j4j5i5d",             // h
	"11j1d 1m1l",                   // i
	"22j2b1a0a 2m2l",               // j
	"50m0d 4j0f 2g5d",              // k
	"21m1e2d",                      // l
	"80d0j 0i1j3j4i4d 4i5j7j8i8d",  // m
	"50d0j 0i1j4j5i5d",             // n
	"51j4j5i5e4d1d0e0i1j",          // o
	"50j0a 0i1j4j5i5e4d1d0e",       // p
	"55j5a 5i4j1j0i0e1d4d5e",       // q
	"40d0j 0h2j4j",                 // r
	"55i4j1j0i0h1g4g5f5e4d1d0e",    // s
	"42m2e3d4d 0j4j",               // t
	"50j0e1d4d5e 5j5d",             // u
	"50j2d5j",                      // v
	"80j2d4i6d8j",                  // w
	"50j5d 5j0d",                   // x
	"50j2d 5j2d1a0a",               // y
	"50j5j0d5d",                    // z
	"43n2m2j1h2f2c3b",              // {
	"11n1b",                        // |
	"41n2m2j3h2f2c1b",              // }
	"60g1h2h4g5g6h",                // ~
}

// others are the letters beyond ASCII that boards carry.
var others = map[rune]string{
	'°': "43m2m1l1k2j3j4k4l3m",
	'µ': "50j0a 0e1d4d5e 5j5d",
	'μ': "50j0a 0e1d4d5e 5j5d",
	'Ω': "60d2d2f0h0k2m4m6k6h4f4d6d",
	'±': "63k3e 0h6h 0d6d",
	'²': "30l1m2m3l3k0i3i",
	'×': "61i5e 5i1e",
	'–': "60g6g",
	'—': "80g8g",
	'…': "60e0d 3e3d 6e6d",
	'·': "11h1g",
	'ß': "50d0l1m4m5l5j3i5h5e4d2d",
	'ø': "51j4j5i5e4d1d0e0i1j 0d5j",
	'Ø': "62m4m6k6f4d2d0f0k2m 0d6m",
}
