package fabricator

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// A flexible number comes as a JSON number or as a string of one.
type flexible float64

func (f *flexible) UnmarshalJSON(data []byte) error {
	v, err := strconv.ParseFloat(strings.Trim(string(data), `"`), 64)
	if err != nil {
		return refuse(2000)
	}
	*f = flexible(v)
	return nil
}

// A board is what is ordered, in the words of the wire. Pointers distinguish
// what was not sent.
type board struct {
	Layer         int             `json:"layer"`
	Width         flexible        `json:"width"`
	Length        flexible        `json:"length"`
	Qty           int             `json:"qty"`
	Thickness     flexible        `json:"thickness"`
	Color         *int            `json:"pcbColor"`
	Finish        *int            `json:"surfaceFinish"`
	Copper        flexible        `json:"copperWeight"`
	InnerCopper   *flexible       `json:"insideCuprumThickness"`
	GoldFinger    *int            `json:"goldFinger"`
	Material      *int            `json:"materialDetails"`
	Panel         *int            `json:"panelFlag"`
	PanelX        int             `json:"panelByJLCPCB_X"`
	PanelY        int             `json:"panelByJLCPCB_Y"`
	Designs       int             `json:"differentDesign"`
	Test          *int            `json:"flyingProbeTest"`
	Castellated   *int            `json:"castellatedHoles"`
	Remark        *string         `json:"orderDetailsRemark"`
	Cascade       *int            `json:"cascadeStructure"`
	Stackup       string          `json:"impedanceTemplateCode"`
	Impedance     string          `json:"impedanceFlag"`
	Plate         int             `json:"plateType"`
	AutoConfirm   *bool           `json:"autoConfirmProductionFile"`
	Via           int             `json:"viaCovering"`
	Rails         *int            `json:"needTechnics"`
	RailSize      int             `json:"technicsSize"`
	GoldThickness *flexible       `json:"goldThickness"`
	Rounding      *bool           `json:"edgeRounding"`
	Services      []service       `json:"serviceConfigVos"`
	BlindSlots    json.RawMessage `json:"pcbBlindViaHoleInfoDTOList"`
}

type service struct {
	Code  string `json:"serviceConfigCode"`
	Show  string `json:"serviceConfigShow"`
	Value string `json:"configOptionShow"`
}

// The plate types.
const (
	fr4      = 1
	aluminum = 2
	copper   = 4
	rogers   = 5
	ptfe     = 6
	flex     = 7
)

func isAmong(v *int, allowed ...int) bool { return v != nil && slices.Contains(allowed, *v) }

func isOneOf(v flexible, allowed ...float64) bool { return slices.Contains(allowed, float64(v)) }

// check refuses a board with the code that the real one gives.
func (b *board) check() error {
	checks := []func() int{b.checkForm, b.checkValues, b.checkMetal, b.checkTogether, b.checkServices}
	for _, f := range checks {
		if code := f(); code != 0 {
			return refuse(code)
		}
	}
	return nil
}

// checkForm finds what is missing.
func (b *board) checkForm() int {
	if b.Remark == nil || b.Cascade == nil || b.Rails == nil || b.Rounding == nil || b.Services == nil || b.Panel == nil ||
		(b.Impedance != "yes" && b.Impedance != "no") || (*b.Rails != 0 && b.RailSize == 0) {
		return 2000
	}
	return 0
}

func (b *board) checkValues() int {
	type rule struct {
		ok   bool
		code int
	}
	rules := []rule{
		{b.Layer == 1 || (b.Layer%2 == 0 && b.Layer >= 2 && b.Layer <= 32), 2100},
		{b.Length > 0, 2101},
		{b.Width > 0, 2102},
		{max(b.Length, b.Width) <= 600 && min(b.Length, b.Width) <= 500, 2116},
		{b.Qty >= 5 && b.Qty <= 100_000, 2103},
		{b.Thickness >= 0.05 && b.Thickness <= 4.5, 2104},
		{isAmong(b.Color, 0, 1, 2, 3, 4, 5, 6), 2105},
		{isAmong(b.Finish, 0, 1, 2), 2106},
		{b.Copper > 0 && b.Copper <= 4.5, 2107},
		{isAmong(b.GoldFinger, 0, 1, 2), 2108},
		{isAmong(b.Material, 0), 2109},
		{isAmong(b.Panel, 0, 1, 2), 2119},
		{*b.Panel == 0 || (b.PanelX > 0 && b.PanelY > 0), 2110},
		{b.Designs >= 1 && b.Designs <= 50, 2111},
		{len([]rune(*b.Remark)) <= 500, 2112},
		{isAmong(b.Castellated, 0, 1, 2, 3, 4), 2120},
		{isAmong(b.Test, 0, 1, 2, 6), 2121},
		{isAmong(b.Cascade, 0, 1, 2), 2605},
		{b.Via >= 1 && b.Via <= 5, 2115},
		{slices.Contains([]int{fr4, aluminum, copper, rogers, ptfe, flex}, b.Plate), 2801},
	}
	for _, r := range rules {
		if !r.ok {
			return r.code
		}
	}
	return 0
}

// checkMetal has the rules of metal cores.
func (b *board) checkMetal() int {
	switch {
	case b.Plate != aluminum:
		return 0
	case !isAmong(b.Color, 0, 1, 3, 4, 5):
		return 2802
	case b.Layer != 1:
		return 2803
	case !isOneOf(b.Thickness, 1.0, 1.2, 1.6):
		return 2804
	case b.Copper != 1:
		return 2805
	case *b.Finish == 2:
		return 2806
	case *b.GoldFinger == 2:
		return 2808
	}
	return 0
}

// checkTogether has the rules between values.
func (b *board) checkTogether() int {
	switch {
	case b.Plate == fr4 && b.Thickness == 0.4 && *b.Finish != 2:
		return 2099
	case b.Plate == fr4 && !isOneOf(b.Thickness, 0.4, 0.6, 0.8, 1.0, 1.2, 1.6, 2.0, 2.5, 3.0, 3.2):
		return 2104
	case b.Plate == fr4 && float64(b.Thickness) < 0.1*float64(b.Layer):
		return 2104
	case b.Layer >= 6 && *b.Finish == 0:
		return 2106
	case *b.Finish == 2 && (b.GoldThickness == nil || !isOneOf(*b.GoldThickness, 1, 2, 3)):
		return 2000
	case b.Layer < 4 && b.InnerCopper != nil:
		return 2129
	case b.Layer >= 4 && (b.InnerCopper == nil || *b.InnerCopper <= 0):
		return 2000
	case b.Layer == 1 && *b.Castellated > 0:
		return 2123
	case isAmong(b.Color, 6) && b.Layer > 8:
		return 2122
	case b.Impedance == "yes" && b.Layer < 4:
		return 2603
	case b.Stackup != "" && stackupOf(b.Stackup).Layers != b.Layer:
		return 2604
	case b.Layer > 20 || b.Copper > 2.5:
		return 2601
	}
	return 0
}

func (b *board) checkServices() int {
	for _, s := range b.Services {
		values, known := services[s.Code]
		switch {
		case s.Code == "":
			return 2702
		case !known:
			return 2705
		case s.Value == "":
			return 2703
		case !slices.Contains(values, s.Value):
			return 2704
		case b.Layer == 1 && (s.Code == "4WKT" || s.Code == "mvhc") && !isDeclined(s.Value):
			return 2706
		case b.Layer == 2 && s.Code == "mvhc":
			return 2707
		case s.Code == "BVH" && !isDeclined(s.Value) && len(b.BlindSlots) == 0:
			return 3000
		}
	}
	return 0
}

func isDeclined(value string) bool {
	return slices.Contains([]string{"No", "Without", "Don't Add", "Not grounded"}, value)
}

func (b *board) has(code string) bool {
	return slices.ContainsFunc(b.Services, func(s service) bool { return s.Code == code && !isDeclined(s.Value) })
}

// services are the services and their values.
var services = map[string][]string{
	"mvhc":     {"0.3mm/(0.4/0.45mm)", "0.25mm/(0.35/0.4mm)", "0.2/0.45mm↑", "0.2/0.4mm", "0.2/0.3mm", "0.15/0.25mm"},
	"PPBP":     {"Yes", "No"},
	"4WKT":     {"Yes", "No"},
	"FT155":    {"FR4-Standard TG 135-140", "FR-4 TG155", "FR-4 TG170"},
	"CPF":      {"Yes", "No"},
	"TH_CO":    {"1W", "380W", "381W"},
	"BR_VO":    {"3000V"},
	"AQ":       {"IPC Class 2 Standard", "Superb Quality"},
	"SI_TE":    {"Ink-jet/Screen Printing Silkscreen", "High-definition Exposure Silkscreen", "High-precision Printing Silkscreen"},
	"OU_BO":    {"Accept", "Not Accept"},
	"PK_BOX":   {"With JLCPCB logo", "Blank box"},
	"CS":       {"Thermal-Electrical Isolation", "Direct Heatsink"},
	"HFMT":     {"RO4350B (Dk=3.48, Df=0.0037)", "ZYF300CA-P", "ZYF300CA-C", "ZYF265D", "ZYF255DA"},
	"CT":       {"Electro-deposited", "Rolled Annealed"},
	"ESF":      {"Without", "Single side (Black,18um)", "Both sides (Black,18um)"},
	"PBM":      {"25um"},
	"STT":      {"No", "0.1mm", "0.2mm", "0.3mm"},
	"OT":       {"±0.1mm", "±0.05mm"},
	"CM":       {"Laser Cutting", "Punching"},
	"PIT":      {"No", "0.1mm", "0.15mm", "0.20mm", "0.225mm", "0.25mm"},
	"CTC":      {"PI:12.5um/AD:15um", "PI:25um/AD:25um", "PET:25um/AD:25um"},
	"FRT":      {"No", "0.1mm", "0.2mm", "0.4mm", "0.6mm", "0.8mm", "1.0mm", "1.2mm", "1.6mm"},
	"3MT":      {"No", "3M468 (0.13mm)", "3M9077 (HT, 0.05mm)"},
	"BOT":      {"±0.2mm(Regular)", "±0.1mm(Precision)"},
	"PYB":      {"Yellow", "Black", "White", "Transparent"},
	"SC_PR":    {"Yes", "No"},
	"GF_CT":    {"Yes", "No"},
	"OR_BR":    {"No", "KB", "Shengyi PCB Material", "Taiwan Nanya PCB Material"},
	"ME_TR":    {"Yes", "No"},
	"WT_GR":    {"grounded", "Not grounded"},
	"PTH":      {"Yes (Tolerance +/-0.05mm)", "No"},
	"N2B":      {"Don't Add", "No Requirement", "Specify Position"},
	"2DBS":     {"3*3mm", "5*5mm", "8*8mm", "10*10mm"},
	"QRCPT":    {"2D barcode & Number", "2D barcode Only", "Number Only"},
	"IR":       {"No", "Final Inspection", "Electrical Test", "Microsection", "ROHS", "Ionic Contamination", "Nickel Corrosion", "Reliability", "SEM"},
	"BVH":      {"Yes", "No"},
	"STACK UP": {"Bonded", "Unbonded"},
	"ST":       {"25µm dielectric", "50µm dielectric", "Transparent"},
	"IM_TR":    {"No requirement", "±10% (±5Ω if value≤50Ω)"},
}
