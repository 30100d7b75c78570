package drills

import (
	"bytes"
	"context"
	"path"
	"strings"

	"boardorder/pkg/board/format/excellon"
	"boardorder/pkg/board/internal/pattern"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/classify"
	"boardorder/pkg/board/upload/group"
	"boardorder/pkg/board/upload/sidefiles/report"
)

// ncFormat is the number format that a parameter file beside a drill file
// states.
func (s Reader) ncFormat(i int) excellon.Format {
	var f excellon.Format
	dir := path.Dir(s.Files[i].Name)
	for k, r := range s.Set.Results {
		near := path.Dir(r.Name) == dir
		if r.Format != classify.FormatNCParam && !(r.Format == classify.FormatReport && strings.Contains(strings.ToLower(group.BaseName(r.Name)), "ncdrill")) || !near {
			continue
		}
		n := report.NCParam(s.Files[k].Data)
		if n.Integer+n.Decimal == 0 {
			continue
		}
		f.Integer, f.Decimal = n.Integer, n.Decimal
		if n.Units {
			f.Unit = excellon.Inch
			if n.Metric {
				f.Unit = excellon.Millimetre
			}
		}
		f.Zeros = excellon.TrailingKept
		if n.DropsTrailing && !n.DropsLeading {
			f.Zeros = excellon.LeadingKept
		}
		r.Used, r.Board = true, s.Board.Name
	}
	return f
}

// settles is how many holes a drill file has whose places settle how it is written.
const settles = 6

// shareFormats reads drill files again by the number format of the largest that
// begins as they do: one tool wrote them at one time, and few holes settle little.
func (s Reader) shareFormats(ctx context.Context, read []*Program, options []excellon.Options) {
	largest := map[string]*Program{}
	for _, d := range read {
		if d == nil || d.Holes() < settles || isGuessed(d.Format) {
			continue
		}
		if h := readHeader(d); h != "" && (largest[h] == nil || d.Holes() > largest[h].Holes()) {
			largest[h] = d
		}
	}
	for k, d := range read {
		if d == nil || d.Holes() >= settles || d.Format.Points {
			continue
		}
		l := largest[readHeader(d)]
		if l == nil || l.Format.Points || l.Format.String() == d.Format.String() && !isGuessed(d.Format) {
			continue
		}
		opt := options[k]
		opt.Format = l.Format
		f := s.Files[d.Index]
		again := excellon.Read(pcb.FileContext(ctx, f.Name), f.Data, opt)
		if again.Format.String() == l.Format.String() && (!isOffBoard(again) || isOffBoard(d.File)) {
			d.File = again
		}
	}
}

// isGuessed tells whether nothing confirms a part of a format.
func isGuessed(f excellon.Format) bool {
	return f.UnitSource == excellon.Assumed || !f.Points && (f.PlacesSource == excellon.Assumed || f.ZerosSource == excellon.Assumed)
}

func isOffBoard(f *excellon.File) bool {
	for _, g := range f.Findings {
		if g.Code == "drill_off_board" {
			return true
		}
	}
	return false
}

var toolLine = pattern.Lazy(`^T\d+`)

// readHeader is what a drill file says about itself before its first hole, without
// its tools and comments; "" where there is no header.
func readHeader(d *Program) string {
	const longest = 64 << 10
	data := d.Data
	data = data[:min(len(data), longest)]
	var out []byte
	for line := range bytes.Lines(data) {
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0 || line[0] == ';' || toolLine().Match(line):
		case line[0] == '%' || bytes.Equal(line, []byte("M95")):
			return string(out)
		default:
			out = append(append(out, line...), '\n')
		}
	}
	return ""
}
