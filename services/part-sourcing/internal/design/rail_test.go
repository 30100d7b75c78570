package design

import (
	"testing"

	"boardorder/pkg/board/pcb"
)

func TestMillivolts(t *testing.T) {
	t.Parallel()
	const none = -1
	for name, want := range map[string]int64{
		"+12V": 12_000, "-12V": -12_000, "+3V3": 3_300, "3.3V": 3_300, "3V3_MCU": 3_300, "/power/+5V": 5_000, "VCC_3V3": 3_300, "VDD1V8": 1_800, "+5VA": 5_000, "12VIN": 12_000,
		"V3P3": 3_300, "1P8V": 1_800, "VBUS": 5_000, "USB_VBUS": 5_000, "+24V": 24_000, "100V": 100_000,
		"GND": 0, "AGND": 0, "PGND": 0, "VSS": 0, "0V": 0,
		"VCC": none, "VIN": none, "VBAT": none, "101V": none, "230VAC": none, "Net-(C1-Pad1)": none, "SDA": none, "": none, "GPIO12": none, "OVEN": none, "BGND_REF": none,
	} {
		got, ok := millivolts(name)
		if !ok {
			got = none
		}
		if got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
}

// TestRails: a part lies at a supply that both of its nets tell.
func TestRails(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b string
		want int64
		net  string
	}{
		{"+12V", "GND", 12_000, "+12V"}, {"GND", "-12V", 12_000, "-12V"}, {"+12V", "-12V", 24_000, "+12V"}, {"+5V", "/a/+3V3", 5_000, "+5V"},
		{"+12V", "SW", 0, ""}, {"GND", "GND", 0, ""}, {"VCC", "GND", 0, ""}, {"+12V", "", 0, ""},
	} {
		b := pcb.NewBoard("b")
		b.Components = []pcb.Component{{Ref: "C1"}}
		for _, net := range []string{tt.a, tt.b} {
			p := pcb.Pin{}
			if net != "" {
				p.Net = b.Net(net)
			}
			b.Pins = append(b.Pins, p)
		}
		if r := Fits(b)["C1"].Rail; r.Millivolts != tt.want || r.Net != tt.net {
			t.Errorf("%s to %s: %+v, want %d mV of %s", tt.a, tt.b, r, tt.want, tt.net)
		}
	}
}
