package table

import (
	"regexp"
	"slices"
	"strings"
)

// aligned stands for columns that are aligned with spaces.
const aligned = ' '

// split makes rows of text. ext is the file's extension.
func split(text, ext string) (rows []Row, cut bool) {
	text = stripTabs(text)
	quote := quoteOf(text)
	d, text, first := delimiter(text, ext, quote)
	s := splitter{delimiter: d, quote: quote, line: first}
	if d == aligned {
		s.starts = columnStarts(text)
	}
	s.run(text)
	return s.rows, s.cut
}

// stripTabs takes out tabs that stand beside commas only, below a line of headings without
// any: EasyEDA writes "U1"<tab>,"C0402"<tab>, so that spreadsheets keep cells as text.
func stripTabs(text string) string {
	tabs := strings.Count(text, "\t")
	if tabs == 0 || tabs != strings.Count(text, "\t,")+strings.Count(text, ",\t") {
		return text
	}
	head, _, _ := strings.Cut(strings.TrimLeft(text, "\r\n\ufeff"), "\n")
	if strings.Contains(head, "\t") || !strings.Contains(head, ",") {
		return text
	}
	return strings.ReplaceAll(text, "\t", "")
}

// delimiter finds what separates the columns; rest begins at the line that is
// given, below Excel's "sep=" where there is one.
func delimiter(text, ext string, quote byte) (d byte, rest string, line int) {
	first, rest, _ := strings.Cut(text, "\n")
	if v, ok := strings.CutPrefix(strings.ToLower(strings.Trim(first, " ")), "sep="); ok && len(v) == 1 {
		return v[0], rest, 2
	}
	head := headLines(text)
	best, lines, columns := byte(aligned), 0, 0
	choose := func(candidates string, least int) {
		for _, c := range []byte(candidates) {
			same, n := regular(head, c, quote)
			better := n >= least && (same > lines || same == lines && n > columns)
			if better && same > 0 && (ext == ".csv" || ext == ".tsv" || 2*same > len(head)-preamble(head, c, quote)) {
				best, lines, columns = c, same, n
			}
		}
	}
	if choose("\t;|!,", 2); lines == 0 && !isSpaced(head) {
		const rare = 3 // within cells there is one at most: Resistor_SMD:R_0603
		changed := wideMarks.Replace(text)
		head = headLines(changed)
		if choose(",;:^~", rare); lines > 0 {
			text = changed
		}
	}
	if best == ',' && columns <= 2 && ext != ".csv" && isSpaced(head) {
		best = aligned // the comma is within the cells
	}
	if best == aligned && ext == ".csv" && strings.Contains(strings.Join(head, "\n"), ",") {
		best = ','
	}
	return best, text, 1
}

// wideMarks are the marks of Chinese and Japanese text.
var wideMarks = strings.NewReplacer("，", ",", "、", ",", "；", ";", "：", ":")

// preamble is how many lines come before the first that a delimiter divides.
func preamble(lines []string, d, quote byte) int {
	return max(slices.IndexFunc(lines, func(l string) bool { return columnsIn(l, d, quote) > 2 }), 0)
}

var gap = regexp.MustCompile(` {2,}`)

// isSpaced reports whether most lines have four columns or more that are set apart
// with several spaces.
func isSpaced(lines []string) bool {
	n := 0
	for _, l := range lines {
		if len(gap.FindAllStringIndex(strings.TrimSpace(l), 3)) == 3 {
			n++
		}
	}
	return 2*n > len(lines)
}

// headLines are the lines that the delimiter is looked for in.
func headLines(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			out = append(out, line)
		}
		if len(out) == 80 {
			break
		}
	}
	return out
}

// regular finds how many lines have the same number of columns, if that is more
// than one, and that number. Lists within cells vary in length; columns do not.
func regular(lines []string, d, quote byte) (same, columns int) {
	counts := map[int]int{}
	for _, l := range lines {
		if n := columnsIn(l, d, quote); n > 1 {
			counts[n]++
		}
	}
	for n, k := range counts {
		if k > same || k == same && n > columns {
			same, columns = k, n
		}
	}
	return same, columns
}

func columnsIn(line string, d, quote byte) int {
	n, quoted := 1, false
	for i := range len(line) {
		switch line[i] {
		case quote:
			quoted = !quoted
		case d:
			if !quoted {
				n++
			}
		}
	}
	return n
}
