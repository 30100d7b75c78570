package casecode_test

import (
	"fmt"
	"testing"

	"boardorder/services/part-sourcing/internal/casecode"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Package_SO:SOIC-8_5.23x5.23mm_P1.27mm": "SO 8 ", "SOIC-8": "SO 8 ", "SOP-8_EP_150MIL": "SO 8 ", "SOP127P600X175_8N": "SO 8 ", "SO-14": "SO 14 ", "TSSOP65P640X120-8N": "TSSOP 8 ",
		"SOT-23": "SOT-23 0 ", "SOT-23-5": "SOT-23 5 ", "SOT95P245X110-3M": "SOT-23 3 ", "SOT-223-3_TabPin2": "SOT-223 3 ", "LQFP-48_7x7mm_P0.5mm": "QFP 48 ", "TQFP100": "QFP 100 ",
		"QFN-48-1EP_7x7mm_P0.5mm": "QFN 48 ", "VQFN-16": "QFN 16 ", "USON-10_2.5x1.0mm_P0.5mm": "DFN 10 ", "BGA-256_17x17": "BGA 256 ", "FCBGA(ABC)-760": "BGA 0 ", "8-MSOP-PowerPad": "MSOP 8 ",
		"R_0603_1608Metric": " 2 0603", "CAPC1005X055N": " 2 0402", "D_SOD-123": "SOD-123 0 ", "TO-220-3_Vertical": "TO-220 3 ", "JST_XH_B4B": "  ", "LGA-14": "LGA 14 ", "SMA": "SMA 0 ",
		"DIP-8_W7.62mm": "DIP 8 ", "": "  ", "WSON-6": "DFN 6 ",
		"DO-35": "DO-35 2 ", "D_DO-35_SOD27_P7.62mm_Horizontal": "DO-35 2 ", "DO-204AH, DO-35, Axial": "DO-35 2 ", "DO-41": "DO-41 2 ", "DO-201AD": "DO-201 2 ", "D_SOD-523": "SOD-523 0 ", "SOT-523": "SOT-523 0 ",
		"D_MiniMELF": "MELF 0 ", "DO-214AC": "SMA 0 ", "LL-34": "MELF 0 ",
		"DFN-1006-2": "DFN 2 ", "DFN1006-2": "DFN 2 ", "X1-DFN1006-2L": "DFN 2 ", "U-DFN2020-6": "DFN 6 ", "DFN2510-10A": "DFN 10 ", "DFN1006": "DFN 0 ", "V-QFN3020-13": "QFN 13 ",
		"FP-QFN55-32LD-PL-5-IPC_C": "QFN 32 ", "FP-24-S4QFN-4x4B-0_5P-MFG": "QFN 0 ", "WSON68_Micron": "DFN 0 ", "WSON8": "DFN 8 ", "DFN-40": "DFN 40 ", "16-SOIC": "SO 16 ", "CASE 8-MSOP": "MSOP 8 ",
		"FCBGA-1156": "BGA 1156 ", "DFN-10_2510": "DFN 10 ", "SON127P600X500X100-9N": "DFN 9 ",
	} {
		c := casecode.Parse(name)
		got := fmt.Sprintf("%s %d %s", c.Family, c.Pins, c.Size)
		if c == (casecode.Case{}) {
			got = "  "
		}
		if got != want {
			t.Errorf("Parse(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestDiffer(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"SOIC-8", "SOP-8", false}, {"SOIC-8", "TSSOP-8", true}, {"SOIC-8", "SOIC-14", true}, {"QFN-48-1EP", "QFN-49", false}, {"R_0603_1608Metric", "0402", true},
		{"Package_SO:TSSOP-10_3x3mm_P0.5mm", "VSSOP-10", false}, {"TSSOP-8_3x3mm_P0.65mm", "MSOP-8", false}, {"TSSOP-8_4.4x3mm_P0.65mm", "MSOP-8", true},
		{"DO-35", "SOD-523", true}, {"D_SOD-523", "DO-204AH, DO-35, Axial", true}, {"DO-35", "DO-41", true}, {"D_0603_1608Metric", "DO-35", true}, {"D_SOD-523", "SOD-923", true},
		{"SOT-23", "SOT-23-3", false}, {"own pattern", "SOIC-8", false}, {"R_0603_1608Metric", "0603", false},
	} {
		if got := casecode.Differ(casecode.Parse(tt.a), casecode.Parse(tt.b)); got != tt.want {
			t.Errorf("Differ(%s, %s) = %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}

// TestSame: cases are the same only where both names tell it.
func TestSame(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"D_SOD-523", "SOD-523", true}, {"SOIC-8", "SOP-8", true}, {"R_0603_1608Metric", "0603", true}, {"QFN-48-1EP", "QFN-49", true}, {"SOT-23", "SOT-23-3", true}, {"TO-252-2", "DPAK", true},
		{"SOIC-8", "SO", false}, {"SOT-23", "SOT-23-5", false}, {"D_SOD-523", "", false}, {"", "", false}, {"own pattern", "own pattern", false}, {"D_SOD-523", "DO-35", false}, {"SOIC-8", "SOIC-14", false},
	} {
		if got := casecode.Same(casecode.Parse(tt.a), casecode.Parse(tt.b)); got != tt.want {
			t.Errorf("Same(%s, %s) = %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("QFN-48-1EP_7x7mm_P0.5mm")
	f.Add("SOP127P600X175_8N")
	f.Fuzz(func(t *testing.T, name string) {
		if c := casecode.Parse(name); c.Pins < 0 || casecode.Differ(c, c) {
			t.Errorf("Parse(%q) = %+v, want pins of 0 or more, and no difference from itself", name, c)
		}
	})
}

func TestPitchAndBody(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct {
		pitch int64
		body  [2]float64
	}{
		"QFN-48-1EP_7x7mm_P0.5mm_EP5.6x5.6mm": {500_000, [2]float64{7, 7}},
		"SOIC-8_3.9x4.9mm_P1.27mm":            {1_270_000, [2]float64{4.9, 3.9}},
		"SOP127P600X175_8N":                   {1_270_000, [2]float64{}},
		"8-SOIC (0.154\", 3.90mm Width)":      {1_270_000, [2]float64{}},
		"Connector":                           {0, [2]float64{}},
	} {
		if p, b := casecode.Pitch(name), casecode.Body(name); p != want.pitch || b != want.body {
			t.Errorf("%s: pitch %d, body %v; want %d, %v", name, p, b, want.pitch, want.body)
		}
	}
	if c := casecode.Parse("16-SOIC"); c.Family != "SO" || c.Pins != 16 {
		t.Errorf("16-SOIC is %+v, want SO with 16 pins", c)
	}
}

// TestLandsOfSeveralCases: the lands that IPC names for every fine small outline package
// fit each of them and those of the coarse pitch none, and a land pattern with two names
// of one case is that case.
func TestLandsOfSeveralCases(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		lands, part string
		differ      bool
	}{
		{"SOP50P490X110-10N", "MSOP-10", false}, {"SOP65P640X120-20N", "TSSOP-20", false}, {"SOP65P780X200-28N", "SSOP-28", false},
		{"SOT-353_SC-70-5", "SC-70-5", false}, {"SOT-363_SC-70-6", "SOT-363-6", false}, {"SOT-323_SC-70", "SC-70-3", false}, {"SOT-353_SC-70-5", "SOT-23-5", true},
		{"SOP127P600X175-8N", "SOIC-8", false}, {"SOP127P600X175-8N", "MSOP-8", true},
	} {
		if got := casecode.Differ(casecode.Parse(tt.lands), casecode.Parse(tt.part)); got != tt.differ {
			t.Errorf("%s and %s differ: %v, want %v", tt.lands, tt.part, got, tt.differ)
		}
	}
	if n := casecode.Parse("SOP50P490X110-10N").Pins; n != 10 {
		t.Errorf("%d pins of SOP50P490X110-10N, want 10", n)
	}
}

// TestWidth: bodies of one family and different widths fit no common pads.
func TestWidth(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]int{
		"SOIC-8": 0, "SO-8": 0, "Package_SO:SOIC-8_3.9x4.9mm_P1.27mm": 39, "8-SOIC (0.154\", 3.90mm Width)": 39, "8-SOIC (0.209\", 5.30mm Width)": 53, "SOIC-8-208mil": 53, "SOP-8_150mil": 39,
		"SOIC-8_5.23x5.23mm_P1.27mm": 52, "SOIC-8_7.5x5.85mm_P1.27mm": 75, "SOIC-16W_7.5x10.3mm_P1.27mm": 75, "SOIC-16W": 75, "SOIC-8W": 53, "SO16W": 75, "SOIC-14N": 39, "SOIC127P1030X265-16N": 75,
		"SOP127P600X175_8N": 39, "SOP127P780X203-8N": 53, "SOIC-16_3.9x9.9mm": 39, "SOIC WIDE 16": 75, "TSSOP-8_4.4x3mm": 0, "QFN-16_3x3mm": 0,
	} {
		if got := casecode.Parse(name).Width; got != want {
			t.Errorf("%s is %d wide, want %d", name, got, want)
		}
	}
	for _, tt := range []struct {
		lands, part  string
		differ, same bool
	}{
		{"SOIC-8_5.23x5.23mm", "8-SOIC (0.154\", 3.90mm Width)", true, false}, {"SOIC-8_5.23x5.23mm", "8-SOIC (0.209\", 5.30mm Width)", false, true},
		{"SOIC-8_5.23x5.23mm", "SOIC-8", false, false}, {"SOIC-8_3.9x4.9mm", "SOIC-8", false, true}, {"SOIC-16W_7.5x10.3mm", "SOIC-16_3.9x9.9mm", true, false}, {"SOIC-16W", "SOIC-16-300mil", false, true},
	} {
		a, b := casecode.Parse(tt.lands), casecode.Parse(tt.part)
		if casecode.Differ(a, b) != tt.differ || casecode.Same(a, b) != tt.same {
			t.Errorf("%s and %s: differ %v, same %v; want %v, %v", tt.lands, tt.part, casecode.Differ(a, b), casecode.Same(a, b), tt.differ, tt.same)
		}
	}
}

// TestFillWidth: rows of pads tell the width that a name does not.
func TestFillWidth(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name          string
		width, height float64
		want          int
	}{
		{"SOIC-8", 4.95, 3.81, 39}, {"SOIC-8", 3.81, 7.2, 53}, {"SOIC-16", 9.3, 8.89, 75}, {"SOIC-16", 8.89, 4.95, 39}, {"SOIC-8", 5, 5, 0}, {"SOIC-8_3.9x4.9mm", 9.3, 3.81, 39}, {"QFN-16", 9.3, 8.89, 0},
	} {
		if got := casecode.Parse(tt.name).FillWidth(int64(tt.width*1e6), int64(tt.height*1e6)).Width; got != tt.want {
			t.Errorf("%s on %g × %g mm is %d wide, want %d", tt.name, tt.width, tt.height, got, tt.want)
		}
	}
}
