package archive_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"testing"

	"boardorder/pkg/board/archive"
)

// headerOnly7z is a 7z of nothing but a header, behind content that it may be about.
func headerOnly7z(content []byte, header ...[]byte) []byte {
	head := bytes.Join(header, nil)
	start := binary.LittleEndian.AppendUint64(nil, uint64(len(content)))
	start = binary.LittleEndian.AppendUint64(start, uint64(len(head)))
	start = binary.LittleEndian.AppendUint32(start, crc32.ChecksumIEEE(head))
	b := []byte("7z\xbc\xaf\x27\x1c\x00\x04")
	b = binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(start))
	return bytes.Join([][]byte{b, start, content, head}, nil)
}

// singleBlock describes a packed stream and its one block, of the coder given.
func singleBlock(packed, size int, coder ...byte) []byte {
	return bytes.Join([][]byte{
		{6}, number7z(0), number7z(1), {9}, number7z(packed), {0},
		{7, 0xb, 1, 0, 1}, coder, {0xc}, number7z(size), {0},
	}, nil)
}

// TestClaims: what a header claims is held against what it holds before anything
// is allocated. Each of these few bytes would have the library take gigabytes,
// from which no process recovers.
func TestClaims(t *testing.T) {
	t.Parallel()
	many := number7z(0xFFFFFFFF)
	half := number7z(0x80000000)
	for name, test := range map[string]struct {
		header []byte
		code   archive.Code
	}{
		"files":               {bytes.Join([][]byte{{1, 5}, many, make([]byte, 18)}, nil), archive.Damaged}, // 61 bytes in all
		"files, half as many": {bytes.Join([][]byte{{1, 5}, half, make([]byte, 18)}, nil), archive.Damaged},
		"properties":          {bytes.Join([][]byte{{1, 4, 6}, number7z(0), {1, 9, 1, 0, 7, 0xb, 1, 0, 1, 0x21, 0}, half}, nil), archive.Damaged},
		"packed streams":      {bytes.Join([][]byte{{1, 4, 6}, number7z(0), many, {0xa, 1}}, nil), archive.Damaged},
		"blocks":              {bytes.Join([][]byte{{1, 4, 7, 0xb}, many, {0}}, nil), archive.Damaged},
		"coders":              {bytes.Join([][]byte{{1, 4, 7, 0xb, 1, 0}, many}, nil), archive.Damaged},
		"a coder's inputs":    {bytes.Join([][]byte{{1, 4, 7, 0xb, 1, 0, 1, 0x11, 0}, many, {1}}, nil), archive.Damaged},
		"a coder's outputs":   {bytes.Join([][]byte{{1, 4, 7, 0xb, 1, 0, 1, 0x11, 0, 1}, many}, nil), archive.Damaged},
		"files of a block":    {bytes.Join([][]byte{{1, 4}, singleBlock(1, 1, 1, 0), {8, 0xd}, many, {0xa, 1}}, nil), archive.Damaged},
		"a dictionary": {bytes.Join([][]byte{{1, 4}, singleBlock(1, 1, 0x23, 3, 1, 1, 5, 0x5d, 0xff, 0xff, 0xff, 0xff), {0}, {5, 1, 0, 0}}, nil),
			archive.Unsupported},
		"another's dictionary": {bytes.Join([][]byte{{1, 4}, singleBlock(1, 1, 0x21, 0x21, 1, 40), {0}, {5, 1, 0, 0}}, nil), archive.Unsupported},
		"a packed one's":       {bytes.Join([][]byte{{0x17, 6}, number7z(0), many, {0xa, 1}}, nil), archive.Damaged},
		"nothing":              {nil, archive.Damaged},
	} {
		data := headerOnly7z([]byte{0}, test.header)
		got, err := unpack(t, "x.7z", data, archive.DefaultLimits())
		if got.Code != test.code {
			t.Errorf("%s (%d bytes): %v, want %s", name, len(data), err, test.code)
		}
	}
}

// A header may itself be packed: what it claims when it is unpacked counts.
func TestClaimsOfPackedHeader(t *testing.T) {
	t.Parallel()
	claim := bytes.Join([][]byte{{1, 5}, number7z(0xFFFFFFFF), make([]byte, 18)}, nil)
	data := headerOnly7z(claim, []byte{0x17}, singleBlock(len(claim), len(claim), 1, 0), []byte{0})
	if got, err := unpack(t, "x.7z", data, archive.DefaultLimits()); got.Code != archive.Damaged {
		t.Errorf("%d bytes: %v, want %s", len(data), err, archive.Damaged)
	}
	whole := sevenZipped(t, board...)
	length := int(binary.LittleEndian.Uint64(whole[20:]))
	content, header := whole[32:len(whole)-length], whole[len(whole)-length:]
	packed := headerOnly7z(append(bytes.Clone(content), header...), bytes.Join([][]byte{
		{0x17, 6}, number7z(len(content)), number7z(1), {9}, number7z(len(header)), {0},
		{7, 0xb, 1, 0, 1, 1, 0, 0xc}, number7z(len(header)), {0, 0},
	}, nil))
	got, err := unpack(t, "x.7z", packed, archive.DefaultLimits())
	if err != nil || len(got.Files) != len(board) {
		t.Errorf("an honest one: %d files, %v", len(got.Files), err)
	}
}

// The list of an archive of very many files is long; that alone is said of it.
func TestVeryManyFiles(t *testing.T) {
	t.Parallel()
	limits := archive.DefaultLimits()
	limits.Members = 10
	files := make([]file, 200)
	for i := range files {
		files[i] = file{string(rune('a'+i%26)) + string(rune('a'+i/26)), "x"}
	}
	if got, err := unpack(t, "x.7z", sevenZipped(t, files...), limits); got.Code != archive.TooLarge {
		t.Errorf("200 files of 10: %v", err)
	}
}
