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
// which can only be asked by code. It holds hashes, twelve bytes a part in store: what is
// found is checked against the part itself.
type Index struct{ entries []entry }

// An entry is one part; entries are in order of hash.
type entry struct {
	hash uint64 // of the number's key
	code uint32 // digits of the code
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
	h := hash(number)
	i, _ := slices.BinarySearchFunc(x.entries, h, func(e entry, h uint64) int { return cmp.Compare(e.hash, h) })
	var out []string
	for ; i < len(x.entries) && x.entries[i].hash == h && len(out) < maxCodes; i++ {
		out = append(out, "C"+strconv.FormatUint(uint64(x.entries[i].code), 10))
	}
	return out
}

// add takes a part of the library's list; one without stock is taken, too, since
// it may have some tomorrow.
func (x *Index) add(s fabricator.ComponentStub) {
	digits, ok := strings.CutPrefix(strings.ToUpper(s.Code), "C")
	code, err := strconv.ParseUint(digits, 10, 32)
	if ok && err == nil && mpn.Key(s.Model) != "" {
		x.entries = append(x.entries, entry{hash(s.Model), uint32(code)})
	}
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
	x := &Index{}
	for last, n := "", 0; n < maxPages; n++ {
		page, next, err := l.ComponentList(ctx, last)
		if err != nil {
			return nil, err
		}
		for _, s := range page {
			x.add(s)
		}
		if next == "" {
			x.sort()
			return x, nil
		}
		last = next
	}
	return nil, errors.New("the fabricator's list of parts does not end")
}

// magic begins a stored index.
const magic = "fablib1\n"

// MarshalBinary writes the index, to be kept and shared.
func (x *Index) MarshalBinary() ([]byte, error) {
	out := append(make([]byte, 0, len(magic)+12*len(x.entries)), magic...)
	for _, e := range x.entries {
		out = binary.LittleEndian.AppendUint64(out, e.hash)
		out = binary.LittleEndian.AppendUint32(out, e.code)
	}
	return out, nil
}

// UnmarshalBinary reads what MarshalBinary wrote.
func (x *Index) UnmarshalBinary(data []byte) error {
	rest, ok := strings.CutPrefix(string(data), magic)
	if !ok || len(rest)%12 != 0 {
		return errors.New("not an index of the fabricator's library")
	}
	body := data[len(magic):]
	x.entries = make([]entry, len(body)/12)
	for i := range x.entries {
		x.entries[i] = entry{binary.LittleEndian.Uint64(body[12*i:]), binary.LittleEndian.Uint32(body[12*i+8:])}
	}
	x.sort()
	return nil
}
