package kicad

import (
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/board/foil"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/preset"
)

// state fills the board's facts with what the file says or shows.
func (r *pcbReader) state() {
	f := &r.b.Facts
	src := pcb.Source{File: r.file}
	if n := len(r.layers.copper); n > 0 {
		f.CopperLayers = pcb.State(n, src, 0.99, "layer table of the board")
	}
	if o := r.b.Outline; len(o.Areas) > 0 {
		box := o.Bounds()
		f.Width = pcb.State(box.Width(), o.Source, 0.97, "outline on Edge.Cuts")
		f.Height = pcb.State(box.Height(), o.Source, 0.97, "outline on Edge.Cuts")
	}
	r.stateThickness()
	r.stateCopper()
	r.stateFinish()
	r.stateHoles()
	r.stateVias()
	for _, n := range r.needs {
		f.Needs(n)
	}
	if r.minTrack > 0 {
		f.MinTrack = pcb.State(r.minTrack, src, 0.95, "narrowest track")
	}
	if t := toolName(r.tool, r.version); t != "" {
		f.Tool = pcb.State(t, pcb.Source{File: r.file, Line: 1}, 0.99, "head of the board file")
	}
	if r.title.revision != "" {
		f.Revision = pcb.State(r.title.revision, src, 0.9, "title block")
	}
	if r.title.date != "" {
		f.Date = pcb.State(r.title.date, src, 0.8, "title block")
	}
}

// toolName says which KiCad wrote the file.
func toolName(host string, version int) string {
	host = strings.Join(strings.Fields(host), " ")
	if host != "" && !strings.HasPrefix(host, "pcbnew") {
		return host
	}
	release := "KiCad"
	for _, v := range []struct {
		from int
		name string
	}{{20250300, "10"}, {version9, "9"}, {version8, "8"}, {version7, "7"}, {version6, "6"}, {20160000, "5"}, {version4, "4"}, {1, "3"}} {
		if version >= v.from {
			release += " " + v.name
			break
		}
	}
	if host == "" {
		return release
	}
	return fmt.Sprintf("%s (%s)", release, host)
}

// stateThickness: what KiCad starts with says nothing while the stackup is untouched.
func (r *pcbReader) stateThickness() {
	s := &r.setup
	if s.thickness <= 0 {
		return
	}
	src := pcb.Source{File: r.file, Line: s.thicknessLine}
	// 1.6 mm may be meant where somebody edited the stackup; as much core between any two
	// layers as a board of two has is not, whatever colour was chosen.
	if PresetThickness(s.thickness, len(s.stackup.copper)) && (!s.stackup.edited || s.thickness != wholeThickness) {
		r.b.Facts.Thickness = pcb.Preset(s.thickness, src, "board setup, untouched")
		return
	}
	r.b.Facts.Thickness = pcb.State(s.thickness, src, 0.95, "board setup")
	if t := s.stackup.total; s.stackup.edited && t > 0 && (t-s.thickness > s.thickness/10 || s.thickness-t > s.thickness/10) {
		r.finding(pcb.Warning, "thickness_mismatch", s.stackup.line,
			"the board's thickness is given as %.2f mm, but the layers of its stackup add up to %.2f mm",
			float64(s.thickness)/1e6, float64(t)/1e6)
	}
}

// stateCopper: what KiCad starts with says nothing while no layer was changed.
func (r *pcbReader) stateCopper() {
	s := &r.setup.stackup
	if len(s.copper) == 0 || slices.Min(s.copper) <= 0 {
		return
	}
	src := pcb.Source{File: r.file, Line: s.line}
	const how = "board setup: stackup"
	foil.State(&r.b.Facts, s.copper, func(oz float64) pcb.Fact[float64] {
		if preset.StackOf("KiCad").CopperOf(s.copper) {
			return pcb.Preset(oz, src, how+", untouched")
		}
		return pcb.State(oz, src, 0.95, how)
	})
}

func (r *pcbReader) stateFinish() {
	s := &r.setup.stackup
	f := &r.b.Facts
	src := pcb.Source{File: r.file, Line: s.line}
	const how = "board setup: stackup"
	text := func(to *pcb.Fact[string], v string) {
		if v != "" {
			*to = pcb.State(v, src, 0.95, how)
		}
	}
	yes := func(to *pcb.Fact[bool], v bool) {
		if v {
			*to = pcb.State(true, src, 0.95, how)
		}
	}
	text(&f.Finish, s.finish)
	text(&f.MaskColour, pcb.MaskColours(s.masks...))
	text(&f.SilkscreenColour, s.silkColour)
	switch {
	case s.flexible == 0:
		text(&f.Material, s.material())
	case s.rigid == 0:
		text(&f.Material, s.material())
		yes(&f.Flex, true)
	default: // what it is made of, one word cannot say
		f.Needs(pcb.State(pcb.RigidFlex, src, 0.95, how))
	}
	yes(&f.Impedance, s.constraints)
	yes(&f.EdgePlating, s.edgePlating)
	yes(&f.Castellations, s.castellated)
	yes(&f.GoldFingers, s.edgeConnector)
	yes(&f.Bevel, s.bevelled)
	if r.castellated > 0 && !f.Castellations.Known {
		f.Castellations = pcb.State(true, pcb.Source{File: r.file}, 0.9, "pads marked as castellated")
	}
}

func (r *pcbReader) stateHoles() {
	f := &r.b.Facts
	src := pcb.Source{File: r.file}
	plated, plain, slots, least := 0, 0, 0, int64(0)
	for i := range r.b.Holes {
		h := &r.b.Holes[i]
		if h.Plating == pcb.NonPlated {
			plain++
		} else {
			plated++
		}
		if h.Kind == pcb.SlotHole {
			slots++
		}
		if least == 0 || h.Diameter < least {
			least = h.Diameter
		}
	}
	const how = "counted in the board"
	f.PlatedHoles, f.NonPlatedHoles = pcb.State(plated, src, 0.98, how), pcb.State(plain, src, 0.98, how)
	f.UnknownHoles, f.Slots = pcb.State(0, src, 0.98, how), pcb.State(slots, src, 0.98, how)
	if least > 0 {
		f.MinDrill = pcb.State(least, src, 0.98, "smallest hole")
	}
}

// stateVias: tented is what KiCad starts with; anything else somebody chose.
func (r *pcbReader) stateVias() {
	f := &r.b.Facts
	src := pcb.Source{File: r.file, Line: r.setup.tentingLine}
	f.BlindVias = pcb.State(r.blind > 0, pcb.Source{File: r.file}, 0.97, "spans of the vias")
	if r.setup.fillLine > 0 && r.filledVias+r.pluggedVias > 0 {
		src.Line = r.setup.fillLine
	}
	switch {
	case r.filledVias > 0:
		f.ViaProcess = pcb.State("epoxy_filled_capped", src, 0.9, "vias set to be filled")
	case r.pluggedVias > 0:
		f.ViaProcess = pcb.State("plugged", src, 0.9, "vias set to be plugged")
	case r.openVias > 0 && r.openVias >= r.tentedVias:
		f.ViaProcess = pcb.State("untented", src, 0.85, "plot and tenting settings")
	case r.tentedVias > 0 && r.openVias > 0:
		f.ViaProcess = pcb.State("tented", src, 0.6, "most vias are tented")
	case r.tentedVias > 0:
		f.ViaProcess = pcb.Preset("tented", src, "plot and tenting settings, untouched")
	}
}
