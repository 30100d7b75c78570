package pngstream

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// huffman is a code as it lies in a deflate stream: the first bit is the lowest.
type huffman struct {
	bits uint32
	n    uint8
}

// Symbols of deflate: bytes, then the end of a block, then lengths of repetitions.
const (
	endOfBlock  = 256
	lastLength  = 285 // of the longest repetition, without extra bits
	symbols     = 286
	longestCode = 15
)

// makeCodes gives every symbol that is counted a code, the shorter the more often
// it comes. At least two symbols are counted.
func makeCodes(codes *[symbols]huffman, counts *[symbols]uint32) {
	clear(codes[:])
	lengths := codeLengths(counts)
	var next, used [longestCode + 2]uint32
	for _, n := range lengths {
		used[n]++
	}
	used[0] = 0
	for n := range longestCode {
		next[n+1] = (next[n] + used[n]) << 1
	}
	for s, n := range lengths {
		if n > 0 {
			codes[s] = huffman{bits.Reverse32(next[n]) >> (32 - n), n}
			next[n]++
		}
	}
}

// codeLengths are those of Huffman's tree. One that is too deep is made anew for
// counts that are more alike.
func codeLengths(counts *[symbols]uint32) (lengths [symbols]uint8) {
	var leaves []uint64 // count and symbol, rarest first
	for s, n := range counts {
		if n > 0 {
			leaves = append(leaves, uint64(n)<<9|uint64(s))
		}
	}
	slices.Sort(leaves)
	for !treeDepths(leaves, &lengths) {
		for i, l := range leaves {
			leaves[i] = l>>10<<9 | l&511 | 1<<9
		}
		slices.Sort(leaves)
	}
	return lengths
}

// treeDepths joins the two rarest nodes until one is left, and gives how deep the
// leaves lie; false if that is too deep. Joined nodes come up in order of their
// counts, so that the rarest is the first leaf or the first of them.
func treeDepths(leaves []uint64, depths *[symbols]uint8) bool {
	n := len(leaves)
	sums := make([]uint64, 2*n-1)
	parents := make([]int, 2*n-1)
	for i, l := range leaves {
		sums[i] = l >> 9
	}
	leaf, inner := 0, n
	rarest := func(to int) int {
		if leaf < n && (inner == to || sums[leaf] <= sums[inner]) {
			leaf++
			return leaf - 1
		}
		inner++
		return inner - 1
	}
	for to := n; to < 2*n-1; to++ {
		a := rarest(to)
		b := rarest(to)
		sums[to] = sums[a] + sums[b]
		parents[a], parents[b] = to, to
	}
	depth := make([]uint8, 2*n-1)
	for i := 2*n - 3; i >= 0; i-- {
		depth[i] = depth[parents[i]] + 1
		if i < n {
			depths[leaves[i]&511] = depth[i]
		}
	}
	return slices.Max(depth) <= longestCode
}

// bitWriter writes a deflate stream, first bit lowest.
type bitWriter struct {
	out  []byte
	bits uint64
	held uint // bits not yet in out
}

// put adds the n lowest bits of b, at most 32.
func (w *bitWriter) put(b uint32, n uint8) {
	w.bits |= uint64(b) << w.held
	if w.held += uint(n); w.held >= 32 {
		w.out = binary.LittleEndian.AppendUint32(w.out, uint32(w.bits))
		w.bits >>= 32
		w.held -= 32
	}
}

// flush fills up to a whole byte with an empty stored block, so that anything can
// follow.
func (w *bitWriter) flush() {
	w.put(0, 3)
	for ; w.held > 0; w.held -= min(w.held, 8) {
		w.out = append(w.out, byte(w.bits))
		w.bits >>= 8
	}
	w.out = append(w.out, 0, 0, 0xff, 0xff)
}

// head begins a block with codes of its own. Lengths of codes are written in four
// bits each, but 15 and a row of zeros in five.
func (w *bitWriter) head(codes *[symbols]huffman) {
	const dynamic, manyZeros, fewest, most = 2 << 1, 18, 11, 138
	w.put(dynamic, 3)
	w.put(symbols-257|0<<5|(19-4)<<10, 14) // one code of distances
	for _, s := range [...]int{16, 17, manyZeros, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15} {
		switch s {
		case 16, 17:
			w.put(0, 3)
		case manyZeros, 15:
			w.put(5, 3)
		default:
			w.put(4, 3)
		}
	}
	for s := 0; s < symbols; {
		zeros := 0
		for zeros < most && s+zeros < symbols && codes[s+zeros].n == 0 {
			zeros++
		}
		if zeros >= fewest {
			w.put(0b11111|uint32(zeros-fewest)<<5, 12)
			s += zeros
			continue
		}
		w.codeLength(codes[s].n)
		s++
	}
	w.codeLength(1) // of the only distance
}

func (w *bitWriter) codeLength(n uint8) {
	if n == 15 {
		w.put(0b01111, 5)
		return
	}
	w.put(uint32(bits.Reverse8(n)>>4), 4)
}
