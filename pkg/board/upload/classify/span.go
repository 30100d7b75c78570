package classify

import (
	"strconv"
	"strings"

	"boardorder/pkg/board/internal/pattern"
)

// toBottom stands for the bottom layer, whatever its number, until the layers of
// the board are counted.
const toBottom = 1000

var (
	spanNumbers = pattern.Lazy(`(?:^| )(?:l )?(\d{1,2}) (?:l )?(\d{1,2})$`)
	spanWords   = pattern.Lazy(`(?:^| )(front|top|f cu|in(?:ner)? (\d{1,2})) (back|bottom|b cu|in(?:ner)? (\d{1,2}))$`)
)

var eagleSpanExtension = pattern.Lazy(`^(0[1-9]|1[0-5])(0[2-9]|1[0-6])$`)

// eagleSpan reads the extension that EAGLE gives to the drills between two layers:
// 0102, 1516. The bottom is 16 whatever the number of layers.
func eagleSpan(ext string) (from, to int, ok bool) {
	m := eagleSpanExtension().FindStringSubmatch(ext)
	if m == nil {
		return 0, 0, false
	}
	from, _ = strconv.Atoi(m[1])
	to, _ = strconv.Atoi(m[2])
	return from, to, from < to
}

// spanOf reads a span at the end of a drill file's name, such as board-1-4 or
// KiCad's board-in1-back, which was board-inner1-back before KiCad 6.
// Numbers may be a version as well.
func spanOf(words []string) (from, to int, numbers, ok bool) {
	name := strings.Join(words, " ")
	if m := spanWords().FindStringSubmatch(name); m != nil {
		from, to = 1, toBottom
		if n, err := strconv.Atoi(m[2]); err == nil {
			from = n + 1
		}
		if n, err := strconv.Atoi(m[4]); err == nil {
			to = n + 1
		}
		return from, to, false, from < to
	}
	m := spanNumbers().FindStringSubmatch(name)
	if m == nil {
		return 0, 0, false, false
	}
	from, _ = strconv.Atoi(m[1])
	to, _ = strconv.Atoi(m[2])
	return from, to, true, from >= 1 && to > from && to <= 64
}
