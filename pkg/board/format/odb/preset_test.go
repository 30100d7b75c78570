package odb

import (
	"fmt"
	"strings"
	"testing"
)

// fourLayers is a job of four copper layers with sheets between them.
func fourLayers(unit string, copper [4]string, sheets [3]string, thickness string) []File {
	matrix := "STEP {\n COL=1\n NAME=PCB\n}\n"
	files := smallest("", featuresText)
	add := func(name, kind, attributes string) {
		matrix += fmt.Sprintf("LAYER {\n ROW=%d\n CONTEXT=BOARD\n TYPE=%s\n NAME=%s\n POLARITY=POSITIVE\n}\n", strings.Count(matrix, "LAYER"), kind, name)
		files = append(files, File{"job/steps/pcb/layers/" + strings.ToLower(name) + "/attrlist", []byte("UNITS=" + unit + "\n" + attributes)},
			File{"job/steps/pcb/layers/" + strings.ToLower(name) + "/features", []byte("UNITS=MM\n")})
	}
	for i, w := range copper {
		kind, name := "SIGNAL", fmt.Sprint("L", i+1)
		if i == 0 {
			name = "TOP"
		}
		if w != "" {
			w = ".copper_weight=" + w + "\n"
		}
		add(name, kind, w)
		if i < len(sheets) && sheets[i] != "" {
			add(fmt.Sprint("SHEET", i+1), "DIELECTRIC", ".layer_dielectric="+sheets[i]+"\n")
		}
	}
	files[0].Data = []byte(matrix)
	return append(files, File{"job/misc/attrlist", []byte("UNITS=" + unit + "\n.board_thickness=" + thickness + "\n")})
}

// TestUntouchedBuild: the build that a tool writes by itself is stated by nobody, and one
// value that somebody changed makes it a choice.
func TestUntouchedBuild(t *testing.T) {
	t.Parallel()
	altium, chosen := [3]string{"0.0126", "0.0126", "0.0126"}, [3]string{"0.0082", "0.042", "0.0082"}
	for _, c := range []struct {
		name      string
		unit      string
		copper    [4]string
		sheets    [3]string
		thickness string
		inner     float64
		reported  bool // copper
		build     bool // sheets and thickness
	}{
		{"an ounce everywhere", "INCH", [4]string{"1", "1", "1", "1"}, chosen, "0.062", 1, false, true},
		{"of some layers", "INCH", [4]string{"1", "", "1", "1"}, chosen, "0.062", 1, false, true},
		{"mils of Altium, with its sheets", "INCH", [4]string{"1.4", "1.4", "1.4", "1.4"}, altium, "0.0442", 1, false, false},
		{"micrometres of Altium, with its sheets", "MM", [4]string{"35.56", "35.56", "35.56", "35.56"}, [3]string{"0.32004", "0.32004", "0.32004"}, "1.122", 1, false, false},
		{"Altium of two layers to which two were added", "MM", [4]string{"35.56", "35.001", "35.001", "35.56"}, [3]string{"0.07112", "0.32004", "0.07112"}, "0.6034024", 1, false, false},
		{"Altium without sheets in the matrix", "INCH", [4]string{"0.9929078", "0.9929078", "0.9929078", "0.9929078"}, [3]string{}, "0.0238", 1, false, false},
		{"a thickness without sheets in the matrix", "INCH", [4]string{"0.9929078", "0.9929078", "0.9929078", "0.9929078"}, [3]string{}, "0.062", 1, false, true},
		{"mils of Altium, other sheets", "INCH", [4]string{"1.4", "1.4", "1.4", "1.4"}, chosen, "0.062", 1, false, true},
		{"mils of PADS", "INCH", [4]string{"1.35", "1.35", "1.35", "1.35"}, chosen, "0.062", 1, false, true},
		{"mils of Allegro", "INCH", [4]string{"1.2", "1.2", "1.2", "1.2"}, chosen, "0.062", 1, false, true},
		{"half an ounce inside", "INCH", [4]string{"1", "0.5", "0.5", "1"}, chosen, "0.062", 0.5, true, true},
		{"two ounces outside, one left inside", "MM", [4]string{"71.12", "35.56", "35.56", "71.12"}, [3]string{"0.11735", "1.12268", "0.11735"}, "1.57", 1, true, true},
		{"two ounces between Altium's sheets", "INCH", [4]string{"2", "2", "2", "2"}, altium, "0.0442", 2, true, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			boards, _ := Read(t.Context(), fourLayers(c.unit, c.copper, c.sheets, c.thickness))
			if len(boards) != 1 {
				t.Fatalf("%d boards of %+v, want one", len(boards), c)
			}
			b := boards[0]
			if f := b.Facts.InnerCopper; f.Value != c.inner || f.IsStated() != c.reported || b.Facts.OuterCopper.IsStated() != c.reported {
				t.Errorf("inner copper %+v, outer %+v; want %v oz, stated %v", f, b.Facts.OuterCopper, c.inner, c.reported)
			}
			if f := b.Facts.Thickness; !f.Known || f.IsStated() != c.build {
				t.Errorf("thickness %+v, want stated %v", f, c.build)
			}
			for _, l := range b.Stackup {
				if want := c.build && l.Order == 0 || c.reported; l.Thickness.Known && l.Thickness.IsStated() != want {
					t.Errorf("%s: %+v, want stated %v", l.Name, l.Thickness, want)
				}
			}
		})
	}
}
