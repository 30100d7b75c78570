package catalog

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/fabricator"
)

func loadCatalog(t *testing.T) *Catalog {
	t.Helper()
	c, err := Load()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestValidate: a catalogue that contradicts itself is refused, and the refusal names what and
// where.
func TestValidate(t *testing.T) {
	t.Parallel()
	if err := validateAnew(loadCatalog(t)); err != nil {
		t.Fatalf("the catalogue itself is refused: %v", err)
	}
	for rule, tt := range map[string]struct {
		change func(*Catalog)
		want   string
	}{
		"no version":                     {func(c *Catalog) { c.Version = "" }, "version or checked date is missing"},
		"a day that is none":             {func(c *Catalog) { c.Checked = "2026-02-30" }, "version or checked date is missing"},
		"a service that is not there":    {func(c *Catalog) { c.Services = c.Services[1:] }, "34 services, not 35"},
		"a service without a code":       {func(c *Catalog) { c.Services[0].Code = "" }, "has no code"},
		"a key that is no word":          {func(c *Catalog) { c.Options[0].Key = "Not snake" }, `option key "Not snake" is not snake_case`},
		"a key that begins with a digit": {func(c *Catalog) { c.Options[0].Key = "4_layers" }, "is not snake_case"},
		"a key that is there twice":      {func(c *Catalog) { c.Options[0].Key = c.Services[0].Key }, "stands there twice"},
		"a choice of nothing":            {func(c *Catalog) { optionOf(c, Pick).Values = nil }, "has no values"},
		"a number without a bound":       {func(c *Catalog) { optionOf(c, Number).Max = 0 }, "has no upper bound"},
		"an unknown kind":                {func(c *Catalog) { c.Options[0].Kind = "colour" }, `is of unknown kind "colour"`},
		"a default beyond its bound":     {func(c *Catalog) { o := optionOf(c, Integer); o.Default = o.Max + 1 }, "has a default that it does not allow"},
		"an unknown family":              {func(c *Catalog) { c.Options[0].Families = []string{"wood"} }, `is for unknown family "wood"`},
		"a value for a material of none": {func(c *Catalog) { optionOf(c, Pick).Values[0].Materials = []string{"wood"} }, `has a value for unknown material "wood"`},
		"a requirement of nothing":       {func(c *Catalog) { c.Options[0].Requires = []string{"nothing"} }, `requires unknown option "nothing"`},
		"a need of nothing":              {func(c *Catalog) { c.Options[0].Needs = map[string][]any{"nothing": {true}} }, `needs unknown option "nothing"`},
		"a need of what cannot be":       {func(c *Catalog) { c.Options[0].Needs = map[string][]any{optionOf(c, Boolean).Key: {"maybe"}} }, "to be maybe, which it cannot be"},
		"a material of no family":        {func(c *Catalog) { c.Materials[0].Family = "wood" }, `is of unknown family "wood"`},
		"layers of no thickness":         {func(c *Catalog) { change(c, func(f *Family) { f.Thickness = nil }) }, "has no thickness, copper or via process at"},
		"layers of no copper":            {func(c *Catalog) { change(c, func(f *Family) { f.Copper = nil }) }, "has no thickness, copper or via process at"},
		"layers of no inner copper": {func(c *Catalog) {
			change(c, func(f *Family) {
				f.Copper = append([]CopperRange(nil), f.Copper...)
				for i := range f.Copper {
					f.Copper[i].Inner = nil
				}
			})
		}, "has no thickness, copper or via process at 4 layers"},
		"layers of no via process": {func(c *Catalog) { change(c, func(f *Family) { f.ViaProcesses = nil }) }, "has no thickness, copper or via process at"},
		"an unknown finish":        {func(c *Catalog) { change(c, func(f *Family) { f.Finishes = []string{"paint"} }) }, `has unknown finish "paint"`},
		"an unknown mask":          {func(c *Catalog) { change(c, func(f *Family) { f.Masks = []string{"Pink"} }) }, `has unknown mask "Pink"`},
		"an unknown via process": {func(c *Catalog) {
			change(c, func(f *Family) {
				f.ViaProcesses = append(f.ViaProcesses[:len(f.ViaProcesses):len(f.ViaProcesses)], ViaRange{IDs: []string{"glued"}})
			})
		}, `has unknown via process "glued"`},
		"no minimum":                 {func(c *Catalog) { c.Quantity.Minimum = 0 }, "quantity bounds are wrong"},
		"less at most than at least": {func(c *Catalog) { c.Quantity.Maximum = c.Quantity.Minimum - 1 }, "quantity bounds are wrong"},
	} {
		c := loadCatalog(t)
		tt.change(c)
		if err := validateAnew(c); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want that it says %q", rule, err, tt.want)
		}
	}
}

// validateAnew validates a catalogue that was changed.
func validateAnew(c *Catalog) error {
	c.byKey = map[string]*Option{}
	return c.validate()
}

// optionOf is an option of a kind.
func optionOf(c *Catalog, k Kind) *Option {
	for _, list := range [][]Option{c.Options, c.Services} {
		for i := range list {
			if list[i].Kind == k {
				return &list[i]
			}
		}
	}
	panic("no option is a " + string(k))
}

// change changes the family of FR-4.
func change(c *Catalog, by func(*Family)) {
	f := c.Families["fr4"]
	by(&f)
	c.Families["fr4"] = f
}

// TestCheckValues: what each kind of option takes, at its bounds.
func TestCheckValues(t *testing.T) {
	t.Parallel()
	pick := Option{Key: "o", Kind: Pick, Values: []Choice{{ID: "a"}, {ID: "b"}}}
	whole, number := Option{Key: "o", Kind: Integer, Min: 1, Max: 4}, Option{Key: "o", Kind: Number, Min: 0.5, Max: 2}
	text := Option{Key: "o", Kind: Text, Max: 3}
	list := Option{Key: "o", Kind: List, Max: 2, Fields: []Option{{Key: "side", Kind: Pick, Values: pick.Values, Required: true}, {Key: "depth", Kind: Number, Min: 0, Max: 1}}}
	entry := func(fields map[string]any) []any { return []any{fields} }
	for _, tt := range []struct {
		rule   string
		option Option
		value  any
		want   string // problems and fields
	}{
		{"a value", pick, "a", ""}, {"another", pick, "c", "unsupported o"}, {"in capitals", pick, "A", "unsupported o"}, {"no string", pick, 1, "wrong_type o"},
		{"yes", Option{Kind: Boolean}, true, ""}, {"a word for it", Option{Kind: Boolean}, "yes", "wrong_type o"}, {"a number for it", Option{Kind: Boolean}, 1, "wrong_type o"},
		{"the least", whole, 1, ""}, {"the most", whole, json.Number("4"), ""}, {"less", whole, 0, "out_of_range o"}, {"more", whole, int64(5), "out_of_range o"}, {"a half", whole, 1.5, "wrong_type o"}, {"a whole one with a point", whole, json.Number("2.0"), ""},
		{"a number as text", whole, "2", "wrong_type o"}, {"no number", number, math.NaN(), "wrong_type o"}, {"infinity", number, math.Inf(1), "wrong_type o"}, {"beyond any number", number, json.Number("1e999"), "wrong_type o"}, {"at the bound", number, 0.5, ""}, {"beyond", number, 2.0001, "out_of_range o"},
		{"three letters", text, "äöü", ""}, {"four", text, "abcd", "too_long o"}, {"no text", text, 7, "wrong_type o"}, {"broken text", text, "\xff", "wrong_type o"},
		{"none", list, []any{}, ""}, {"one", list, entry(map[string]any{"side": "a"}), ""}, {"with more", list, entry(map[string]any{"side": "b", "depth": 1.0}), ""}, {"without what is needed", list, entry(map[string]any{"depth": 1.0}), "missing o.0.side"},
		{"null for it", list, entry(map[string]any{"side": nil}), "missing o.0.side"}, {"what is unknown", list, entry(map[string]any{"side": "a", "x": 1}), "unknown_field o.0.x"}, {"a wrong value within", list, entry(map[string]any{"side": "c", "depth": 2}), "unsupported o.0.side, out_of_range o.0.depth"},
		{"no object", list, []any{1}, "wrong_type o.0"}, {"no list", list, map[string]any{}, "wrong_type o"}, {"three", list, []any{1, 2, 3}, "too_long o"},
	} {
		var got []string
		for _, p := range tt.option.check("o", tt.value) {
			got = append(got, p.Problem+" "+p.Field)
			if !strings.HasSuffix(p.Message, ".") || !strings.HasPrefix(p.Message, p.Field+" ") {
				t.Errorf("%s: %v of a %s: %q, want a sentence that begins with the field", tt.rule, tt.value, tt.option.Kind, p.Message)
			}
		}
		if s := strings.Join(got, ", "); s != tt.want {
			t.Errorf("%s: %v of a %s: %q, want %q", tt.rule, tt.value, tt.option.Kind, s, tt.want)
		}
	}
	c := loadCatalog(t)
	for data, want := range map[string]bool{``: true, `null`: true, ` {} `: true, `{"edge_plating": true}`: true, `[]`: false, `"x"`: false, `{`: false, `{} {}`: false, `{}}`: false, `{}]`: false} {
		if _, problems := c.DecodeOptions([]byte(data)); (len(problems) == 0) != want {
			t.Errorf("options of %q: %+v, want taken %t", data, problems, want)
		}
	}
}

// TestChosen: a value that is the usual one, or none, chooses nothing.
func TestChosen(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		usual, value any
		want         bool
	}{
		{nil, nil, false}, {nil, true, true}, {nil, false, false}, {nil, "", false}, {nil, "none", false}, {nil, "a", true}, {"a", "a", false}, {"a", "b", true}, {nil, []any{}, false}, {nil, []any{1}, true},
		{nil, 0, false}, {nil, 2, true}, {2.0, json.Number("2"), false}, {2.0, json.Number("3"), true}, {nil, json.Number("x"), false}, {nil, map[string]any{}, false},
	} {
		if got := (Option{Default: tt.usual}).IsChosen(tt.value); got != tt.want {
			t.Errorf("%v where %v is usual is chosen %t, want %t", tt.value, tt.usual, got, tt.want)
		}
	}
}

// TestPanels: who makes a panel, of how many boards, and how large it is; a figure that is none
// makes none.
func TestPanels(t *testing.T) {
	t.Parallel()
	for rule, tt := range map[string]struct {
		options map[string]any
		want    Panel
		boards  int
	}{
		"no panel":                   {nil, Panel{"", 1, 1}, 1},
		"by nobody":                  {map[string]any{"panel_by": "none", "panel_columns": 3}, Panel{"", 1, 1}, 1},
		"by the fabricator":          {map[string]any{"panel_by": "fabricator", "panel_columns": 3, "panel_rows": json.Number("2")}, Panel{"fabricator", 3, 2}, 6},
		"by the customer":            {map[string]any{"panel_by": "customer", "panel_columns": 2.0}, Panel{"customer", 2, 1}, 2},
		"of no columns":              {map[string]any{"panel_by": "fabricator", "panel_columns": 0, "panel_rows": -4}, Panel{"fabricator", 1, 1}, 1},
		"of more than a number says": {map[string]any{"panel_by": "fabricator", "panel_columns": json.Number("1e999")}, Panel{"fabricator", 1, 1}, 1},
	} {
		if got := PanelOf(tt.options); got != tt.want || got.Boards() != tt.boards {
			t.Errorf("%s: %v make the panel %+v of %d boards, want %+v of %d", rule, tt.options, got, got.Boards(), tt.want, tt.boards)
		}
	}
	c := loadCatalog(t)
	family, _ := c.FamilyOf("FR-4")
	long, short := family.Size.Max[0], family.Size.Max[1]
	for _, tt := range []struct {
		rule          string
		width, height float64 // mm
		options       map[string]any
		field         string
	}{
		{"the largest board", long, short, nil, ""},
		{"turned", short, long, nil, ""},
		{"a larger one is people's to judge", long + 1, short, nil, ""},
		{"rails make it too large", long, short, map[string]any{"edge_rails": "four_sides", "edge_rail_mm": 5}, "fab_options.edge_rails"},
		{"boards beside each other do", long/2 + 1, short, map[string]any{"panel_by": "fabricator", "panel_columns": 2}, "fab_options.panel_by"},
		{"and no more than that", long / 2, short, map[string]any{"panel_by": "fabricator", "panel_columns": 2}, ""},
		{"a customer's own panel is as it is", long, short, map[string]any{"panel_by": "customer", "panel_columns": 9}, ""},
	} {
		s := fabricator.Spec{Material: "FR-4", Width: int64(tt.width * 1e6), Height: int64(tt.height * 1e6), Options: tt.options}
		got := ""
		if problems := c.checkPanel(s); len(problems) > 0 {
			got = problems[0].Field
		}
		if got != tt.field {
			t.Errorf("%s: %v x %v mm with %v: %q, want %q", tt.rule, tt.width, tt.height, tt.options, got, tt.field)
		}
	}
}

// TestReadWords: words of files that are no alias are read by what they hold, and those that hold
// something else are unknown, so that somebody is asked.
func TestReadWords(t *testing.T) {
	t.Parallel()
	c := loadCatalog(t)
	for _, tt := range []struct{ option, written, want string }{
		{"surface_finish", "Immersion Gold (ENIG) 2 u\"", "enig"}, {"surface_finish", "HASL lead-free, RoHS", "hasl_lead_free"}, {"surface_finish", "ENEPIG", "?"}, {"surface_finish", "Hard gold", "?"}, {"surface_finish", "Immersion silver", "?"}, {"surface_finish", "ENIG or HASL", "?"}, {"surface_finish", "OSP", "?"}, {"surface_finish", "shiny", "?"},
		{"solder_mask", "glossy green", "Green"}, {"solder_mask", "#00FF00", "?"}, {"solder_mask", "#FFFFFF", "White"}, {"solder_mask", "#000000", "Black"}, {"solder_mask", "beige", "?"},
		{"material", "FR4 Tg 150", "FR-4 / TG155"}, {"material", "FR-4 Tg=170", "FR-4 / TG170"}, {"material", "FR4, high Tg", "FR-4 / TG170"}, {"material", "FR4 TG135", "FR-4"}, {"material", "FR4", "FR-4"}, {"material", "wood", "?"},
		{"material", "", ""}, {"via_process", "sewn", "?"},
	} {
		m := c.Read(tt.option, tt.written)
		got := m.Value
		if m.Unknown || m.Unable != "" {
			got = "?"
		}
		if got != tt.want {
			t.Errorf("%s %q is read as %+v, want %q", tt.option, tt.written, m, tt.want)
		}
	}
	for tg, want := range map[int]string{0: "FR-4", 149: "FR-4", 150: "FR-4 / TG155", 164: "FR-4 / TG155", 165: "FR-4 / TG170", 180: "FR-4 / TG170"} {
		if got := fr4Of(tg); got != want {
			t.Errorf("a laminate of %d °C is built as %q, want %q", tg, got, want)
		}
	}
	for text, want := range map[string]string{"Lead-Free HASL": "leadfreehasl", "FR-4 / TG155": "fr4tg155", "": "", "Öl": "öl", "沉金": "沉金"} {
		if got := fold(text); got != want {
			t.Errorf("fold(%q) = %q, want %q", text, got, want)
		}
	}
}

// TestStandards: what a board has of which nothing is said; boards of fewer than four layers have
// no inner copper, and unknown laminates nothing of their own.
func TestStandards(t *testing.T) {
	t.Parallel()
	c := loadCatalog(t)
	for _, tt := range []struct {
		material string
		layers   int
		inner    bool
	}{{"FR-4", 0, true}, {"FR-4", 1, false}, {"FR-4", 3, false}, {"FR-4", 4, true}, {"wood", 4, true}} {
		if s := c.StandardFor(tt.material, tt.layers); (s.InnerCopper > 0) != tt.inner || s.Thickness <= 0 || s.Copper <= 0 {
			t.Errorf("the standard of %s in %d layers is %+v, want inner copper %t, and a thickness and copper", tt.material, tt.layers, s, tt.inner)
		}
	}
	for quantity, want := range map[int]int{1: c.Quantity.Minimum, c.Quantity.Minimum: c.Quantity.Minimum, c.Quantity.Minimum + 1: c.Quantity.Minimum + 1} {
		if got := c.BuildQuantity(quantity); got != want {
			t.Errorf("of %d boards %d are built, want %d", quantity, got, want)
		}
	}
	for mask, want := range map[string]string{"White": "Black", "Green": "White", "Pink": "White"} {
		if got := c.Silkscreen(mask); got != want {
			t.Errorf("the silkscreen on a %s mask is %s, want %s", mask, got, want)
		}
	}
	if outer, inner := c.CopperFor("wood", 4); outer != nil || inner != nil || c.ThicknessFor("wood", 4) != nil || c.ViaProcessesFor("FR-4", 99) != nil {
		t.Error("wood, or 99 layers, have copper, a thickness or vias; want none")
	}
	for v, want := range map[float64]bool{1.6: true, 1.601: true, 1.599: true, 1.6012: false, 1.5988: false} {
		if got := containsAbout([]float64{0.8, 1.6}, v); got != want {
			t.Errorf("%v is about 1.6 %t, want %t", v, got, want)
		}
	}
}

// TestExtraWords: options in words, by the catalogue or by their keys.
func TestExtraWords(t *testing.T) {
	t.Parallel()
	o := Option{Values: []Choice{{ID: "two_sides", Name: "two sides, along the longer"}, {ID: "one_side"}}}
	for _, tt := range []struct {
		value any
		want  string
	}{{"two_sides", "two sides, along the longer"}, {"one_side", "one side"}, {"other_words", "other words"}, {true, "yes"}, {[]any{map[string]any{}, map[string]any{}}, "2 chosen"}, {[]any{"a", "b"}, "a, b"}, {1.5, "1.5"}} {
		if got := o.valueWords(tt.value); got != tt.want {
			t.Errorf("%v is written %q, want %q", tt.value, got, tt.want)
		}
	}
	for key, want := range map[string]string{"edge_plating": "Edge plating", "": "", "x": "X", "öse_rund": "Öse rund"} {
		if got := sentenceOf(key); got != want {
			t.Errorf("the key %q is written %q, want %q", key, got, want)
		}
	}
	if got := loadCatalog(t).Extras(quotes.Quote{}); len(got) > 0 {
		t.Errorf("a quote without options has %+v, want none", got)
	}
}
