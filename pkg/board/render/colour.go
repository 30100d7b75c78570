package render

import (
	"image/color"
	"strings"

	"boardorder/pkg/board"
)

// scheme is the set of colours of a finished side.
type scheme struct {
	substrate  color.NRGBA // bare laminate
	masked     color.NRGBA // solder mask over laminate
	overCopper color.NRGBA // solder mask over copper
	finish     color.NRGBA // exposed copper
	legend     color.NRGBA
}

func rgb(v uint32) color.NRGBA {
	return color.NRGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}
}

// masks are the usual solder mask colours: over laminate, over copper.
var masks = []struct {
	word             string
	laminate, copper uint32
	darkLegend       bool
}{
	{"green", 0x0a4a2a, 0x17703c, false},
	{"red", 0x7d1012, 0xb3251f, false},
	{"blue", 0x0b2f6e, 0x174fa8, false},
	{"black", 0x121314, 0x26282a, false},
	{"white", 0xdfe1dd, 0xf3f4f1, true},
	{"yellow", 0xc29a08, 0xdfb822, true},
	{"purple", 0x36145c, 0x522388, false},
	{"violet", 0x36145c, 0x522388, false},
	{"transparent", 0xa8995e, 0xc98e52, false},
	{"clear", 0xa8995e, 0xc98e52, false},
	{"orange", 0xc2560c, 0xe0761f, true},
	{"pink", 0xd06a8f, 0xe58cab, true},
	{"grey", 0x55595c, 0x74787b, false},
	{"gray", 0x55595c, 0x74787b, false},
}

// finishes are what exposed copper looks like.
var finishes = []struct {
	word   string
	colour uint32
}{
	{"enepig", 0xe3d3a3}, {"enig", 0xddb65a}, {"gold", 0xddb65a}, {"silver", 0xdfe2e4}, {"tin", 0xcfd2d3},
	{"hasl", 0xc4c8cc}, {"hal", 0xc4c8cc}, {"osp", 0xc9804a}, {"none", 0xc87a3e}, {"copper", 0xc87a3e},
}

// substrates are what bare laminate looks like.
var substrates = []struct {
	word   string
	colour uint32
}{
	{"alumin", 0xb9bdc0}, {"polyimide", 0xb8741c}, {"flex", 0xb8741c}, {"rogers", 0xe6e2d3}, {"ptfe", 0xe6e2d3},
	{"ceramic", 0xeeece4}, {"copper core", 0xb97a45},
}

// colours picks the scheme: what the options ask for, else what the board states,
// else green mask, white legend and gold.
func colours(b *board.Board, o Options) scheme {
	s := scheme{substrate: rgb(0xc3b57f), masked: rgb(masks[0].laminate), overCopper: rgb(masks[0].copper),
		finish: rgb(0xddb65a), legend: rgb(0xf4f5f2)}
	for _, m := range masks {
		if said(m.word, o.Mask, b.Facts.MaskColour) {
			s.masked, s.overCopper = rgb(m.laminate), rgb(m.copper)
			if m.darkLegend {
				s.legend = rgb(0x16181a)
			}
			break
		}
	}
	for _, l := range []struct {
		word   string
		colour uint32
	}{{"black", 0x16181a}, {"white", 0xf4f5f2}, {"yellow", 0xf0d72e}, {"red", 0xc8322b}, {"blue", 0x2a5db0}, {"green", 0x2c8c4a}} {
		if said(l.word, o.Legend, b.Facts.LegendColour) {
			s.legend = rgb(l.colour)
			break
		}
	}
	for _, f := range finishes {
		if said(f.word, o.Finish, b.Facts.Finish) {
			s.finish = rgb(f.colour)
			break
		}
	}
	for _, m := range substrates {
		if said(m.word, "", b.Facts.Material) {
			s.substrate = rgb(m.colour)
			break
		}
	}
	return s
}

// said tells whether the wish, or without one the fact, names the word.
func said(word, wish string, f board.Fact[string]) bool {
	if wish == "" && f.Known {
		wish = f.Value
	}
	return strings.Contains(strings.ToLower(wish), word)
}

// layerColour is the usual colour of a layer in CAD tools.
func layerColour(l *board.Layer) color.NRGBA {
	switch l.Role {
	case board.RoleCopper:
		switch l.Side {
		case board.Top:
			return rgb(0xc83434)
		case board.Bottom:
			return rgb(0x4d7fc4)
		}
		inner := [...]uint32{0x7fc87f, 0xce7d2c, 0x4fcbcb, 0xdb628b, 0xa7a5c6, 0x28ccd9, 0xe8b2a7, 0xf2eda1}
		return rgb(inner[max(0, l.Order-2)%len(inner)])
	case board.RoleMask:
		return rgb(0x8c3fa8)
	case board.RolePaste:
		return rgb(0x8a8f94)
	case board.RoleSilk:
		return rgb(0xd9c24a)
	case board.RoleOutline:
		return rgb(0xd0d2cd)
	case board.RoleDrill, board.RoleDrillDrawing:
		return rgb(0x5fb0a8)
	}
	return rgb(0x9aa0a6)
}
