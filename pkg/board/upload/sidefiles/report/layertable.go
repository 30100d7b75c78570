package report

import (
	"bytes"
	"encoding/csv"
	"strconv"
	"strings"

	"boardorder/pkg/board/foil"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/pattern"
)

// columnNames are the columns of a layer table as people call them, by the name that
// Altium has.
var columnNames = map[string][]string{
	"name":      {"name", "layer name", "layer", "description", "lage"},
	"number":    {"number", "no", "no.", "#", "nr", "layer no", "layer number", "order"},
	"type":      {"type", "layer type", "function", "kind", "typ"},
	"material":  {"material", "laminate", "dielectric material", "werkstoff", "matériau"},
	"thickness": {"thickness", "height", "dicke", "épaisseur", "espesor", "spessore", "厚度"},
	"weight":    {"weight", "copper weight", "copper", "cu", "oz", "copper thickness", "kupfer", "foil"},
}

var (
	columnUnit   = pattern.Lazy(`(?i)[\s_(\[]*(mm|mils?|um|µm|μm|inch|oz)[)\]]?\s*$`)
	copperRow    = pattern.Lazy(`(?i)\b(?:signal|plane|copper|conductor|mixed|power|ground|gnd|foil|cu)\b`)
	coreRow      = pattern.Lazy(`(?i)\bcore\b`)
	prepregRow   = pattern.Lazy(`(?i)\bpre-?preg\b|\bpp\d*\b`)
	sheetRow     = pattern.Lazy(`(?i)\b(?:dielectric|substrate|laminate|insulator)\b`)
	maskRow      = pattern.Lazy(`(?i)\b(?:solder ?mask|solder ?resist|mask)\b`)
	otherRow     = pattern.Lazy(`(?i)\b(?:total|sum|overall|silk ?screen|overlay|legend|paste|finish)\b`)
	copperNumber = pattern.Lazy(`(?i)^(?:l|layer ?)?(\d{1,2})$`)
	valueUnit    = pattern.Lazy(`(?i)^([\d.,]+)\s*(mm|mils?|um|µm|μm|inch|oz)?`)
)

// IsLayerTable tells whether a table lists the layers of a board, copper and sheets.
func IsLayerTable(data []byte) bool {
	copper, sheets := 0, 0
	for _, l := range LayerTable(data) {
		switch l.Type {
		case "Signal":
			copper++
		case "Core", "Prepreg", "Dielectric":
			sheets++
		}
	}
	return copper >= 2 && sheets >= 1
}

// LayerTable reads a table of layers as people write it, top first, in the words of
// Altium's.
func LayerTable(data []byte) []StackLayer {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))))
	r.Comma, r.FieldsPerRecord, r.LazyQuotes, r.TrimLeadingSpace = delimiterOf(data), -1, true, true
	var columns, units map[string]string
	var out []StackLayer
	copper := 0
	for len(out) < 200 {
		row, err := r.Read()
		if row == nil {
			break
		}
		if err != nil {
			continue
		}
		if columns == nil {
			columns, units = tableColumns(row)
			continue
		}
		get := func(name string) string {
			if i, err := strconv.Atoi(columns[name]); err == nil && i < len(row) {
				return strings.TrimSpace(row[i])
			}
			return ""
		}
		l, ok := tableLayer(get, units)
		if !ok {
			continue
		}
		if l.Type == "Signal" {
			copper++
			l.Number = copper
		}
		out = append(out, l)
	}
	return out
}

func delimiterOf(data []byte) rune {
	head := string(data[:min(len(data), 4096)])
	delimiter, most := ',', 0
	for _, d := range ",;\t|" {
		if n := strings.Count(head, string(d)); n > most {
			delimiter, most = d, n
		}
	}
	return delimiter
}

// tableColumns finds the columns in a heading; nil where it is none.
func tableColumns(row []string) (columns, units map[string]string) {
	columns, units = map[string]string{}, map[string]string{}
	for i, c := range row {
		c = strings.ToLower(strings.TrimSpace(c))
		unit := ""
		if m := columnUnit().FindStringSubmatchIndex(c); m != nil && m[0] > 0 {
			unit, c = c[m[2]:m[3]], strings.TrimSpace(c[:m[0]])
		}
		for name, words := range columnNames {
			for _, w := range words {
				if _, taken := columns[name]; c == w && !taken {
					columns[name], units[name] = strconv.Itoa(i), unit
				}
			}
		}
	}
	_, thick := columns["thickness"]
	_, weight := columns["weight"]
	_, material := columns["material"]
	_, named := columns["name"]
	_, typed := columns["type"]
	if !(thick && (named || typed) && (material || typed || weight)) {
		return nil, nil
	}
	return columns, units
}

// tableLayer reads one row; ok is false for one that is no layer.
func tableLayer(get func(string) string, units map[string]string) (l StackLayer, ok bool) {
	l = StackLayer{Name: get("name"), Material: get("material")}
	words := get("type")
	if words == "" {
		words = l.Name + " " + l.Material
	}
	weight := get("weight")
	switch {
	case otherRow().MatchString(words + " " + l.Name):
		return l, false
	case maskRow().MatchString(words):
		l.Type = "Solder Mask"
	case prepregRow().MatchString(words):
		l.Type = "Prepreg"
	case coreRow().MatchString(words):
		l.Type = "Core"
	case sheetRow().MatchString(words):
		l.Type = "Dielectric"
	case copperRow().MatchString(words), copperNumber().MatchString(l.Name) && l.Name != "", weight != "" && weight != "-" && weight != "0":
		l.Type = "Signal"
	default:
		return l, false
	}
	if l.Name == "" {
		l.Name = l.Type
	}
	l.Thickness = tableLength(get("thickness"), units["thickness"])
	if l.Type == "Signal" {
		l.Ounces = tableOunces(weight, units["weight"])
		if l.Ounces == 0 && l.Thickness > 0 {
			l.Ounces = foil.Inner(l.Thickness)
		}
	}
	return l, true
}

func tableLength(cell, unit string) int64 {
	m := valueUnit().FindStringSubmatch(cell)
	if m == nil {
		return 0
	}
	v, err := strconv.ParseFloat(strings.Replace(m[1], ",", ".", 1), 64)
	if err != nil || v < 0 || v > 1e5 {
		return 0
	}
	if m[2] != "" {
		unit = m[2]
	}
	switch unit = strings.ToLower(unit); unit {
	case "um", "µm", "μm":
		return geom.MM(v / 1000)
	case "inch":
		return geom.Inches(v)
	case "mil", "mils":
		return geom.MM(v * 0.0254)
	case "oz":
		return int64(v * 34_800)
	}
	return geom.MM(v)
}

func tableOunces(cell, unit string) float64 {
	m := valueUnit().FindStringSubmatch(cell)
	if m == nil {
		return 0
	}
	if m[2] != "" {
		unit = m[2]
	}
	if unit = strings.ToLower(unit); unit != "" && unit != "oz" {
		return foil.Inner(tableLength(cell, unit))
	}
	v, err := strconv.ParseFloat(strings.Replace(m[1], ",", ".", 1), 64)
	if err != nil || v < 0 || v > 20 {
		return 0
	}
	return v
}
