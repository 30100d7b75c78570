package compound_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"boardorder/pkg/board/compound"
	"boardorder/pkg/board/testkit/pcbdoc"
)

func sample() (map[string][]byte, []byte) {
	streams := map[string][]byte{"a/small": []byte("hello"), "a/large": bytes.Repeat([]byte("0123456789"), 1000), "b/none": nil, "top": bytes.Repeat([]byte("x"), 200)}
	return streams, pcbdoc.Compound(streams)
}

func TestStreams(t *testing.T) {
	t.Parallel()
	streams, data := sample()
	f, err := compound.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range streams {
		path := []string{name}
		if name != "top" {
			path = []string{name[:1], name[2:]}
		}
		if got, err := f.Stream(path...); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %d bytes, %v; want %d", name, len(got), err, len(want))
		}
	}
	folders := f.Folders()
	slices.Sort(folders)
	if !slices.Equal(folders, []string{"a", "b"}) {
		t.Errorf("folders %q, want a and b", folders)
	}
	for _, path := range [][]string{{"c", "d"}, {"a"}, {"A", "nothing"}, {}} {
		if _, err := f.Stream(path...); !errors.Is(err, compound.ErrNone) {
			t.Errorf("Stream(%q): %v, want %v", path, err, compound.ErrNone)
		}
	}
	if got, err := f.Stream("A", "SMALL"); err != nil || string(got) != "hello" {
		t.Errorf("in capitals: %q, %v", got, err)
	}
}

// TestDamaged: chains that circle or leave the file, and sizes beyond it, end.
func TestDamaged(t *testing.T) {
	t.Parallel()
	_, whole := sample()
	put := func(at int, v uint32) []byte {
		d := bytes.Clone(whole)
		binary.LittleEndian.PutUint32(d[at:], v)
		return d
	}
	table := (int(binary.LittleEndian.Uint32(whole[76:])) + 1) * 512
	dirs := (int(binary.LittleEndian.Uint32(whole[48:])) + 1) * 512
	entry := func(name string) int { // of a stream
		for at := dirs; ; at += 128 {
			if whole[at] == name[0] && whole[at+2] == name[1] {
				return at
			}
		}
	}
	for name, data := range map[string][]byte{
		"a chain that circles":        put(table, 0),
		"a chain that leaves":         put(table, 1<<20),
		"a stream longer than all":    put(entry("large")+120, 1<<31),
		"folders that hold one other": put(dirs+76, 0),
		"a table that is not there":   put(76, 1<<20),
		"a list of tables in circles": put(68, 0),
		"folders elsewhere":           put(48, 1<<20),
		"no large sectors":            put(30, 0x00060003),
		"cut short":                   whole[:len(whole)/2],
		"the head alone":              whole[:512],
		"nothing":                     nil,
	} {
		f, err := compound.Open(data)
		if err != nil {
			continue
		}
		got, err := f.Stream("a", "large")
		if err == nil && len(got) > len(data) {
			t.Errorf("%s: a stream of %d bytes, want no more than the file's %d", name, len(got), len(data))
		}
		if err == nil && len(got) == 10_000 && name != "a list of tables in circles" && bytes.Equal(got, bytes.Repeat([]byte("0123456789"), 1000)) {
			t.Errorf("%s: was read as if nothing was wrong", name)
		}
	}
}

func FuzzOpen(f *testing.F) {
	_, data := sample()
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := compound.Open(data)
		if err != nil {
			return
		}
		for _, name := range c.Folders() {
			if got, _ := c.Stream(name, "large"); len(got) > len(data) {
				t.Fatalf("stream %q has %d bytes, want no more than the file's %d", name, len(got), len(data))
			}
		}
	})
}
