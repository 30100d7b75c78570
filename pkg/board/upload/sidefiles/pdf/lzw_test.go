package pdf

import (
	"bytes"
	"compress/lzw"
	"os"
	"testing"
)

// squares are bytes that fill the table of codes past three of its lengths.
func squares() []byte {
	out := make([]byte, 1500)
	for i := range out {
		out[i] = byte(i * i / 7 % 251)
	}
	return out
}

// TestUnpackLZW: the example of the standard, what another program packed, codes that grow late, and
// files that are cut or hold what none does.
func TestUnpackLZW(t *testing.T) {
	t.Parallel()
	packed, err := os.ReadFile("testdata/libtiff.lzw")
	if err != nil {
		t.Fatal(err)
	}
	var late bytes.Buffer
	w := lzw.NewWriter(&late, lzw.MSB, 8)
	_, _ = w.Write(squares())
	_ = w.Close()
	example := []byte{0x80, 0x0b, 0x60, 0x50, 0x22, 0x0c, 0x0c, 0x85, 0x01}
	for name, c := range map[string]struct {
		in    []byte
		early int
		limit int
		want  []byte
	}{
		"the standard's example": {example, 1, 100, []byte{45, 45, 45, 45, 45, 65, 45, 45, 45, 66}},
		"another program's":      {packed, 1, 1 << 20, squares()},
		"codes that grow late":   {late.Bytes(), 0, 1 << 20, squares()},
		"cut":                    {example[:3], 1, 100, []byte{45}},
		"nothing":                {nil, 1, 100, nil},
		"a code that is not yet": {[]byte{0x80, 0x7f, 0xff}, 1, 100, nil},
		"more than is read":      {example, 1, 2, []byte{45, 45, 45}},
	} {
		if got := unpackLZW(c.in, c.early, c.limit); !bytes.Equal(got, c.want) {
			t.Errorf("%s: %.60v (%d bytes), want %.60v (%d bytes)", name, got, len(got), c.want, len(c.want))
		}
	}
}

func FuzzUnpackLZW(f *testing.F) {
	f.Add([]byte{0x80, 0x0b, 0x60, 0x50, 0x22, 0x0c, 0x0c, 0x85, 0x01}, true)
	f.Fuzz(func(t *testing.T, data []byte, late bool) {
		const limit = 1 << 16
		early := 1
		if late {
			early = 0
		}
		if got := unpackLZW(data, early, limit); len(got) > limit+maxCodes {
			t.Errorf("%d bytes of %d, want %d at most", len(got), len(data), limit+maxCodes)
		}
	})
}
