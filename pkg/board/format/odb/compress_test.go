package odb

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"
)

// compress packs as Unix compress does, for the tests.
func compress(data []byte, most int) []byte {
	out := []byte{magic0, magic1, byte(most) | 0x80}
	var bits, group int
	put := func(code, width int) {
		for i := range width {
			at := bits + i
			for len(out) <= 3+at>>3 {
				out = append(out, 0)
			}
			out[3+at>>3] |= byte(code>>i&1) << (at & 7)
		}
		bits += width
	}
	align := func(width int) {
		if used := (bits - group) % (8 * width); used != 0 {
			bits += 8*width - used
			for len(out) < 3+(bits+7)/8 {
				out = append(out, 0)
			}
		}
		group = bits
	}
	table := map[string]int{}
	reset := func() {
		clear(table)
		for i := range 256 {
			table[string([]byte{byte(i)})] = i
		}
	}
	reset()
	width, next := minBits, 257
	w := ""
	for _, b := range data {
		if _, ok := table[w+string([]byte{b})]; ok {
			w += string([]byte{b})
			continue
		}
		put(table[w], width)
		if next < 1<<most {
			table[w+string([]byte{b})] = next
			next++
			if next > 1<<width && width < most {
				align(width)
				width++
			}
		} else if len(data)%2 == 0 { // start anew, as compress does where the rate falls
			put(clearCode, width)
			align(width)
			reset()
			width, next = minBits, 257
		}
		w = string([]byte{b})
	}
	if w != "" {
		put(table[w], width)
	}
	return out
}

func TestUncompress(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, 200_000)
	for i := range noise {
		noise[i] = byte(r.IntN(40))
	}
	for name, data := range map[string][]byte{
		"empty":     {},
		"short":     []byte("UNITS=MM\n"),
		"runs":      bytes.Repeat([]byte("a"), 5000),
		"text":      bytes.Repeat([]byte("P 1.25 -3.5 0 P 0 0 ;0=1\n"), 3000),
		"noise":     noise,
		"noise odd": noise[:199_999],
	} {
		for _, most := range []int{12, 14, 16} {
			got, err := uncompress(compress(data, most), 1<<20)
			if err != nil || !bytes.Equal(got, data) {
				t.Errorf("%s with %d bits: %d bytes, %v; want %d bytes", name, most, len(got), err, len(data))
			}
		}
	}
}

func TestUncompressDamaged(t *testing.T) {
	t.Parallel()
	if _, err := uncompress([]byte("PK"), 100); !errors.Is(err, errNotCompressed) {
		t.Errorf("uncompress a ZIP: %v, want %v", err, errNotCompressed)
	}
	if _, err := uncompress([]byte{magic0, magic1, 0x90, 0xff, 0xff, 0xff}, 100); !errors.Is(err, errBadCode) {
		t.Errorf("uncompress codes beyond the table: %v, want %v", err, errBadCode)
	}
	if _, err := uncompress(compress(bytes.Repeat([]byte("a"), 100_000), 16), 1000); !errors.Is(err, errTooLarge) {
		t.Errorf("uncompress 100,000 bytes into 1000: %v, want %v", err, errTooLarge)
	}
}

func FuzzUncompress(f *testing.F) {
	f.Add(compress([]byte("UNITS=MM\nUNITS=MM\n"), 16))
	f.Add(compress(bytes.Repeat([]byte("ab"), 3000), 12))
	f.Fuzz(func(t *testing.T, data []byte) {
		if out, _ := uncompress(data, 1<<20); len(out) > 2<<20 {
			t.Errorf("unpacked %d bytes, want %d at most", len(out), 2<<20)
		}
	})
}
