package parts_test

import (
	"testing"

	"boardorder/deploy/simulator/parts"
	"boardorder/pkg/passive"
)

func TestCatalogue(t *testing.T) {
	t.Parallel()
	c, err := parts.Load()
	if err != nil {
		t.Fatal(err)
	}
	others, sold := 0, map[string]int{}
	codes := map[string]bool{}
	for i := range c.Parts {
		p := &c.Parts[i]
		if !p.Passive {
			others++
		} else if _, ok := passive.Read(p.MPN); !ok {
			t.Errorf("%s is of no series", p.MPN)
		}
		if p.Replacement != "" && c.Find(p.Replacement) == nil && p.MPN != "W25Q80DVSNIG" {
			t.Errorf("%s is replaced by %s, which nobody sells", p.MPN, p.Replacement)
		}
		for _, s := range []string{parts.DigiKey, parts.Mouser, parts.Library, parts.Arrow} {
			if p.IsSoldBy(s) {
				sold[s]++
			}
			last := int64(1) << 40
			for _, b := range p.Breaks(s, 1) {
				if b.Price <= 0 || b.Price > last {
					t.Errorf("%s at %s: %v, want prices above 0 that fall", p.MPN, s, p.Breaks(s, 1))
				}
				last = b.Price
			}
		}
		if code := c.Code(p); code != "" {
			if codes[code] || c.PartByCode(code) != p {
				t.Errorf("code %s is not the only one of %s", code, p.MPN)
			}
			codes[code] = true
		}
	}
	if len(c.Parts) < 5000 || others < 500 || sold[parts.Library] < 2000 || sold[parts.DigiKey] < 3000 {
		t.Errorf("%d parts, %d of them no passives, sold %v; want 5000, 500, and 2000 of %s and 3000 of %s at least", len(c.Parts), others, sold, parts.Library, parts.DigiKey)
	}
}

func TestLibraryList(t *testing.T) {
	t.Parallel()
	c, err := parts.Load()
	if err != nil {
		t.Fatal(err)
	}
	seen, last := 0, ""
	for {
		list, next := c.LibraryList(last, 700)
		for _, stub := range list {
			d, ok := c.LibraryDetail(stub.Code)
			if !ok || d.Model != stub.Model || len(d.Prices) == 0 || d.Prices[len(d.Prices)-1].To != -1 {
				t.Fatalf("detail of %+v: %+v, %t; want its model, and prices to the last without an end", stub, d, ok)
			}
			seen++
		}
		if next == "" {
			break
		}
		last = next
	}
	want := 0
	for i := range c.Parts {
		if c.Parts[i].IsSoldBy(parts.Library) {
			want++
		}
	}
	if seen != want {
		t.Errorf("%d parts listed, %d in the library", seen, want)
	}
}

// TestCodesNameTheRightParts: codes that public lists name are sold as the parts that
// they stand for, with what their data sheets state.
func TestCodesNameTheRightParts(t *testing.T) {
	t.Parallel()
	c, err := parts.Load()
	if err != nil {
		t.Fatal(err)
	}
	for code, want := range map[string]struct {
		number  string
		voltage int64
	}{
		"C15850": {"CL21A106KAYNNNE", 25_000}, "C45783": {"CL21A226MAQNNNE", 25_000}, "C237493": {"GRM21BZ71E106KE15L", 25_000}, "C307331": {"CL05B104KB54PNC", 50_000},
		"C1525": {"CL05B104KO5NNNC", 16_000}, "C14663": {"CC0603KRX7R9BB104", 50_000}, "C1523": {"0402B102K500NT", 50_000}, "C25744": {"0402WGF1002TCE", 50_000}, "C8734": {"STM32F103C8T6", 0},
		"C6186": {"AMS1117-3.3", 0}, "C51205": {"CL31B475KBHNNNE", 50_000}, "C7472946": {"HGC0402R5105K250NTEJ", 25_000}, "C72511": {"RVT1V4R7M0405", 35_000},
		"C2906874": {"FRC0402F5101TS", 0}, "C165948": {"TYPE-C-31-M-12", 0}, "C2286": {"KT-0603R", 0},
	} {
		p := c.PartByCode(code)
		if p == nil || p.MPN != want.number || p.Spec.Voltage != want.voltage {
			t.Errorf("%s is %+v, want %s of %d mV", code, p, want.number, want.voltage)
		}
	}
	for code, maker := range map[string]string{"C7519": "STMicroelectronics", "C2827654": "TECH PUBLIC", "C5261088": "HXY MOSFET"} {
		if p := c.PartByCode(code); p == nil || p.MPN != "USBLC6-2SC6" || p.Manufacturer != maker {
			t.Errorf("%s is %+v, want USBLC6-2SC6 of %s", code, p, maker)
		}
	}
	for _, code := range []string{"C81000", "C2969989"} {
		if p := c.PartByCode(code); p == nil || p.MPN != "STM32F042F6P6" {
			t.Errorf("%s is %+v, want STM32F042F6P6", code, p)
		}
		if d, ok := c.LibraryDetail(code); !ok || d.Code != code || d.Model != "STM32F042F6P6" {
			t.Errorf("detail of %s: %+v, %t; want STM32F042F6P6", code, d, ok)
		}
	}
	for _, number := range []string{"NE555P", "AMS1117-3.3", "ATMEGA8-16AI", "ABM8-272-T3", "ABM8-16.000MHZ-B2-T"} {
		if c.Find(number) == nil {
			t.Errorf("nobody sells %s", number)
		}
	}
}
