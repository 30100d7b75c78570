package altium

import (
	"slices"
	"testing"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/testkit/pcbdoc"
)

// TestCopperOfTies: what copper of a part joins of its pads on several nets is meant, so
// it has no net of its own. Other copper of parts keeps its net.
func TestCopperOfTies(t *testing.T) {
	t.Parallel()
	own := func(layer, net, part int) pcbdoc.Object {
		return pcbdoc.Object{Layer: layer, Net: net, Pour: pcbdoc.None, Part: part}
	}
	square := []float64{1080, 1080, 1220, 1080, 1220, 1120, 1080, 1120}
	for _, c := range []struct {
		name string
		draw func(f *pcbdoc.File)
		nets []string // of copper but pads
	}{
		{"an area from pad to pad", func(f *pcbdoc.File) { f.Region(own(pcbdoc.Top, 0, 0), "|KIND=0", square) }, []string{""}},
		{"a fill from pad to pad", func(f *pcbdoc.File) { f.Fill(own(pcbdoc.Top, 0, 0), 1080, 1080, 1220, 1120, 0) }, []string{""}},
		{"tracks, of which one reaches the other pad", func(f *pcbdoc.File) {
			f.Track(own(pcbdoc.Top, 0, 0), 1100, 1100, 1100, 1300, 8)
			f.Track(own(pcbdoc.Top, 0, 0), 1100, 1300, 1200, 1100, 8)
		}, []string{"", ""}},
		{"an arc", func(f *pcbdoc.File) { f.Arc(own(pcbdoc.Top, 0, 0), 1150, 1100, 50, 0, 180, 8) }, []string{""}},
		{"a track that ends at its own pad", func(f *pcbdoc.File) { f.Track(own(pcbdoc.Top, 0, 0), 1100, 1100, 1150, 1100, 8) }, []string{"A"}},
		{"a track on the other side", func(f *pcbdoc.File) { f.Track(own(pcbdoc.Bottom, 0, 0), 1100, 1100, 1200, 1100, 8) }, []string{"A"}},
		{"a track of the board", func(f *pcbdoc.File) { f.Track(pcbdoc.NetObject(pcbdoc.Top, 0), 1100, 1100, 1200, 1100, 8) }, []string{"A"}},
		{"a track of another part", func(f *pcbdoc.File) { f.Track(own(pcbdoc.Top, 0, 1), 1100, 1100, 1200, 1100, 8) }, []string{"A"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			f := pcbdoc.New(2000, 1000)
			f.Net("A")
			f.Net("B")
			f.Part("|SOURCEDESIGNATOR=W1|PATTERN=IFA|LAYER=TOP")
			f.Part("|SOURCEDESIGNATOR=R1|PATTERN=0603|LAYER=TOP")
			for i, x := range []float64{1100, 1200} {
				f.Pad(pcbdoc.Pad{Object: own(pcbdoc.Top, i, 0), Name: string(rune('1' + i)), X: x, Y: 1100, W: 30, H: 30, Shape: 2})
			}
			c.draw(f)
			b := readBoard(t, f)
			var nets []string
			for _, l := range b.Copper() {
				for i := range l.Features {
					if x := &l.Features[i]; x.Kind != pcb.FlashFeature {
						nets = append(nets, b.Nets[x.Net].Name)
					}
				}
			}
			if !slices.Equal(nets, c.nets) {
				t.Errorf("nets %q, want %q", nets, c.nets)
			}
		})
	}
}
