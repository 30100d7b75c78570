package openfab

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/catalog"
	"boardorder/pkg/fabricator"
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, name string, got any) {
	t.Helper()
	data, err := json.MarshalIndent(got, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(data)); diff != "" {
		t.Errorf("%s (-want +got), run with -update if meant:\n%s", name, diff)
	}
}

func standard() fabricator.Spec {
	return fabricator.Spec{
		Layers: 2, Quantity: 5, Width: 71_000_000, Height: 72_010_000, Thickness: 1_600_000, OuterCopper: 1, InnerCopper: 0.5,
		Material: "FR-4", Finish: "hasl_lead_free", Mask: "Green", ViaProcess: "tented",
	}
}

// What goes over the wire for a few whole boards.
func TestBoardGolden(t *testing.T) {
	t.Parallel()
	specs := map[string]fabricator.Spec{"standard": standard()}
	four := standard()
	four.Layers, four.Finish, four.Mask, four.Material, four.ViaProcess = 4, "enig", "Purple", "FR-4 / TG155", "epoxy_filled_capped"
	four.Impedance, four.Stackup = true, "S0416-7628"
	four.Options = map[string]any{
		"gold_thickness_uin": "2", "edge_plating": true, "min_via": "0.2/0.4", "castellated_sides": json.Number("2"), "confirm_production_file": true,
		"panel_by": "fabricator", "panel_columns": 3.0, "panel_rows": 2.0, "row_spacing_mm": 1.6, "edge_rails": "two_sides", "edge_rail_mm": 5.0,
		"order_mark": "serial_code", "barcode": "specified", "barcode_size_mm": "8", "barcode_print": "code", "barcode_prefix": "AB", "barcode_format": "datamatrix",
	}
	specs["everything"] = four
	flexible := standard()
	flexible.Material, flexible.Mask, flexible.Finish, flexible.Thickness, flexible.OuterCopper = "Polyimide", "Transparent", "enig", 110_000, 0.5
	flexible.Options = map[string]any{"polyimide_stiffener_mm": "0.225", "flex_gold_fingers": true, "flex_gold_finger_mm": 0.3, "order_mark": "none"}
	specs["flexible"] = flexible
	rogers := standard()
	rogers.Material, rogers.Finish, rogers.Thickness = "Rogers 4350B", "enig", 508_000
	specs["rogers"] = rogers
	got := make(map[string]boardParam)
	for name, s := range specs {
		b, err := board(s)
		if err != nil {
			t.Fatalf("board(%s): %v", name, err)
		}
		got[name] = b
	}
	golden(t, "boards.json", got)
}

func TestServicesOfNoCatalogueHaveTheirOwnWords(t *testing.T) {
	t.Parallel()
	for show, want := range map[string]string{"Laser Marking": "Laser Marking", "laser_marking_fee": "Laser marking fee", "": "", "Marking": "Marking"} {
		if got := serviceLabel("NO_SUCH", show); got != want {
			t.Errorf("serviceLabel(%q) = %q, want %q", show, got, want)
		}
	}
}

// Every value of the catalogue has a word on the wire or says that people
// must quote it: none may be dropped silently.
func TestEveryServiceHasItsWords(t *testing.T) {
	t.Parallel()
	c, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range c.Services {
		w, ok := serviceWords[o.Key]
		if !ok || w.code != o.Code {
			t.Errorf("service %s has code %q on the wire, want %q as in the catalogue", o.Key, w.code, o.Code)
			continue
		}
		if label := serviceLabel(o.Code, w.show); label != o.Name {
			t.Errorf("a price line calls service %s %q, want %q as in the catalogue", o.Key, label, o.Name)
		}
		for _, v := range o.Values {
			if _, ok := w.values[v.ID]; !ok && v.Review == "" && o.Review == "" {
				t.Errorf("value %q of %s has no word on the wire", v.ID, o.Key)
			}
		}
		if o.Kind == catalog.Boolean && (w.values["true"] == "" || w.values["false"] == "") {
			t.Errorf("service %s has no words for true and false", o.Key)
		}
	}
	if len(serviceWords) != len(c.Services) {
		t.Errorf("%d services on the wire, want %d as in the catalogue", len(serviceWords), len(c.Services))
	}
	for _, m := range c.Materials {
		if _, ok := laminates[m.ID]; !ok {
			t.Errorf("material %s has no word on the wire", m.ID)
		}
	}
	for key, codes := range map[string]map[string]int{
		"gold_fingers": fingers, "electrical_test": tests, "panel_by": panels, "edge_rails": rails, "barcode_format": formats,
	} {
		o, _ := c.Option(key)
		for _, v := range o.Values {
			if _, ok := codes[v.ID]; !ok {
				t.Errorf("value %q of %s has no word on the wire", v.ID, key)
			}
		}
	}
}

// An option of another form than the catalogue's is never guessed at.
func TestStrayOptionsNeedReview(t *testing.T) {
	t.Parallel()
	for _, o := range []map[string]any{
		{"edge_plating": "perhaps"}, {"castellated_sides": "two"}, {"castellated_sides": 1.5}, {"gold_fingers": true}, {"edge_rounding": "yes"},
		{"order_mark": "somewhere"}, {"blind_slots": []any{1}}, {"panel_rows": []any{}}, {"silkscreen_technology": "multi_color"},
	} {
		s := standard()
		s.Options = o
		if _, err := board(s); fabricator.KindOf(err) != fabricator.Review {
			t.Errorf("board(%v) = %v, want review", o, err)
		}
	}
}

func TestSizesRoundUp(t *testing.T) {
	t.Parallel()
	for nm, want := range map[int64]json.Number{50_000_000: "50", 50_000_001: "50.1", 49_999_999: "50", 123_456_789: "123.5", 99_900_000: "99.9"} {
		if got := tenths(nm); got != want {
			t.Errorf("tenths(%d) = %s, want %s", nm, got, want)
		}
	}
}
