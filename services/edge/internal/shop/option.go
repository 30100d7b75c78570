package shop

import (
	"slices"
	"strconv"

	"boardorder/pkg/catalog"
	"boardorder/pkg/contract/quotes"
)

// optionView is an option of the board that can be chosen.
type optionView struct {
	ID, Name, Label string
	Choices         []choiceView
}

// optionLabels are the options of the form, in its order.
var optionLabels = []struct{ name, label string }{
	{"solder_mask", "Solder mask"}, {"surface_finish", "Surface finish"}, {"thickness_mm", "Thickness"}, {"copper_oz", "Copper, outer"},
	{"inner_copper_oz", "Copper, inner"}, {"material", "Material"}, {"via_process", "Vias"},
}

// optionViews are the options but those that are asked about elsewhere on the page.
func (s *Shop) optionViews(f choices, now facts, asked []questionView) []optionView {
	var out []optionView
	for _, o := range optionLabels {
		isAsked := slices.ContainsFunc(asked, func(q questionView) bool { return q.Name == o.name })
		values := s.valuesOf(o.name, now)
		if isAsked || len(values) == 0 {
			continue
		}
		v := optionView{ID: "o-" + o.name, Name: o.name, Label: o.label}
		chosen := f.get(o.name)
		v.Choices = append(v.Choices, choiceView{Label: "As in the files, or our standard"})
		if chosen != "" && !slices.Contains(values, chosen) {
			values = append([]string{chosen}, values...)
		}
		for _, value := range values {
			v.Choices = append(v.Choices, choiceView{Value: value, Label: s.nameOf(o.name, value), Chosen: value == chosen})
		}
		out = append(out, v)
	}
	return out
}

// valuesOf lists what an option can be for a board; nothing where it has no such option.
func (s *Shop) valuesOf(option string, now facts) []string {
	outer, inner := s.Catalog.CopperFor(now.material, now.layers)
	switch option {
	case "thickness_mm":
		return texts(s.Catalog.ThicknessFor(now.material, now.layers))
	case "copper_oz":
		return texts(outer)
	case "inner_copper_oz":
		return texts(inner)
	}
	return s.Catalog.IDsOf(option)
}

func texts(values []float64) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = formatDecimal(v)
	}
	return out
}

func formatDecimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// nameOf is a value of an option in words.
func (s *Shop) nameOf(option, value string) string {
	switch option {
	case "thickness_mm":
		return value + " mm"
	case "copper_oz", "inner_copper_oz":
		return value + " oz"
	case "surface_finish":
		return catalog.NameOf(s.Catalog.SurfaceFinishes, value)
	case "via_process":
		return catalog.NameOf(s.Catalog.ViaProcesses, value)
	case "material":
		if m, ok := s.Catalog.Material(value); ok && m.Name != "" {
			return m.Name
		}
	}
	return shorten(value, 120)
}

// facts are what is known of a board: as priced, or as read.
type facts struct {
	layers        int
	width, height float64 // mm
	material      string
	mask, finish  string // as it will look; "" = as chosen
	details       *quotes.BoardDetails
	from          map[string]string
}
