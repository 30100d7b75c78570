package preset

import "testing"

func TestEveryToolHasASource(t *testing.T) {
	t.Parallel()
	for _, s := range Stacks {
		if s.Tool == "" || s.Source == "" || s.Copper <= 0 || len(s.Dielectrics) == 0 {
			t.Errorf("stack %+v, want a tool, a source, copper and dielectrics", s)
		}
	}
}

func TestWhatToolsBeginWith(t *testing.T) {
	t.Parallel()
	factory := StackOf("EAGLE").Dielectrics
	changed := append([]int64{}, factory...)
	changed[0] = 1_200_000
	for name, tt := range map[string]struct{ got, want bool }{
		"EAGLE's isolation":             {StackOf("EAGLE").DielectricsOf(factory), true},
		"in inches":                     {StackOf("EAGLE").DielectricsOf([]int64{1_501_100, 149_900, 200_700}), true},
		"one sheet changed":             {StackOf("EAGLE").DielectricsOf(changed), false},
		"no isolation":                  {StackOf("EAGLE").DielectricsOf(nil), false},
		"EAGLE's copper":                {StackOf("EAGLE").CopperOf([]int64{35_000, 35_600}), true},
		"half an ounce":                 {StackOf("EAGLE").CopperOf([]int64{35_000, 17_800}), false},
		"EAGLE of two layers":           {StackOf("EAGLE").Adds(1_570_000, 2), true},
		"of four, 1 2 15 16":            {StackOf("EAGLE").Adds(1_990_000, 4), true},
		"of four, 1 3 15 16":            {StackOf("EAGLE").Adds(2_040_000, 4), true},
		"of four, as people choose":     {StackOf("EAGLE").Adds(1_600_000, 4), false},
		"of one":                        {StackOf("EAGLE").Adds(1_535_000, 1), false},
		"KiCad's copper":                {StackOf("KiCad").CopperOf([]int64{35_000, 35_000}), true},
		"KiCad's, by a micrometre":      {StackOf("KiCad").CopperOf([]int64{35_000, 34_000}), false},
		"KiCad of four":                 {StackOf("KiCad").Adds(4*35_000+3*1_510_000, 4), true},
		"KiCad of four, set to 1.6 mm":  {StackOf("KiCad").Adds(1_600_000, 4), false},
		"Altium's copper":               {StackOf("Altium").CopperOf([]int64{35_560, 34_800}), true},
		"Altium's core":                 {StackOf("Altium").DielectricsOf([]int64{320_040, 320_000, 320_040}), true},
		"Altium of four":                {StackOf("Altium").DielectricsOf([]int64{71_120, 320_040, 71_120}), true},
		"Altium of added sheets alone":  {StackOf("Altium").DielectricsOf([]int64{71_120, 71_120}), false},
		"Altium adds up to 15.4 mil":    {StackOf("Altium").Adds(391_160, 2), true},
		"Altium adds up for four":       {StackOf("Altium").Adds(603_402, 4), true},
		"Altium of four, set to 0.8 mm": {StackOf("Altium").Adds(800_000, 4), false},
		"Altium with a core of 0.36 mm": {StackOf("Altium").DielectricsOf([]int64{360_000}), false},
	} {
		if tt.got != tt.want {
			t.Errorf("%s: %v, want %v", name, tt.got, tt.want)
		}
	}
}
