package report

import (
	"bytes"
	"regexp"
	"strings"
)

// A Plot is what EAGLE says of one file that it plotted: which, with what aperture
// list, and how coordinates are written in it.
type Plot struct {
	File, Wheel      string // without folder
	Integer, Decimal int    // digits; both 0 where not stated
	TrailingOmitted  bool   // trailing zeros left out
	Incremental      bool
	Metric           bool
	UnitStated       bool
}

var (
	plotRow    = regexp.MustCompile(`^\s*(Plotfile|Apertures|Coordinate Format|Coordinate Units|Data Mode|Zero Suppression)\s*:\s*(.*?)\s*$`)
	plotDigits = regexp.MustCompile(`^([0-8])\.([0-9])$`)
)

// IsPlot reports whether a file tells of a plot.
func IsPlot(data []byte) bool {
	head := data[:min(len(data), 1024)]
	return bytes.Contains(head, []byte("Photoplotter Info File"))
}

// PlotInfo reads what EAGLE leaves beside a plot (".gpi"); ok is false for other files.
func PlotInfo(data []byte) (p Plot, ok bool) {
	if !IsPlot(data) {
		return p, false
	}
	for line := range strings.Lines(string(data)) {
		m := plotRow.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		word := strings.ToUpper(m[2])
		switch m[1] {
		case "Plotfile":
			p.File = plainName(m[2])
		case "Apertures":
			p.Wheel = plainName(m[2])
		case "Coordinate Format":
			if d := plotDigits.FindStringSubmatch(word); d != nil {
				p.Integer, p.Decimal = int(d[1][0]-'0'), int(d[2][0]-'0')
			}
		case "Coordinate Units":
			p.Metric = word == "MM" || strings.HasPrefix(word, "MILLIM")
			p.UnitStated = p.Metric || strings.HasPrefix(word, "INCH")
		case "Data Mode":
			p.Incremental = strings.HasPrefix(word, "INCR") || strings.HasPrefix(word, "REL")
		case "Zero Suppression":
			p.TrailingOmitted = strings.HasPrefix(word, "TRAIL")
		}
	}
	return p, true
}

// plainName is the last part of a path of any system.
func plainName(s string) string { return s[strings.LastIndexAny(s, `/\`)+1:] }
