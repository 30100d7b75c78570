package note

import "testing"

// TestLoose: items that name their subject somewhere among their words.
func TestLoose(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"a 4 layer board":                "layers 4",
		"64-layer":                       "layers 64",
		"65 layers":                      "",
		"0 layers":                       "",
		"4 inner layers":                 "",
		"4 layer board, 1.6 mm":          "layers 4; thickness 1.6 mm",
		"4 layer board of 0.2 mm":        "layers 4; thickness 0.2 mm",
		"4 layer board of 0.19 mm":       "layers 4",
		"4 layer board of 3.2 mm":        "layers 4; thickness 3.2 mm",
		"4 layer board of 3.3 mm":        "layers 4",
		"1.6 mm thick":                   "thickness 1.6 mm",
		"0.1 mm thick copper":            "",
		"1.6 mm thick stiffener":         "",
		"95 mm x 73 mm":                  "width 95 mm; height 73 mm",
		"95,5 mm x 73,2 mm":              "width 95.5 mm; height 73.2 mm",
		"95x73mm":                        "width 95 mm; height 73 mm",
		`4" x 100 mm`:                    "width 101.6 mm; height 100 mm",
		"2 x 2 mm":                       "width 2 mm; height 2 mm",
		"1.9 x 2 mm":                     "",
		"2000 x 2 mm":                    "width 2000 mm; height 2 mm",
		"2001 x 2 mm":                    "",
		"panel of 95 x 73 mm":            "panel",
		"pads of 3 x 2 mm":               "",
		"white silkscreen":               "legend colour white",
		"white silkscreen over mask":     "",
		"no silkscreen":                  "no legend",
		"no silkscreen over pads":        "",
		"2 oz copper":                    "outer copper 2 oz",
		"copper 70 um":                   "outer copper 2 oz",
		"70 um copper in the barrel":     "",
		"layer 2: 70 um":                 "layer copper 2 2 oz",
		"2 oz":                           "outer copper 2 oz",
		"weighs 2 ounces":                "outer copper 2 oz",
		"black solder mask":              "mask colour black",
		"matte black mask":               "mask colour matte black",
		"black pcb":                      "mask colour black",
		"red solder resist":              "mask colour red",
		"solder mask in red":             "mask colour red",
		"black paste mask":               "",
		"blue peelable mask":             "",
		"red solder mask opening":        "",
		"solder mask opening in red":     "",
		"solder mask between red pads":   "",
		"matte mask":                     "mask colour matte",
		"matte solder mask":              "mask colour matte",
		"matt solder resist":             "mask colour matte",
		"matte solder mask in green":     "mask colour matte green",
		"no solder mask":                 "partial_mask",
		"without solder mask on the top": "partial_mask",
		"no solder mask over pads":       "",
		"solder mask on top only":        "partial_mask",
		"black solder mask top only":     "partial_mask; mask colour black",
		"made of fr4":                    "material FR4",
		"made of fr4 tg170":              "material FR4 TG170",
		"fr4 with tg of 170":             "material FR4 TG170; glass transition 170",
		"not fr4":                        "",
		"rogers board":                   "material ROGERS",
		"mr rogers":                      "",
		"aluminium pcb":                  "material ALUMINIUM",
		"aluminium case":                 "",
		"fr4 and ro4350b":                "hybrid_stackup; material FR4",
		"fr4 or ro4350b":                 "material FR4",
		"high tg fr4":                    "material HIGH TG FR4; glass transition 170",
	} {
		p := parser{}
		p.loose(in)
		if got := words(Note{Statements: p.statements}); got != want {
			t.Errorf("loose(%q): %q, want %q", in, got, want)
		}
	}
}

// TestVias: what is done to vias: of several works the one that includes the others.
func TestVias(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"vias tented":                              "tented",
		"via: tented":                              "tented",
		"vias are plugged and tented":              "plugged",
		"vias filled":                              "filled",
		"vias filled and capped":                   "filled and capped",
		"vias capped":                              "capped",
		"vias with copper caps":                    "capped",
		"vias filled with epoxy":                   "filled",
		"vias plugged with resin":                  "filled",
		"resin plugged, resin filled":              "filled",
		"vias filled with copper paste and capped": "copper_paste_filled_capped",
		"via-in-pad":                               "filled and capped",
		"vippo":                                    "filled and capped",
		"vias plated over":                         "filled and capped",
		"vias open":                                "untented",
		"vias untented":                            "untented",
		"vias not tented":                          "untented",
		"do not tent vias":                         "untented",
		"vias not plugged":                         "",
		"no filled vias":                           "",
		"vias may be tented":                       "",
		"vias could also be plugged":               "",
		"ipc-4761 type i vias":                     "tented",
		"ipc-4761 type iii vias":                   "plugged",
		"ipc-4761 type iv-b vias":                  "plugged",
		"ipc-4761 type v vias":                     "filled",
		"ipc-4761 type vi-a vias":                  "filled",
		"vias of type vii":                         "filled and capped",
		"ipc-4761 type ii vias":                    "",
		"type v vias":                              "",
		"holes tented":                             "",
		"aviation filled":                          "",
	} {
		p := parser{}
		p.readVias(in)
		got := ""
		for _, s := range p.statements {
			got = s.Text
		}
		if got != want || len(p.statements) > 1 {
			t.Errorf("vias of %q: %q in %d statements, want %q", in, got, len(p.statements), want)
		}
	}
}

// TestWord: a word that stands by itself.
func TestWord(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]bool{
		"via": true, "a via.": true, "via-in-pad": true, "(via)": true, "aviation via": true, "trivial": false, "vias": false, "via2": false, "2via": false, "": false, "vi": false,
	} {
		if got := word(in, "via"); got != want {
			t.Errorf("word(%q, \"via\") = %v, want %v", in, got, want)
		}
	}
}

// TestNames: items that name a subject of fabrication and say something of it.
func TestNames(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]bool{
		"logo on the bottom": true, "class 3 boards": true, "warpage below 0.5 %": true,
		"logo": false, "logo: none": false, "logo: any": false, "logo:": false, "no logo": false, "prepregs as needed": false, "thickness: tbd": false, "thickness per 1.6": true,
		"ipc-a-610 class 3": false, "the colour of magic": false, "": false,
	} {
		if got := names(in); got != want {
			t.Errorf("names(%q) = %v, want %v", in, got, want)
		}
	}
}
