package openfab

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"boardorder/pkg/fabricator"
)

// codes are the wire's numbers for public values.
var (
	colors   = map[string]int{"Green": 0, "Red": 1, "Yellow": 2, "Blue": 3, "White": 4, "Black": 5, "Purple": 6}
	finishes = map[string]int{"hasl": 0, "hasl_lead_free": 1, "enig": 2}
	vias     = map[string]int{"tented": 1, "untented": 2, "plugged": 3, "epoxy_filled_capped": 4, "copper_paste_filled_capped": 5}
	panels   = map[string]int{"none": 0, "fabricator": 1, "customer": 2}
	fingers  = map[string]int{"none": 0, "plain": 1, "bevelled": 2}
	tests    = map[string]int{"none": 0, "sample": 1, "full": 2, "fixture": 6}
	rails    = map[string]int{"none": 0, "two_sides": 1, "four_sides": 2, "top_bottom": 3, "left_right": 4}
	formats  = map[string]int{"qr": 1, "datamatrix": 2}
)

// A laminate is a material on the wire: its plate type and, where the plate
// type does not say it all, the service that does.
type laminate struct {
	plate   int
	service serviceChoice
}

const flexPlate = 7

func highFrequency(show string) serviceChoice { return serviceChoice{"HFMT", "Material Type", show} }

var laminates = map[string]laminate{
	"FR-4":         {plate: 1},
	"FR-4 / TG155": {1, serviceChoice{"FT155", "Material Type", "FR-4 TG155"}},
	"FR-4 / TG170": {1, serviceChoice{"FT155", "Material Type", "FR-4 TG170"}},
	"Aluminum":     {plate: 2},
	"Copper core":  {plate: 4},
	"Rogers 4350B": {5, highFrequency("RO4350B (Dk=3.48, Df=0.0037)")},
	"ZYF300CA-P":   {6, highFrequency("ZYF300CA-P")},
	"ZYF300CA-C":   {6, highFrequency("ZYF300CA-C")},
	"ZYF265D":      {6, highFrequency("ZYF265D")},
	"ZYF255DA":     {6, highFrequency("ZYF255DA")},
	"Polyimide":    {plate: flexPlate},
}

// board translates a Spec. An error names every value that has no word on the
// wire: such a board needs people.
func board(s fabricator.Spec) (boardParam, error) {
	t := translator{spec: s}
	lam, ok := laminates[s.Material]
	if !ok {
		t.addReason("material", s.Material)
	}
	on := true
	p := boardParam{
		Layer: s.Layers, Qty: s.Quantity,
		Width: tenths(s.Width), Length: tenths(s.Height), Thickness: mm(s.Thickness),
		PCBColor: t.color(lam.plate), SurfaceFinish: t.code("surface_finish", finishes, s.Finish),
		CopperWeight: decimalOf(s.OuterCopper), ViaCovering: t.code("via_process", vias, s.ViaProcess),
		PlateType: lam.plate, ImpedanceFlag: "no", ImpedanceTemplateCode: s.Stackup,
		GoldFinger: t.option("gold_fingers", fingers, "none"), FlyingProbeTest: t.option("electrical_test", tests, "full"),
		PanelFlag: t.option("panel_by", panels, "none"), PanelX: t.integer("panel_columns", 0), PanelY: t.integer("panel_rows", 0),
		RowSpacing: t.decimal("row_spacing_mm"), ColumnSpacing: t.decimal("column_spacing_mm"),
		DifferentDesign: t.integer("different_designs", 1), CastellatedHoles: t.integer("castellated_sides", 0),
		NeedTechnics: t.option("edge_rails", rails, "none"), TechnicsSize: t.integer("edge_rail_mm", 0),
		EdgeRounding: t.boolean("edge_rounding"), FlexGoldFingerThickness: t.decimal("flex_gold_finger_mm"),
		Services: []serviceChoice{},
	}
	if s.Layers >= 4 {
		p.InsideCuprumThickness = decimalOf(s.InnerCopper).String()
	}
	if s.Finish == "enig" {
		p.GoldThickness = json.Number(t.text("gold_thickness_uin", "1"))
	}
	if s.Stackup != "" {
		p.CascadeStructure = 1
	}
	if lam.service.Code != "" {
		p.Services = append(p.Services, lam.service)
	}
	if s.Impedance {
		p.ImpedanceFlag = "yes"
		p.Services = append(p.Services, serviceChoice{"IM_TR", "Impedance Control", "±10% (±5Ω if value≤50Ω)"})
	}
	if !t.boolean("confirm_production_file") {
		p.AutoConfirmProductionFile = &on
	}
	t.mark(&p)
	t.services(&p)
	if len(t.reasons) > 0 {
		return p, &fabricator.Error{Kind: fabricator.Review, Message: "not on the wire", Reasons: t.reasons}
	}
	return p, nil
}

// A translator looks values up and remembers those that it did not find.
type translator struct {
	spec    fabricator.Spec
	reasons []string
}

func (t *translator) addReason(field string, v any) {
	t.reasons = append(t.reasons, fmt.Sprintf("%s %v is quoted by hand", field, v))
}

func (t *translator) code(field string, codes map[string]int, v string) int {
	n, ok := codes[v]
	if !ok {
		t.addReason(field, v)
	}
	return n
}

// color is the mask's; the coverlay of flexible boards may also be
// transparent, which only its service can say.
func (t *translator) color(plate int) int {
	if plate == flexPlate && t.spec.Mask == "Transparent" {
		return 0
	}
	return t.code("solder_mask", colors, t.spec.Mask)
}

func (t *translator) option(key string, codes map[string]int, usual string) int {
	return t.code("fab_options."+key, codes, t.text(key, usual))
}

func (t *translator) text(key, usual string) string {
	switch v := t.spec.Options[key].(type) {
	case nil:
		return usual
	case string:
		return v
	default:
		t.addReason("fab_options."+key, v)
		return usual
	}
}

func (t *translator) boolean(key string) bool {
	switch v := t.spec.Options[key].(type) {
	case nil:
		return false
	case bool:
		return v
	default:
		t.addReason("fab_options."+key, v)
		return false
	}
}

func (t *translator) integer(key string, usual int) int {
	if t.spec.Options[key] == nil {
		return usual
	}
	f, err := strconv.ParseFloat(string(t.decimal(key)), 64)
	if err != nil || f != math.Trunc(f) {
		t.addReason("fab_options."+key, t.spec.Options[key])
		return usual
	}
	return int(f)
}

func (t *translator) decimal(key string) json.Number {
	switch v := t.spec.Options[key].(type) {
	case nil:
		return ""
	case json.Number:
		return v
	case float64:
		return decimalOf(v)
	case int:
		return json.Number(strconv.Itoa(v))
	default:
		t.addReason("fab_options."+key, v)
		return ""
	}
}

// mark says what the fabricator prints on the board. Unstated, nothing is sent
// and its own custom applies.
func (t *translator) mark(p *boardParam) {
	switch v := t.text("order_mark", "anywhere"); v {
	case "anywhere":
	case "none":
		p.IsAddCustomerCode, p.MarkOnPCB = "nocode", 1
	case "specified":
		p.IsAddCustomerCode, p.MarkOnPCB = "yes", 3
	case "serial_code":
		p.IsAddCustomerCode, p.MarkOnPCB = "nocode", 4
	default:
		t.addReason("fab_options.order_mark", v)
	}
	place := t.text("barcode", "none")
	if place == "none" && p.MarkOnPCB != 4 {
		return
	}
	p.Serial = &serialCode{
		Format: t.option("barcode_format", formats, "qr"), Location: 1, AddUnique: t.boolean("barcode_unique"),
		Prefix: t.text("barcode_prefix", ""), Increment: t.text("barcode_start", ""),
	}
	if place == "specified" {
		p.Serial.Location = 2
	}
}

// services adds the special services that were asked for, in order of key.
func (t *translator) services(p *boardParam) {
	for _, key := range slices.Sorted(maps.Keys(t.spec.Options)) {
		v := t.spec.Options[key]
		w, ok := serviceWords[key]
		if !ok || v == nil {
			continue
		}
		show, ok := w.values[fmt.Sprint(v)]
		if !ok {
			t.addReason("fab_options."+key, v)
			continue
		}
		p.Services = append(p.Services, serviceChoice{w.code, w.show, show})
	}
	if t.spec.Mask == "Transparent" && t.spec.Options["coverlay_color"] == nil && p.PlateType == flexPlate {
		w := serviceWords["coverlay_color"]
		p.Services = append(p.Services, serviceChoice{w.code, w.show, w.values["Transparent"]})
	}
}

// tenths is a length in mm, rounded up to a tenth: the API refuses longer
// numbers, and a board must never be priced smaller than it is.
func tenths(nm int64) json.Number {
	t := (nm + 99_999) / 100_000
	return json.Number(strconv.FormatFloat(float64(t)/10, 'f', -1, 64))
}

// mm is a thickness in mm, to a hundredth.
func mm(nm int64) json.Number { return decimalOf(math.Round(float64(nm)/1e4) / 100) }

func decimalOf(v float64) json.Number { return json.Number(strconv.FormatFloat(v, 'f', -1, 64)) }
