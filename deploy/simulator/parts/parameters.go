package parts

import (
	"fmt"
	"strconv"
	"strings"

	"boardorder/pkg/passive"
)

// A parameter is one line of a part's table of parameters, as distributors show it.
type parameter struct {
	id          int
	name, value string
}

// parameters are those of a passive part, in the words of the first distributor;
// none for any other part.
func (p *Part) parameters() []parameter {
	s := p.Spec
	var out []parameter
	add := func(id int, name, value string, stated bool) {
		if stated {
			out = append(out, parameter{id, name, value})
		}
	}
	switch s.Kind {
	case passive.Capacitor:
		add(2049, "Capacitance", s.ValueText(), true)
		add(17, "Temperature Coefficient", s.Dielectric, s.Dielectric != "")
	case passive.Resistor:
		add(2085, "Resistance", strings.Replace(s.ValueText(), "Ω", "Ohms", 1), true)
		add(2, "Power (Watts)", strconv.FormatFloat(float64(s.Power)/1000, 'g', -1, 64)+"W", s.Power > 0)
	case passive.Inductor:
		add(2087, "Inductance", s.ValueText(), true)
	case passive.Ferrite:
		add(0, "Impedance @ Frequency", s.ValueText()+" @ 100 MHz", true)
	default:
		return nil
	}
	add(3, "Tolerance", fmt.Sprintf("±%g%%", float64(s.Tolerance)/10_000), s.Tolerance > 0)
	add(14, "Voltage - Rated", fmt.Sprintf("%gV", float64(s.Voltage)/1000), s.Voltage > 0)
	return out
}

// status is the lifecycle in the words of the first distributor and the library.
var status = map[string]string{"active": "Active", "nrnd": "Not For New Designs", "eol": "Last Time Buy", "obsolete": "Obsolete"}

// options are the library's parameters of a part.
func (p *Part) options() []LibraryOption {
	out := []LibraryOption{{"Part Status", status[p.Lifecycle]}}
	for _, x := range p.parameters() {
		out = append(out, LibraryOption{x.name, x.value})
	}
	return out
}
