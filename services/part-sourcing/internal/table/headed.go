package table

import (
	"strconv"
	"strings"
)

// columnStarts finds the line of headings below which every column begins where
// its heading does, so that cells may be empty or hold spaces. It gives the
// columns' first characters, nil where no line is so.
func columnStarts(text string) []int {
	lines := headLines(text)
	for i := range lines[:min(len(lines), 30)] {
		starts := wordStarts(lines[i])
		if len(starts) >= 3 && headings(lines[i]) && len(lines)-i > 2 && needsStarts(lines[i+1:], starts) {
			return starts
		}
	}
	return nil
}

// headings reports whether a line may name columns: it holds no number and says
// nothing of the form "a = b".
func headings(line string) bool {
	for word := range strings.FieldsSeq(line) {
		if _, err := strconv.ParseFloat(word, 64); err == nil || word == "=" {
			return false
		}
	}
	return true
}

// wordStarts are the places in a line where words begin, in characters.
func wordStarts(line string) []int {
	var starts []int
	blank := true
	for i, r := range []rune(line) {
		space := r == ' ' || r == '\n'
		if blank && !space {
			starts = append(starts, i)
		}
		blank = space
	}
	return starts
}

// needsStarts reports whether in every line each column begins after a space, and in
// some line words alone would not tell the columns apart.
func needsStarts(lines []string, starts []int) bool {
	some := false
	for _, l := range lines {
		runes := []rune(strings.TrimRight(l, "\n"))
		for _, at := range starts[1:] {
			if at <= len(runes) && runes[at-1] != ' ' {
				return false
			}
		}
		cells, _ := wordsOf(l)
		some = some || len(cells) != len(starts)
	}
	return some
}

// columnsOf cuts a line at the places where columns begin.
func (s *splitter) columnsOf(text string) (cells []string, n int) {
	line, _, more := strings.Cut(text, "\n")
	n = len(line)
	if more {
		n++
	}
	runes := []rune(line)
	for i, at := range s.starts {
		end := len(runes)
		if i+1 < len(s.starts) {
			end = min(end, s.starts[i+1])
		}
		if i == 0 {
			at = 0
		}
		if at < end {
			cells = append(cells, strings.Trim(strings.TrimSpace(string(runes[at:end])), `"`))
		} else {
			cells = append(cells, "")
		}
	}
	return cells, n
}
