package altium

import (
	"fmt"
	"strings"

	"boardorder/pkg/board/pcb"
)

// A layer is a number of the file: 1 to 32 are signal layers.
type layer byte

// Layers with a meaning of their own.
const (
	topLayer, bottomLayer     layer = 1, 32
	topOverlay, bottomOverlay layer = 33, 34
	topPaste, bottomPaste     layer = 35, 36
	topSolder, bottomSolder   layer = 37, 38
	firstPlane, lastPlane     layer = 39, 54
	drillGuide                layer = 55
	keepOut                   layer = 56
	firstMechanical           layer = 57
	lastMechanical            layer = 72
	drillDrawing              layer = 73
	multiLayer                layer = 74
)

func (l layer) signal() bool     { return l >= topLayer && l <= bottomLayer }
func (l layer) plane() bool      { return l >= firstPlane && l <= lastPlane }
func (l layer) mechanical() bool { return l >= firstMechanical && l <= lastMechanical }

// use is what is drawn on a layer that is not copper.
func (l layer) use() (pcb.Role, pcb.Side) {
	switch l {
	case topOverlay:
		return pcb.RoleSilk, pcb.Top
	case bottomOverlay:
		return pcb.RoleSilk, pcb.Bottom
	case topPaste:
		return pcb.RolePaste, pcb.Top
	case bottomPaste:
		return pcb.RolePaste, pcb.Bottom
	case topSolder:
		return pcb.RoleMask, pcb.Top
	case bottomSolder:
		return pcb.RoleMask, pcb.Bottom
	case drillGuide, drillDrawing:
		return pcb.RoleDrillDrawing, pcb.NoSide
	case keepOut:
		return pcb.RoleKeepOut, pcb.NoSide
	}
	return pcb.RoleMechanical, pcb.NoSide
}

// Names by which records in words call layers.
var layerWords = map[string]layer{
	"TOP": topLayer, "BOTTOM": bottomLayer, "TOPOVERLAY": topOverlay, "BOTTOMOVERLAY": bottomOverlay,
	"TOPPASTE": topPaste, "BOTTOMPASTE": bottomPaste, "TOPSOLDER": topSolder, "BOTTOMSOLDER": bottomSolder,
	"DRILLGUIDE": drillGuide, "KEEPOUT": keepOut, "DRILLDRAWING": drillDrawing, "MULTILAYER": multiLayer,
}

// layerOf is the layer that a record in words names; 0 where that is not known.
func layerOf(s string) layer {
	s = strings.ToUpper(strings.TrimSpace(s))
	if l, ok := layerWords[s]; ok {
		return l
	}
	for _, f := range []struct {
		word  string
		first layer
		most  int
	}{{"MID", topLayer + 1, 30}, {"PLANE", firstPlane, 16}, {"MECHANICAL", firstMechanical, 16}} {
		n := 0
		if rest, ok := strings.CutPrefix(s, f.word); ok {
			if _, err := fmt.Sscan(rest, &n); err == nil && n >= 1 && n <= f.most {
				return f.first + layer(n-1)
			}
		}
	}
	return 0
}

// layerOfNumber is the layer that the layer stack of newer files calls by a longer number.
func layerOfNumber(id int) layer {
	kind, n := id>>16, id&0xFFFF
	switch {
	case kind == 0x100 && n == 0xFFFF:
		return bottomLayer
	case kind == 0x100 && n >= 1 && n < int(bottomLayer):
		return layer(n)
	case kind == 0x101 && n >= 1 && n <= 16:
		return firstPlane + layer(n-1)
	}
	return 0
}
