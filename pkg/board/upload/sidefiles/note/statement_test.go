package note

import (
	"fmt"
	"strings"
	"testing"
)

// words shows what a text says, a line's worth for each statement, and which lines were not
// understood.
func words(n Note) string {
	var out []string
	for _, s := range n.Statements {
		w := strings.TrimSpace(show([]Statement{s}))
		_, w, _ = strings.Cut(w, " ")
		if s.Unclear {
			w += " ?"
		}
		out = append(out, w)
	}
	for _, u := range n.Unread {
		out = append(out, fmt.Sprintf("unread %d", u.Line))
	}
	return strings.Join(out, "; ")
}

// TestOneStatementIsEnough: a line that stands by itself counts in any text.
func TestOneStatementIsEnough(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Stiffener: FR4, 0.4 mm":                                    "stiffener",
		"Stiffener: bottom plastic: 0.2 mm, bottom FR4: 0 mm":       "stiffener",
		"2 layers, FR4 stiffener 0.4 mm, ENIG":                      "stiffener; layers 2; finish ENIG",
		"Base material: polyimide, stiffener FR-4":                  "stiffener; material POLYIMIDE",
		"FR4 stiffener, base material: polyimide":                   "stiffener; material POLYIMIDE",
		"FR4, 1.6 mm, no stiffener":                                 "material FR4; thickness 1.6 mm",
		"Castellated holes on the left edge":                        "castellations",
		"Plated half-holes":                                         "castellations",
		"Edge plating on all four sides required":                   "edge plating",
		"Blind vias L1-L2 laser drilled 0.1 mm":                     "blind vias",
		"HDI 1+2+1":                                                 "blind vias",
		"Controlled impedance: 50 ohm":                              "impedance",
		"All vias filled with epoxy and capped (IPC-4761 Type VII)": "via process filled and capped",
		"Vias: plugged":                                             "via process plugged",
		"Gold fingers: yes":                                         "gold fingers",
		"Hard gold on edge fingers":                                 "gold fingers; selective_finish",
		"Material: Rogers RO4003C":                                  "material ROGERS RO4003C",
		"Material: Megtron 6":                                       "material MEGTRON 6",
		"FR4 TG180":                                                 "material FR4 TG180",
		"Finish: OSP":                                               "finish OSP",
		"Finish: Immersion tin":                                     "finish immersion tin",
		"Soldermask: matte black":                                   "mask colour matte black",
		"V-score: yes":                                              "v-scores",
		"Silkscreen: none":                                          "no legend",
		"Thickness: 0.8 mm":                                         "thickness 0.8 mm",
		"P.C.B material         RoHS TG170":                         "material FR-4 TG170",
		"Material: TG150":                                           "material FR-4 TG150",
		"Finish                 ENIG (Gold) (Lead free) (RoHS)":     "finish ENIG",
		"Number of layers       4":                                  "layers 4",
		"No. of layers: 4":                                          "layers 4",
		"No of layers = 4":                                          "layers 4",
		"Copper: 2 layers":                                          "layers 2",
		"Copper layers: 4":                                          "layers 4",
		"30 degree bevel":                                           "bevel",
		"Bevel: 45°":                                                "bevel",
		"Bevelled card edge":                                        "bevel",
		"Edges below the fingers must be chamfered, 20 degrees":     "bevel",
		// what is no statement, or taken back
		"Top Solder Mask        board.GTS":              "",
		"Blind Vias             No":                     "",
		"Material   Qty   Remark":                       "",
		"No bevel on the fingers":                       "",
		"Bevelled corners look nice":                    "",
		"TG170 is the name of the cat":                  "",
		"Blind vias: none":                              "",
		"Gold fingers: no":                              "",
		"Material: PLA":                                 "",
		"Color: black":                                  "",
		"Layer height: 0.2 mm":                          "",
		"Finish: matte varnish":                         "",
		"Case thickness: 2 mm acrylic":                  "",
		"The enclosure is black.":                       "",
		"Thickness of the case: 3 mm":                   "",
		"A 4-layer cake":                                "",
		"The solder mask opening is larger than needed": "",
		"Solder mask expansion: 0.05 mm":                "",
		"This board has no castellated holes":           "",
		"R1: 100 ohm resistor":                          "",
		"Not for high impedance probes":                 "",
	} {
		if got := words(Read("README.txt", []byte(text+"\n"))); got != want {
			t.Errorf("%q says %q, want %q", text, got, want)
		}
	}
}

// TestLinesOfNotes: what stands beside a laminate and a finish that are understood.
func TestLinesOfNotes(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"Half holes on edges": "castellations",
		"VIPPO required":      "via process filled and capped",
		"Selective hard gold": "selective_finish",
		"Plugged with resin":  "via process filled",
		"Via-in-pads must be resin filled with metal cap (IC1)":       "via process filled and capped",
		"IC1 thermal pad vias must be resin filled with metal cap":    "via process filled and capped",
		"Vias resin filled with copper cap":                           "via process filled and capped",
		"Vias epoxy filled and cap plated":                            "via process filled and capped",
		"Vias copper filled and capped":                               "via process copper_paste_filled_capped",
		"Vias resin filled, no metal cap":                             "via process filled",
		"Vias: IPC-4761 type V":                                       "via process filled",
		"Vias: IPC-4761 type III":                                     "via process plugged",
		"Vias of the type I like":                                     "",
		"All through hole vias may be plated shut":                    "",
		"All vias must be plated shut":                                "via process filled and capped",
		"Vias can be tented":                                          "",
		"Metal cap on the connector":                                  "",
		"Copper: 2 oz, 2 layers":                                      "outer copper 2 oz; layers 2",
		"Inner layers are counted from the top downwards":             "",
		"inner layers - .0826mm/.110mm (3.25/4)":                      "",
		"Inner copper: heavy":                                         "inner copper heavy ?",
		"Silkscreen: top and bottom, white":                           "legend colour white",
		"Silkscreen: white, 1.6 mm, blue":                             "legend colour white; thickness 1.6 mm; mask colour blue",
		"Soldermask: SMOBC, green":                                    "mask colour green",
		"Countersink: 3.2 mm":                                         "depth_routing",
		"Depth milling 0.8 mm":                                        "depth_routing",
		"Cavity on layer 3":                                           "depth_routing",
		"Copper coin":                                                 "heatsink_bonding",
		"Heatsink bonded":                                             "heatsink_bonding",
		"Solder mask on top side only":                                "partial_mask",
		"Solder mask: none on bottom":                                 "partial_mask",
		"No silkscreen":                                               "no legend",
		"Silkscreen colour: yellow":                                   "legend colour yellow",
		"Matte mask":                                                  "mask colour matte",
		"CTI 600":                                                     "laminate_property",
		"Halogen free":                                                "laminate_property",
		"Solder mask: black, both sides, halogen free":                "mask colour black",
		"Silkscreen: white epoxy ink, halogen-free":                   "legend colour white",
		"Solder mask green, FR4 halogen free":                         "laminate_property; mask colour green; material FR4",
		"Material: FR4, halogen free":                                 "laminate_property; material FR4",
		"Weight: 0.000194oz":                                          "",
		"Copper weight: 0.5oz":                                        "outer copper 0.5 oz",
		"IPC-6012 Class 3":                                            "ipc_class_3",
		"Copper thickness in barrel 25 um":                            "hole_plating",
		"50 ohm single ended on layer 1":                              "impedance",
		"Panelize 2x5 with 5 mm rails":                                "panel wanted",
		"Deliver in panels of 4 boards":                               "panel wanted",
		"Vias: untented":                                              "via process untented",
		"No via tenting":                                              "via process untented",
		"Semi-flex":                                                   "semi_flex",
		"PCB color: black":                                            "mask colour black",
		"Color: red":                                                  "mask colour red",
		"Mask - red":                                                  "mask colour red",
		"LPI: black":                                                  "mask colour black",
		"Outer copper: 105 um":                                        "outer copper 3 oz",
		"Solder mask: black top, white bottom":                        "mask colour black; mask colour white",
		"Copper: 2 oz top, 1 oz bottom":                               "outer copper 2 oz; outer copper 1 oz",
		"Thickness: 0.8 - 1.0 mm":                                     "thickness 0.8 - 1.0 mm ?",
		"Thickness: paper":                                            "thickness paper ?",
		"Thickness: 1.6 mm +/- 10%":                                   "thickness 1.6 mm",
		"Thickness: 0.062 inch (1.57mm)":                              "thickness 1.575 mm",
		"thickness (mm): 0.8":                                         "thickness 0.8 mm",
		"Layer 2 and 3: 70 um":                                        "layer copper 2 2 oz; layer copper 3 2 oz",
		"Inner layer 2: 2 oz, inner layer 3: 1 oz":                    "inner copper 2 oz; inner copper 1 oz",
		"Inner layers: 1 oz":                                          "inner copper 1 oz",
		"1 oz copper on all layers":                                   "outer copper 1 oz; inner copper 1 oz",
		"Layer stack: 1 Top 2 oz, 2 GND 1oz, 3 PWR 1oz, 4 bottom 2oz": "layer copper 1 2 oz; layer copper 2 1 oz; layer copper 3 1 oz; layer copper 4 2 oz",
		"Soldermask: LPI, green, both sides per IPC-SM-840":           "mask colour green",
		"Dicke: 0,8 mm":                                               "thickness 0.8 mm",
		"Lötstoppmaske: schwarz":                                      "mask colour black",
		"Épaisseur: 0,8 mm":                                           "thickness 0.8 mm",
		"Vernis: noir":                                                "mask colour black",
		"Spessore: 0,8 mm":                                            "thickness 0.8 mm",
		"Máscara de soldadura: rojo":                                  "mask colour red",
		"阻焊颜色: 黑色":                                                    "mask colour black",
		"板厚：0.8mm":                                                    "thickness 0.8 mm",
		// what is named and not understood
		"UL marking required":                       "unread 3",
		"No fab logo on board. Warpage below 0.5 %": "unread 3",
		"Chamfer the edge at 30 degrees":            "unread 3",
		// what asks for nothing
		"IPC-A-610 Class 3 for assembly":       "",
		"Back drilling: none":                  "",
		"Solder mask: both sides":              "",
		"Board thickness:\t1,2396 mm":          "thickness 1.24 mm",
		"Board thickness:\tMin hole:\t0.3 mm":  "",
		"Board thickness:":                     "",
		"0.2 mm\tFR-4\t4.36\tDielectric":       "",
		"0.2 mm\tFR-4\t4.36\tBoard":            "thickness 0.2 mm",
		"Chamfered edges (45°)":                "bevel",
		"Chamfered edges":                      "unread 3",
		"Chamfered corners, 45°":               "unread 3",
		"Delivery Format: Panel by Customer":   "panel",
		"Different Design: 2":                  "panel",
		"4 layers, 35um copper":                "layers 4; outer copper 1 oz; inner copper 1 oz",
		"4 layers, 35um outer copper":          "layers 4; outer copper 1 oz",
		"4 layers, 35um (1 oz) copper":         "layers 4; outer copper 1 oz",
		"4 layers, 1 oz copper":                "layers 4; outer copper 1 oz",
		"2 layers, 35um copper":                "layers 2; outer copper 1 oz",
		"Different Design: 1":                  "",
		"A panel by another customer":          "unread 3",
		"Surface Finish - Personal preference": "",
		"Surface finish: no preference":        "",
		"Material: up to you":                  "",
		"Surface finish: the buyer's choice":   "",
		"Surface finish: preferably shiny":     "finish preferably shiny ?",
		"Impedance control: no":                "",
		"board.gts Top soldermask":             "",
		"Thanks for reading":                   "",
		"Class 2":                              "",
		"Plating in holes: 20 um":              "",
	} {
		got := words(Read("README.txt", []byte("Material: FR-4\nFinish: ENIG\n"+line+"\n")))
		if got = strings.TrimPrefix(strings.TrimPrefix(got, "material FR-4; finish ENIG"), "; "); got != want {
			t.Errorf("%q says %q, want %q", line, got, want)
		}
	}
}

// TestWholeTexts: lists, tables, other languages, several values, and sentences about
// another board or version.
func TestWholeTexts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, file, text, want string }{
		{"a list with labels", "a.txt", "Material: FR-4, Thickness 0.031 inch, ENIG, 2 oz copper, black mask", "material FR-4; thickness 0.7874 mm; finish ENIG; outer copper 2 oz; mask colour black"},
		{"a list without", "a.txt", "FR-4, 0.8 mm, ENIG, 2oz, black", "material FR-4; finish ENIG; outer copper 2 oz; thickness 0.8 mm; mask colour black"},
		{"a sentence of options", "a.txt", "Order at 0.8mm thickness, ENIG, black.", "thickness 0.8 mm; finish ENIG; mask colour black"},
		{"German", "a.txt", "Leiterplattendicke: 0,8 mm / Kupfer 70 µm / Lötstoppmaske: schwarz matt / Oberfläche: chemisch Gold", "thickness 0.8 mm; outer copper 2 oz; mask colour matte black; finish ENIG"},
		{"German of Windows", "a.txt", "Kupfer: 70 \xb5m\nOberfl\xe4che: chemisch Gold", "outer copper 2 oz; finish ENIG"},
		{"Chinese", "a.txt", "板厚: 1.0mm 铜厚: 2oz 阻焊颜色: 蓝色 表面处理: 沉金", "thickness 1 mm; outer copper 2 oz; mask colour blue; finish ENIG"},
		{"Russian", "README.md", "При заказе __учитывайте__, что модули имели толщину текстолита __1,27±0,1мм__.", "unread 1"},
		{"a thickness in a sentence", "README.md", "I used a 0.8mm PCB when I originally made these, and found it worked quite well.", "unread 1"},
		{"what is no plain board in a sentence", "README.md", "The modules sit on the carrier by castellated pads which you solder by hand; ask for it.", "unread 1"},
		{"sentences of other things", "README.md", "Blind people can use it. The panel has a logo. It is 3 mm thick acrylic, and the 5 mm screws hold the 90 mm case.\nThere are no castellated holes.", ""},

		{"Russian of contacts", "README.md", "При заказе платы не забудьте указать, что плата имеет контакты на краю платы и нужен скос.", "gold fingers; bevel"},
		{"Russian of Windows", "readme.txt", "\xcc\xe0\xf2\xe5\xf0\xe8\xe0\xeb:\tFR4\n\xd2\xee\xeb\xf9\xe8\xed\xe0:\t1.5\xec\xec", "material FR4; thickness 1.5 mm"},
		{"Russian in all its words", "заказ.txt", "Тип: 4-х слойная печатная плата\nТолщина меди: 35 мкм\nЦвет маски: чёрный\nФинишное покрытие: иммерсионное золото\nПолуотверстия: нет", "layers 4; outer copper 1 oz; mask colour black; finish ENIG"},
		{"rows of sentences, one of them a colour", "README.md", "- upload the ZIP\n- PCB Thickness 1.2mm (this is crucial)\n- 2 layers\n- PCB Color Black\n- Remove Order Number Yes", "thickness 1.2 mm; layers 2; mask colour black"},
		{"a sentence that says how to order", "README.md", "Order with black soldermask. Select \"Remove mark\" as there is no place for the order number and the manufacturer may place it to the top.", "mask colour black"},
		{"a sentence of somebody's order", "README.md", "I was going to order with a friend who likes black soldermask on each and every one of his many boards.", "unread 1"},
		{"lettering of a card", "card.txt", "0.8mm PCB\n45 degree chamfered edge\nFour layer design", "thickness 0.8 mm; bevel"},
		{"what a region is kept free of", "fab.md", "Thickness: 0.8 mm\nKeep the hinge free of stiffener, vias, pads, and added copper.\nThe area must remain free of unrelated pads, tracks, vias, and filled zones on all four copper layers", "thickness 0.8 mm"},
		{"a weight of a fabricator's job", "job.json", "{\"thickness\": 1.6, \"cu_inner\": 0.0,\n\"cu_outer\": 1.0}", "thickness 1.6 mm; outer copper 1 oz"},
		{"how many copper layers", "job.json", "{\"thickness\": 1.6,\n\"copper_layers\": 2}", "thickness 1.6 mm; layers 2"},
		{"a finish that is better than another", "fab.md", "Thickness: 0.8 mm\nENIG is preferred for the fine pitch because it\nis flatter than HASL.", "thickness 0.8 mm; finish ENIG"},
		{"a finish besides another", "fab.md", "Thickness: 0.8 mm\nFinish: HASL rather than ENIG", "thickness 0.8 mm; finish HASL"},
		{"a table of Markdown", "README.md", "# X\n\n| Option | Value |\n|---|---|\n| Thickness | 0.8 mm |\n| Colour | Black |\n| Finish | ENIG |\n", "thickness 0.8 mm; mask colour black; finish ENIG"},
		{"rows of a table", "options.csv", "Thickness,0.8 mm\nSolder mask,Black\nCastellated,yes\n", "thickness 0.8 mm; mask colour black; castellations"},
		{"columns of a table", "options.csv", "Thickness (mm),Surface finish,Solder mask\n0.8,ENIG,Black\n", "thickness 0.8 mm; finish ENIG; mask colour black"},
		{"a table with tabs", "options.tsv", "Thickness\t0.8 mm\nFinish\tENIG\n", "thickness 0.8 mm; finish ENIG"},
		{"an object", "options.json", "{\"board\": {\"thickness_mm\": 0.8,\n\"solderMask\": \"black\", \"castellated\": true, \"edge_plating\": false}}", "thickness 0.8 mm; mask colour black; castellations"},
		{"an object of which some is left open", "options.json", "{\"thickness_mm\": 0.8,\n\"solderMask\": \"black\", \"gold_fingers\": -1, \"castellated\": -1}", "thickness 0.8 mm; mask colour black"},
		{"an object with the record of a check", "record.json", "{\"thickness_mm\": 0.8,\n\"solderMask\": \"black\", \"audit_hdi_info\": {\"is_execution\": 1, \"is_hdi\": 1}, \"half_holes_is_execution\": 1}", "thickness 0.8 mm; mask colour black"},
		{"an object of something else", "package.json", "{\"name\": \"x\", \"color\": \"black\", \"layers\": [{\"name\": \"a\", \"material\": \"FR4\"}]}", ""},
		{"a mask over bare copper", "a.txt", "Thickness: 0.8 mm\napply solder mask over bare copper (SMOBC)\nFinish: ENIG", "thickness 0.8 mm; finish ENIG; unread 2"},
		{"a sentence about the mask", "a.txt", "Thickness: 0.8 mm\nFinish: ENIG\nCopper: 1 oz\nsolder mask to be less than or equal to in height of the\nfinished component pads.", "thickness 0.8 mm; finish ENIG; outer copper 1 oz; unread 4"},
		{"a colour that nobody knows", "a.txt", "Thickness: 0.8 mm\nFinish: ENIG\nCopper: 1 oz\nSolder mask: sunset ochre", "thickness 0.8 mm; finish ENIG; outer copper 1 oz; mask colour sunset ochre ?"},
		{"bare copper", "a.txt", "Thickness: 0.8 mm\nFinish: bare copper", "thickness 0.8 mm; finish bare copper"},
		{"no legend", "a.txt", "Thickness: 0.8 mm\nSilkscreen: none", "thickness 0.8 mm; no legend"},
		{"no legend on one side", "a.txt", "Thickness: 0.8 mm\nBottom silkscreen: none", "thickness 0.8 mm"},
		{"a list of subjects", "fab notes.txt", "Thickness: 0.8 mm\nBoard stackup, copper weight, finish, material, controlled impedance and finished thickness are not approved until tested", "thickness 0.8 mm; unread 2"},
		{"subjects of which a sentence leaves all open", "fab notes.txt", "Thickness: 0.8 mm\nBoard stackup, copper weight, finish, material, controlled impedance, panelization, and finished thickness are NOT approved until tested.", "thickness 0.8 mm; unread 2"},
		{"a file of vias by its name", "fab notes.txt", "Thickness: 0.8 mm\nVia-in-pad fill/cap/tenting is not specified; review via-in-pad-review.txt.", "thickness 0.8 mm"},
		{"subjects in a row that are no values", "fab notes.txt", "Thickness: 0.8 mm\nfinish, material, controlled impedance required", "thickness 0.8 mm; impedance"},
		{"a subject and its value by commas", "a.txt", "Thickness: 0.8 mm\nFinish, ENIG", "thickness 0.8 mm; finish ENIG"},
		{"thicknesses of sheets by slashes", "a.txt", "1.6 mm FR-4, 1 oz copper, dielectric 0.2 / 1.03 / 0.2 mm", "material FR-4; outer copper 1 oz"},
		{"colours behind their subjects", "README.txt", "dimensions 100mm x 100mm\nsilk black\nmask white\npads Pb/Sn", "width 100 mm; height 100 mm; legend colour black; mask colour white; finish leaded HASL"},
		{"inches by their mark", "read_me.txt", "- PCB Thickness: 0.031\"\n- Finish: \"ENIG\"", "thickness 0.7874 mm; finish ENIG"},
		{"a zero before the four", "a.txt", "- PCB Material: FR-04\n- Finish: ENIG", "material FR-4; finish ENIG"},
		{"two values", "a.txt", "Thickness: 0.8 mm\nFinish: HASL\nThickness: 1.2 mm\nFinish: ENIG", "thickness 0.8 mm; finish HASL; thickness 1.2 mm; finish ENIG"},
		{"alternatives", "a.txt", "Material: FR-4\nFinish: ENIG or HASL", "material FR-4; finish ENIG; finish HASL"},
		{"a glass transition beside FR-4", "a.txt", "Material: FR-4\nFinish: ENIG\nMinimum Tg 170 C", "material FR-4 TG170; finish ENIG"},
		{"sheets of several kinds by their places", "a.txt", "Material: Rogers RO4350B under top layer\n  FR4 for all other layers is ISOLA 470HR", "material ROGERS RO4350B UNDER TOP LAYER; material FR4; hybrid_stackup"},
		{"a choice of sheets", "a.txt", "Material: Rogers RO4350B\nalternatively FR4 in all its kinds", "material ROGERS RO4350B; material FR4"},
		{"two kinds of FR-4 by their places", "a.txt", "Material: FR4 for outer layers\n  Isola 370HR for inner layers", "material FR4 FOR OUTER LAYERS; material ISOLA 370HR"},
		{"a hybrid", "a.txt", "Material: RO4350B / FR-4 hybrid", "material RO4350B; hybrid_stackup; material FR-4"},
		{"changes", "a.txt", "v1: 0.8 mm, HASL\nv2: 1.6 mm, ENIG", "unread 1; unread 2"},
		{"a section of changes", "README.md", "# X\n\nFinish: ENIG\n\n## Changelog\n\nThickness: 0.8 mm\n\n## Order\n\nThickness: 1.2 mm\n", "finish ENIG; thickness 1.2 mm"},
		{"a section about the case", "README.md", "# X\n\nFinish: ENIG\n\n## Case\n\nMaterial: PLA\nColor: black\nThickness: 3 mm\n", "finish ENIG"},
		{"a file of changes", "CHANGELOG.md", "Finish: ENIG\nThickness: 0.8 mm\n", ""},
		{"another board", "a.txt", "It fits a daughter board with thickness: 0.8 mm and finish: ENIG", "unread 1"},
		{"no text", "a.txt", "Finish: ENIG\x00\x01", ""},
	} {
		if got := words(Read(c.file, []byte(c.text))); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestLanguages: every word of the table becomes English that is understood as such.
func TestLanguages(t *testing.T) {
	t.Parallel()
	for written, english := range foreignWords().english {
		if got := strings.TrimSpace(plain("x " + written)); !strings.Contains(got, strings.Trim(english, " :")) {
			t.Errorf("%q becomes %q, want %q", written, got, english)
		}
	}
	for _, text := range []string{"rotate the board", "alignment", "Verdein", "a normal via"} {
		if got := english(strings.ToLower(text)); got != strings.ToLower(text) {
			t.Errorf("%q becomes %q, want it unchanged in lower case", text, got)
		}
	}
}

// TestIsOptions: tables of options are none of parts.
func TestIsOptions(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"Parameter,Value,Comment\nThickness,0.8 mm,\nSolder mask,Black,\n": true,
		"Reference,Value,Quantity\nR1,10k,1\nC1,100n,1\n":                  false,
		"Designator,Comment,Material\nR1,10k,ceramic\n":                    false,
	} {
		if got := IsOptions([]byte(text)); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
