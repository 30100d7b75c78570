package classify

import (
	"slices"
	"strconv"

	"boardorder/pkg/board/pcb"
)

// orderByNumber orders inner layers by the last number of their names, whatever words are
// with it, where these numbers are those of all inner layers, each once: GND-2, SIGNAL-3,
// VCC-4, GND-5 of six, or the same counted from 1. Where they are not, the numbers that names
// begin with are taken so; those of all copper layers, the outer ones too, go before any
// others: 01_TOP, 02_GND2, 03_GND1, 04_BOT.
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
	numbers := countInner(inner, len(copper), finalNumber)
	led, all := leadOuter(copper)
	if leading := countInner(inner, len(copper), numberPrefix); leading != nil && led && (all || numbers == nil) {
		numbers = leading
	}
	for i, n := range numbers {
		inner[i].rank = float64(n)
		inner[i].numbered = true
	}
}

// countInner gives the numbers in the names of inner layers, where they are those of all,
// each once, counted among them or from the top; else nil.
func countInner(inner []*Result, layers int, number func(words []string) int) []int {
	var numbers []int
	for _, r := range inner {
		n := number(r.words)
		if n == 0 || slices.Contains(numbers, n) {
			return nil
		}
		numbers = append(numbers, n)
	}
	first, last := slices.Min(numbers), slices.Max(numbers)
	if last-first+1 != len(inner) || first != 1 && (first != 2 || last != layers-1) {
		return nil
	}
	return numbers
}

// leadOuter reports whether the numbers that the names of outer layers begin with, if any do,
// are those of the first and the last, and whether all of these names have one.
func leadOuter(copper []*Result) (led, all bool) {
	led, all = true, true
	for _, r := range copper {
		n := numberPrefix(r.words)
		if r.Side != pcb.Inner {
			led = led && (n == 0 || n == map[pcb.Side]int{pcb.Top: 1, pcb.Bottom: len(copper)}[r.Side])
			all = all && n > 0
		}
	}
	return led, all
}

// numberPrefix is the number that a name begins with; 0 for none.
func numberPrefix(words []string) int {
	if len(words) == 0 {
		return 0
	}
	n, err := strconv.Atoi(words[0])
	if err != nil {
		return 0
	}
	return n
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
