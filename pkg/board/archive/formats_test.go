package archive_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math/rand/v2"
	"testing"
	"unicode/utf16"
)

// The libraries only read these two formats, so tests write them here, as far
// as it takes: files that are stored, not compressed.

func randomText(n int) string {
	source := rand.NewChaCha8([32]byte{1})
	b := make([]byte, n)
	_, _ = source.Read(b) // never fails
	for i := range b {
		b[i] = 'a' + b[i]%26
	}
	return string(b)
}

// vint is a number as RAR 5 writes it: seven bits a byte, lowest first.
func vint(n uint64) []byte { return binary.AppendUvarint(nil, n) }

func rarBlock(kind, flags uint64, fields, data []byte) []byte {
	head := append(vint(kind), vint(flags)...)
	if flags&2 != 0 {
		head = append(head, vint(uint64(len(data)))...)
	}
	head = append(head, fields...)
	sized := append(vint(uint64(len(head))), head...)
	return append(append(binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE(sized)), sized...), data...)
}

func rarOf(files ...file) []byte {
	b := []byte("Rar!\x1a\x07\x01\x00")
	b = append(b, rarBlock(1, 0, vint(0), nil)...)
	for _, f := range files {
		fields := bytes.Join([][]byte{
			vint(4), // has a checksum
			vint(uint64(len(f.content))),
			vint(0o100644),
			binary.LittleEndian.AppendUint32(nil, crc32.ChecksumIEEE([]byte(f.content))),
			vint(0), // stored
			vint(1), // Unix
			vint(uint64(len(f.name))),
			[]byte(f.name),
		}, nil)
		b = append(b, rarBlock(2, 2, fields, []byte(f.content))...)
	}
	return append(b, rarBlock(5, 0, vint(0), nil)...)
}

// number7z is a number as 7z writes it, in its longest form.
func number7z(n int) []byte { return binary.LittleEndian.AppendUint64([]byte{0xff}, uint64(n)) }

func sevenZipped(t testing.TB, files ...file) []byte {
	t.Helper()
	var packed, names, sizes, sums, empty []byte
	streams := 0
	emptyBits := make([]byte, (len(files)+7)/8)
	for i, f := range files {
		for _, unit := range append(utf16.Encode([]rune(f.name)), 0) {
			names = binary.LittleEndian.AppendUint16(names, unit)
		}
		if f.content == "" {
			emptyBits[i/8] |= 0x80 >> (i % 8)
			empty = append(empty, 1)
			continue
		}
		streams++
		packed = append(packed, f.content...)
		sums = binary.LittleEndian.AppendUint32(sums, crc32.ChecksumIEEE([]byte(f.content)))
		sizes = append(sizes, number7z(len(f.content))...)
	}
	sizes = sizes[:max(0, len(sizes)-len(number7z(0)))] // the last goes without saying
	head := []byte{1}                                   // header
	if streams > 0 {
		head = append(head, 4) // main streams
		head = append(head, bytes.Join([][]byte{
			{6}, number7z(0), number7z(1), {9}, number7z(len(packed)), {0}, // where the packed stream is
			{7, 0xb}, number7z(1), {0}, {1, 1, 0}, {0xc}, number7z(len(packed)), {0}, // one folder, method copy
			{8, 0xd}, number7z(streams), {9}, sizes, {0xa, 1}, sums, {0}, // what is in it
			{0},
		}, nil)...)
	}
	head = append(head, 5) // files
	head = append(head, number7z(len(files))...)
	if len(empty) > 0 {
		head = append(head, 0xe)
		head = append(append(head, number7z(len(emptyBits))...), emptyBits...)
		bits := make([]byte, (len(empty)+7)/8)
		for i := range empty {
			bits[i/8] |= 0x80 >> (i % 8)
		}
		head = append(append(append(head, 0xf), number7z(len(bits))...), bits...)
	}
	head = append(head, 0x11)
	head = append(append(append(head, number7z(len(names)+1)...), 0), names...)
	head = append(head, 0, 0)

	start := binary.LittleEndian.AppendUint64(nil, uint64(len(packed)))
	start = binary.LittleEndian.AppendUint64(start, uint64(len(head)))
	start = binary.LittleEndian.AppendUint32(start, crc32.ChecksumIEEE(head))
	b := []byte("7z\xbc\xaf\x27\x1c\x00\x04")
	b = binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE(start))
	return bytes.Join([][]byte{b, start, packed, head}, nil)
}
