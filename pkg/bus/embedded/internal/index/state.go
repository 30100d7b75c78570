package index

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"

	"github.com/minio/highwayhash"
	"github.com/nats-io/nats-server/v2/server/avl"
)

// The first two bytes of an index.
const (
	magic   = 11
	version = 4
)

const checksumSize = highwayhash.Size64

// A state is an index: what a stream holds, how many messages of each subject, and which
// block holds what. Times are in nanoseconds since 1970.
type state struct {
	messages, bytes uint64
	firstSeq        uint64
	firstTime       int64
	lastSeq         uint64
	lastTime        int64
	subjectCount    uint64
	subjects        []byte // encoded: name, messages, first block, last block of each
	blocks          []block
	lastBlock       uint32
	checksum        [checksumSize]byte // of the last record
}

// A block is what an index says of one.
type block struct {
	index     uint32
	bytes     uint64 // of its messages, without those deleted
	firstSeq  uint64
	firstTime int64 // since the stream's
	lastSeq   uint64
	lastTime  int64
	deleted   uint64
	others    [2]uint64 // messages with a time to live or a schedule
	gaps      []byte    // encoded: which are deleted
}

// A scanner reads what an index is made of. After a failure all that it reads is zero.
type scanner struct {
	rest   []byte
	failed bool
}

func (s *scanner) readUnsigned() uint64 {
	v, n := binary.Uvarint(s.rest)
	return scan(s, v, n)
}

func (s *scanner) readSigned() int64 {
	v, n := binary.Varint(s.rest)
	return scan(s, v, n)
}

func scan[T uint64 | int64](s *scanner, v T, n int) T {
	if n <= 0 || s.failed {
		s.failed = true
		return 0
	}
	s.rest = s.rest[n:]
	return v
}

func (s *scanner) readBytes(n uint64) []byte {
	if n > uint64(len(s.rest)) || s.failed {
		s.failed = true
		return nil
	}
	out := s.rest[:n]
	s.rest = s.rest[n:]
	return out
}

func digest(key string, data []byte) ([]byte, error) {
	sum := sha256.Sum256([]byte(key))
	h, err := highwayhash.NewDigest64(sum[:])
	if err != nil {
		return nil, err
	}
	_, _ = h.Write(data) // a hash takes everything
	return h.Sum(nil), nil
}

// decode reads the index of the stream called name.
func decode(name string, data []byte) (*state, error) {
	if len(data) < 2+checksumSize {
		return nil, errOther
	}
	body, sum := data[:len(data)-checksumSize], data[len(data)-checksumSize:]
	if want, err := digest(name, body); err != nil || !bytes.Equal(sum, want) || body[0] != magic || body[1] != version {
		return nil, errOther
	}
	in := &scanner{rest: body[2:]}
	s := &state{
		messages: in.readUnsigned(), bytes: in.readUnsigned(), firstSeq: in.readUnsigned(), firstTime: in.readSigned(),
		lastSeq: in.readUnsigned(), lastTime: in.readSigned(), subjectCount: in.readUnsigned(),
	}
	begin := in.rest
	for n := uint64(0); n < s.subjectCount && !in.failed; n++ {
		in.readBytes(in.readUnsigned())
		in.readUnsigned()
		in.readUnsigned()
		in.readUnsigned()
	}
	s.subjects = begin[:len(begin)-len(in.rest)]
	for n := in.readUnsigned(); n > 0 && !in.failed; n-- {
		b, err := decodeBlock(in)
		if err != nil {
			return nil, err
		}
		s.blocks = append(s.blocks, b)
	}
	s.lastBlock = uint32(in.readUnsigned())
	copy(s.checksum[:], in.readBytes(checksumSize))
	if in.failed || len(in.rest) > 0 || s.messages == 0 || len(s.blocks) == 0 {
		return nil, errOther
	}
	if last := s.blocks[len(s.blocks)-1]; last.index != s.lastBlock || last.lastSeq != s.lastSeq || last.lastSeq < last.firstSeq {
		return nil, errOther
	}
	return s, nil
}

func decodeBlock(in *scanner) (block, error) {
	b := block{
		index: uint32(in.readUnsigned()), bytes: in.readUnsigned(), firstSeq: in.readUnsigned(), firstTime: in.readSigned(),
		lastSeq: in.readUnsigned(), lastTime: in.readSigned(), deleted: in.readUnsigned(), others: [2]uint64{in.readUnsigned(), in.readUnsigned()},
	}
	if b.deleted == 0 || in.failed {
		return b, nil
	}
	_, n, err := avl.Decode(in.rest)
	if err != nil {
		return b, errOther
	}
	b.gaps = in.readBytes(uint64(n))
	return b, nil
}

// encode writes the index of the stream called name with what its tail adds.
func (s *state) encode(name string, t *tail) ([]byte, error) {
	out := make([]byte, 0, len(s.subjects)+96*len(t.subjects)+64*(len(s.blocks)+len(t.blocks))+1024)
	out = append(out, magic, version)
	out = binary.AppendUvarint(out, s.messages+t.messages)
	out = binary.AppendUvarint(out, s.bytes+t.bytes)
	out = binary.AppendUvarint(out, s.firstSeq)
	out = binary.AppendVarint(out, s.firstTime)
	out = binary.AppendUvarint(out, t.lastSeq)
	out = binary.AppendVarint(out, t.lastTime)
	subjects, count := s.mergeSubjects(t)
	out = binary.AppendUvarint(out, count)
	out = append(out, subjects...)
	blocks := append(s.blocks[:len(s.blocks)-1:len(s.blocks)-1], t.blocks...)
	out = binary.AppendUvarint(out, uint64(len(blocks)))
	for _, b := range blocks {
		out = b.append(out)
	}
	out = binary.AppendUvarint(out, uint64(blocks[len(blocks)-1].index))
	out = append(out, t.checksum[:]...)
	sum, err := digest(name, out)
	return append(out, sum...), err
}

// mergeSubjects gives the encoded subjects with those of the tail, and how many they are.
func (s *state) mergeSubjects(t *tail) (out []byte, count uint64) {
	out = make([]byte, 0, len(s.subjects)+96*len(t.subjects))
	in, more := &scanner{rest: s.subjects}, s.subjectCount
	for range s.subjectCount {
		name := in.readBytes(in.readUnsigned())
		c := span{messages: in.readUnsigned(), first: uint32(in.readUnsigned()), last: uint32(in.readUnsigned())}
		if added, is := t.subjects[string(name)]; is {
			c.messages, c.last, added.known = c.messages+added.messages, added.last, true
		}
		out = c.append(out, name)
	}
	for name, added := range t.subjects {
		if !added.known {
			out, more = added.append(out, []byte(name)), more+1
		}
	}
	return out, more
}

func (b block) append(out []byte) []byte {
	out = binary.AppendUvarint(out, uint64(b.index))
	out = binary.AppendUvarint(out, b.bytes)
	out = binary.AppendUvarint(out, b.firstSeq)
	out = binary.AppendVarint(out, b.firstTime)
	out = binary.AppendUvarint(out, b.lastSeq)
	out = binary.AppendVarint(out, b.lastTime)
	out = binary.AppendUvarint(out, b.deleted)
	for _, n := range b.others {
		out = binary.AppendUvarint(out, n)
	}
	return append(out, b.gaps...)
}
