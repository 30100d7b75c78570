package stackup_test

import (
	"fmt"
	"strings"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/uploads"
)

// One stack means the same in a board file and in the job file of its Gerbers.
func TestCopperOfAStackIsTheSameByEitherFile(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		um         []float64
		outer      string
		inner      string
		mixedInner string
	}{
		"untouched":           {[]float64{35, 35, 35, 35}, "1 false", "1 false", ""},
		"as fabricators list": {[]float64{35, 15.2, 15.2, 35}, "1 true", "0.5 true", ""},
		"two weights within":  {[]float64{17.5, 35, 17.5, 17.5, 35, 17.5}, "0.5 true", "1 true", "1 oz on 2 layers, 0.5 oz on 2 layers"},
		"heavy outside":       {[]float64{70, 35, 35, 70}, "2 true", "1 true", ""},
	} {
		for kind, f := range map[string]pcb.Facts{"job file": jobWith(tt.um).Read(t).Boards[0].Facts, "board file": pcbWith(tt.um).Read(t).Boards[0].Facts} {
			outer, inner := fmt.Sprint(f.OuterCopper.Value, f.OuterCopper.IsStated()), fmt.Sprint(f.InnerCopper.Value, f.InnerCopper.IsStated())
			if outer != tt.outer || inner != tt.inner || f.MixedInner.Value != tt.mixedInner || f.MixedOuter.Known {
				t.Errorf("%s, %s: outer %s, inner %s, mixed %q; want %s, %s, %q", name, kind, outer, inner, f.MixedInner.Value, tt.outer, tt.inner, tt.mixedInner)
			}
		}
	}
}

func jobWith(um []float64) uploads.Set {
	var layers []string
	for _, t := range um {
		layers = append(layers, fmt.Sprintf(`{"Type":"Copper","Thickness":%v}`, t/1000))
	}
	return uploads.Ordinary().Merge(uploads.Set{"x.gbrjob": fmt.Sprintf(`{"Header":{"GenerationSoftware":{"Vendor":"KiCad"}},"GeneralSpecs":{"LayerNumber":%d,"Size":{"X":20,"Y":10}},"MaterialStackup":[%s]}`,
		len(um), strings.Join(layers, ","))})
}

func pcbWith(um []float64) uploads.Set {
	var layers, stack strings.Builder
	for i, t := range um {
		name, id := fmt.Sprintf("In%d.Cu", i), i
		switch i {
		case 0:
			name = "F.Cu"
		case len(um) - 1:
			name, id = "B.Cu", 31
		}
		fmt.Fprintf(&layers, `(%d %q signal)`, id, name)
		fmt.Fprintf(&stack, `(layer %q (type "copper") (thickness %v))`, name, t/1000)
	}
	return uploads.Set{"x.kicad_pcb": fmt.Sprintf(`(kicad_pcb (version 20221018) (generator pcbnew) (general (thickness 1.6)) (layers %s (44 "Edge.Cuts" user))
 (setup (stackup %s)) (net 0 "") (gr_rect (start 0 0) (end 20 10) (layer "Edge.Cuts") (width 0.1)))`, layers.String(), stack.String())}
}

// What a layer stack table says of the mask counts unless it is what Altium begins with.
func TestMaskOfAStackTable(t *testing.T) {
	t.Parallel()
	for colour, want := range map[string]string{"#FF008000": "green false", "#FF263C80": "#263C80 true", "": " false", "blue": " false"} {
		p := uploads.Ordinary().Merge(uploads.Set{"stack.csv": "Board Layer Stack\nNumber,Name,Type,Material,Process,Thickness (mm),Weight (oz),Color\n" +
			",Top Solder,Solder Mask,SM-001,,0.01,," + colour + "\n1,Top Layer,Signal,CF,ED,0.035,1,\n,Dielectric 1,Core,FR4,,1.5,,\n2,Bottom Layer,Signal,CF,ED,0.035,1,\n"}).Read(t)
		f := p.Boards[0].Facts
		if got := fmt.Sprint(f.MaskColour.Value, " ", f.MaskColour.IsStated()); got != want {
			t.Errorf("%q: %q; want %q", colour, got, want)
		}
	}
}
