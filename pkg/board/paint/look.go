package paint

import (
	"image/color"
	"strings"
)

// A Look is what a finished board looks like, in the words of options, files or
// people: "Green", "Matte Black", "hasl_lead_free", "Immersion silver". Empty
// words are what is usual: green mask, white silkscreen, gold, glass fibre.
type Look struct {
	Mask, Silkscreen, Finish, Material string
}

// A Scheme is the set of colours of a finished side.
type Scheme struct {
	Substrate  color.NRGBA // bare laminate
	Masked     color.NRGBA // solder mask over laminate
	OverCopper color.NRGBA // solder mask over copper
	Finish     color.NRGBA // exposed copper
	Silkscreen color.NRGBA
}

func rgb(v uint32) color.NRGBA {
	return color.NRGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}
}

// masks are the usual solder mask colours: over laminate, over copper. The silkscreen
// of a light mask is black unless somebody says otherwise.
var masks = []struct {
	word             string
	laminate, copper uint32
	darkSilkscreen   bool
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

var legends = []struct {
	word   string
	colour uint32
}{{"black", 0x16181a}, {"white", 0xf4f5f2}, {"yellow", 0xf0d72e}, {"red", 0xc8322b}, {"blue", 0x2a5db0}, {"green", 0x2c8c4a}}

// finishes are what exposed copper looks like: gold, the bright grey of molten
// tin, the duller one of immersion tin, the pale one of silver, bare copper.
// Hot air levelling comes before its alloys' names, and gold before nickel's.
var finishes = []struct {
	word   string
	colour uint32
}{
	{"enepig", 0xe3d3a3}, {"enig", 0xddb65a}, {"gold", 0xddb65a}, {"hasl", 0xc4c8cc}, {"hal", 0xc4c8cc}, {"solder", 0xc4c8cc},
	{"silver", 0xdfe2e4}, {"osp", 0xc9804a}, {"preservative", 0xc9804a}, {"tin", 0xb9bec0}, {"none", 0xc87a3e}, {"copper", 0xc87a3e},
}

// substrates are what bare laminate looks like.
var substrates = []struct {
	word   string
	colour uint32
}{
	{"alumin", 0xb9bdc0}, {"polyimide", 0xb8741c}, {"flex", 0xb8741c}, {"rogers", 0xe6e2d3}, {"ptfe", 0xe6e2d3}, {"zyf", 0xe6e2d3},
	{"ceramic", 0xeeece4}, {"copper core", 0xb97a45},
}

// Scheme is the colours of a look.
func (l Look) Scheme() Scheme {
	s := Scheme{Substrate: rgb(0xc3b57f), Masked: rgb(masks[0].laminate), OverCopper: rgb(masks[0].copper),
		Finish: rgb(0xddb65a), Silkscreen: rgb(0xf4f5f2)}
	for _, m := range masks {
		if says(l.Mask, m.word) {
			s.Masked, s.OverCopper = rgb(m.laminate), rgb(m.copper)
			if m.darkSilkscreen {
				s.Silkscreen = rgb(0x16181a)
			}
			break
		}
	}
	for _, c := range legends {
		if says(l.Silkscreen, c.word) {
			s.Silkscreen = rgb(c.colour)
			break
		}
	}
	for _, f := range finishes {
		if says(l.Finish, f.word) {
			s.Finish = rgb(f.colour)
			break
		}
	}
	for _, m := range substrates {
		if says(l.Material, m.word) {
			s.Substrate = rgb(m.colour)
			break
		}
	}
	return s
}

// says tells whether a word begins somewhere in a text: "tin" does in "Immersion
// tin" and "ImmersionTin", and is no part of "coating".
func says(text, word string) bool {
	for at := range len(text) - len(word) + 1 {
		if strings.EqualFold(text[at:at+len(word)], word) && begins(text, at) {
			return true
		}
	}
	return false
}

func begins(text string, at int) bool {
	if at == 0 || !isLetter(text[at-1]) {
		return true
	}
	return text[at-1] >= 'a' && text[at] <= 'Z'
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
