package note

import (
	"fmt"
	"testing"
)

// TestMarks: words that state something by being there, and those that only look like it
// or are taken back.
func TestMarks(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		// what is stated
		"Back drill from bottom, L1 to L6":                         "[back_drilling]",
		"BACKDRILLING per IPC-6012":                                "[back_drilling]",
		"Boards must not be cut; back drilling required":           "[back_drilling]",
		"Do not omit back drilling":                                "[back_drilling]",
		"Item no 3: back drilling":                                 "[back_drilling]",
		"PI stiffener 0.2 mm, bottom side":                         "[stiffener]",
		"Polyimide Flex":                                           "[flex]",
		"FPC thickness: 0.1 mm":                                    "[flex]",
		"Yellow coverlay":                                          "[coverlay]",
		"cover film 25 um":                                         "[coverlay]",
		"Rigid-flex, 4 layers":                                     "[rigid_flex]",
		"Carbon ink on keys":                                       "[carbon_ink]",
		"Peelable solder mask on top":                              "[peelable_mask]",
		"Cavity, depth 0.5 mm":                                     "[depth_routing]",
		"Countersink M3 holes":                                     "[depth_routing]",
		"controlled depth milling 0.8 mm":                          "[depth_routing]",
		"Press-fit holes: +/- 0.05 mm":                             "[press_fit]",
		"Blind and buried vias L1-L2, L2-L5":                       "[blind vias]",
		"microvias":                                                "[blind vias]",
		"Impedance: 50 ohm +/- 10 %":                               "[impedance]",
		"Controlled impedance":                                     "[impedance]",
		"impedance control on L1 and L4":                           "[impedance]",
		"90 Ω differential impedance":                              "[impedance]",
		"200 μm trace = 50 ohm":                                    "[impedance]",
		"79 µm trace / 101 µm space = 100 Ω":                       "[impedance]",
		"Edge plating on the long sides":                           "[edge plating]",
		"No solder mask on edge plating":                           "[edge plating]",
		"Gold fingers, bevelled edge":                              "[gold fingers bevel]",
		"V-scored rails on two sides":                              "[v-scores]",
		"Solder mask is not allowed on fingers or edge plating":    "[edge plating]",
		"Cavities are milled 0.5 mm deep":                          "[depth_routing]",
		"No silkscreen, back drilling required":                    "[back_drilling]",
		"No silkscreen over pads. Edge plating on the short sides": "[edge plating]",
		// words that only look like it
		"Low carbon footprint":               "[]",
		"R1: carbon film resistor":           "[]",
		"Press the button to start":          "[]",
		"The lid is a press fit":             "[]",
		"FPC connector":                      "[]",
		"Polyimide tape, flexible":           "[]",
		"Flexible firmware":                  "[]",
		"The back of the drill press":        "[]",
		"High impedance input, microphone":   "[]",
		"R12 = 50 ohm":                       "[]",
		"trace resistance = 50 ohm":          "[]",
		"supply lines = 12 V":                "[]",
		"The cover lays flat":                "[]",
		"The overlay is white":               "[]",
		"vias are tented":                    "[]",
		"stiff springs":                      "[]",
		"Embedded controller":                "[]",
		"Round edges, plated holes":          "[]",
		"The blind user presses the via key": "[]",
		"Peel off the film of the display":   "[]",
		"Fixed with M3 countersunk screws":   "[]",
		"It fits in the cavity of the case":  "[]",
		"concavity of the lens":              "[]",
		"a via button":                       "[]",
		"See no evil":                        "[]",
		// what is taken back
		"Impedance control: none":                        "[]",
		"Impedance control: No":                          "[]",
		"Impedance control: ":                            "[]",
		"controlled impedance is not required":           "[]",
		"No controlled impedance":                        "[]",
		"no back drilling":                               "[]",
		"Without back-drilling":                          "[]",
		"Back drilling: no":                              "[]",
		"Back drilling (no)":                             "[]",
		"Back drilling = none":                           "[]",
		"back drilling n/a":                              "[]",
		"Back drilling not needed":                       "[]",
		"Edge plating: no":                               "[]",
		"Edge plating - not required":                    "[]",
		"No blind or buried vias":                        "[]",
		"Blind vias: none":                               "[]",
		"No castellations, edge plating or gold fingers": "[]",
		"Carbon ink: N/A":                                "[]",
		"Peelable mask: not used":                        "[]",
		"There are no stiffeners":                        "[]",
		"Do not use a peelable mask":                     "[]",
		"No V-scoring":                                   "[]",
		"Plated Board Edge: ":                            "[]",
		"Stackup, controlled impedance, panelization and the finished thickness of the board are not approved yet": "[]",
		"Back drilling is not specified":                   "[]",
		"Controlled impedance; the stackup is not decided": "[impedance]",
	} {
		var got []Topic
		for _, s := range Marks(line) {
			got = append(got, s.Topic)
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%q: %v, want %s", line, got, want)
		}
	}
}

// TestOneLineOfTheTradeIsEnough: what means nothing but work on a board makes notes of a
// file; what may stand in any text does not.
func TestOneLineOfTheTradeIsEnough(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"Back drill L1 to L6\n":                         1,
		"# Stiffener\nPI stiffener, 0.2 mm\n":           1,
		"The case has cavities.\n":                      0,
		"A controlled impedance bridge for the bench\n": 0,
		"# My robot\nNo back drilling\n":                0,
	} {
		if got := len(Read("README.txt", []byte(text)).Statements); got != want {
			t.Errorf("%q: %d statements, want %d", text, got, want)
		}
	}
}

// TestEdgesOfHalfHoles: on how many edges half holes lie, where a line says so of them.
func TestEdgesOfHalfHoles(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]int{
		"Castellated Holes: Yes (2 edges)":                                 2,
		"castellated pads on both long edges":                              2,
		"Half holes on all four sides":                                     4,
		"two sides are castellated":                                        2,
		"Plated half-holes: 1 side":                                        1,
		"Castellated holes":                                                0,
		"Castellated holes, solder mask on both sides":                     0,
		"Castellated holes of 0.6 mm, of which 4 lie in every long corner": 0,
	} {
		got := Marks(line)
		if len(got) != 1 || got[0].Topic != Castellations || got[0].Number != want {
			t.Errorf("%q says %+v, want castellations on %d edges", line, got, want)
		}
	}
}
