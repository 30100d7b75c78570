package shop

import (
	"encoding/json"
	"slices"
	"strconv"

	"boardorder/pkg/catalog"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/stackups"
	"boardorder/pkg/language"
)

// optionView is an option of the board that can be chosen.
type optionView struct {
	ID, Name, Label string
	Choices         []choiceView
}

// optionLabels are the options of the form, in its order.
var optionLabels = []struct{ name, label string }{
	{"solder_mask", language.Key("Solder mask")}, {"surface_finish", language.Key("Surface finish")}, {"thickness_mm", language.Key("Thickness")}, {"copper_oz", language.Key("Copper, outer")},
	{"inner_copper_oz", language.Key("Copper, inner")}, {"material", language.Key("Material")}, {"via_process", language.Key("Vias")}, {stackupField, language.Key("Stackup")},
}

// stackupField is the option of the fabricator's own layer build-ups.
const stackupField = "fab_stackup"

// optionViews are the options but those that are asked about elsewhere on the page.
func (s *Shop) optionViews(p voice, f choices, now facts, asked []questionView) []optionView {
	var out []optionView
	for _, o := range optionLabels {
		isAsked := slices.ContainsFunc(asked, func(q questionView) bool { return q.Name == o.name })
		values := s.valuesOf(o.name, now)
		if isAsked || len(values) == 0 {
			continue
		}
		v := optionView{ID: "o-" + o.name, Name: o.name, Label: p.Text(o.label)}
		chosen := f.get(o.name)
		v.Choices = append(v.Choices, choiceView{Label: p.Text("As in the files, or our standard")})
		if chosen != "" && !slices.Contains(values, chosen) {
			values = append([]string{chosen}, values...)
		}
		for _, value := range values {
			v.Choices = append(v.Choices, choiceView{Value: value, Label: s.nameOf(p, o.name, value), Chosen: value == chosen})
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
	case "material":
		return s.materialsFor(now.layers)
	case stackupField:
		return s.stackupsFor(now.layers)
	}
	return s.Catalog.IDsOf(option)
}

// materialsFor lists the materials that boards of so many layers are built of, or all while the
// layers are not known.
func (s *Shop) materialsFor(layers int) []string {
	return slices.DeleteFunc(s.Catalog.MaterialIDs(), func(id string) bool {
		f, known := s.Catalog.FamilyOf(id)
		return layers > 0 && known && !slices.Contains(f.Layers, layers) && !slices.Contains(f.ReviewLayers, layers)
	})
}

// stackupsFor lists the codes of the fabricator's build-ups of so many copper layers.
func (s *Shop) stackupsFor(layers int) []string {
	all, _ := s.Stackups()
	if layers == 0 {
		return nil
	}
	return stackups.Codes(all, layers)
}

// stackupName is what a build-up is called, with what it is made of.
func (s *Shop) stackupName(p voice, code string) string {
	all, _ := s.Stackups()
	i := slices.IndexFunc(all, func(one stackups.Stackup) bool { return one.IsNamed(code) })
	if i < 0 {
		return shorten(code, 120)
	}
	return p.List([]string{shorten(all[i].Code, 40), p.Millimetres(all[i].ThicknessMM), p.Number(all[i].CopperOz) + "/" + p.Number(all[i].InnerCopperOz) + " oz"})
}

func texts(values []float64) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = formatDecimal(v)
	}
	return out
}

func formatDecimal(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// decimal writes a number of a request as the language does.
func (p voice) decimal(value string) string {
	if n, ok := number(value).(json.Number); ok {
		v, _ := n.Float64() // as number saw
		return p.Number(v)
	}
	return shorten(value, 120)
}

// catalogNames are the names of the catalogue that other languages have words for.
var catalogNames = map[string]bool{
	language.Key("Green"): true, language.Key("Red"): true, language.Key("Blue"): true, language.Key("White"): true, language.Key("Black"): true, language.Key("Yellow"): true, language.Key("Purple"): true, language.Key("Transparent"): true,
	language.Key("Lead-free HASL"): true, language.Key("HASL with lead"): true, language.Key("ENIG"): true,
	language.Key("Tented"): true, language.Key("Untented"): true, language.Key("Plugged"): true, language.Key("Epoxy filled and capped"): true, language.Key("Copper paste filled and capped"): true,
	language.Key("FR-4, Tg 135 to 140 C"): true, language.Key("FR-4, Tg 155 C"): true, language.Key("FR-4, Tg 170 C"): true, language.Key("Aluminum core"): true, language.Key("Copper core"): true, language.Key("Polyimide, flexible"): true,
}

// nameOf is a value of an option in words.
func (s *Shop) nameOf(p voice, option, value string) string {
	switch option {
	case stackupField:
		return s.stackupName(p, value)
	case "thickness_mm":
		return p.decimal(value) + " mm"
	case "copper_oz", "inner_copper_oz":
		return p.decimal(value) + " oz"
	case "solder_mask":
		return p.name(shorten(value, 120))
	case "surface_finish":
		return p.name(catalog.NameOf(s.Catalog.SurfaceFinishes, value))
	case "via_process":
		return p.name(catalog.NameOf(s.Catalog.ViaProcesses, value))
	case "material":
		if m, ok := s.Catalog.Material(value); ok && m.Name != "" {
			return p.name(m.Name)
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
