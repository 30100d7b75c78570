// Package partlist writes the bill of materials that assembled boards are built
// from.
package partlist

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"boardorder/pkg/contract/assemblies"
)

// Name is the list's name in the package for whoever assembles.
const Name = "bom.csv"

// Cell is text that a spreadsheet takes for text.
func Cell(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if s != "" && strings.ContainsRune("=+-@", rune(s[0])) {
		return "'" + s
	}
	return s
}

// Write writes parts as CSV, with a line of headings.
func Write(to io.Writer, parts []assemblies.Part) error {
	out := csv.NewWriter(to)
	rows := [][]string{{"Designator", "Quantity", "Comment", "Footprint", "MPN", "Manufacturer", "Fabricator Part #", "Supplier", "Supplier Part #", "Fitting"}}
	for _, p := range parts {
		rows = append(rows, []string{
			Cell(p.Reference), strconv.FormatInt(p.QuantityPerBoard, 10), Cell(p.Part), Cell(p.Footprint), Cell(p.MPN), Cell(p.Manufacturer), Cell(p.FabCode), Cell(p.Supplier), Cell(p.SKU), p.Fitting,
		})
	}
	if err := out.WriteAll(rows); err != nil {
		return err
	}
	return out.Error()
}
