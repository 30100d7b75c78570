package catalog_test

import (
	"testing"

	"boardorder/pkg/catalog"
)

func TestWordsOfFiles(t *testing.T) {
	t.Parallel()
	c, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	const standard, tg155, tg170 = "FR-4", "FR-4 / TG155", "FR-4 / TG170"
	nothing, unknown := catalog.Meaning{}, catalog.Meaning{Unknown: true}
	for option, tests := range map[string]map[string]catalog.Meaning{
		"material": {
			"fr4": {Value: standard}, "FR-4 standard": {Value: standard}, "OSH 2L FR4": {Value: standard}, "FR4_Core": {Value: standard},
			"FR-4 TG135": {Value: standard}, "FR4, Tg 150": {Value: tg155}, "FR4 Tg>170": {Value: tg170}, "180 Tg FR4 or equivalent": {Value: tg170}, "150 tg FR-4": {Value: tg155}, "High-Tg FR4": {Value: tg170}, "TG170": {Value: tg170},
			"7628": {Value: standard}, "2x 1080": {Value: standard}, "Prepreg 2116 RC 50": {Value: standard}, "3313": {Value: standard},
			"IPC-4101/21": {Value: standard}, "IPC4101C / 24": {Value: tg155}, "per IPC-4101/126": {Value: tg170}, "IPC-4101/99/126": {Value: tg170}, "IPC-4101/124, 129": {Value: tg170},
			"IT-180A": {Value: tg170}, "ITEQ IT 180A": {Value: tg170}, "Isola 370HR": {Value: tg170}, "S1000-2": {Value: tg170}, "Shengyi S1000H": {Value: tg155}, "KB-6160": {Value: standard},
			"PP-006": nothing, "Core-039": nothing, "Not specified": nothing,
			"FR4 + FR-4": {Value: standard}, "FR4 + IT-180A": {Value: tg170}, "S1000-2 + S1000-2B": {Value: tg170}, "PP-006 + Core-039": nothing,
			"RO4350B + FR4": {Unable: "a board of RO4350B and FR4"}, "FR4 + RO4003C": {Unable: "a board of FR4 and RO4003C"}, "FR4 + unobtainium": unknown,
			"FR408": unknown, "FR408HR": unknown, "Rogers 4350B/FR4": unknown, "FR4 halogen free": unknown, "IPC-4101/40": unknown, "7628 unobtainium": unknown, "9999": unknown,
			"Kapton": {Value: "Polyimide"}, "RO4003C": {Unable: "Rogers 4003C"}, "CEM-3": {Unable: "CEM-3"},
		},
		"solder_mask": {
			"green": {Value: "Green"}, "LPI Green": {Value: "Green"}, "Taiyo PSR-4000, blue": {Value: "Blue"},
			"#263C80": {Value: "Blue", Nearest: true}, "#263C80D4": {Value: "Blue", Nearest: true}, "#FFFFFF": {Value: "White", Nearest: true}, "#0B0B0B": {Value: "Black", Nearest: true},
			"#00FFFF": unknown, "#12345": unknown, "dark green": unknown, "Black top, White bottom": {Unable: "a mask of another colour on either side"}, "green or blue": unknown, "matt finish, red": unknown, "Matte black": {Unable: "matte black"}, "None": nothing,
		},
		"surface_finish": {
			"ENIG": {Value: "enig"}, "ENIG 2u": {Value: "enig"}, "HASL (RoHS)": {Value: "hasl_lead_free"}, "Pb-free HASL": {Value: "hasl_lead_free"}, "HASL, Sn/Pb": {Value: "hasl"},
			"ENIG or HASL": unknown, "ENIG + hard gold": unknown, "ENEPIG": {Unable: "ENEPIG"}, "sparkle": unknown, "User defined": unknown, "gold": unknown, "": nothing,
		},
	} {
		for written, want := range tests {
			got := c.Read(option, written)
			got.Note = ""
			if got != want {
				t.Errorf("%s %q means %+v; want %+v", option, written, got, want)
			}
		}
	}
	for _, named := range []string{"IT-180A", "IPC-4101/21"} {
		if c.Read("material", named).Note == "" {
			t.Errorf("nothing is said of what %s is built of", named)
		}
	}
}

func TestWordsOfRequests(t *testing.T) {
	t.Parallel()
	c, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ option, written, want string }{
		{"solder_mask", "green", "Green"}, {"solder_mask", " BLACK", "Black"}, {"solder_mask", "Matte Black", ""}, {"solder_mask", "LPI green", ""},
		{"surface_finish", "ENIG", "enig"}, {"surface_finish", "HASL lead-free", "hasl_lead_free"}, {"surface_finish", "Immersion gold", "enig"}, {"surface_finish", "OSP", ""},
		{"material", "FR4", "FR-4"}, {"material", "fr4 tg170", "FR-4 / TG170"}, {"material", "aluminium", "Aluminum"}, {"material", "IT-180A", ""}, {"material", "", ""},
		{"via_process", "Epoxy filled capped", "epoxy_filled_capped"}, {"layers", "2", ""},
	} {
		if got, ok := c.ResolveID(tt.option, tt.written); got != tt.want || ok != (tt.want != "") {
			t.Errorf("%s %q names %q, %v; want %q", tt.option, tt.written, got, ok, tt.want)
		}
	}
}
