package report

import (
	"bytes"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/board/geom"
)

// Extensions reads an Altium extension report (.EXTREP): the layer that every
// file extension stands for, extensions in lower case without the dot. One that
// stands for several layers tells nothing, and is left out.
func Extensions(data []byte) map[string]string {
	out, several := map[string]string{}, map[string]bool{}
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		if len(f) >= 2 && len(f[0]) > 1 && f[0][0] == '.' {
			ext, layer := strings.ToLower(f[0][1:]), strings.Join(f[1:], " ")
			several[ext] = several[ext] || out[ext] != "" && out[ext] != layer
			out[ext] = layer
		}
	}
	maps.DeleteFunc(out, func(ext, _ string) bool { return several[ext] })
	return out
}

// PlotLayers reads Altium's report of a plot (.REP): the layer that every file was made
// of, file names in lower case. A file that it names twice tells nothing, and is left out.
func PlotLayers(data []byte) map[string]string {
	out, several := map[string]string{}, map[string]bool{}
	layer := ""
	for line := range strings.Lines(string(data)) {
		key, value, ok := strings.Cut(line, " : ")
		if !ok {
			continue
		}
		switch value = strings.TrimSpace(value); strings.TrimSpace(key) {
		case "Generating":
			layer = value
		case "File":
			if file := strings.ToLower(value); layer != "" && file != "" {
				several[file] = several[file] || out[file] != "" && out[file] != layer
				out[file], layer = layer, ""
			}
		}
	}
	maps.DeleteFunc(out, func(file, _ string) bool { return several[file] })
	return out
}

// A LayerPair is the copper layers that one drill file passes.
type LayerPair struct {
	Name      string   // of the set, such as Top_Bot_Thru_Holes
	DrillFile string   // lower case
	Layers    []string // extensions of the copper files, top first; empty where the name alone tells
	// From and To are the extensions of the first and the last copper file, where the
	// export names these alone.
	From, To string
}

var partialSet = regexp.MustCompile(`(?i)^[^_]+_[^_]+_.*(?:blind|buried|micro)`)

// IsPartial tells whether a set of holes is called as those that end within the board are:
// L2_L7_Buried_Vias.
func IsPartial(name string) bool { return partialSet.MatchString(name) }

// LayerPairs reads an Altium layer pair export (.LDP).
func LayerPairs(data []byte) []LayerPair {
	var out []LayerPair
	for line := range strings.Lines(string(data)) {
		p := LayerPair{}
		for f := range strings.SplitSeq(strings.TrimSpace(line), "|") {
			key, value, _ := strings.Cut(f, "=")
			switch strings.ToLower(key) {
			case "layerssetname":
				p.Name = value
			case "drillfile":
				p.DrillFile = strings.ToLower(value)
			case "drilllayers":
				for l := range strings.SplitSeq(value, ",") {
					if l = strings.ToLower(strings.TrimSpace(l)); l != "" {
						p.Layers = append(p.Layers, l)
					}
				}
			case "layerpairs":
				from, to, _ := strings.Cut(strings.ToLower(value), ",")
				p.From, p.To = strings.TrimSpace(from), strings.TrimSpace(to)
			}
		}
		if p.Name != "" && (len(p.Layers) > 0 || p.From != "" && p.To != "") || IsPartial(p.Name) {
			out = append(out, p)
		}
	}
	return out
}

// A Drill is one line of a drill report.
type Drill struct {
	File     string // the drill file, as named; "" for that of the report's own name
	Pair     string // the layer pair, as named
	Tool     int
	Diameter int64 // nanometres
	Count    int
	Plated   bool
	Bare     bool // it says that the hole is not plated
	Slot     bool
}

var drillRow = regexp.MustCompile(`^T(\d+)\s+([\d.]+)(mil|mm|in|inch)\b.*?(Round|Slot|Square)\s+(\d+)\s+(PTH|NPTH|Plated|Non-?Plated)?`)

// padsRow is a row of PADS: tool, size in mils, x for plated or - for not, feed,
// speed and count.
var padsRow = regexp.MustCompile(`^T?(\d+)\s+([\d.]+)\s+([xX-])\s+\d+\s+\d+\s+(\d+)$`)

// IsDrillSizes reports whether data is the report that PADS leaves beside a drill
// file of the same name.
func IsDrillSizes(data []byte) bool {
	return bytes.Contains(bytes.ToUpper(data[:min(len(data), 2000)]), []byte("DRILL SIZES REPORT"))
}

// drillSizes reads the report of PADS. It names no file, and not always a unit.
func drillSizes(data []byte) []Drill {
	unit := ""
	var out []Drill
	var sizes []float64
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if upper := strings.ToUpper(line); strings.Contains(upper, "SIZE") {
			switch {
			case strings.Contains(upper, "MM"), strings.Contains(upper, "METRIC"):
				unit = "mm"
			case strings.Contains(upper, "INCH"):
				unit = "in"
			case strings.Contains(upper, "MIL"):
				unit = "mil"
			}
		}
		m := padsRow.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		d := Drill{Plated: m[3] != "-"}
		d.Tool, _ = strconv.Atoi(m[1])
		v, _ := strconv.ParseFloat(m[2], 64)
		d.Count, _ = strconv.Atoi(m[4])
		out, sizes = append(out, d), append(sizes, v)
	}
	if unit == "" {
		unit = drillUnit(sizes)
	}
	for i := range out {
		out[i].Diameter = lengthIn(sizes[i], unit)
	}
	return out
}

// drillUnit is the unit in which the smallest of the sizes can be drilled: no drill
// is as thin as 0.05 mm or 3 mil.
func drillUnit(sizes []float64) string {
	const minMM, minMil = 0.05, 3
	switch {
	case len(sizes) == 0 || slices.Min(sizes) >= minMil:
		return "mil"
	case slices.Min(sizes) >= minMM:
		return "mm"
	}
	return "in"
}

// Drills reads a drill report of Altium (.DRR), or of PADS.
func Drills(data []byte) []Drill {
	if IsDrillSizes(data) {
		return drillSizes(data)
	}
	var out []Drill
	file, pair := "", ""
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if v, ok := strings.CutPrefix(line, "Layer Pair :"); ok {
			pair = strings.TrimSpace(v)
		} else if i := strings.Index(line, " File :"); i > 0 && strings.HasPrefix(line, "ASCII") {
			file = strings.TrimSpace(line[i+len(" File :"):])
		} else if m := drillRow.FindStringSubmatch(line); m != nil {
			d := Drill{File: file, Pair: pair, Slot: m[4] == "Slot"}
			d.Tool, _ = strconv.Atoi(m[1])
			v, _ := strconv.ParseFloat(m[2], 64)
			d.Diameter = lengthIn(v, m[3])
			d.Count, _ = strconv.Atoi(m[5])
			d.Plated = m[6] == "PTH" || m[6] == "Plated"
			out = append(out, d)
		}
	}
	return out
}

// lengthIn is v of the unit named, in nanometres; 0 when out of all reason.
func lengthIn(v float64, unit string) int64 {
	if v < 0 || v > 1e6 {
		return 0
	}
	switch unit {
	case "mil":
		return geom.MM(v * 0.0254)
	case "in", "inch":
		return geom.Inches(v)
	}
	return geom.MM(v)
}

// A Rule is one design rule of an Altium export.
type Rule struct {
	Kind, Name, Scope string
	Minimum           int64 // nanometres; 0 when the rule has none
}

// Rules reads an Altium design rule export (.RUL); its lengths are in mils.
func Rules(data []byte) []Rule {
	var out []Rule
	for line := range strings.Lines(string(data)) {
		r := Rule{}
		for f := range strings.SplitSeq(strings.TrimSpace(line), "|") {
			key, value, _ := strings.Cut(f, "=")
			switch key {
			case "RuleKind":
				r.Kind = value
			case "RuleName":
				r.Name = value
			case "Scope":
				r.Scope = value
			case "Minimum":
				if v, err := strconv.ParseFloat(value, 64); err == nil {
					r.Minimum = lengthIn(v, "mil")
				}
			}
		}
		if r.Kind != "" {
			out = append(out, r)
		}
	}
	return out
}
