package pcbway

import (
	"fmt"
	"maps"
	"slices"

	"boardorder/pkg/fabricator"
)

// A request is the body of PcbQuotation, as far as it is documented and needed. Lengths are
// millimetres.
type request struct {
	CountryCode     string
	ShipType        int
	Postalcode      string  `json:",omitempty"`
	City            string  `json:",omitempty"`
	BoardType       string  // "Single PCB"
	DesignInPanel   int     // different designs
	Length, Width   float64 //
	Layers, Qty     int     //
	Thickness       float64 //
	Material        string  //
	FR4Tg           string  //
	MinTrackSpacing string  //
	MinHoleSize     float64 //
	SolderMask      string  //
	Silkscreen      string  //
	SurfaceFinish   string  //
	ViaProcess      string  //
	FinishedCopper  string  //
	Goldfingers     string  // "No"
	RemoveProductNo string  // "No"
}

const shipDHL = 1 // ShipType of the client

// Values of the help page, by those of the catalogue. What has none there is left out.
var (
	tgs        = map[string]string{"FR-4": "TG130", "FR-4 / TG170": "TG170"}
	finishes   = map[string]string{"hasl": "HASL with lead", "hasl_lead_free": "HASL lead free"}
	vias       = map[string]string{"tented": "Tenting vias", "plugged": "Plugged vias", "untented": "Vias not covered"}
	masks      = []string{"Green", "Red", "Yellow", "Blue", "White", "Black", "Purple"}
	quantities = []int{
		5, 10, 15, 20, 25, 30, 40, 50, 75, 100, 125, 150, 200, 250, 300, 350, 400, 450, 500, 600, 700, 800, 900, 1000, 1500, 2000, 2500, 3000, 3500, 4000, 4500, 5000,
		5500, 6000, 6500, 7000, 7500, 8000, 9000, 10000,
	}
	thicknesses = []int64{200, 300, 400, 600, 800, 1000, 1200, 1600, 2000, 2400, 2600, 2800, 3000, 3200} // µm
	tracks      = []struct {
		mil  int64
		name string
	}{{8, "8/8mil"}, {6, "6/6mil"}, {5, "5/5mil"}, {4, "4/4mil"}, {3, "3/3mil"}}
	holes = []int64{300, 250, 200, 150} // µm
)

const (
	mil    = 25_400 // nm
	micron = 1_000  // nm
)

// translate makes the request for a board. An error names all that the API's pages have no
// word for, or that they do not explain.
func translate(s fabricator.Spec) (request, error) {
	var reasons []string
	miss := func(format string, values ...any) {
		reasons = append(reasons, fmt.Sprintf("The fabricator's documents do not say how to ask for "+format+".", values...))
	}
	pick := func(words map[string]string, what, value string) string {
		if words[value] == "" {
			miss("the %s %q", what, value)
		}
		return words[value]
	}
	r := request{
		CountryCode: s.To.Country, ShipType: shipDHL, Postalcode: s.To.PostalCode, City: s.To.City, BoardType: "Single PCB", DesignInPanel: 1,
		Length: float64(s.Height) / 1e6, Width: float64(s.Width) / 1e6, Layers: s.Layers, Qty: s.Quantity, Thickness: float64(s.Thickness) / 1e6,
		Material: "FR-4", FR4Tg: pick(tgs, "material", s.Material), SolderMask: s.Mask, Silkscreen: s.Silkscreen,
		SurfaceFinish: pick(finishes, "surface finish", s.Finish), ViaProcess: pick(vias, "via process", s.ViaProcess),
		FinishedCopper: fmt.Sprintf("%g oz Cu", s.OuterCopper), Goldfingers: "No", RemoveProductNo: "No",
	}
	if r.Silkscreen == "" {
		r.Silkscreen = map[bool]string{true: "Black", false: "White"}[s.Mask == "White"]
	}
	if s.To.Country == "" {
		miss("a price without a destination")
	}
	if s.Layers != 1 && s.Layers != 2 {
		miss("the inner copper of %d layers", s.Layers)
	}
	if !slices.Contains(quantities, s.Quantity) {
		miss("%d boards", s.Quantity)
	}
	if s.Thickness%micron != 0 || !slices.Contains(thicknesses, s.Thickness/micron) {
		miss("a thickness of %g mm", r.Thickness)
	}
	if !slices.Contains(masks, s.Mask) {
		miss("the mask %q", s.Mask)
	}
	if r.Silkscreen != "White" && r.Silkscreen != "Black" {
		miss("the silkscreen %q", r.Silkscreen)
	}
	if s.OuterCopper < 1 || s.OuterCopper > 13 || s.OuterCopper != float64(int(s.OuterCopper)) {
		miss("copper of %g oz", s.OuterCopper)
	}
	if s.Impedance || s.Stackup != "" {
		miss("controlled impedance or a stackup")
	}
	for _, key := range slices.Sorted(maps.Keys(s.Options)) {
		miss("the option %s", key)
	}
	if r.MinTrackSpacing = trackClass(s); r.MinTrackSpacing == "" {
		miss("a board without measured tracks and gaps, or with finer ones than 3 mil")
	}
	if r.MinHoleSize = holeClass(s); r.MinHoleSize == 0 {
		miss("a board without measured holes, or with smaller ones than 0.15 mm")
	}
	if len(reasons) > 0 {
		return r, &fabricator.Error{Kind: fabricator.Review, Message: "the board needs what its documents do not tell", Reasons: reasons}
	}
	return r, nil
}

// trackClass is the coarsest class that a board's tracks and gaps keep; "" for none.
func trackClass(s fabricator.Spec) string {
	if s.MinTrack == 0 || s.MinSpace == 0 {
		return ""
	}
	for _, c := range tracks {
		if min(s.MinTrack, s.MinSpace) >= c.mil*mil {
			return c.name
		}
	}
	return ""
}

// holeClass is the largest class that a board's holes keep, in millimetres; 0 for none.
func holeClass(s fabricator.Spec) float64 {
	for _, c := range holes {
		if s.MinHole >= c*micron {
			return float64(c) / 1000
		}
	}
	return 0
}
