package pngstream

import (
	"bytes"
	"compress/flate"
	"hash/adler32"
	"io"
	"testing"
)

func TestRunsArePackedAsTheirBytes(t *testing.T) {
	t.Parallel()
	for i, width := range []int{1, 2, 259, 40_000} {
		for _, values := range []int{1, 2, 200} {
			for _, run := range []int{1, 5, 600} {
				const rows = 7
				pix := noise(uint64(i), width*rows, values, run)
				var p Runs
				for range 2 { // also when used again
					p.Begin(width)
					for y := range rows {
						p.Row = append(p.Row, runsOf(pix[y*width:(y+1)*width])...)
						p.AddRow()
					}
					inflates(t, p.End(), filterRows(pix, width))
				}
			}
		}
	}
}

func runsOf(row []byte) (runs []Run) {
	for x, v := range row {
		if x == 0 || v != row[x-1] {
			runs = append(runs, Run{int32(x), v})
		}
	}
	return runs
}

// filterRows is what of rows goes into the stream.
func filterRows(pix []byte, width int) []byte {
	out := append([]byte{filterNone}, pix[:width]...)
	for i := width; i < len(pix); i++ {
		if i%width == 0 {
			out = append(out, filterUp)
		}
		out = append(out, pix[i]-pix[i-width])
	}
	return out
}

// inflates checks that another piece may follow, and what is in this one.
func inflates(t *testing.T, p Piece, want []byte) {
	t.Helper()
	got, err := io.ReadAll(flate.NewReader(bytes.NewReader(append(p.data, 3, 0))))
	if err != nil {
		t.Fatalf("a piece of %d bytes does not inflate: %v", len(p.data), err)
	}
	if !bytes.Equal(got, want) || p.length != len(want) || p.sum != adler32.Checksum(want) {
		t.Errorf("%d bytes of sum %08x, said to be %d of %08x; want %d of %08x", len(got), adler32.Checksum(got),
			p.length, p.sum, len(want), adler32.Checksum(want))
	}
}

func TestCodesAreAPrefixCode(t *testing.T) {
	t.Parallel()
	var deep, even, two [symbols]uint32
	a, b := uint32(1), uint32(1)
	for i := range 40 { // Fibonacci's numbers make the deepest tree
		deep[i], a, b = a, b, a+b
	}
	for i := range even {
		even[i] = 7
	}
	two[0], two[endOfBlock] = 100, 1
	for name, counts := range map[string][symbols]uint32{"deep": deep, "even": even, "two": two} {
		var codes [symbols]huffman
		makeCodes(&codes, &counts)
		used := 0 // in units of the longest code
		for s, c := range codes {
			if (c.n > 0) != (counts[s] > 0) || c.n > longestCode {
				t.Errorf("%s: symbol %d, counted %d times, has a code of %d bits; want one of %d at most if it is counted, else none", name, s, counts[s], c.n, longestCode)
			}
			if c.n > 0 {
				used += 1 << (longestCode - c.n)
			}
			for _, d := range codes[:s] {
				if n := min(c.n, d.n); n > 0 && (c.bits^d.bits)&(1<<n-1) == 0 {
					t.Fatalf("%s: the code of symbol %d begins as another", name, s)
				}
			}
		}
		if used != 1<<longestCode {
			t.Errorf("%s: codes take up %d of %d, want all", name, used, 1<<longestCode)
		}
	}
}
