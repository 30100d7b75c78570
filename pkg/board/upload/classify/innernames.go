package classify

import (
	"slices"
	"strconv"

	"boardorder/pkg/board/pcb"
)

// orderByNumber orders inner layers by the last number of their names, whatever words are
// with it, where these numbers are those of all inner layers, each once: GND-2, SIGNAL-3,
// VCC-4, GND-5 of six, or the same counted from 1.
func orderByNumber(copper []*Result) {
	var inner []*Result
	for _, r := range copper {
		if r.Side != pcb.Inner {
			continue
		}
		if r.Order > 0 || r.attributeOrder() > 0 {
			return // some state their place by themselves
		}
		inner = append(inner, r)
	}
	if len(inner) < 2 || !hasSide(copper, pcb.Top) || !hasSide(copper, pcb.Bottom) {
		return
	}
	var numbers []int
	for _, r := range inner {
		n := finalNumber(r.words)
		if n == 0 || slices.Contains(numbers, n) {
			return
		}
		numbers = append(numbers, n)
	}
	first, last := slices.Min(numbers), slices.Max(numbers)
	if last-first+1 != len(inner) || first != 1 && (first != 2 || last != len(copper)-1) {
		return
	}
	for i, r := range inner {
		r.rank = float64(numbers[i])
		r.numbered = true
	}
}

// finalNumber is the number that a name's last word is, or that stands before words without
// one; 0 for none.
func finalNumber(words []string) int {
	for _, w := range slices.Backward(words) {
		if n, err := strconv.Atoi(w); err == nil {
			return n
		}
	}
	return 0
}
