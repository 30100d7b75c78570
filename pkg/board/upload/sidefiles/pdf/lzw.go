package pdf

// Codes of LZW as PDF files have it: the highest bit first, of 9 to 12 bits.
const (
	lzwClear = 256 // begins the table anew
	lzwEnd   = 257
	lzwFirst = 258
	lzwBits  = 9
	maxCodes = 1 << 12
)

// unpackLZW undoes LZW. early is how many codes before its table is full a code grows by a bit, 1
// in most files. It stops at what no such file holds, and once there are more than limit.
func unpackLZW(data []byte, early, limit int) []byte {
	var (
		out, word      []byte // word is the string of the code before, in out
		begin, end     [maxCodes]int
		next, bits     = lzwFirst, lzwBits
		buffer, loaded uint32
	)
	for _, c := range data {
		buffer, loaded = buffer<<8|uint32(c), loaded+8
		if loaded < uint32(bits) {
			continue
		}
		code := int(buffer>>(loaded-uint32(bits))) & (1<<bits - 1)
		loaded -= uint32(bits)
		at := len(out)
		switch {
		case code == lzwEnd:
			return out
		case code == lzwClear:
			next, bits, word = lzwFirst, lzwBits, nil
			continue
		case code < lzwClear:
			out = append(out, byte(code))
		case code < next:
			out = append(out, out[begin[code]:end[code]]...)
		case code == next && word != nil: // the string before with its own first byte behind it
			out = append(append(out, word...), word[0])
		default:
			return out
		}
		if word != nil && next < maxCodes {
			// The new string is the one before and the byte behind it, which stand side by side.
			begin[next], end[next] = at-len(word), at+1
			next++
		}
		if bits < 12 && next+early >= 1<<bits {
			bits++
		}
		if word = out[at:]; len(out) > limit {
			return out
		}
	}
	return out
}
