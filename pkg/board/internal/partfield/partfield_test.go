package partfield

import (
	"testing"

	"boardorder/pkg/board/pcb"
)

func TestSet(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, value string
		got         func(c *pcb.Component) string
	}{
		{"MPN", "X1", func(c *pcb.Component) string { return c.MPN }},
		{"Manufacturer Part Number", "X1", func(c *pcb.Component) string { return c.MPN }},
		{"Mfr. Part #", "X1", func(c *pcb.Component) string { return c.MPN }},
		{"Manufacturer_Name", "X1", func(c *pcb.Component) string { return c.Manufacturer }},
		{"Description", "X1", func(c *pcb.Component) string { return c.Description }},
		{"LCSC", "X1", func(c *pcb.Component) string { return c.Fields["LCSC"] }},
	} {
		c := &pcb.Component{}
		Set(c, tt.name, " "+tt.value+" ")
		if got := tt.got(c); got != tt.value {
			t.Errorf("Set(%q, %q) gave %q, want the value: %+v", tt.name, tt.value, got, c)
		}
	}
	c := &pcb.Component{MPN: "first"}
	Set(c, "mpn", "second")
	Set(c, "Voltage", "~")
	if c.MPN != "first" || c.Fields["mpn"] != "second" || len(c.Fields) != 1 {
		t.Errorf("a second part number: %+v; want MPN first, and second among the fields", c)
	}
}

func TestMarksDNP(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]bool{"DNP": true, "1": true, "yes": true, "": false, "0": false, "No": false, "fitted": false} {
		c := &pcb.Component{}
		Set(c, "DNP", value)
		if MarksDNP(value) != want || c.DNP != want {
			t.Errorf("MarksDNP(%q) = %v, component %v, want %v", value, MarksDNP(value), c.DNP, want)
		}
	}
}
