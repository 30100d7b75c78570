package index

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash"

	"github.com/minio/highwayhash"
)

// A tail is what was appended to a stream after its index was written.
type tail struct {
	stream          string
	from            *state
	messages, bytes uint64
	lastSeq         uint64
	lastTime        int64
	blocks          []block // the index's last one, and those after it
	subjects        map[string]*span
	checksum        [checksumSize]byte // of the last record
}

// A span is how many messages of a subject there are, and in which blocks.
type span struct {
	messages    uint64
	first, last uint32
	known       bool // the index has the subject
}

func (s span) append(out, name []byte) []byte {
	out = binary.AppendUvarint(out, uint64(len(name)))
	out = append(out, name...)
	out = binary.AppendUvarint(out, s.messages)
	out = binary.AppendUvarint(out, uint64(s.first))
	return binary.AppendUvarint(out, uint64(s.last))
}

func newTail(stream string, s *state) *tail {
	return &tail{stream: stream, from: s, lastSeq: s.lastSeq, lastTime: s.lastTime, checksum: s.checksum, subjects: map[string]*span{}}
}

// read adds a block. Blocks come in their order, from the index's last one on.
func (t *tail) read(index uint32, data []byte) error {
	b := block{index: index}
	if index == t.from.lastBlock {
		b = t.from.blocks[len(t.from.blocks)-1]
		at, err := t.findEnd(data)
		if err != nil {
			return err
		}
		data = data[at:]
	} else if len(data) == 0 {
		return errOther
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s-%d", t.stream, index))
	h, err := highwayhash.NewDigest64(sum[:])
	if err != nil {
		return err
	}
	for len(data) > 0 {
		r, err := readRecord(data)
		if err != nil {
			return err
		}
		if !r.holds(h) || len(r.subject) == 0 || r.seq != t.lastSeq+1 { // marks of deletion have bits of their own in the sequence
			return errOther
		}
		t.add(&b, r)
		data = data[r.size:]
	}
	t.blocks = append(t.blocks, b)
	return nil
}

// findEnd is where the index's last record ends in its block.
func (t *tail) findEnd(data []byte) (int, error) {
	for at := 0; at < len(data); {
		r, err := readRecord(data[at:])
		if err != nil {
			return 0, err
		}
		at += r.size
		if bytes.Equal(r.checksum, t.from.checksum[:]) {
			return at, nil
		}
	}
	return 0, errOther
}

func (t *tail) add(b *block, r record) {
	base := t.from.firstTime
	if b.firstSeq == 0 {
		b.firstSeq, b.firstTime = r.seq, r.time-base
	}
	b.lastSeq, b.lastTime, b.bytes = r.seq, r.time-base, b.bytes+uint64(r.size)
	t.messages, t.bytes, t.lastSeq, t.lastTime = t.messages+1, t.bytes+uint64(r.size), r.seq, r.time
	copy(t.checksum[:], r.checksum)
	s := t.subjects[string(r.subject)]
	if s == nil {
		s = &span{first: b.index}
		t.subjects[string(r.subject)] = s
	}
	s.messages, s.last = s.messages+1, b.index
}

// A record is a message in a block: length (its highest bit: there are headers),
// sequence, time, length of the subject, subject, then, with headers, their length and
// they themselves, the body, and a checksum of all but the lengths.
type record struct {
	size     int
	key      []byte // sequence and time
	seq      uint64
	time     int64
	subject  []byte
	rest     []byte // headers and body
	checksum []byte
}

const (
	recordHeader = 22
	withHeaders  = 1 << 31
)

func readRecord(data []byte) (record, error) {
	if len(data) < recordHeader {
		return record{}, errOther
	}
	length := binary.LittleEndian.Uint32(data)
	size, subject := int(length&^withHeaders), int(binary.LittleEndian.Uint16(data[20:]))
	from := recordHeader + subject
	end := size - checksumSize
	rest := from
	if length&withHeaders != 0 {
		rest += 4
	}
	if size > len(data) || rest > end {
		return record{}, errOther
	}
	return record{
		size: size, key: data[4:20], seq: binary.LittleEndian.Uint64(data[4:]), time: int64(binary.LittleEndian.Uint64(data[12:])),
		subject: data[recordHeader:from], rest: data[rest:end], checksum: data[end:size],
	}, nil
}

// holds reports whether the record is as it was written.
func (r record) holds(h hash.Hash) bool {
	h.Reset()
	for _, part := range [][]byte{r.key, r.subject, r.rest} {
		_, _ = h.Write(part) // a hash takes everything
	}
	return bytes.Equal(h.Sum(nil), r.checksum)
}
