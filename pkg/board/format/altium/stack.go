package altium

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"boardorder/pkg/board"
)

// A stratum is copper, or what lies between.
type stratum struct {
	name      string
	kind      board.StackupKind
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
		if s.kind != board.StackCopper {
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
			s.kind, s.layer, s.thickness = board.StackCopper, numbered(id), p.length(key+"COPTHICK")
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
		out = append(out, stratum{name: p.text(key + "NAME"), kind: board.StackCopper, layer: layer(n), thickness: p.length(key + "COPTHICK")})
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
		s.kind = board.StackCore
	case 2:
		s.kind = board.StackPrepreg
	case 3:
		s.kind = board.StackMask
	default:
		s.kind = board.StackDielectric
	}
}

// buildStack states the build and what follows from it.
func (b *builder) buildStack(all []stratum) {
	order, total := 0, int64(0)
	preset := untouched(all)
	state := func(v int64) board.Fact[int64] {
		if preset {
			return board.Preset(v, b.src, "Altium's standard layer stack")
		}
		return board.State(v, b.src, 0.85, "Altium layer stack")
	}
	for _, s := range all {
		l := board.StackupLayer{Name: s.name, Kind: s.kind, Thickness: state(s.thickness), Material: s.material, EpsilonR: s.epsilon}
		if s.kind == board.StackCopper {
			order++
			l.Order = order
		}
		if s.kind != board.StackMask {
			total += s.thickness
		}
		b.b.Stackup = append(b.b.Stackup, l)
	}
	f := &b.b.Facts
	f.CopperLayers = board.State(len(b.copper), b.src, 0.97, "Altium layer stack")
	f.Thickness = state(total)
	for _, s := range all {
		if s.kind != board.StackCopper {
			continue
		}
		if outer := s.layer == b.copper[0] || s.layer == b.copper[len(b.copper)-1]; outer && !f.OuterCopper.Known {
			f.OuterCopper = ounces(s.thickness, b.src)
		} else if !outer && !f.InnerCopper.Known {
			f.InnerCopper = ounces(s.thickness, b.src)
		}
	}
}

// ounces is a weight of copper; the 1.4 mil of every new board counts as unstated.
func ounces(t int64, src board.Source) board.Fact[float64] {
	oz := math.Round(float64(t)/34_800*4) / 4
	if oz == 1.25 {
		oz = 1 // with its plating, as fabricators state 1 oz
	}
	if near(t, 35_560) {
		return board.Preset(oz, src, "Altium's standard copper thickness")
	}
	return board.State(oz, src, 0.8, "Altium layer stack")
}

// untouched tells whether a stack is the one that every new board of two layers has:
// 12.6 mil of FR-4.
func untouched(all []stratum) bool {
	copper := 0
	for _, s := range all {
		switch {
		case s.kind == board.StackCopper:
			copper++
			if !near(s.thickness, 35_560) {
				return false
			}
		case s.kind != board.StackMask && (!near(s.thickness, 320_040) || !strings.EqualFold(s.material, "FR-4")):
			return false
		}
	}
	return copper == 2
}

// near allows for lengths that went through millimetres.
func near(a, b int64) bool { return a-b < 1_000 && b-a < 1_000 }
