package cli

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// A cleanWriter takes out of what is printed whatever steers a terminal: names of files,
// nets and parts are written by strangers.
type cleanWriter struct{ w io.Writer }

func (c *cleanWriter) Write(text []byte) (int, error) {
	if _, err := io.WriteString(c.w, clean(string(text))); err != nil {
		return 0, err
	}
	return len(text), nil
}

// clean gives text without control characters but line ends, and without what turns or
// hides letters.
func clean(text string) string {
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\uFFFD")
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n':
			return r
		case r == '\t', r == '\u2028', r == '\u2029':
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, text)
}

// escape gives JSON with control characters, and what turns or hides letters, as \u….
func escape(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, "\\u%04x", unit)
			}
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// line gives text without line ends: what a stranger wrote stays on its line.
func line(text string) string { return strings.Join(strings.Fields(clean(text)), " ") }

func shorten(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return text
}

func listKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// A table is printed in columns as wide as what they hold; columns that begin with > are
// flush right.
type table struct {
	head []string
	rows [][]string
}

func (t *table) add(cells ...string) {
	for i := range cells {
		cells[i] = line(cells[i])
	}
	t.rows = append(t.rows, cells)
}

func (t *table) print(w io.Writer) {
	width := make([]int, len(t.head))
	right := make([]bool, len(t.head))
	head := make([]string, len(t.head))
	for i, h := range t.head {
		head[i], right[i] = strings.CutPrefix(h, ">")
	}
	rows := t.rows
	if strings.Join(head, "") != "" {
		rows = append([][]string{head}, rows...)
	}
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range rows {
		var b strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			if right[i] {
				cell = pad + cell
			} else {
				cell += pad
			}
			b.WriteString(cell + "  ")
		}
		io.WriteString(w, strings.TrimRight(b.String(), " ")+"\n") //nolint:errcheck // nobody is left to tell
	}
}
