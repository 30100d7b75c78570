package table

import "strings"

// aligned stands for columns that are aligned with spaces.
const aligned = ' '

// split makes rows of text. ext is the file's extension.
func split(text, ext string) (rows []Row, cut bool) {
	d, text, first := delimiter(text, ext)
	s := splitter{delimiter: d, line: first}
	if d == aligned {
		s.starts = headedColumns(text)
	}
	s.run(text)
	return s.rows, s.cut
}

// delimiter finds what separates the columns; rest begins at the line that is
// given, below Excel's "sep=" where there is one.
func delimiter(text, ext string) (d byte, rest string, line int) {
	first, rest, _ := strings.Cut(text, "\n")
	if v, ok := strings.CutPrefix(strings.ToLower(strings.TrimSpace(first)), "sep="); ok && len(v) == 1 {
		return v[0], rest, 2
	}
	head := headLines(text)
	best, most := byte(aligned), 1
	for _, c := range []byte("\t;|!,") {
		lines, score := regular(head, c)
		if score > most && (ext == ".csv" || ext == ".tsv" || 2*lines > len(head)) {
			best, most = c, score
		}
	}
	if best == aligned && ext == ".csv" && strings.Contains(strings.Join(head, "\n"), ",") {
		best = ','
	}
	return best, text, 1
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
// than one; more columns score higher.
func regular(lines []string, d byte) (same, score int) {
	counts := map[int]int{}
	for _, l := range lines {
		if n := columnsIn(l, d); n > 1 {
			counts[n]++
		}
	}
	for n, k := range counts {
		if s := k * min(n, 12); s > score || s == score && k > same {
			same, score = k, s
		}
	}
	return same, score
}

func columnsIn(line string, d byte) int {
	n, quoted := 1, false
	for i := range len(line) {
		switch line[i] {
		case '"':
			quoted = !quoted
		case d:
			if !quoted {
				n++
			}
		}
	}
	return n
}
