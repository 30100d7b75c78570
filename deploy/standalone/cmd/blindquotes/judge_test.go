package main

import (
	"strings"
	"testing"

	"boardorder/pkg/board/testkit/blind/truth"
)

const sold = `{"mode":"instant","board_details":{"layers":4,"width_mm":80,"height_mm":49,"thickness_mm":1.6,"solder_mask":"Green","material":"FR-4","impedance_controlled":true,"fab_options":{"half_hole":true}},
	"board_details_from":{"thickness_mm":"file:a.gbrjob","solder_mask":"standard","material":"standard"},
	"notes":["The files say 2 oz copper; 1 oz is built."]}`

const files = `{"classified":[{"name":"b","role":"copper","layer":2},{"name":"a","role":"copper","layer":1},{"name":"m","role":"mask"}]}`

func TestJudge(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, quote     string
		design          truth.Design
		property, value string
		want            outcome
	}{
		{name: "layers", quote: sold, design: truth.Design{Layers: 4}, want: right},
		{name: "other layers", quote: sold, design: truth.Design{Layers: 6}, want: silent},
		{name: "size within half a pen", quote: sold, design: truth.Design{Width: 80.14}, want: right},
		{name: "other size", quote: sold, design: truth.Design{Width: 80.16}, want: silent},
		{name: "stated and sold", quote: sold, property: "thickness_mm", value: "1.6", want: right},
		{name: "stated otherwise", quote: sold, property: "thickness_mm", value: "0.8", want: silent},
		{name: "stated otherwise and said", quote: sold, property: "copper_oz", value: "2", want: said},
		{name: "unstated, standard", quote: sold, property: "solder_mask", value: truth.Unstated, want: right},
		{name: "unstated, claimed of a file", quote: sold, property: "thickness_mm", value: truth.Unstated, want: silent},
		{name: "order", quote: sold, property: "order", value: "a|b", want: right},
		{name: "another order", quote: sold, property: "order", value: "b|a", want: silent},
		{name: "special in the options", quote: sold, property: "special", value: "half hole", want: right},
		{name: "special among the details", quote: sold, property: "special", value: "impedance", want: right},
		{name: "special in a file's name", quote: `{"mode":"instant","board_details_from":{"layers":"file:Castellated.kicad_pcb"}}`, property: "special", value: "castellat", want: silent},
		{name: "size beside a length in a note", quote: `{"mode":"instant","board_details":{"width_mm":80},"notes":["Lines of 0.1 mm."]}`, design: truth.Design{Width: 90}, want: silent},
		{name: "special nowhere", quote: sold, property: "special", value: "stiffener", want: silent},
		{name: "special in a note, in capitals", quote: `{"mode":"instant","notes":["The files speak of V-scores."]}`, property: "special", value: "V-score", want: said},
		{name: "with the team", quote: `{"mode":"review"}`, property: "special", value: "stiffener", want: asked},
		{name: "a question", quote: `{"error":"needs_details"}`, property: "thickness_mm", value: "0.8", want: asked},
		{name: "a stop", quote: `{"error":"design_files"}`, design: truth.Design{Layers: 6}, want: asked},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if c.property != "" {
				c.design.Sold = map[string]string{c.property: c.value}
			}
			got := judge(&c.design, &replies{Quote: []byte(c.quote), Upload: []byte(files)})
			if len(got) != 1 || got[0].outcome != c.want {
				t.Errorf("%+v, want one that is %s", got, c.want)
			}
		})
	}
}

func TestTally(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	total := newTally(&out)
	r := &replies{Status: 201, Quote: []byte(sold)}
	total.add("one", r, judge(&truth.Design{Layers: 6, Sold: map[string]string{"material": "FR-4"}}, r))
	total.summary()
	for _, want := range []string{"WRONG: layers is 6, sold as 4\n", "material                1      0            0      0\n", "instant: 1\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in\n%s", want, out.String())
		}
	}
}
