package bom

import (
	"cmp"
	"regexp"
	"strings"

	"boardorder/services/part-sourcing/internal/part"
	"boardorder/services/part-sourcing/internal/table"
)

// addSupplierNumber files a supplier's number by the supplier's name; the fabricator's
// codes are known by their form.
func (l *Line) addSupplierNumber(name, number string) {
	n := table.Plain(name)
	distributor := distributorNamed(n)
	switch {
	case number == "" && name == "":
	case distributor != "":
		l.Codes = l.Codes.Add(distributor, parseSupplierNumber(number))
	case namesFab(name) || n == "" && fabCodeIn(number) == number:
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

// distributorNamed is the scheme of the distributor that a supplier's name, in plain letters,
// is of; "" if it is none of them.
func distributorNamed(name string) part.Scheme {
	for _, d := range part.Numberings {
		if strings.Contains(name, string(d.Scheme)) || name != "" && name == d.Short {
			return d.Scheme
		}
	}
	return ""
}

// schemeOf are the headings of columns of distributors' numbers, in plain letters: the
// distributors' own and the names that the service's interface has for some of them,
// distributor_a to distributor_z.
var schemeOf = func() map[string]part.Scheme {
	m := map[string]part.Scheme{}
	for _, d := range part.Numberings {
		for w := range strings.FieldsSeq(d.Headings) {
			m[w] = d.Scheme
		}
	}
	for c := 'a'; c <= 'z'; c++ {
		m["distributor"+string(c)] = part.Scheme("distributor_" + string(c))
	}
	return m
}()

// distributorOf is the scheme of the numbers in a column of that heading.
func distributorOf(heading string) part.Scheme { return schemeOf[findHeading(heading)] }

// namesFab reports whether a heading or a supplier's name is of the fabricator's library.
func namesFab(name string) bool {
	plain := table.Plain(name)
	return strings.Contains(plain, "lcsc") || strings.Contains(plain, "jlc")
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
