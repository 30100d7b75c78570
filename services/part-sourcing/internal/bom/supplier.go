package bom

import (
	"cmp"
	"regexp"
	"strings"

	"boardorder/services/part-sourcing/internal/table"
)

// addSupplierNumber files a supplier's number by the supplier's name; the fabricator's
// codes are known by their form.
func (l *Line) addSupplierNumber(name, number string) {
	switch n := table.Plain(name); {
	case number == "" && name == "":
	case strings.Contains(n, "digikey") || n == "dk":
		l.DistributorA = cmp.Or(l.DistributorA, parseSupplierNumber(number))
	case strings.Contains(n, "mouser"):
		l.DistributorB = cmp.Or(l.DistributorB, parseSupplierNumber(number))
	case strings.Contains(n, "lcsc") || strings.Contains(n, "jlc") || n == "" && fabCodeIn(number) == number:
		l.FabCode = cmp.Or(l.FabCode, fabCodeIn(number))
	default:
		if name != "" {
			l.field("supplier", name)
		}
		if number != "" {
			l.field("supplier_number", number)
		}
	}
}

var fabCodeForm = regexp.MustCompile(`(?:^|[^A-Za-z0-9])([Cc][0-9]{1,9})(?:[^A-Za-z0-9]|$)`)

// fabCodeIn finds a code of the fabricator's library, also in a link to it.
func fabCodeIn(cell string) string {
	if m := fabCodeForm.FindStringSubmatch(strings.ReplaceAll(cell, "_", " ")); m != nil {
		return strings.ToUpper(m[1])
	}
	return ""
}

// parseSupplierNumber takes a supplier's number; a link or a sentence is none.
func parseSupplierNumber(cell string) string {
	if len(cell) > 60 || strings.ContainsAny(cell, " /\n") && strings.Contains(cell, "//") || notNumber[table.Plain(cell)] {
		return ""
	}
	first, _, _ := strings.Cut(cell, "\n")
	return first
}
