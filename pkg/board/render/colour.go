package render

import (
	"image/color"

	"boardorder/pkg/board/paint"
	"boardorder/pkg/board/pcb"
)

func rgb(v uint32) color.NRGBA {
	return color.NRGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}
}

// colours picks the scheme: what the options ask for, else what the board states,
// else green mask, white silkscreen and gold.
func colours(b *pcb.Board, o Options) paint.Scheme {
	return paint.Look{
		Mask: preferAsked(o.Mask, b.Facts.MaskColour), Silkscreen: preferAsked(o.Silkscreen, b.Facts.SilkscreenColour),
		Finish: preferAsked(o.Finish, b.Facts.Finish), Material: preferAsked("", b.Facts.Material),
	}.Scheme()
}

// preferAsked is what is asked for, or what the board states.
func preferAsked(requested string, f pcb.Fact[string]) string {
	if requested == "" && f.Known {
		return f.Value
	}
	return requested
}

// layerColour is the usual colour of a layer in CAD tools.
func layerColour(l *pcb.Layer) color.NRGBA {
	switch l.Role {
	case pcb.RoleCopper:
		switch l.Side {
		case pcb.Top:
			return rgb(0xc83434)
		case pcb.Bottom:
			return rgb(0x4d7fc4)
		}
		inner := [...]uint32{0x7fc87f, 0xce7d2c, 0x4fcbcb, 0xdb628b, 0xa7a5c6, 0x28ccd9, 0xe8b2a7, 0xf2eda1}
		return rgb(inner[max(0, l.Order-2)%len(inner)])
	case pcb.RoleMask:
		return rgb(0x8c3fa8)
	case pcb.RolePaste:
		return rgb(0x8a8f94)
	case pcb.RoleSilk:
		return rgb(0xd9c24a)
	case pcb.RoleOutline:
		return rgb(0xd0d2cd)
	case pcb.RoleDrill, pcb.RoleDrillDrawing:
		return rgb(0x5fb0a8)
	}
	return rgb(0x9aa0a6)
}
