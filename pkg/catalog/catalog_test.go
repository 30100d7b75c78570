package catalog_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/catalog"
	"boardorder/pkg/fabricator"
)

var update = flag.Bool("update", false, "write the golden files anew")

func load(t *testing.T) *catalog.Catalog {
	t.Helper()
	c, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCapabilitiesGolden(t *testing.T) {
	t.Parallel()
	got, err := json.MarshalIndent(load(t).Capabilities(), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", "capabilities.json")
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("capabilities changed (-want +got), run with -update if meant:\n%s", diff)
	}
}

// The specification fixes these words; clients have them in their code.
func TestPublicIdentifiers(t *testing.T) {
	t.Parallel()
	c := load(t).Capabilities()
	var got []string
	for _, m := range c.Materials {
		got = append(got, m.ID)
	}
	for _, f := range c.SurfaceFinishes {
		got = append(got, f.ID)
	}
	for _, m := range c.SolderMasks {
		got = append(got, m.ID)
	}
	for _, v := range c.ViaProcesses {
		got = append(got, v.ID)
	}
	want := []string{
		"FR-4", "FR-4 / TG155", "FR-4 / TG170", "Aluminum", "Copper core", "Rogers 4350B", "ZYF300CA-P", "ZYF300CA-C",
		"ZYF265D", "ZYF255DA", "Polyimide", "hasl_lead_free", "hasl", "enig",
		"Green", "Red", "Blue", "White", "Black", "Yellow", "Purple", "Transparent",
		"tented", "untented", "plugged", "epoxy_filled_capped", "copper_paste_filled_capped",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("public identifiers (-want +got):\n%s", diff)
	}
	if len(c.Services) != 35 {
		t.Errorf("%d services, want the 35 documented ones", len(c.Services))
	}
}

func TestStandardFor(t *testing.T) {
	t.Parallel()
	c := load(t)
	four := catalog.Standard{
		Thickness: 1.6, Copper: 1, InnerCopper: 0.5, SurfaceFinish: "hasl_lead_free", SolderMask: "Green",
		Material: "FR-4", ViaProcess: "tented",
	}
	if diff := cmp.Diff(four, c.StandardFor("FR-4", 4)); diff != "" {
		t.Errorf("standard of FR-4, 4 layers (-want +got):\n%s", diff)
	}
	if got := c.StandardFor("FR-4", 2).InnerCopper; got != 0 {
		t.Errorf("two layers have %v oz inner copper, want none", got)
	}
	if got := c.StandardFor("Polyimide", 2); got.SurfaceFinish != "enig" || got.SolderMask != "Yellow" {
		t.Errorf("standard of Polyimide = %+v, want enig and Yellow", got)
	}
}

// Whatever the standard says must be buildable without asking anybody.
func TestStandardsNeedNoReview(t *testing.T) {
	t.Parallel()
	c := load(t)
	for _, m := range c.Materials {
		for _, layers := range c.Families[m.Family].Layers {
			s := standardSpec(c, m.ID, layers)
			if ts := c.ThicknessFor(m.ID, layers); !cmp.Equal(ts, nil) && !has(ts, s.Thickness) {
				s.Thickness = int64(ts[len(ts)-1] * 1e6)
			}
			if rs := c.Review(s); len(rs) > 0 {
				t.Errorf("%s with %d layers as standard needs review: %v", m.ID, layers, rs)
			}
		}
	}
}

func has(mm []float64, nm int64) bool {
	for _, v := range mm {
		if int64(v*1e6) == nm {
			return true
		}
	}
	return false
}

func standardSpec(c *catalog.Catalog, material string, layers int) fabricator.Spec {
	st := c.StandardFor(material, layers)
	return fabricator.Spec{
		Layers: layers, Quantity: 5, Width: 50e6, Height: 40e6, Thickness: int64(st.Thickness * 1e6),
		OuterCopper: st.Copper, InnerCopper: st.InnerCopper, Material: material,
		Finish: st.SurfaceFinish, Mask: st.SolderMask, ViaProcess: st.ViaProcess,
	}
}

func TestReview(t *testing.T) {
	t.Parallel()
	c := load(t)
	tests := []struct {
		name   string
		change func(*fabricator.Spec)
		fields []string
	}{
		{"standard", func(*fabricator.Spec) {}, nil},
		{"thickness from a file, rounded", func(s *fabricator.Spec) { s.Thickness = 1599900 }, nil},
		{"other laminate", func(s *fabricator.Spec) { s.Material = "Megtron 6" }, []string{"material"}},
		{"odd layers", func(s *fabricator.Spec) { s.Layers = 3 }, []string{"layers"}},
		{"very many layers", func(s *fabricator.Spec) { s.Layers = 32 }, []string{"layers"}},
		{"thickness not offered", func(s *fabricator.Spec) { s.Thickness = 3200000 }, []string{"thickness_mm"}},
		{"thickness not offered at that layer count", func(s *fabricator.Spec) { s.Layers, s.InnerCopper, s.Thickness, s.Finish = 4, 0.5, 400000, "enig" }, []string{"thickness_mm"}},
		{"thin needs enig", func(s *fabricator.Spec) { s.Thickness = 400000 }, []string{"surface_finish"}},
		{"thin with enig", func(s *fabricator.Spec) { s.Thickness, s.Finish = 400000, "enig" }, nil},
		{"leaded on six layers", func(s *fabricator.Spec) { s.Layers, s.InnerCopper, s.Finish = 6, 0.5, "hasl" }, []string{"surface_finish"}},
		{"heavy copper", func(s *fabricator.Spec) { s.OuterCopper = 6 }, []string{"copper_oz"}},
		{"heavy inner copper", func(s *fabricator.Spec) { s.Layers, s.InnerCopper = 4, 3 }, []string{"inner_copper_oz"}},
		{"inner copper of two layers is nobody's business", func(s *fabricator.Spec) { s.InnerCopper = 3 }, nil},
		{"silver", func(s *fabricator.Spec) { s.Finish = "immersion_silver" }, []string{"surface_finish"}},
		{"transparent on FR-4", func(s *fabricator.Spec) { s.Mask = "Transparent" }, []string{"solder_mask"}},
		{"yellow silkscreen", func(s *fabricator.Spec) { s.Silkscreen = "Yellow" }, []string{"silkscreen"}},
		{"blind vias", func(s *fabricator.Spec) { s.ViaProcess = "blind" }, []string{"via_process"}},
		{"impedance on two layers", func(s *fabricator.Spec) { s.Impedance = true }, []string{"impedance_controlled"}},
		{"too large", func(s *fabricator.Spec) { s.Width = 700e6 }, []string{"size"}},
		{"large but turned", func(s *fabricator.Spec) { s.Width, s.Height = 390e6, 490e6 }, nil},
		{"too small", func(s *fabricator.Spec) { s.Width, s.Height = 2e6, 50e6 }, []string{"size"}},
		{"punching die", func(s *fabricator.Spec) { s.Options = map[string]any{"flex_cutting": "punching"} }, []string{"fab_options.flex_cutting"}},
		{"blind slots", func(s *fabricator.Spec) {
			s.Options = map[string]any{"blind_slots": []any{map[string]any{"side": "top", "depth_mm": 0.5}}}
		}, []string{"fab_options.blind_slots"}},
		{"no blind slots", func(s *fabricator.Spec) { s.Options = map[string]any{"blind_slots": []any{}} }, nil},
		{"several", func(s *fabricator.Spec) { s.Thickness, s.OuterCopper = 3e6, 9 }, []string{"thickness_mm", "copper_oz"}},
	}
	for _, tt := range tests {
		s := standardSpec(c, "FR-4", 2)
		tt.change(&s)
		var got []string
		for _, r := range c.Review(s) {
			got = append(got, r.Field)
			if r.Text == "" || strings.Contains(r.Text, "%!") {
				t.Errorf("%s: reason %q is no sentence", tt.name, r.Text)
			}
		}
		if diff := cmp.Diff(tt.fields, got); diff != "" {
			t.Errorf("%s: Review(%+v) fields (-want +got):\n%s", tt.name, s, diff)
		}
	}
}

func TestCheckOptions(t *testing.T) {
	t.Parallel()
	c := load(t)
	tests := []struct {
		in   string
		want []string // field problem
	}{
		{``, nil},
		{`null`, nil},
		{`{}`, nil},
		{`[]`, []string{"fab_options wrong_type"}},
		{`{"a":1}{"b":2}`, []string{"fab_options wrong_type"}},
		{`{"edge_plating":true,"gold_thickness_uin":"2","castellated_sides":2}`, nil},
		{`{"edge_plating":null}`, nil},
		{`{"panel_by":"fabricator"}`, []string{"fab_options.panel_columns missing", "fab_options.panel_rows missing"}},
		{`{"panel_by":"customer"}`, []string{"fab_options.panel_columns missing", "fab_options.panel_rows missing"}},
		{`{"panel_by":"none"}`, nil},
		{`{"panel_by":"customer","panel_columns":2,"panel_rows":2}`, nil},
		{`{"panel_columns":2,"panel_rows":2}`, []string{"fab_options.panel_columns not_applicable", "fab_options.panel_rows not_applicable"}},
		{`{"edge_rails":"two_sides"}`, []string{"fab_options.edge_rail_mm missing"}},
		{`{"edge_rails":"two_sides","edge_rail_mm":5}`, nil},
		{`{"edge_rail_mm":5}`, []string{"fab_options.edge_rail_mm not_applicable"}},
		{`{"barcode":"anywhere","barcode_size_mm":"8"}`, nil},
		{`{"barcode_size_mm":"8"}`, []string{"fab_options.barcode_size_mm not_applicable"}},
		{`{"flex_gold_finger_mm":0.3}`, []string{"fab_options.flex_gold_finger_mm not_applicable"}},
		{`{"edge_plating":"yes"}`, []string{"fab_options.edge_plating wrong_type"}},
		{`{"gold_thickness_uin":2}`, []string{"fab_options.gold_thickness_uin wrong_type"}},
		{`{"gold_thickness_uin":"5"}`, []string{"fab_options.gold_thickness_uin unsupported"}},
		{`{"castellated_sides":5}`, []string{"fab_options.castellated_sides out_of_range"}},
		{`{"castellated_sides":1.5}`, []string{"fab_options.castellated_sides wrong_type"}},
		{`{"castellated_sides":1e400}`, []string{"fab_options.castellated_sides wrong_type"}},
		{`{"ME_TR":true}`, []string{"fab_options.ME_TR unknown_field"}},
		{`{"barcode":"anywhere","barcode_start":"12345678"}`, []string{"fab_options.barcode_start too_long"}},
		{`{"zzz":1,"aaa":2}`, []string{"fab_options.aaa unknown_field", "fab_options.zzz unknown_field"}},
		{`{"blind_slots":[{"side":"top","depth_mm":0.5,"plated":true}]}`, nil},
		{`{"blind_slots":[{"side":"left","depht_mm":0.5}]}`, []string{
			"fab_options.blind_slots.0.depht_mm unknown_field", "fab_options.blind_slots.0.depth_mm missing", "fab_options.blind_slots.0.side unsupported",
		}},
		{`{"blind_slots":[{},{},{},{}]}`, []string{"fab_options.blind_slots too_long"}},
		{`{"blind_slots":"no"}`, []string{"fab_options.blind_slots wrong_type"}},
	}
	for _, tt := range tests {
		_, ps := c.DecodeOptions([]byte(tt.in))
		var got []string
		for _, p := range ps {
			got = append(got, p.Field+" "+p.Problem)
			const field = "fab_options"
			if !strings.HasPrefix(p.Message, field) || !strings.HasSuffix(p.Message, ".") {
				t.Errorf("DecodeOptions(%s): %q is no whole sentence on %s", tt.in, p.Message, field)
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("DecodeOptions(%s) (-want +got):\n%s", tt.in, diff)
		}
	}
	const message = "fab_options.panel_columns (boards across the panel) is needed with fab_options.panel_by: customer."
	if _, ps := c.DecodeOptions([]byte(`{"panel_by":"customer"}`)); ps[0].Message != message {
		t.Errorf("what a panel needs: %+v, want %q", ps, message)
	}
	if _, ps := c.DecodeOptions([]byte(`{"ME_TR":true}`)); !cmp.Equal(ps[0].Allowed, []string{"edge_plating"}) {
		t.Errorf("a documented code is answered with %v, want its key", ps[0].Allowed)
	}
}

func panel(columns, rows int, spacing float64) map[string]any {
	return map[string]any{"panel_by": "fabricator", "panel_columns": columns, "panel_rows": rows, "column_spacing_mm": spacing, "row_spacing_mm": spacing}
}

func TestPanelSize(t *testing.T) {
	t.Parallel()
	rails := func(sides string) map[string]any {
		return map[string]any{"edge_rails": sides, "edge_rail_mm": json.Number("5")}
	}
	for _, tt := range []struct {
		options       map[string]any
		width, height float64
	}{
		{nil, 50, 40},
		{panel(2, 3, 1.5), 101.5, 123},
		{rails("none"), 50, 40},
		{rails("left_right"), 60, 40},
		{rails("top_bottom"), 50, 50},
		{rails("four_sides"), 60, 50},
		{rails("two_sides"), 50, 50},
	} {
		s := fabricator.Spec{Width: 50e6, Height: 40e6, Options: tt.options}
		if w, h := catalog.PanelSize(s); w != tt.width || h != tt.height {
			t.Errorf("PanelSize(%v) = %v x %v, want %v x %v", tt.options, w, h, tt.width, tt.height)
		}
	}
}

// What is not decided yet condemns nothing.
func TestCheckSpecLeavesOpenOptionsAlone(t *testing.T) {
	t.Parallel()
	c := load(t)
	s := standardSpec(c, "FR-4", 2)
	s.Options = map[string]any{"gold_thickness_uin": "2", "fr4_stiffener_mm": "0.2", "min_via": "0.2/0.4"}
	for option, want := range map[string]string{
		"surface_finish": "fab_options.gold_thickness_uin", "material": "fab_options.fr4_stiffener_mm", "layers": "fab_options.min_via",
	} {
		for _, p := range c.CheckSpec(s, func(o string) bool { return o == option }) {
			if p.Field == want {
				t.Errorf("%s is open, and yet %s is judged: %s", option, p.Field, p.Message)
			}
		}
	}
}

func TestCheckSpec(t *testing.T) {
	t.Parallel()
	c := load(t)
	tests := []struct {
		material string
		layers   int
		options  map[string]any
		want     []string
	}{
		{"FR-4", 4, map[string]any{"edge_plating": true, "min_via": "0.2/0.4"}, nil},
		{"FR-4", 2, map[string]any{"min_via": "0.2/0.4"}, []string{"fab_options.min_via"}},
		{"FR-4", 2, map[string]any{"min_via": "0.3/0.4"}, nil}, // the default asks for nothing
		{"FR-4", 1, map[string]any{"castellated_sides": json.Number("2")}, []string{"fab_options.castellated_sides"}},
		{"FR-4", 1, map[string]any{"castellated_sides": json.Number("0")}, nil},
		{"Aluminum", 1, map[string]any{"thermal_conductivity": "1"}, nil},
		{"Aluminum", 1, map[string]any{"thermal_conductivity": "380"}, []string{"fab_options.thermal_conductivity"}}, // of copper
		{"Copper core", 1, map[string]any{"thermal_conductivity": "380"}, nil},
		{"Copper core", 1, map[string]any{"thermal_conductivity": "1"}, []string{"fab_options.thermal_conductivity"}},
		{"FR-4", 2, map[string]any{"thermal_conductivity": "1"}, []string{"fab_options.thermal_conductivity"}},
		{"Polyimide", 2, map[string]any{"fr4_stiffener_mm": "0.2", "flex_gold_fingers": true, "flex_gold_finger_mm": json.Number("0.3")}, nil},
		{"FR-4", 2, map[string]any{"gold_thickness_uin": "2"}, []string{"fab_options.gold_thickness_uin"}}, // HASL
		{"FR-4", 2, map[string]any{"barcode": "anywhere", "barcode_size_mm": "8"}, nil},
		// 50 x 40 mm each; the largest panel is 500 x 400.
		{"FR-4", 2, panel(10, 10, 0), nil},
		{"FR-4", 2, panel(8, 12, 0), nil}, // lies across
		{"FR-4", 2, panel(10, 11, 0), []string{"fab_options.panel_by"}},
		{"FR-4", 2, panel(10, 10, 2), []string{"fab_options.panel_by"}},
		{"FR-4", 2, map[string]any{"panel_by": "customer", "panel_columns": 100, "panel_rows": 100}, nil}, // the files hold it
		{"FR-4", 2, map[string]any{"edge_rails": "four_sides", "edge_rail_mm": 5}, nil},
	}
	for _, tt := range tests {
		s := standardSpec(c, tt.material, tt.layers)
		s.Options = tt.options
		var got []string
		for _, p := range c.CheckSpec(s, nil) {
			got = append(got, p.Field)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("CheckSpec(%s, %d layers, %v) (-want +got):\n%s", tt.material, tt.layers, tt.options, diff)
		}
	}
}

func TestParseRefusesContradictions(t *testing.T) {
	t.Parallel()
	good, err := os.ReadFile("catalog.json")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, from, to, want string }{
		{"no date", `"checked": "2026-11-21"`, `"checked": "soon"`, "checked date"},
		{"unknown field", `"checked": `, `"cheked": `, "cheked"},
		{"unknown family", `"family": "flex"`, `"family": "flox"`, `material Polyimide is of unknown family "flox"`},
		{"default not allowed", `"default": "ipc_class_2"`, `"default": "ipc_class_9"`, "option appearance has a default"},
		{"double key", `"key": "tape"`, `"key": "coverlay"`, `option key "coverlay" stands there twice`},
		{"service without code", `"code": "3MT"`, `"code": ""`, "service tape has no code"},
		{"unknown kind", `"kind": "integer"`, `"kind": "int"`, `unknown kind "int"`},
	}
	for _, tt := range tests {
		if !bytes.Contains(good, []byte(tt.from)) {
			t.Fatalf("%s: the catalogue does not hold %q", tt.name, tt.from)
		}
		_, err := catalog.Parse(bytes.Replace(good, []byte(tt.from), []byte(tt.to), 1))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: Parse = %v, want an error with %q", tt.name, err, tt.want)
		}
	}
}

func FuzzDecodeOptions(f *testing.F) {
	f.Add([]byte(`{"edge_plating":true,"castellated_sides":2}`))
	f.Add([]byte(`{"blind_slots":[{"side":"top","depth_mm":0.5}]}`))
	f.Add([]byte(`{"barcode_prefix":"\ud800","x":{"y":[]}}`))
	c, err := catalog.Load()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, ps := c.DecodeOptions(data)
		if len(ps) == 0 {
			s := fabricator.Spec{Material: "FR-4", Layers: 4, Options: m}
			c.CheckSpec(s, nil)
			c.Review(s)
		}
	})
}
