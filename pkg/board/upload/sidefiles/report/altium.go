package report

import (
	"regexp"
	"strconv"
	"strings"

	"boardorder/pkg/board/geom"
)

// Extensions reads an Altium extension report (.EXTREP): the layer that every
// file extension stands for, extensions in lower case without the dot.
func Extensions(data []byte) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		if len(f) >= 2 && len(f[0]) > 1 && f[0][0] == '.' {
			out[strings.ToLower(f[0][1:])] = strings.Join(f[1:], " ")
		}
	}
	return out
}

// A LayerPair is the copper layers that one drill file passes.
type LayerPair struct {
	Name      string   // of the set, such as Top_Bot_Thru_Holes
	DrillFile string   // lower case
	Layers    []string // extensions of the copper files, top first
}

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
					p.Layers = append(p.Layers, strings.ToLower(strings.TrimSpace(l)))
				}
			}
		}
		if p.Name != "" && len(p.Layers) > 0 {
			out = append(out, p)
		}
	}
	return out
}

// A Drill is one line of a drill report.
type Drill struct {
	File     string // the drill file, as named
	Pair     string // the layer pair, as named
	Tool     int
	Diameter int64 // nanometres
	Count    int
	Plated   bool
	Slot     bool
}

var drillRow = regexp.MustCompile(`^T(\d+)\s+([\d.]+)(mil|mm|in|inch)\b.*?(Round|Slot|Square)\s+(\d+)\s+(PTH|NPTH|Plated|Non-?Plated)?`)

// Drills reads an Altium drill report (.DRR).
func Drills(data []byte) []Drill {
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
