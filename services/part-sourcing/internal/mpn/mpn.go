// Package mpn compares manufacturers' part numbers, which every list and every
// supplier writes a little differently.
package mpn

import "strings"

// Key is equal for numbers that differ in case, spaces and punctuation only. A point
// between digits is a decimal one and stays: SMAJ5.0A stands 5 V off, and SMAJ50A 50 V.
func Key(number string) string {
	out := make([]byte, 0, len(number))
	for i := range len(number) {
		switch c := number[i]; {
		case c >= 'a' && c <= 'z':
			out = append(out, c-'a'+'A')
		case c >= 'A' && c <= 'Z', isDigit(c):
			out = append(out, c)
		case c == '.' && i > 0 && i+1 < len(number) && isDigit(number[i-1]) && isDigit(number[i+1]):
			out = append(out, c)
		}
	}
	return string(out)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// Same reports whether two numbers name one part. Empty ones name none.
func Same(a, b string) bool { return Key(a) != "" && Key(a) == Key(b) }

// packing are endings that say how a part is packed or finished, not what it is.
var packing = []string{"/NOPB", "#PBF", "#TRPBF", "#TRMPBF", "-TP", "-7-F", "-7", "-13-F", "-13", "-T/R", "-TR", "_TR", " TR", "-REEL7", "-REEL", "-RL7", "-RL", "-R7", "TR-ND", ",115", ",118", ",215",
	",235", ",125", "T1G", "T3G", "-E3/61T", "-E3", "-G3", "-TL", "-T"}

// Family is what is left of a number without the endings that only say how the
// part is packed: parts of one family differ in nothing else, as far as their
// numbers tell. It is at least six characters long.
func Family(number string) string {
	n := strings.ToUpper(strings.TrimSpace(number))
	for changed := true; changed; {
		changed = false
		for _, p := range packing {
			if rest, ok := strings.CutSuffix(n, p); ok && len(Key(rest)) >= 6 {
				n, changed = rest, true
			}
		}
	}
	return Key(n)
}

// Looks reports whether text looks like a part number rather than words: letters
// and digits mixed, or many digits, without spaces.
func Looks(text string) bool {
	letters, digits := 0, 0
	for _, r := range text {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z':
			letters++
		case strings.ContainsRune("-./,#+", r):
		default:
			return false
		}
	}
	mixed := letters >= 1 && digits >= 2 && letters+digits >= 5
	return (mixed || letters == 0 && digits >= 6) && len(text) <= 40
}
