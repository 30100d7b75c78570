package report

import (
	"bytes"
	"encoding/csv"
	"strconv"
	"strings"

	"boardorder/pkg/board/geom"
)

// A StackLayer is one row of Altium's layer stack table.
type StackLayer struct {
	Number    int // of a copper layer; 0 for the others
	Name      string
	Type      string // Signal, Plane, Core, Prepreg, Solder Mask, Overlay, Surface Finish
	Material  string
	Process   string // of a surface finish, such as ENIG
	Thickness int64  // nanometres
	Ounces    float64
	Epsilon   float64
	Loss      float64
	Colour    string // #AARRGGBB
}

// IsStackup tells whether data is a layer stack table.
func IsStackup(data []byte) bool {
	head := string(data[:min(len(data), 400)])
	return strings.Contains(head, "Layer Stack") && strings.Contains(head, "Thickness")
}

// Stackup reads a layer stack table that Altium exported as CSV, top first.
func Stackup(data []byte) []StackLayer {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))))
	r.FieldsPerRecord, r.LazyQuotes = -1, true
	columns := map[string]int{}
	unit := "mm"
	var out []StackLayer
	for {
		row, err := r.Read()
		if err != nil || len(out) > 200 {
			return out
		}
		if len(columns) == 0 {
			columns, unit = stackColumns(row)
			continue
		}
		if l, ok := stackRow(row, columns, unit); ok {
			out = append(out, l)
		} else if len(out) > 0 {
			return out // the table ends; others follow
		}
	}
}

// stackColumns reads the header: where each column is, and the unit of length.
func stackColumns(row []string) (columns map[string]int, unit string) {
	columns, unit = map[string]int{}, "mm"
	for i, c := range row {
		name, rest, _ := strings.Cut(strings.TrimSpace(c), " (")
		columns[strings.ToLower(name)] = i
		if strings.EqualFold(name, "thickness") {
			unit = strings.TrimSuffix(rest, ")")
		}
	}
	if _, ok := columns["thickness"]; !ok {
		return map[string]int{}, unit
	}
	return columns, unit
}

func stackRow(row []string, columns map[string]int, unit string) (StackLayer, bool) {
	get := func(name string) string {
		if i, ok := columns[name]; ok && i < len(row) {
			return strings.TrimSpace(row[i])
		}
		return ""
	}
	number := func(name string) float64 {
		v, err := strconv.ParseFloat(get(name), 64)
		if err != nil || v < 0 || v > 1e4 {
			return 0
		}
		return v
	}
	l := StackLayer{
		Name: get("name"), Type: get("type"), Material: get("material"), Process: get("process"), Colour: get("color"),
		Ounces: number("weight"), Epsilon: number("dk"), Loss: number("df"),
	}
	l.Number, _ = strconv.Atoi(get("number"))
	l.Thickness = lengthIn(number("thickness"), unit)
	if l.Thickness > 20*geom.Millimetre {
		l.Thickness = 0
	}
	return l, l.Name != "" && l.Type != ""
}
