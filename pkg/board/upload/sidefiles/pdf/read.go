package pdf

import (
	"bytes"
	"cmp"
	"errors"
	"math"
	"slices"
	"strings"
)

// Errors of files that are not read.
var (
	ErrProtected = errors.New("the PDF file is encrypted")
	ErrTooLarge  = errors.New("the PDF file is too large to be read")
)

// MaxSize is how many bytes of a file are read, at most.
const MaxSize = 8 << 20

// MaxLines bounds the lines of a file.
const MaxLines = 4000

// A Line is a line of words, as it stands on a page.
type Line struct {
	Page int // from 1
	Text string
}

// Read gives the words of a PDF file: its lines from the top of each page down, those that are
// turned after the others. Words far apart are parted by a tab, columns are lines of their own.
func Read(data []byte) ([]Line, error) {
	if len(data) > MaxSize {
		return nil, ErrTooLarge
	}
	f := open(data)
	if f.locked {
		return nil, ErrProtected
	}
	p := &painter{file: f, fonts: map[ref]*font{}}
	for i, d := range f.pages() {
		p.page = i + 1
		p.drawPage(d)
	}
	return layOut(p.runs), nil
}

// Gaps between words, in sizes of their letters.
const (
	blankGap  = 0.15
	wideGap   = 1.2
	columnGap = 8
	sameLine  = 0.45 // how far apart, across, the letters of a line lie
)

// layOut makes lines of runs.
func layOut(runs []run) []Line {
	slices.SortStableFunc(runs, func(a, b run) int {
		return cmp.Or(cmp.Compare(a.page, b.page), cmp.Compare(a.turn, b.turn), cmp.Compare(a.y, b.y))
	})
	var out []Line
	for len(runs) > 0 && len(out) < MaxLines {
		n, first := 1, runs[0]
		for n < len(runs) && runs[n].page == first.page && runs[n].turn == first.turn && runs[n].y-first.y <= sameLine*math.Max(first.size, runs[n].size) {
			n++
		}
		out = appendLines(out, runs[:n])
		runs = runs[n:]
	}
	return out[:min(len(out), MaxLines)]
}

// appendLines makes the lines of what stands at one height.
func appendLines(out []Line, row []run) []Line {
	slices.SortStableFunc(row, func(a, b run) int { return cmp.Compare(a.x, b.x) })
	var b bytes.Buffer
	end := func() {
		if text := strings.TrimSpace(strings.ToValidUTF8(b.String(), "")); text != "" {
			out = append(out, Line{row[0].page, text})
		}
		b.Reset()
	}
	for i, r := range row {
		if i > 0 {
			before := row[i-1]
			switch gap := (r.x - before.x - before.length) / math.Max(r.size, before.size); {
			case gap > columnGap:
				end()
			case gap > wideGap:
				b.WriteByte('\t')
			case gap > blankGap:
				b.WriteByte(' ')
			case r.letters == before.letters && math.Abs(r.x-before.x) < 0.2*r.size: // drawn twice, for bold letters
				continue
			}
		}
		b.WriteString(r.letters)
	}
	end()
	return out
}
