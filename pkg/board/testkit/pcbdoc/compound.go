package pcbdoc

import (
	"encoding/binary"
	"maps"
	"slices"
	"strings"
	"unicode/utf16"
)

// Sizes and marks of compound files.
const (
	sectorSize, smallSize = 512, 64
	cutoff                = 4096
	entrySize             = 128
	endOfChain            = 0xFFFFFFFE
	free                  = 0xFFFFFFFF
	tableSector           = 0xFFFFFFFD
)

// Compound packs streams, named folder/stream, into a compound file.
func Compound(streams map[string][]byte) []byte {
	c := &compound{}
	folders := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(streams)) {
		folder, stream, ok := strings.Cut(name, "/")
		if !ok {
			folder, stream = "", name
		}
		folders[folder] = append(folders[folder], stream)
	}
	c.entry("Root Entry", 5)
	var top []int
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		in := -1
		if folder != "" {
			in = c.entry(folder, 1)
			top = append(top, in)
		}
		var members []int
		for _, s := range folders[folder] {
			name := strings.TrimPrefix(folder+"/"+s, "/")
			i := c.entry(s, 2)
			c.entries[i].start, c.entries[i].size = c.store(streams[name])
			members = append(members, i)
		}
		if in >= 0 {
			c.entries[in].down = c.chain(members)
		} else {
			top = append(top, members...)
		}
	}
	c.entries[0].down = c.chain(top)
	return c.bytes()
}

type entry struct {
	name               string
	kind               byte
	right, down, start uint32
	size               int
}

type compound struct {
	entries  []entry
	sectors  []byte
	fat      []uint32
	small    []byte
	smallFAT []uint32
}

func (c *compound) entry(name string, kind byte) int {
	c.entries = append(c.entries, entry{name: name, kind: kind, right: free, down: free, start: endOfChain})
	return len(c.entries) - 1
}

// chain links entries one after the other.
func (c *compound) chain(list []int) uint32 {
	for i := 1; i < len(list); i++ {
		c.entries[list[i-1]].right = uint32(list[i])
	}
	if len(list) == 0 {
		return free
	}
	return uint32(list[0])
}

func (c *compound) store(data []byte) (start uint32, size int) {
	if len(data) < cutoff {
		return link(&c.small, &c.smallFAT, data, smallSize), len(data)
	}
	return link(&c.sectors, &c.fat, data, sectorSize), len(data)
}

// link appends data in sectors, chained in table.
func link(to *[]byte, table *[]uint32, data []byte, sector int) uint32 {
	if len(data) == 0 {
		return endOfChain
	}
	start := len(*table)
	n := (len(data) + sector - 1) / sector
	*to = append(append(*to, data...), make([]byte, n*sector-len(data))...)
	for i := range n - 1 {
		*table = append(*table, uint32(start+i+1))
	}
	*table = append(*table, endOfChain)
	return uint32(start)
}

func (c *compound) bytes() []byte {
	le := binary.LittleEndian
	c.entries[0].size = len(c.small)
	c.entries[0].start = link(&c.sectors, &c.fat, c.small, sectorSize)
	smalls := link(&c.sectors, &c.fat, words(c.smallFAT), sectorSize)
	var dir []byte
	for _, e := range c.entries {
		dir = append(dir, e.bytes()...)
	}
	dirs := link(&c.sectors, &c.fat, dir, sectorSize)
	tables := 0
	for tables*sectorSize < 4*(len(c.fat)+tables) {
		tables++
	}
	first := len(c.fat)
	for range tables {
		c.fat = append(c.fat, tableSector)
	}
	for len(c.fat)%(sectorSize/4) != 0 {
		c.fat = append(c.fat, free)
	}
	h := make([]byte, sectorSize)
	copy(h, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
	le.PutUint16(h[24:], 0x3E)
	le.PutUint16(h[26:], 3)
	le.PutUint16(h[28:], 0xFFFE)
	le.PutUint16(h[30:], 9)
	le.PutUint16(h[32:], 6)
	for at, v := range map[int]uint32{44: uint32(tables), 48: dirs, 56: cutoff, 60: smalls, 64: uint32(len(c.smallFAT)*4+sectorSize-1) / sectorSize, 68: endOfChain} {
		le.PutUint32(h[at:], v)
	}
	for i := range 109 {
		v := uint32(free)
		if i < tables {
			v = uint32(first + i)
		}
		le.PutUint32(h[76+4*i:], v)
	}
	return append(append(h, c.sectors...), words(c.fat)...)
}

func (e *entry) bytes() []byte {
	le := binary.LittleEndian
	b := make([]byte, entrySize)
	letters := utf16.Encode([]rune(e.name))
	for i, l := range letters[:min(len(letters), 31)] {
		le.PutUint16(b[2*i:], l)
	}
	le.PutUint16(b[64:], uint16(2*min(len(letters), 31)+2))
	b[66], b[67] = e.kind, 1
	for at, v := range map[int]uint32{68: free, 72: e.right, 76: e.down, 116: e.start, 120: uint32(e.size)} {
		le.PutUint32(b[at:], v)
	}
	return b
}

func words(v []uint32) []byte {
	var out []byte
	for _, x := range v {
		out = binary.LittleEndian.AppendUint32(out, x)
	}
	return out
}
