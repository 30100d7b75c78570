package fablib

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/fabricator"
	"boardorder/services/part-sourcing/internal/mpn"
)

// An Index knows the codes of manufacturers' numbers in the fabricator's library,
// which can only be asked by code, and the manufacturers, which only its list
// states. It holds hashes, sixteen bytes a part in store: what is found is checked
// against the part itself.
type Index struct {
	entries []entry
	makers  []string // that entries name, each once
}

// An entry is one part; entries are in order of hash.
type entry struct {
	hash  uint64 // of the number's key
	code  uint32 // digits of the code
	maker uint32 // which of the makers, from 1; 0 for none
}

// Len is how many parts the index holds.
func (x *Index) Len() int { return len(x.entries) }

func hash(number string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(mpn.Key(number)))
	return h.Sum64()
}

// maxCodes is how many parts of one number are looked at: some are made by
// several.
const maxCodes = 8

// Codes gives the codes that may be a manufacturer's number's.
func (x *Index) Codes(number string) []string {
	if mpn.Key(number) == "" {
		return nil
	}
	var out []string
	for _, e := range x.find(number) {
		if len(out) < maxCodes {
			out = append(out, "C"+strconv.FormatUint(uint64(e.code), 10))
		}
	}
	return out
}

// Maker gives the manufacturer of a part by its number and code; "" where the list
// states none.
func (x *Index) Maker(number, code string) string {
	digits, ok := codeDigits(code)
	for _, e := range x.find(number) {
		if ok && e.code == digits && e.maker > 0 && int(e.maker) <= len(x.makers) {
			return x.makers[e.maker-1]
		}
	}
	return ""
}

// find gives the entries of a number's hash.
func (x *Index) find(number string) []entry {
	h := hash(number)
	i, _ := slices.BinarySearchFunc(x.entries, h, func(e entry, h uint64) int { return cmp.Compare(e.hash, h) })
	k := i
	for k < len(x.entries) && x.entries[k].hash == h {
		k++
	}
	return x.entries[i:k]
}

// codeDigits gives the digits of a code such as C25804.
func codeDigits(code string) (uint32, bool) {
	digits, ok := strings.CutPrefix(strings.ToUpper(code), "C")
	n, err := strconv.ParseUint(digits, 10, 32)
	return uint32(n), ok && err == nil
}

// add takes a part of the library's list; one without stock is taken, too, since
// it may have some tomorrow. numbers are the makers that were met before.
func (x *Index) add(s fabricator.ComponentStub, numbers map[string]uint32) {
	code, ok := codeDigits(s.Code)
	if !ok || mpn.Key(s.Model) == "" {
		return
	}
	if s.Manufacturer != "" && numbers[s.Manufacturer] == 0 {
		x.makers = append(x.makers, s.Manufacturer)
		numbers[s.Manufacturer] = uint32(len(x.makers))
	}
	x.entries = append(x.entries, entry{hash(s.Model), code, numbers[s.Manufacturer]})
}

func (x *Index) sort() {
	slices.SortFunc(x.entries, func(a, b entry) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.code, b.code)) })
	x.entries = slices.Compact(x.entries)
}

// A Lister lists the library.
type Lister interface {
	ComponentList(ctx context.Context, last string) (page []fabricator.ComponentStub, next string, err error)
}

// maxPages ends a list that never does.
const maxPages = 20_000

// Build makes an index of the whole library. It takes as long as the list is.
func Build(ctx context.Context, l Lister) (*Index, error) {
	x, makers := &Index{}, map[string]uint32{}
	for last, n := "", 0; n < maxPages; n++ {
		page, next, err := l.ComponentList(ctx, last)
		if err != nil {
			return nil, err
		}
		for _, s := range page {
			x.add(s, makers)
		}
		if next == "" {
			x.sort()
			return x, nil
		}
		last = next
	}
	return nil, errors.New("the fabricator's list of parts does not end")
}

// magic begins a stored index; it changes with what [mpn.Key] makes of a number.
const magic = "fablib3\n"

// entryBytes is how long an entry is in store.
const entryBytes = 16

// MarshalBinary writes the index, to be kept and shared.
func (x *Index) MarshalBinary() ([]byte, error) {
	names := strings.Join(x.makers, "\n")
	out := append(make([]byte, 0, len(magic)+4+len(names)+entryBytes*len(x.entries)), magic...)
	out = binary.LittleEndian.AppendUint32(out, uint32(len(names)))
	out = append(out, names...)
	for _, e := range x.entries {
		out = binary.LittleEndian.AppendUint64(out, e.hash)
		out = binary.LittleEndian.AppendUint32(out, e.code)
		out = binary.LittleEndian.AppendUint32(out, e.maker)
	}
	return out, nil
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (x *Index) UnmarshalBinary(data []byte) error {
	wrong := errors.New("not an index of the fabricator's library")
	if len(data) < len(magic)+4 || string(data[:len(magic)]) != magic {
		return wrong
	}
	n, rest := int(binary.LittleEndian.Uint32(data[len(magic):])), data[len(magic)+4:]
	if n > len(rest) || (len(rest)-n)%entryBytes != 0 {
		return wrong
	}
	names, body := string(rest[:n]), rest[n:]
	x.makers = nil
	if names != "" {
		x.makers = strings.Split(names, "\n")
	}
	x.entries = make([]entry, len(body)/entryBytes)
	for i := range x.entries {
		b := body[entryBytes*i:]
		x.entries[i] = entry{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint32(b[8:]), binary.LittleEndian.Uint32(b[12:])}
	}
	x.sort()
	return nil
}
