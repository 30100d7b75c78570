package easyeda

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// standardLayers is a document's table of layers, with the first so many inner ones in use.
func standardLayers(inner int, kind string) []string {
	out := []string{"1~TopLayer~#FF0000~true~true~true~", "2~BottomLayer~#0000FF~true~false~true~", "10~BoardOutLine~#FF00FF~true~false~true~"}
	for i := range 4 {
		out = append(out, fmt.Sprintf("%d~Inner%d~#999966~true~false~%v~0.5~%s", 21+i, 1+i, i < inner, kind))
	}
	return out
}

// edge is a board of 100 by 50 units, 25.4 by 12.7 mm, whose lower left corner is the origin.
const edge = "TRACK~1~10~~4000 3000 4100 3000 4100 2950 4000 2950 4000 3000~gge1~0"

// documentOf is a document with an edge and shapes.
func documentOf(shapes ...string) map[string]any {
	return map[string]any{
		"head": map[string]any{"docType": "3", "editorVersion": "6.5.22"}, "canvas": "CA~1000~1000~#000000~yes~#FFFFFF~10~1000~1000~line~0.5~mm~1~45~visible~0.5~4000~3000~1~yes",
		"shape": append([]string{edge}, shapes...), "layers": standardLayers(0, ""),
		"DRCRULE": map[string]any{"Default": map[string]any{"trackWidth": 1, "clearance": 0.6, "viaHoleDiameter": 2.4, "viaHoleD": 1.2}, "isRealtime": true},
	}
}

func encode(t testing.TB, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// readOne reads a document that has to be a board.
func readOne(t testing.TB, v any) *pcb.Board {
	t.Helper()
	data := encode(t, v)
	if !Is("a.json", data) {
		t.Fatalf("a.json of %s is none", data)
	}
	boards, findings := Read(t.Context(), []File{{"a.json", data}})
	if len(boards) != 1 || len(findings) > 0 {
		t.Fatalf("%d boards, findings %v; want one board", len(boards), findings)
	}
	return boards[0]
}

// layerOf gives the layer of a role and side.
func layerOf(b *pcb.Board, role pcb.Role, side pcb.Side) *pcb.Layer {
	for _, l := range b.Layers {
		if l.Role == role && l.Side == side {
			return l
		}
	}
	return &pcb.Layer{}
}

// boxOf says where the features of a layer lie, in micrometres from left, bottom, right and top.
func boxOf(l *pcb.Layer) string {
	if len(l.Features) == 0 {
		return "none"
	}
	b := l.Bounds()
	return fmt.Sprint(b.Min.X/1000, b.Min.Y/1000, b.Max.X/1000, b.Max.Y/1000)
}

func codes(b *pcb.Board) (out []string) {
	for _, f := range b.Findings {
		out = append(out, f.Level.String()+" "+f.Code)
	}
	return out
}

// TestShapes: what each shape draws, and on which layer.
func TestShapes(t *testing.T) {
	t.Parallel()
	type place struct {
		role pcb.Role
		side pcb.Side
	}
	top, silk, doc := place{pcb.RoleCopper, pcb.Top}, place{pcb.RoleSilk, pcb.Top}, place{pcb.RoleFabDrawing, pcb.NoSide}
	for name, tt := range map[string]struct {
		shape string
		at    place
		want  string // where it lies, in micrometres
		kinds []pcb.FeatureKind
	}{
		"a track":              {"TRACK~1~1~GND~4010 2990 4020 2990 4020 2980~g~0", top, "2413 2413 5207 5207", []pcb.FeatureKind{pcb.LineFeature, pcb.LineFeature}},
		"a track of no length": {"TRACK~1~1~GND~4010 2990 4010 2990~g~0", top, "2413 2413 2667 2667", []pcb.FeatureKind{pcb.FlashFeature}},
		"a unit at the pen":    {"TRACK~2px~3~~4010 2990 4020 2990~g~0", silk, "2286 2286 5334 2794", []pcb.FeatureKind{pcb.LineFeature}},
		"an arc":               {"ARC~0~3~~M 4010 2990 A 10 10 0 0 1 4030 2990~~g~0", silk, "2540 2540 7620 5080", []pcb.FeatureKind{pcb.ArcFeature}},
		"the arc's other side": {"ARC~0~3~~M4010,2990A10,10 0 0 0 4030 2990~~g~0", silk, "2540 0 7620 2540", []pcb.FeatureKind{pcb.ArcFeature}},
		"a circle":             {"CIRCLE~4020~2980~10~1~1~g~0~GND", top, "2413 2413 7747 7747", []pcb.FeatureKind{pcb.ArcFeature}},
		"a rectangle":          {"RECT~4010~2980~20~10~3~g~0~0~none", silk, "2540 2540 7620 5080", []pcb.FeatureKind{pcb.LineFeature, pcb.LineFeature, pcb.LineFeature, pcb.LineFeature}},
		"a full rectangle":     {"RECT~4010~2980~20~10~3~g~0~0~#000000", silk, "2540 2540 7620 5080", []pcb.FeatureKind{pcb.RegionFeature, pcb.LineFeature, pcb.LineFeature, pcb.LineFeature, pcb.LineFeature}},
		"a region":             {"SOLIDREGION~1~GND~M 4010 2990 L 4020 2990 L 4020 2980 Z~solid~g~0", top, "2540 2540 5080 5080", []pcb.FeatureKind{pcb.RegionFeature}},
		"an old region":        {"SOLIDREGION~1~GND~4010 2990 4020 2990 4020 2980~solid~g~0", top, "2540 2540 5080 5080", []pcb.FeatureKind{pcb.RegionFeature}},
		"what keeps pours off": {"SOLIDREGION~1~~M 4010 2990 L 4020 2990 L 4020 2980 Z~cutout~g~0", top, "none", nil},
		"strokes of a text":    {"TEXT~L~4010~2990~1~0~0~3~~8~I~M 4010 2990 L 4010 2980~~g~~0", silk, "2413 2413 2667 5207", []pcb.FeatureKind{pcb.LineFeature}},
		"letters of a font":    {"TEXT~L~4010~2990~1~0~0~3~~8~I~M 4010 2990 L 4020 2990 Q 4020 2980 4010 2980 Z~~g~Sans~0", silk, "2540 2540 5080 5080", []pcb.FeatureKind{pcb.RegionFeature}},
		"a text not shown":     {"TEXT~N~4010~2990~1~0~0~3~~8~I~M 4010 2990 L 4010 2980~none~g~~0", silk, "none", nil},
		"a dimension":          {"DIMENSION~12~M4010,2990L4020,2990~g~0~~~0", doc, "2540 2540 5080 2540", []pcb.FeatureKind{pcb.LineFeature}},
		"a drawing":            {`SVGNODE~{"nodeName":"path","nodeType":1,"layerid":"3","attrs":{"d":"M 4010 2990 h 10 v -10 h -10 z M 4012 2988 h 2 v -2 h -2 z"}}`, silk, "2540 2540 5080 5080", []pcb.FeatureKind{pcb.RegionFeature}},
		"the body of a part":   {`SVGNODE~{"nodeName":"g","nodeType":1,"layerid":"19","attrs":{"title":"R"}}`, silk, "none", nil},
		"the lead of a part":   {"SOLIDREGION~100~~M 4010 2990 L 4020 2990 L 4020 2980 Z~solid~g~0", silk, "none", nil},
		"an inner pour":        {`COPPERAREA~1~1~GND~M 0 0~1~solid~g~spoke~none~[["M 4010 2990 L 4030 2990 4030 2970 4010 2970 Z M 4015 2985 L 4025 2985 4025 2975 Z"]]~0~~1~1~2~1~yes~0`, top, "2540 2540 7620 7620", []pcb.FeatureKind{pcb.RegionFeature}},
		"a protractor":         {"PROTRACTOR~1~2~3", silk, "none", nil},
	} {
		b := readOne(t, documentOf(tt.shape))
		l := layerOf(b, tt.at.role, tt.at.side)
		var kinds []pcb.FeatureKind
		for i := range l.Features {
			kinds = append(kinds, l.Features[i].Kind)
		}
		if got := boxOf(l); got != tt.want || !slices.Equal(kinds, tt.kinds) || len(b.Findings) > 0 {
			t.Errorf("%s: %s draws %s, %v, findings %v; want %s, %v, no findings", name, tt.shape, got, kinds, b.Findings, tt.want, tt.kinds)
		}
	}
}

// TestOutline: the edge of the board and what is cut out of it.
func TestOutline(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		shapes []string
		cuts   int
	}{
		"nothing":                     {nil, 0},
		"a region through all layers": {[]string{"SOLIDREGION~11~~M 4010 2990 L 4020 2990 4020 2980 4010 2980 Z~npth~g~0"}, 1},
		"one that says so":            {[]string{"SOLIDREGION~1~~M 4010 2990 L 4020 2990 4020 2980 4010 2980 Z~npth~g~0"}, 1},
		"a circle on the edge":        {[]string{"CIRCLE~4050~2975~10~1~10~g~0~"}, 1},
	} {
		b := readOne(t, documentOf(tt.shapes...))
		if b.Facts.Width.Value != 25_400_000 || b.Facts.Height.Value != 12_700_000 || !b.Outline.Closed || len(b.Outline.Areas) != 1 || len(b.Outline.Areas[0].Holes) != tt.cuts {
			t.Errorf("%s: %d x %d nm, %d areas %v; want 25.4 x 12.7 mm with %d cuts", name, b.Facts.Width.Value, b.Facts.Height.Value, len(b.Outline.Areas), b.Outline.Areas, tt.cuts)
		}
	}
}

// TestPads: the copper, the openings and the holes of pads.
func TestPads(t *testing.T) {
	t.Parallel()
	const rect = "4018 2976 4018 2984 4022 2984 4022 2976"
	for name, tt := range map[string]struct {
		shape                           string
		top, bottom, mask, below, paste string
		diameter                        int64
		plating                         pcb.Plating
		kind                            pcb.HoleKind
		way                             geom.Point // from one end of a slot to the other
	}{
		"smd":           {shape: "PAD~RECT~4020~2980~8~4~1~N~1~0~" + rect + "~90~g~0~~Y~0~0~0.4~", top: "4572 4064 5588 6096", bottom: "none", mask: "4470 3962 5689 6197", below: "none", paste: "4572 4064 5588 6096"},
		"smd below":     {shape: "PAD~RECT~4020~2980~8~4~2~N~1~0~" + rect + "~90~g~0~~Y~0~0~0.4~", top: "none", bottom: "4572 4064 5588 6096", mask: "none", below: "4470 3962 5689 6197", paste: "none"},
		"no paste":      {shape: "PAD~ELLIPSE~4020~2980~4~4~1~N~1~0~~0~g~0~~Y~0~-393.7008~0.2~", top: "4572 4572 5588 5588", bottom: "none", mask: "4521 4521 5638 5638", below: "none", paste: "none"},
		"covered":       {shape: "PAD~ELLIPSE~4020~2980~4~4~1~N~1~0~~0~g~0~~Y~0~0~-400~", top: "4572 4572 5588 5588", bottom: "none", mask: "none", below: "none", paste: "4572 4572 5588 5588"},
		"old":           {shape: "PAD~OVAL~4020~2980~8~4~11~N~1~1~~0~g", top: "4064 4572 6096 5588", bottom: "4064 4572 6096 5588", mask: "4013 4521 6146 5638", below: "4013 4521 6146 5638", paste: "none", diameter: 508_000, plating: pcb.Plated},
		"slot":          {shape: "PAD~OVAL~4020~2980~4~8~11~N~1~1~~0~g~6~4020 2978 4020 2982~Y~0~0~0.2~", top: "4572 4064 5588 6096", bottom: "4572 4064 5588 6096", mask: "4521 4013 5638 6146", below: "4521 4013 5638 6146", paste: "none", diameter: 508_000, plating: pcb.Plated, kind: pcb.SlotHole, way: geom.Pt(0, 1_016_000)},
		"an old slot":   {shape: "PAD~OVAL~4020~2980~8~4~11~N~1~1~~90~g~6~~N~0~0~0.2~", top: "4572 4064 5588 6096", bottom: "4572 4064 5588 6096", mask: "4521 4013 5638 6146", below: "4521 4013 5638 6146", paste: "none", diameter: 508_000, plating: pcb.NonPlated, kind: pcb.SlotHole, way: geom.Pt(0, 1_016_000)},
		"hardly a slot": {shape: "PAD~ELLIPSE~4020~2980~4~4~11~N~1~1~~0~g~2.03~4019.99 2980 4020.02 2980~Y~0~0~0.2~", top: "4572 4572 5588 5588", bottom: "4572 4572 5588 5588", mask: "4521 4521 5638 5638", below: "4521 4521 5638 5638", paste: "none", diameter: 508_000, plating: pcb.Plated},
		"polygon":       {shape: "PAD~POLYGON~4020~2980~0~0~1~N~1~0~4018 2978 4018 2982 4022 2982~90~g~0~~Y~0~-1~0.4~", top: "4572 4572 5588 5588", bottom: "none", mask: "4470 4470 5689 5689", below: "none", paste: "4826 4826 4974 4974"},
	} {
		b := readOne(t, documentOf(tt.shape))
		got := []string{boxOf(layerOf(b, pcb.RoleCopper, pcb.Top)), boxOf(layerOf(b, pcb.RoleCopper, pcb.Bottom)), boxOf(layerOf(b, pcb.RoleMask, pcb.Top)),
			boxOf(layerOf(b, pcb.RoleMask, pcb.Bottom)), boxOf(layerOf(b, pcb.RolePaste, pcb.Top))}
		if want := []string{tt.top, tt.bottom, tt.mask, tt.below, tt.paste}; !slices.Equal(got, want) || len(b.Findings) > 0 {
			t.Errorf("%s: copper above and below, mask above and below, paste %q, findings %v; want %q", name, got, b.Findings, want)
		}
		switch {
		case tt.diameter == 0 && len(b.Holes) > 0:
			t.Errorf("%s: holes %+v, want none", name, b.Holes)
		case tt.diameter > 0:
			if len(b.Holes) != 1 || b.Holes[0].Diameter != tt.diameter || b.Holes[0].Plating != tt.plating || b.Holes[0].Kind != tt.kind || span(&b.Holes[0]) != tt.way {
				t.Errorf("%s: holes %+v, want one of %d nm, %v, %v, whose ends are %v apart", name, b.Holes, tt.diameter, tt.plating, tt.kind, tt.way)
			}
		}
	}
}

// span is the way between a hole's ends, to the right and up.
func span(h *pcb.Hole) geom.Point {
	d := h.B.Sub(h.A)
	return geom.Pt(max(d.X, -d.X), max(d.Y, -d.Y))
}

// TestHoles: vias and holes without copper.
func TestHoles(t *testing.T) {
	t.Parallel()
	b := readOne(t, documentOf("VIA~4020~2980~4~GND~1~g~0", "HOLE~4040~2980~5~g~0"))
	if len(b.Holes) != 2 {
		t.Fatalf("holes %+v, want two", b.Holes)
	}
	via, hole := b.Holes[0], b.Holes[1]
	if via.Diameter != 508_000 || via.Plating != pcb.Plated || via.Function != pcb.FuncViaDrill || b.Nets[via.Net].Name != "GND" || via.From != 0 {
		t.Errorf("via %+v, want one of 0.508 mm through the board", via)
	}
	if hole.Diameter != 2_540_000 || hole.Plating != pcb.NonPlated || hole.A != geom.Pt(10_160_000, 5_080_000) {
		t.Errorf("hole %+v, want one of 2.54 mm without copper at 10.16, 5.08 mm", hole)
	}
	for _, side := range []pcb.Side{pcb.Top, pcb.Bottom} {
		if l := layerOf(b, pcb.RoleCopper, side); len(l.Features) != 1 || l.Features[0].Function != pcb.FuncViaPad {
			t.Errorf("%v copper %+v, want the via's land", side, l.Features)
		}
		if l := layerOf(b, pcb.RoleMask, side); len(l.Features) > 0 {
			t.Errorf("%v mask %+v, want vias covered, as EasyEDA plots them", side, l.Features)
		}
	}
}

const resistor = "LIB~4050~2980~package`R0603`Supplier`LCSC`Supplier Part`C25804`BOM_Manufacturer`YAGEO`BOM_Manufacturer Part`RC0603FR-0710KL`link`https://x`spicePre`R`~90~~gge9~%s~u~1~0~~%s~~" +
	"#@$TEXT~P~4050~2970~0.6~0~0~3~~4.5~%s~M 4050 2970 L 4052 2970~~g~~0" +
	"#@$TEXT~N~4050~2990~0.6~0~0~3~~4.5~10k~M 4050 2970 L 4052 2970~none~g~~0" +
	"#@$PAD~RECT~4050~2984~4~4~%s~IN~1~0~~0~g~0~~Y~0~0~0.2~#@$PAD~RECT~4050~2976~4~4~%[4]s~GND~2~0~~0~g~0~~Y~0~0~0.2~"

// TestParts: parts with their values, pins and places.
func TestParts(t *testing.T) {
	t.Parallel()
	b := readOne(t, documentOf(fmt.Sprintf(resistor, "1", "yes", "R1", "1"), fmt.Sprintf(resistor, "2", "none", "R2", "2"), fmt.Sprintf(resistor, "1", "yes", "R1", "1")))
	if len(b.Components) != 3 || len(b.Findings) > 0 {
		t.Fatalf("parts %+v, findings %v; want three", b.Components, b.Findings)
	}
	c := b.Components[0]
	if c.Ref != "R1" || c.Value != "10k" || c.Footprint != "R0603" || c.Manufacturer != "YAGEO" || c.MPN != "RC0603FR-0710KL" || c.Fields["LCSC"] != "C25804" ||
		c.Rotation != 90 || c.Side != pcb.Top || c.Mount != pcb.SurfaceMount || c.NoBOM || c.At != geom.Pt(12_700_000, 5_080_000) {
		t.Errorf("%+v, want R1 with its numbers", c)
	}
	if len(c.Fields) != 2 || c.Fields["Supplier"] != "LCSC" {
		t.Errorf("fields %v, want the supplier and its number", c.Fields)
	}
	if c := b.Components[1]; c.Ref != "R2" || c.Side != pcb.Bottom || !c.NoBOM {
		t.Errorf("%+v, want R2 below, not on the list", c)
	}
	if c := b.Components[2]; c.Ref != "R1" || !c.HasAt {
		t.Errorf("%+v, want the other R1", c)
	}
	pin := b.Pins[b.Pin("R2", "2")]
	if b.Nets[pin.Net].Name != "GND" || pin.Side != pcb.Bottom || !pin.HasAt {
		t.Errorf("pin 2 of R2 %+v, want GND below", pin)
	}
	if b.Rules.Clearance != 152_400 || len(b.Rules.Classes) != 1 || b.Rules.Classes[0].ViaDrill != 304_800 {
		t.Errorf("rules %+v, want a clearance of 6 mil and a class", b.Rules)
	}
	if b.Facts.Tool.Value != "EasyEDA 6.5.22" {
		t.Errorf("tool %q", b.Facts.Tool.Value)
	}
}

// TestInnerLayers: those in use, in their order; planes, whose copper is not in the file,
// are refused.
func TestInnerLayers(t *testing.T) {
	t.Parallel()
	d := documentOf("TRACK~1~22~GND~4010 2990 4020 2990~g~0", "VIA~4020~2980~4~GND~1~g~0")
	d["layers"] = standardLayers(2, "Signal")
	b := readOne(t, d)
	if c := b.Copper(); len(c) != 4 || c[2].Name != "Inner2" || len(c[2].Features) != 2 || len(c[1].Features) != 1 || b.Facts.CopperLayers.Value != 4 || len(b.Findings) > 0 {
		t.Errorf("copper %v, findings %v; want four layers, track and via on the third", c, b.Findings)
	}
	d["layers"] = standardLayers(2, "Plane")
	if got := codes(readOne(t, d)); !slices.Equal(got, []string{"problem plane_unread", "problem plane_unread"}) {
		t.Errorf("findings %v, want that the planes are not read", got)
	}
	d["layers"] = standardLayers(0, "")
	if got := codes(readOne(t, d)); !slices.Equal(got, []string{"problem element_unread"}) {
		t.Errorf("findings %v of a track on a layer that is not in use, want that it is missing", got)
	}
}

// TestDocuments: boards in what EasyEDA wraps round them.
func TestDocuments(t *testing.T) {
	t.Parallel()
	d := documentOf()
	old := documentOf()
	old["head"], old["canvas"] = "3~1.7.5~Author`x`", "CA~2400~2400"
	inText := string(encode(t, d))
	schematic := map[string]any{"head": map[string]any{"docType": "1"}, "shape": []string{"W~1"}}
	for name, tt := range map[string]struct {
		data   any
		boards int
	}{
		"a document":         {d, 1},
		"an old one":         {old, 1},
		"of the server":      {map[string]any{"success": true, "result": map[string]any{"docType": 3, "title": "Lamp", "dataStr": d}}, 1},
		"as text":            {map[string]any{"docType": "3", "title": "Lamp", "dataStr": inText}, 1},
		"a project":          {map[string]any{"docType": "5", "editorVersion": "6", "schematics": []any{map[string]any{"docType": "1", "dataStr": schematic}}, "pcb": []any{map[string]any{"dataStr": inText}, map[string]any{"dataStr": d}}}, 2},
		"too deep":           {map[string]any{"result": map[string]any{"result": map[string]any{"result": map[string]any{"result": map[string]any{"result": d}}}}}, 0},
		"text within itself": {map[string]any{"dataStr": `{"dataStr":"{\"head\":{\"docType\":\"3\"},\"layers\":[\"1~TopLayer~\"]}"}`}, 1},
	} {
		data := encode(t, tt.data)
		boards, findings := Read(t.Context(), []File{{"lamp/a.json", data}})
		if !Is("a.json", data) || len(boards) != tt.boards || (len(findings) == 0) != (tt.boards > 0) {
			t.Errorf("%s: is one: %v, %d boards, findings %v; want %d boards", name, Is("a.json", data), len(boards), findings, tt.boards)
		}
		if tt.boards == 1 && strings.Contains(string(data), "Lamp") && boards[0].Name != "Lamp" {
			t.Errorf("%s: its name is %q, want Lamp", name, boards[0].Name)
		}
	}
	for _, c := range []struct{ name, data string }{
		{"a.json", string(encode(t, schematic))}, {"a.txt", inText}, {"a.json", "[" + inText + "]"}, {"a.json", `{"docType":"4","layers":["1~TopLayer~"]}`},
		{"a.json", "{\x00\"\x00h\x00"}, {"a.json", ""},
	} {
		if Is(c.name, []byte(c.data)) {
			t.Errorf("%s with %.60q is a board, want none", c.name, c.data)
		}
	}
	cut := `{"head":{"docType":"3","editorVersion":"6"},"canvas":"CA~1000~1000","shape":["TRACK~1`
	if boards, findings := Read(t.Context(), []File{{"a.json", []byte(cut)}}); !Is("a.json", []byte(cut)) || len(boards) > 0 || len(findings) != 1 || !strings.Contains(findings[0].Message, "cut off") {
		t.Errorf("what is cut off before its layers is a board: %v, findings %v; want that it is cut off", Is("a.json", []byte(cut)), findings)
	}
	if !Is("A.JSON", []byte("\xef\xbb\xbf \n"+inText)) {
		t.Error("a mark of UTF-8 hides a board")
	}
}

// TestUnread: whatever is not understood is said, and never ignored.
func TestUnread(t *testing.T) {
	t.Parallel()
	for _, shape := range []string{
		"TRACK~1~1~GND~4010 2990 4020~g", "TRACK~1~1~GND~4010 2990 x y~g", "TRACK~1~1~GND~~g", "TRACK~NaN~1~GND~4010 2990 4020 2990~g", "TRACK~1~1~GND~1e300 2990 4020 2990~g",
		"TRACK~1~one~GND~4010 2990 4020 2990~g", "TRACK~1~77~GND~4010 2990 4020 2990~g", "TRACK", "ARC~1~1~~M 4010 2990 A 10~~g", "ARC~1~1~~L 4010 2990~~g", "ARC~1~1~~M 4010 2990 B 4~~g",
		"CIRCLE~4020~2980~Inf~1~1~g", "RECT~4010~2980~20~~3~g~0~0~none", "SOLIDREGION~1~GND~M 4010~solid~g", "SOLIDREGION~1~GND~~solid~g",
		"COPPERAREA~1~1~GND~M 0 0~1~solid~g~spoke~none~[[\"M 4010 2990 L 4030\"]]", "COPPERAREA~1~1~GND~M 0 0~1~solid~g~spoke~none~[[1]]", "COPPERAREA~1~1~GND~M 0 0~1~solid~g~spoke~none~[[\"M 4010",
		"PAD~STAR~4020~2980~4~4~1~N~1~0~~0~g", "PAD~RECT~4020~2980~4~4~3~N~1~0~~0~g", "PAD~RECT~4020~2980~4~~1~N~1~0~~0~g", "PAD~POLYGON~4020~2980~4~4~1~N~1~0~~0~g", "PAD~RECT~4020~2980~4~4~1~N~1~0~~0~g~0~~Y~0~0~x",
		"PAD~OVAL~4020~2980~4~8~11~N~1~1~~0~g~6~4020 2978 4020~Y", "VIA~4020~2980~4~GND~x~g", "HOLE~4040~2980~0~g", "HOLE~4040~2980~~g", "TEXT~L~4010~2990~1~0~0~1~~8~I~~~g~~0",
		"DIMENSION~12~~g", "SVGNODE~{", `SVGNODE~{"nodeName":"rect","layerid":"1","attrs":{}}`, `SVGNODE~{"nodeName":"path","layerid":"1","attrs":{"d":5}}`, `SVGNODE~{"nodeName":"path","layerid":"x","attrs":{}}`,
		"LIB~x~2980~package`R`~90~~g~1", "LIB~4020~2980~package`R`~90~~g~1#@$LIB~4020~2980", "PLANEZONE~1~2", "", "\x00\x01",
	} {
		b := readOne(t, documentOf(shape))
		kind, _, _ := strings.Cut(shape, "~")
		if len(b.Findings) != 1 || b.Findings[0].Code != "element_unread" || b.Findings[0].Level != pcb.Problem || !strings.Contains(b.Findings[0].Message, fmt.Sprintf("%q", kind)) {
			t.Errorf("%q: findings %v, want that it was not understood", shape, b.Findings)
		}
		if n := len(b.Holes); n > 0 {
			t.Errorf("%q drills %d holes", shape, n)
		}
	}
	if got := codes(readOne(t, documentOf("COPPERAREA~1~1~GND~M 0 0~1~solid~g~spoke~none~", "COPPERAREA~1~2~GND~M 0 0~1~solid~g~spoke~none~[]", "VIA~4020~2980~4~GND~0~g"))); !slices.Equal(got, []string{"warning via_without_drill", "problem pours_unfilled"}) {
		t.Errorf("findings %v, want that the pours have no copper and a via no drill", got)
	}
	d := documentOf()
	d["shape"] = []any{edge, 5, map[string]any{"a": 1}, nil}
	if got := codes(readOne(t, d)); !slices.Equal(got, []string{"problem element_unread", "problem element_unread", "problem element_unread"}) {
		t.Errorf("findings %v of shapes that are no text, want each said", got)
	}
}

// TestHostile: files that are cut off, deep or large end in an error, and soon.
func TestHostile(t *testing.T) {
	t.Parallel()
	whole := string(encode(t, documentOf()))
	for name, data := range map[string]string{
		"cut off": whole[:len(whole)-20], "deep": whole[:len(whole)-1] + `,"x":` + strings.Repeat("[", 1<<16), "two": whole + whole, "other types": `{"head":{"docType":3},"layers":{"1~TopLayer~":1}}`,
		"no layers": `{"head":{"docType":"3"},"x":"1~TopLayer~"}`,
	} {
		boards, findings := Read(t.Context(), []File{{"a.json", []byte(data)}})
		if len(boards) != 0 || len(findings) != 1 || findings[0].Code != "format_unread" || findings[0].Level != pcb.Problem {
			t.Errorf("%s: %d boards, findings %v; want that it was not read", name, len(boards), findings)
		}
	}
	many := make([]string, 5000)
	for i := range many {
		many[i] = "TRACK~1~1~GND~4010 2990 4020 2990~g"
	}
	ctx, end := pcb.WithBudget(t.Context(), pcb.Limits{Objects: 1000, Steps: 1000})
	defer end()
	boards, _ := Read(ctx, []File{{"a.json", encode(t, documentOf(many...))}})
	if pcb.Excess(ctx) == nil {
		t.Errorf("%d boards of 5000 tracks within a budget of 1000 objects", len(boards))
	}
}

// TestPath: data of paths as SVG has them.
func TestPath(t *testing.T) {
	t.Parallel()
	f := frame{unit: 1}
	for data, want := range map[string]struct {
		area  float64 // of all pieces, in square millimetres
		count int
	}{
		"M0 0L10 0L10 10L0 10Z": {100, 1}, "M0,0 10,0 10,10 0,10z": {100, 1}, "m1 1 10 0 0 10-10 0z": {100, 1}, "M0 0H10V10H0Z": {100, 1}, "m0 0h10v10h-10z": {100, 1},
		"M0 0L10 0L10 10L0 10Z M20 0 h1 v1 h-1 z": {101, 2}, "M0 0 10 0 10 10 0 10Z l5 0 5 5": {112.5, 2}, "M-5 0A5 5 0 0 0 5 0A5 5 0 1 0-5 0Z": {math.Pi * 25, 1}, "M-5 0a5 5 0 1010 0 5 5 0 10-10 0z": {math.Pi * 25, 1},
		"M-6 0A6 3 0 0 0 6 0A6 3 0 0 0-6 0Z": {math.Pi * 18, 1}, "M0-6A6 3 90 0 0 0 6A6 3 90 0 0 0-6Z": {math.Pi * 18, 1}, "M0 0C0 4 6 4 6 0Z": {14.4, 1}, "M0 0Q3 6 6 0Z": {12, 1}, "M0 0Q1.5 3 3 3T6 0Z": {12, 1},
		"M0 0C0 2 1 3 3 3S6 2 6 0Z": {15, 1}, "M0 0A1 1 0 0 1 10 0A1 1 0 0 1 0 0": {math.Pi * 25, 1}, "M1e1 0L0 1E+1 0 0Z": {50, 1}, "M.5.5L1.5.5 1.5 1.5z": {.5, 1},
	} {
		paths, err := readPath(f, data)
		sum := 0.0
		for _, p := range paths {
			sum += math.Abs(p.Area()) / 1e12
		}
		if err != nil || len(paths) != want.count || math.Abs(sum-want.area) > 0.05*want.area {
			t.Errorf("%q: %d pieces of %.3f, error %v; want %d of %.3f", data, len(paths), sum, err, want.count, want.area)
		}
	}
	for _, data := range []string{"L1 1", "M", "M1", "M 1 2 L", "M0 0 X", "M0 0 L1 1 1", "M0 0 Z 1 1", "M1e999 0", "M0 0 A1 1 0 0", "M0 0 L--1 1", "0 0 1 1", "M5e9 0"} {
		if paths, err := readPath(f, data); err == nil {
			t.Errorf("%q: %v, want an error", data, paths)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, shapes := range [][]string{
		{fmt.Sprintf(resistor, "1", "yes", "R1", "1"), "VIA~4020~2980~4~GND~1~g~0", "HOLE~4040~2980~5~g~0", "PAD~OVAL~4020~2980~4~8~11~N~1~1~~0~g~6~4020 2978 4020 2982~Y~0~0~0.2~"},
		{"ARC~1~1~~M 4010 2990 A 10 5 30 0 1 4030 2990~~g~0", "PAD~POLYGON~4020~2980~0~0~1~N~1~0~4018 2978 4018 2982 4022 2982~90~g~0~~Y~0~-1~-0.4~", `COPPERAREA~1~1~GND~M 0 0~1~solid~g~spoke~none~[["M 4010 2990 L 4030 2990 4030 2970Z M 4015 2985 L 4025 2985 4025 2975 Z"]]`},
		{`SVGNODE~{"nodeName":"path","layerid":"3","attrs":{"d":"M 4010 2990 c 1 2 3 4 5 6 s 1 1 2 2 q 3 3 4 4 t 1 1 z"}}`, "TEXT~L~4010~2990~1~0~0~3~~8~I~M 4010 2990 L 4020 2990 Q 4020 2980 4010 2980 Z~~g~Sans~0"},
	} {
		f.Add(encode(f, documentOf(shapes...)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		Is("a.json", data)
		ctx, end := pcb.WithBudget(t.Context(), pcb.Limits{Objects: 100_000, Steps: 1_000_000})
		defer end()
		boards, _ := Read(ctx, []File{{"a.json", data}})
		for _, b := range boards {
			for _, l := range b.Layers {
				l.Bounds()
			}
		}
	})
}
