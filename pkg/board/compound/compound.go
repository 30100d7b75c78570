package compound

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"
)

// Signature begins every compound file.
const Signature = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

// Sector numbers from lastSector on mean something else than a sector.
const (
	lastSector = 0xFFFFFFFA
	noEntry    = 0xFFFFFFFF
)

// Sizes of fixed parts.
const (
	headerSize, entrySize = 512, 128
	headerFATs            = 109 // sectors of the allocation table that the header lists
)

// Kinds of entries.
const (
	storage = 1
	stream  = 2
	root    = 5
)

// ErrNone is what opening a stream gives that the file does not hold.
var ErrNone = errors.New("the stream is not in the file")

// A File is an open compound file.
type File struct {
	data     []byte
	sector   int // sizes in bytes
	small    int
	cutoff   uint64 // streams below it lie in small sectors
	fat      []uint32
	smallFAT []uint32
	smalls   []byte // content of all small sectors
	entries  []entry
	index    map[place]int
}

// An entry is a stream or a folder.
type entry struct {
	name              string
	kind              byte
	left, right, down uint32
	start             uint32
	size              uint64
}

// A place is a name within a folder; names differ in more than case.
type place struct {
	folder int
	name   string
}

// Open reads the tables of a compound file. It fails where they are damaged.
func Open(data []byte) (*File, error) {
	if len(data) < headerSize || string(data[:8]) != Signature {
		return nil, errors.New("no compound file")
	}
	le := binary.LittleEndian
	f := &File{data: data, cutoff: uint64(le.Uint32(data[56:]))}
	major, shift, smallShift := le.Uint16(data[26:]), le.Uint16(data[30:]), le.Uint16(data[32:])
	if !(major == 3 && shift == 9 || major == 4 && shift == 12) || smallShift != 6 {
		return nil, fmt.Errorf("a compound file of version %d with sectors of 2^%d bytes is not known", major, shift)
	}
	f.sector, f.small = 1<<shift, 1<<smallShift
	if err := f.readTables(); err != nil {
		return nil, err
	}
	return f, f.readFolders(le.Uint32(data[48:]))
}

// readTables reads the allocation tables of sectors and of small sectors.
func (f *File) readTables() error {
	le := binary.LittleEndian
	most := len(f.data)/f.sector + 1
	var list []uint32
	for i := range headerFATs {
		list = append(list, le.Uint32(f.data[76+4*i:]))
	}
	next := le.Uint32(f.data[68:])
	for range most {
		s, ok := f.sectorAt(next)
		if !ok {
			break
		}
		for i := 0; i < f.sector-4; i += 4 {
			list = append(list, le.Uint32(s[i:]))
		}
		next = le.Uint32(s[f.sector-4:])
	}
	for _, n := range list {
		if s, ok := f.sectorAt(n); ok && len(f.fat)*4 < len(f.data) {
			f.fat = appendTable(f.fat, s)
		}
	}
	if n := le.Uint32(f.data[60:]); n < lastSector {
		table, err := f.chain(n, uint64(len(f.data)), false)
		if err != nil {
			return err
		}
		f.smallFAT = appendTable(nil, table)
	}
	return nil
}

func appendTable(t []uint32, sector []byte) []uint32 {
	for i := 0; i+4 <= len(sector); i += 4 {
		t = append(t, binary.LittleEndian.Uint32(sector[i:]))
	}
	return t
}

// sectorAt gives a sector; the last one of a file may be cut short.
func (f *File) sectorAt(n uint32) ([]byte, bool) {
	if n >= lastSector {
		return nil, false
	}
	from := (int64(n) + 1) * int64(f.sector)
	if from+int64(f.sector) > int64(len(f.data)) {
		return nil, false
	}
	return f.data[from : from+int64(f.sector)], true
}

// chain joins the sectors of a stream, up to size bytes. With whole set a stream
// that ends sooner is damaged.
func (f *File) chain(start uint32, size uint64, whole bool) ([]byte, error) {
	if size > uint64(len(f.data)) {
		return nil, fmt.Errorf("a stream of %d bytes is longer than the file", size)
	}
	var out []byte
	if whole {
		out = make([]byte, 0, size)
	}
	for n := start; uint64(len(out)) < size; {
		if n >= lastSector {
			if whole {
				return nil, fmt.Errorf("a stream of %d bytes ends after %d", size, len(out))
			}
			break
		}
		s, ok := f.sectorAt(n)
		if !ok {
			if s = f.tail(n); len(s) == 0 || uint64(len(out)+len(s)) < size {
				return nil, errors.New("a chain of sectors leaves the file")
			}
		}
		out = append(out, s[:min(uint64(len(s)), size-uint64(len(out)))]...)
		if int(n) >= len(f.fat) {
			n = lastSector
			continue
		}
		n = f.fat[n]
	}
	return out, nil
}

// tail is what a file cut short holds of its last sector.
func (f *File) tail(n uint32) []byte {
	from := (int64(n) + 1) * int64(f.sector)
	if from >= int64(len(f.data)) {
		return nil
	}
	return f.data[from:]
}

// readFolders reads the entries and indexes them by folder and name.
func (f *File) readFolders(start uint32) error {
	raw, err := f.chain(start, uint64(len(f.data)), false)
	if err != nil {
		return err
	}
	for ; len(raw) >= entrySize; raw = raw[entrySize:] {
		f.entries = append(f.entries, entryOf(raw[:entrySize]))
	}
	if len(f.entries) == 0 || f.entries[0].kind != root {
		return errors.New("the compound file has no root folder")
	}
	if r := f.entries[0]; r.start < lastSector && r.size > 0 {
		if f.smalls, err = f.chain(r.start, r.size, true); err != nil {
			return err
		}
	}
	f.walk()
	return nil
}

func entryOf(b []byte) entry {
	le := binary.LittleEndian
	letters := make([]uint16, 0, 32)
	for i := 0; i+2 < int(min(le.Uint16(b[64:]), 64)); i += 2 {
		letters = append(letters, le.Uint16(b[i:]))
	}
	return entry{
		name: string(utf16.Decode(letters)), kind: b[66], left: le.Uint32(b[68:]), right: le.Uint32(b[72:]), down: le.Uint32(b[76:]),
		start: le.Uint32(b[116:]), size: uint64(le.Uint32(b[120:])), // the upper half is not always cleared
	}
}

// walk visits each entry once.
func (f *File) walk() {
	type visit struct {
		entry  uint32
		folder int
	}
	f.index = make(map[place]int, len(f.entries))
	seen := make([]bool, len(f.entries))
	open := []visit{{f.entries[0].down, 0}}
	for len(open) > 0 {
		v := open[len(open)-1]
		open = open[:len(open)-1]
		if v.entry == noEntry || int64(v.entry) >= int64(len(f.entries)) || seen[v.entry] {
			continue
		}
		seen[v.entry] = true
		e := &f.entries[v.entry]
		open = append(open, visit{e.left, v.folder}, visit{e.right, v.folder})
		k := place{v.folder, strings.ToLower(e.name)}
		if _, ok := f.index[k]; !ok {
			f.index[k] = int(v.entry)
		}
		if e.kind == storage {
			open = append(open, visit{e.down, int(v.entry)})
		}
	}
}

// Folders are the names of the folders in the root folder, in no order.
func (f *File) Folders() []string {
	var out []string
	for k, i := range f.index {
		if k.folder == 0 && f.entries[i].kind == storage {
			out = append(out, f.entries[i].name)
		}
	}
	return out
}

// Stream gives the content of a stream by the names of its folders and its own. It
// is [ErrNone] where there is none, and another error where it is damaged.
func (f *File) Stream(path ...string) ([]byte, error) {
	at := 0
	for _, name := range path {
		i, ok := f.index[place{at, strings.ToLower(name)}]
		if !ok {
			return nil, ErrNone
		}
		at = i
	}
	e := &f.entries[at]
	if e.kind != stream {
		return nil, ErrNone
	}
	if e.size >= f.cutoff {
		return f.chain(e.start, e.size, true)
	}
	return f.smallChain(e.start, int(e.size))
}

// smallChain joins the small sectors of a stream.
func (f *File) smallChain(start uint32, size int) ([]byte, error) {
	if size > len(f.smalls) { // its chain goes in circles
		return nil, fmt.Errorf("a stream of %d bytes is longer than all small sectors", size)
	}
	out := make([]byte, 0, size)
	for n := start; len(out) < size; {
		from := int64(n) * int64(f.small)
		if n >= lastSector || from >= int64(len(f.smalls)) {
			return nil, errors.New("a chain of small sectors leaves the file")
		}
		s := f.smalls[from:min(from+int64(f.small), int64(len(f.smalls)))]
		out = append(out, s[:min(len(s), size-len(out))]...)
		if int(n) >= len(f.smallFAT) {
			n = lastSector
			continue
		}
		n = f.smallFAT[n]
	}
	return out, nil
}
