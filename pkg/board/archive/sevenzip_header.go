package archive

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"

	"github.com/bodgit/sevenzip"
)

// What the library reads of a 7z it allocates by counts that the header claims.
// Here the same header is read before, and each count is held against what is
// left of the header: whatever is counted takes some bytes of it.

const (
	sevenZipStart     = 32 // bytes of the start header, which says where the header lies
	maxSevenZipHeader = maxDirectory
	maxSevenZipMemory = 64 << 20 // of the decoders of one block of files
	maxCoderStreams   = 32       // in and out of one block's coders, as the format's own tool has it
)

// The ids of a header's parts.
const (
	sevenZipEnd          = 0x00
	sevenZipHeader       = 0x01
	sevenZipStreams      = 0x04
	sevenZipFiles        = 0x05
	sevenZipPack         = 0x06
	sevenZipUnpack       = 0x07
	sevenZipSubStreams   = 0x08
	sevenZipSizes        = 0x09
	sevenZipSums         = 0x0a
	sevenZipBlocks       = 0x0b
	sevenZipBlockSizes   = 0x0c
	sevenZipBlockStreams = 0x0d
	sevenZipNames        = 0x11
	sevenZipEncoded      = 0x17
	sevenZipShortestName = 2 // bytes that a file takes of a header, and a block
)

var (
	errHeader  = errors.New("header of the 7z claims what it does not hold")
	errEntries = errors.New("7z lists far too many files")
	errMemory  = errors.New("7z takes too much memory to unpack")
)

// checkSevenZip refuses an archive of which the library would believe too much.
// entries is how many files and folders it may list.
func checkSevenZip(r io.ReaderAt, size int64, entries int) error {
	at, header, err := readSevenZipHeader(r, size)
	if err != nil {
		return err
	}
	h := &headerBytes{rest: header}
	if h.byte() != sevenZipEncoded {
		return checkHeader(header, entries)
	}
	if err := h.streams(); err != nil {
		return err
	}
	decoded, err := decodeHeader(r, size, at, header[1:])
	if err != nil {
		return err
	}
	return checkHeader(decoded, entries)
}

// readSevenZipHeader gives the header that lies at the end, and where.
func readSevenZipHeader(r io.ReaderAt, size int64) (at int64, header []byte, err error) {
	var start [sevenZipStart]byte
	if _, err := r.ReadAt(start[:], 0); err != nil {
		return 0, nil, io.ErrUnexpectedEOF
	}
	offset, length := binary.LittleEndian.Uint64(start[12:]), binary.LittleEndian.Uint64(start[20:])
	left := uint64(max(size-sevenZipStart, 0))
	if offset > left || length > left-offset {
		return 0, nil, io.ErrUnexpectedEOF
	}
	if length > maxSevenZipHeader {
		return 0, nil, errEntries
	}
	at, header = sevenZipStart+int64(offset), make([]byte, length)
	if _, err := r.ReadAt(header, at); err != nil && !errors.Is(err, io.EOF) {
		return 0, nil, err
	}
	return at, header, nil
}

// checkHeader checks a header that is not packed.
func checkHeader(header []byte, entries int) error {
	h := &headerBytes{rest: header}
	if h.byte() != sevenZipHeader {
		return errHeader
	}
	id := h.byte()
	if id == sevenZipStreams {
		if err := h.streams(); err != nil {
			return err
		}
		id = h.byte()
	}
	if id != sevenZipFiles {
		return h.err // no files at all
	}
	if files := h.count(sevenZipShortestName); files > entries {
		return errEntries
	}
	return h.err // no other count follows
}

// decodeHeader unpacks a packed header: of an archive that differs from this one
// in its header alone, which describes the packed header as its only file.
func decodeHeader(r io.ReaderAt, size, at int64, streams []byte) ([]byte, error) {
	header := append([]byte{sevenZipHeader, sevenZipStreams}, streams...)
	header = append(header, sevenZipFiles, 1, sevenZipNames, 5, 0, 'h', 0, 0, 0, sevenZipEnd, sevenZipEnd)
	z, err := guard(func() (*sevenzip.Reader, error) {
		w := &withHeader{start: startOf(size, header), r: r, size: size, header: header}
		return sevenzip.NewReader(w, size+int64(len(header)))
	})
	if err != nil {
		return nil, err
	}
	if len(z.File) != 1 {
		return nil, errHeader
	}
	content, err := guard(z.File[0].Open)
	if err != nil {
		return nil, err
	}
	defer release(content)
	data, err := guard(func() ([]byte, error) { return io.ReadAll(io.LimitReader(content, maxSevenZipHeader+1)) })
	if err == nil && len(data) > maxSevenZipHeader {
		err = errEntries
	}
	return data, err
}

// startOf is the start header of an archive whose header lies at end.
func startOf(end int64, header []byte) []byte {
	start := make([]byte, sevenZipStart)
	copy(start, "7z\xbc\xaf\x27\x1c\x00\x04")
	binary.LittleEndian.PutUint64(start[12:], uint64(end-sevenZipStart))
	binary.LittleEndian.PutUint64(start[20:], uint64(len(header)))
	binary.LittleEndian.PutUint32(start[28:], crc32.ChecksumIEEE(header))
	binary.LittleEndian.PutUint32(start[8:], crc32.ChecksumIEEE(start[12:]))
	return start
}

// withHeader is an archive with another start header, and its header at the end.
type withHeader struct {
	start  []byte
	r      io.ReaderAt
	size   int64
	header []byte
}

func (w *withHeader) ReadAt(p []byte, at int64) (int, error) {
	n := 0
	for n < len(p) {
		part, begin := io.ReaderAt(w.r), int64(0)
		end := w.size
		switch pos := at + int64(n); {
		case pos < sevenZipStart:
			part, end = bytes.NewReader(w.start), sevenZipStart
		case pos >= w.size:
			part, begin, end = bytes.NewReader(w.header), w.size, w.size+int64(len(w.header))
		}
		pos := at + int64(n)
		if pos >= end {
			return n, io.EOF
		}
		m, err := part.ReadAt(p[n:min(int64(len(p)), int64(n)+end-pos)], pos-begin)
		if n += m; m == 0 {
			return n, err
		}
	}
	return n, nil
}

// headerBytes reads a header. After an error it reads zeros.
type headerBytes struct {
	rest []byte
	err  error
}

func (h *headerBytes) byte() byte {
	if len(h.rest) == 0 {
		h.err = errHeader
		return 0
	}
	b := h.rest[0]
	h.rest = h.rest[1:]
	return b
}

// number reads a number of one to nine bytes. As many bits as are set at the
// top of the first byte, so many bytes follow it.
func (h *headerBytes) number() uint64 {
	first := h.byte()
	var v uint64
	mask := byte(0x80)
	for i := range 8 {
		if first&mask == 0 {
			return v | uint64(first&(mask-1))<<(8*i)
		}
		v |= uint64(h.byte()) << (8 * i)
		mask >>= 1
	}
	return v
}

// count reads how many of something follow that takes so many bytes each.
func (h *headerBytes) count(each int) int {
	n := h.number()
	if n > uint64(len(h.rest)/each) {
		h.err = errHeader
		return 0
	}
	return int(n)
}

func (h *headerBytes) skip(n int) []byte {
	if n > len(h.rest) {
		h.err = errHeader
		n = len(h.rest)
	}
	skipped := h.rest[:n]
	h.rest = h.rest[n:]
	return skipped
}

func (h *headerBytes) numbers(n int) {
	for i := 0; i < n && h.err == nil; i++ {
		h.number()
	}
}

// sums skips the checksums of n streams, of which not all need have one.
func (h *headerBytes) sums(n int) {
	defined := n
	if h.byte() == 0 {
		defined = 0
		for i, b := range h.skip((n + 7) / 8) {
			for bit := range min(8, n-8*i) {
				defined += int(b >> (7 - bit) & 1)
			}
		}
	}
	h.skip(4 * defined)
}

// streams checks what is said of packed streams and of the blocks in them.
func (h *headerBytes) streams() error {
	id := h.byte()
	if id == sevenZipPack {
		h.number() // where they begin
		n := h.count(1)
		id = h.byte()
		if id == sevenZipSizes {
			h.numbers(n)
			id = h.byte()
		}
		id = h.endOf(id, n)
	}
	blocks := 0
	if id == sevenZipUnpack {
		var err error
		if blocks, err = h.blocks(); err != nil {
			return err
		}
		id = h.byte()
	}
	if id == sevenZipSubStreams {
		id = h.subStreams(blocks)
	}
	if id != sevenZipEnd {
		h.err = errHeader
	}
	return h.err
}

// endOf skips the checksums of n streams, if id says that they are there, and
// the end of the part. It returns the id of the next part.
func (h *headerBytes) endOf(id byte, n int) byte {
	if id == sevenZipSums {
		h.sums(n)
		id = h.byte()
	}
	if id != sevenZipEnd {
		h.err = errHeader
	}
	return h.byte()
}

func (h *headerBytes) blocks() (int, error) {
	if h.byte() != sevenZipBlocks {
		return 0, errHeader
	}
	n := h.count(sevenZipShortestName)
	if h.byte() != 0 { // they lie elsewhere
		return 0, errHeader
	}
	outs := 0
	for i := 0; i < n && h.err == nil; i++ {
		out, err := h.block()
		if err != nil {
			return 0, err
		}
		outs += out
	}
	if h.byte() != sevenZipBlockSizes {
		return 0, errHeader
	}
	h.numbers(outs)
	id := h.byte()
	if id == sevenZipSums {
		h.sums(n)
		id = h.byte()
	}
	if id != sevenZipEnd {
		h.err = errHeader
	}
	return n, h.err
}

// block checks one block: the coders that its content goes through.
func (h *headerBytes) block() (outs int, err error) {
	coders := h.count(1)
	var ins int
	var memory uint64
	for i := 0; i < coders && h.err == nil; i++ {
		flags := h.byte()
		method := h.skip(int(flags & 0x0f))
		in, out := 1, 1
		if flags&0x10 != 0 {
			in, out = h.count(1), h.count(1)
		}
		if ins, outs = ins+in, outs+out; ins > maxCoderStreams || outs > maxCoderStreams {
			return 0, errHeader
		}
		var properties []byte
		if flags&0x20 != 0 {
			properties = h.skip(h.count(1))
		}
		if memory += coderMemory(method, properties); memory > maxSevenZipMemory {
			return 0, errMemory
		}
	}
	if outs == 0 || ins < outs {
		return 0, errHeader
	}
	bound := outs - 1
	h.numbers(2 * bound)
	if packed := ins - bound; packed > 1 {
		h.numbers(packed)
	}
	return outs, h.err
}

// coderMemory is the memory that a coder's properties ask for, in bytes.
func coderMemory(method, properties []byte) uint64 {
	switch {
	case bytes.Equal(method, []byte{0x03, 0x01, 0x01}) && len(properties) >= 5, // LZMA
		bytes.Equal(method, []byte{0x03, 0x04, 0x01}) && len(properties) >= 5: // PPMd
		return uint64(binary.LittleEndian.Uint32(properties[1:]))
	case bytes.Equal(method, []byte{0x21}) && len(properties) >= 1: // LZMA2
		p := uint(min(properties[0], 62))
		return (2 | uint64(p)&1) << (p/2 + 11)
	}
	return 0
}

// subStreams checks what is said of the files in the blocks.
func (h *headerBytes) subStreams(blocks int) byte {
	id := h.byte()
	files, sized := blocks, 0
	if id == sevenZipBlockStreams {
		files = 0
		for i := 0; i < blocks && h.err == nil; i++ {
			n := h.number()
			if n > uint64(len(h.rest)+1) { // all but one have a size or a checksum of their own
				h.err = errHeader
				return 0
			}
			files += int(n)
			sized += max(int(n)-1, 0)
		}
		id = h.byte()
	}
	if files > len(h.rest)+blocks {
		h.err = errHeader
		return 0
	}
	if id == sevenZipSizes {
		h.numbers(sized)
		id = h.byte()
	}
	return h.endOf(id, files)
}
