package altium

import (
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/board/foil"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/preset"
)

// A stratum is copper, or what lies between.
type stratum struct {
	name      string
	kind      pcb.StackupKind
	layer     layer // of copper
	thickness int64
	material  string
	epsilon   float64
}

// stack is the build of the board from top to bottom, and its copper layers.
func (r *reader) stack() ([]stratum, []layer, error) {
	p := r.design.board
	all, err := newStack(p)
	if err == nil && len(all) == 0 {
		all, err = oldStack(p)
	}
	if err != nil {
		return nil, nil, err
	}
	var copper []layer
	for _, s := range all {
		if s.kind != pcb.StackCopper {
			continue
		}
		if s.layer.plane() {
			return nil, nil, refuse("layer %q is an internal plane", s.name)
		}
		if slices.Contains(copper, s.layer) {
			return nil, nil, fmt.Errorf("layer %q stands twice in the layer stack", s.name)
		}
		copper = append(copper, s.layer)
	}
	return all, copper, nil
}

// newStack reads the stack as files since Altium Designer 14 list it.
func newStack(p properties) ([]stratum, error) {
	if p.has("V9_SUBSTACK1_NAME") && p.has("V9_STACK_LAYER0_1CONTEXT") {
		return nil, refuse("the board has several layer stacks")
	}
	var out []stratum
	for i := 0; p.has(fmt.Sprintf("V9_STACK_LAYER%d_NAME", i)); i++ {
		key := fmt.Sprintf("V9_STACK_LAYER%d_", i)
		s := stratum{name: p.text(key + "NAME")}
		id := p.number(key+"LAYERID", 0)
		switch kind := id >> 16; {
		case kind == 0x100 || kind == 0x101:
			s.kind, s.layer, s.thickness = pcb.StackCopper, layerOfNumber(id), p.length(key+"COPTHICK")
			if s.layer == 0 {
				return nil, refuse("layer %q is beyond the 32 signal layers and 16 planes", s.name)
			}
		case kind == 0x104 || p.has(key+"DIELHEIGHT"):
			s.dielectric(p, key)
		default:
			continue
		}
		out = append(out, s)
	}
	return out, nil
}

// oldStack follows the chain of copper layers; what is below each stands with it.
func oldStack(p properties) ([]stratum, error) {
	var out []stratum
	seen := map[int]bool{}
	for n := 1; n != 0; {
		if seen[n] || n > int(lastPlane) || n > int(bottomLayer) && n < int(firstPlane) {
			return nil, fmt.Errorf("the layer stack leads to layer %d", n)
		}
		seen[n] = true
		key := fmt.Sprintf("LAYER%d", n)
		if !p.has(key + "NAME") {
			return nil, fmt.Errorf("the layer stack lacks layer %d", n)
		}
		out = append(out, stratum{name: p.text(key + "NAME"), kind: pcb.StackCopper, layer: layer(n), thickness: p.length(key + "COPTHICK")})
		if n = p.number(key+"NEXT", 0); n != 0 {
			s := stratum{name: "dielectric"}
			s.dielectric(p, key)
			out = append(out, s)
		}
	}
	return out, nil
}

func (s *stratum) dielectric(p properties, key string) {
	s.thickness, s.material, s.epsilon = p.length(key+"DIELHEIGHT"), p.text(key+"DIELMATERIAL"), p.float(key+"DIELCONST")
	switch p.number(key+"DIELTYPE", 0) {
	case 1:
		s.kind = pcb.StackCore
	case 2:
		s.kind = pcb.StackPrepreg
	case 3:
		s.kind = pcb.StackMask
	default:
		s.kind = pcb.StackDielectric
	}
}

// buildStack states the build and what follows from it.
func (b *builder) buildStack(all []stratum) {
	order, total := 0, int64(0)
	standard := isUntouched(all)
	state := func(v int64) pcb.Fact[int64] {
		if standard {
			return pcb.Preset(v, b.src, "Altium's standard layer stack")
		}
		return pcb.State(v, b.src, 0.85, "Altium layer stack")
	}
	for _, s := range all {
		l := pcb.StackupLayer{Name: s.name, Kind: s.kind, Thickness: state(s.thickness), Material: s.material, EpsilonR: s.epsilon}
		if s.kind == pcb.StackCopper {
			order++
			l.Order = order
		}
		if s.kind != pcb.StackMask {
			total += s.thickness
		}
		b.b.Stackup = append(b.b.Stackup, l)
	}
	f := &b.b.Facts
	f.CopperLayers = pcb.State(len(b.copper), b.src, 0.97, "Altium layer stack")
	f.Thickness = state(total)
	copper := thicknesses(all, func(s stratum) bool { return s.kind == pcb.StackCopper })
	foil.State(f, copper, func(oz float64) pcb.Fact[float64] {
		if preset.StackOf("Altium").CopperOf(copper) {
			return pcb.Preset(oz, b.src, "Altium's standard copper thickness")
		}
		return pcb.State(oz, b.src, 0.8, "Altium layer stack")
	})
}

// isUntouched tells whether a stack is the one that every new board has, however many
// layers were added: all of FR-4.
func isUntouched(all []stratum) bool {
	between := func(s stratum) bool { return s.kind != pcb.StackCopper && s.kind != pcb.StackMask }
	for _, s := range all {
		if between(s) && !strings.EqualFold(s.material, "FR-4") {
			return false
		}
	}
	standard := preset.StackOf("Altium")
	return standard.CopperOf(thicknesses(all, func(s stratum) bool { return s.kind == pcb.StackCopper })) && standard.DielectricsOf(thicknesses(all, between))
}

func thicknesses(all []stratum, of func(stratum) bool) []int64 {
	var out []int64
	for _, s := range all {
		if of(s) {
			out = append(out, s.thickness)
		}
	}
	return out
}
