package report

import (
	"math"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/board/geom"
)

// A ToolList is a table of tools that lies beside drill files which state none themselves:
// Allegro's nc_tools_auto.txt and ncroutebits_auto.txt, EAGLE's rack and its info of a
// drill station (.dri), reports of Ultiboard, Easy-PC and Protel, or one written by hand.
type ToolList struct {
	Files []string // the drill files that it names, in lower case; none for whatever lies beside it
	Rack  bool     // nothing but rows: EAGLE's rack, which is in inches where no unit stands
	Rows  []Drill  // those without a unit have no diameter yet
	sizes []float64
	unit  string // that of the whole list; "" where no word tells
}

var (
	// toolFirst: "T01      0.0157inch     95", "T001   000.300 mm  55", "T1 28mil (0.7112mm) 57 PTH".
	toolFirst = regexp.MustCompile(`(?i)^T0*(\d{1,4})\s*[:=]?\s+(\d+\.\d*|\.\d+|\d+)\s*(mm|mils?|inch(?:es)?|in|")?(?:\s*\([^)]*\))?(?:\s+(\d+)(?:\s|$)(.*)|\s.*)?$`)
	// numberFirst: a row of a table that calls its columns tool and size or diameter.
	numberFirst = regexp.MustCompile(`(?i)^0*(\d{1,4})\s+(\d+\.\d*|\.\d+|\d+)\s*(mm|mils?|inch(?:es)?|in|")?(?:\s*\([^)]*\))?(?:\s+(\d+)(?:\s|$)(.*)|\s.*)?$`)
	// sizeFirst is Allegro's row: "13.00  P  T01    0.000000    0.000000", "0.5000  T01".
	sizeFirst = regexp.MustCompile(`^(\d+\.\d*|\.\d+|\d+)\s+(?:([PN])\s+)?T0*(\d{1,4})(?:\s+[-+\d.\s]*)?$`)

	listColumns = regexp.MustCompile(`(?i)\b(?:tool|code)\b.*\b(?:size|diam(?:eter)?|dia)\b`)
	listUnit    = regexp.MustCompile(`(?i)\b(?:size|diam(?:eter)?|dia)\b[^a-z]*[([{]?\s*\b(mm|millimet\w*|mils?|thou|inch(?:es)?|in)\b`)
	listFile    = regexp.MustCompile(`(?i)([^\s\\/:"']+\.(?:drd|drl|txt|tap|exc|xln|ncd|nc|drill|rou|d\d+|ncdrill))\b`)
)

const (
	maxToolList  = 256 << 10
	maxToolRows  = 1000
	listRowBytes = 200
)

// Tools reads a list of tools; ok is false where a file is none.
func Tools(data []byte) (l ToolList, ok bool) {
	if len(data) > maxToolList {
		return l, false
	}
	columns, others := false, 0
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || len(line) > listRowBytes || strings.HasPrefix(line, ";"):
			continue
		case l.row(line, columns):
			if len(l.Rows) > maxToolRows {
				return ToolList{}, false
			}
			continue
		}
		others++
		if listColumns.MatchString(line) {
			columns = true
		}
		if m := listUnit.FindStringSubmatch(line); m != nil && l.unit == "" {
			l.unit = unitOf(m[1])
		}
		for _, m := range listFile.FindAllString(line, -1) {
			if f := strings.ToLower(path.Base(m)); !slices.Contains(l.Files, f) {
				l.Files = append(l.Files, f)
			}
		}
	}
	l.Rack = others == 0
	return l, len(l.Rows) > 0 && (l.Rack || columns)
}

// row takes one line of the table.
func (l *ToolList) row(line string, columns bool) bool {
	var d Drill
	var size, unit string
	m := toolFirst.FindStringSubmatch(line)
	if m == nil && columns {
		m = numberFirst.FindStringSubmatch(line)
	}
	switch s := sizeFirst.FindStringSubmatch(line); {
	case m != nil:
		d.Tool, _ = strconv.Atoi(m[1])
		size, unit = m[2], unitOf(m[3])
		d.Count, _ = strconv.Atoi(m[4])
	case s != nil:
		d.Tool, _ = strconv.Atoi(s[3])
		size, d.Plated, d.Bare = s[1], s[2] == "P", s[2] == "N"
	default:
		return false
	}
	v, err := strconv.ParseFloat(size, 64)
	if err != nil || v <= 0 {
		return true
	}
	if unit != "" {
		d.Diameter, v = lengthIn(v, unit), 0
	}
	l.Rows, l.sizes = append(l.Rows, d), append(l.sizes, v)
	return true
}

func unitOf(word string) string {
	switch w := strings.ToLower(word); {
	case w == "":
		return ""
	case w == "mm", strings.HasPrefix(w, "milli"):
		return "mm"
	case w == "mil", w == "mils", w == "thou":
		return "mil"
	}
	return "in"
}

// Drills gives the tools of a list. Sizes without a unit have that of the files beside it:
// "mm" or "in" (which mils are written under too), "" where nothing tells. A tool that
// stands there with two sizes is left out, and so are sizes that can be read in two ways.
func (l *ToolList) Drills(beside string) []Drill {
	unit := l.unit
	if unit == "" {
		unit = guessUnit(l.sizes, beside)
	}
	var out []Drill
	several := map[int]bool{}
	for i, d := range l.Rows {
		if d.Diameter == 0 {
			if unit == "" {
				continue
			}
			d.Diameter = lengthIn(l.sizes[i], unit)
		}
		if k := slices.IndexFunc(out, func(o Drill) bool { return o.Tool == d.Tool }); k >= 0 {
			several[d.Tool] = several[d.Tool] || out[k].Diameter != d.Diameter
			continue
		}
		out = append(out, d)
	}
	return slices.DeleteFunc(out, func(d Drill) bool { return several[d.Tool] })
}

// guessUnit is the unit of sizes that have none, by that of the files beside them: the
// smallest of them is something that can be drilled or milled with. Tools of inches are
// listed in mils too, and a design in millimetres may be written out in inches.
func guessUnit(sizes []float64, beside string) string {
	const thin, thick, widest = 0.1, 6.5, 30 // mm: the smallest tool of a board, and the largest
	least, most := math.Inf(1), 0.0
	for _, v := range sizes {
		if v > 0 {
			least, most = min(least, v), max(most, v)
		}
	}
	fits := func(unit string) bool {
		d := geom.Millimetres(lengthIn(least, unit))
		return d >= thin && d <= thick && geom.Millimetres(lengthIn(most, unit)) <= widest
	}
	switch {
	case beside == "mm" && fits("mm"):
		return "mm"
	case beside == "in" && fits("mil") && !fits("mm"):
		return "mil"
	case beside == "in" && fits("in") && !fits("mm"):
		return "in"
	}
	var only []string
	for _, u := range [3]string{"mm", "mil", "in"} {
		if fits(u) {
			only = append(only, u)
		}
	}
	if len(only) != 1 {
		return ""
	}
	return only[0]
}
