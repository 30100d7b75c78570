package mpn

import "strings"

// Bounds of what is nearly the same number.
const (
	shortest = 5 // characters of the shorter one
	ending   = 5 // characters that one may have more at its end
)

// IsNear reports whether two numbers differ by an ending, or by a slip: one character
// too many, or two changed round, or one that is read for another. Whether they are of
// one part only their data sheets tell.
func IsNear(a, b string) bool {
	x, y := Key(a), Key(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	switch {
	case x == y || len(x) < shortest:
		return false
	case strings.HasPrefix(y, x):
		return len(y)-len(x) <= ending
	case len(y) == len(x)+1:
		i := common(x, y)
		return x[i:] == y[i+1:]
	case len(y) == len(x):
		i := common(x, y)
		swapped := i+1 < len(x) && x[i] == y[i+1] && x[i+1] == y[i] && x[i+2:] == y[i+2:]
		return swapped || x[i+1:] == y[i+1:] && confusionClass(x[i]) == confusionClass(y[i])
	}
	return false
}

// common is how many characters two texts begin with alike.
func common(x, y string) int {
	i := 0
	for i < len(x) && i < len(y) && x[i] == y[i] {
		i++
	}
	return i
}

// confusionClass is the same for characters that are read for one another.
func confusionClass(c byte) byte {
	if i := strings.IndexByte("OQIL1SBZ", c); i >= 0 {
		return "00111582"[i]
	}
	return c
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789."

// endings are those by which orderable numbers are longer than what people write.
var endings = strings.Fields("T6 T7 TR DR RG R2 DT PW PWR DBVR DBVT DGKR NOPB PBF TRPBF T1G T3G 115 215 7F 13F TP RL RL7 R2G GT2")

// Variants are the keys of the numbers that are [IsNear] to one, for an index that finds
// whole numbers only: the shorter ones, the longer ones by an ending that is usual or a
// single character, and those with a slip.
func Variants(number string) []string {
	k := Key(number)
	if len(k) < shortest || len(k) > 40 {
		return nil
	}
	var out []string
	for n := 1; n <= ending && len(k)-n >= shortest; n++ {
		out = append(out, k[:len(k)-n])
	}
	for _, e := range endings {
		out = append(out, k+e)
	}
	for i := range len(k) + 1 {
		for _, c := range alphabet {
			out = append(out, k[:i]+string(c)+k[i:])
		}
	}
	for i := range k {
		out = append(out, k[:i]+k[i+1:])
		if i+1 < len(k) {
			out = append(out, k[:i]+string(k[i+1])+string(k[i])+k[i+2:])
		}
		for _, c := range alphabet {
			if confusionClass(byte(c)) == confusionClass(k[i]) {
				out = append(out, k[:i]+string(c)+k[i+1:])
			}
		}
	}
	return out
}
