package maker_test

import (
	"testing"

	"boardorder/services/part-sourcing/internal/maker"
)

func TestSame(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b string
		want bool
	}{
		{"TI", "Texas Instruments", true},
		{"Texas Instruments Inc.", "TEXAS INSTRUMENTS", true},
		{"STM", "STMicroelectronics", true},
		{"Linear Technology", "Analog Devices Inc.", true},
		{"Samsung", "Samsung Electro-Mechanics", true},
		{"Wurth Elektronik", "Würth Elektronik", true},
		{"Some Small Maker Ltd", "Some Small Maker", true},
		{"Some Small", "Some Small Maker", true},
		{"", "Murata", true},
		{"Murata", "TDK", false},
		{"onsemi", "Nexperia", false},
		{"Unknown House", "Murata", false},
		{"Korean Hroparts Elec", "HRO", true},
		{"HRO Electronics", "Korean Hroparts Elec", true},
		{"TI(德州仪器)", "Texas Instruments", true},
		{"FH(Guangdong Fenghua Advanced Tech)", "Fenghua", true},
		{"UNI-ROYAL(Uniroyal Elec)", "UniOhm", true},
		{"Yangxing Tech", "YXC（扬兴晶振）", true},
		{"Changjiang Electronics Tech (CJ)", "JCET", true},
		{"ProTek Devices", "Protek", true},
		{"STMicroelectronics", "Texas Instruments", false},
		{"ST(意法半导体)", "TI(德州仪器)", false},
		{"HRO", "Hirose", false},
		{"XKB Connectivity", "XUNPU", false},
		{"CJ", "CK", false},
		{"HRS / Hirose", "Hirose Electric", true},
		{"Diodes/Zetex", "Diodes Incorporated", true},
		{"HRS / Hirose", "Molex", false},
		{"国星光电", "NationStar", true},
		{"XI'AN Aerosemi Tech", "西安航天民芯", true},
		{"Samsung(三星)", "Murata", false},
		{"Murata / TDK", "TDK", false},
		{"Littlefuse", "Littelfuse", true},
		{"Cornell Dublier", "Cornell Dubilier", true},
		{"(", "Murata", true},
	} {
		if got := maker.Same(tt.a, tt.b); got != tt.want || maker.Same(tt.b, tt.a) != got {
			t.Errorf("Same(%q, %q) = %v, turned round %v; want %v twice", tt.a, tt.b, got, maker.Same(tt.b, tt.a), tt.want)
		}
	}
	if name, ok := maker.UsualName("MURATA ELECTRONICS"); !ok || name != "Murata Electronics" {
		t.Errorf("UsualName(MURATA ELECTRONICS) = %q, %t; want Murata Electronics", name, ok)
	}
	if _, ok := maker.UsualName("LED"); ok {
		t.Error("LED is a manufacturer")
	}
}
