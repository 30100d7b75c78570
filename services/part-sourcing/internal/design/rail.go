package design

import (
	"regexp"
	"strconv"
	"strings"

	"boardorder/pkg/board/pcb"
)

// A Rail is a supply that a part lies at.
type Rail struct {
	Millivolts int64 // 0: the names of its nets do not tell
	Net        string
}

var (
	// +12V, 3.3V, 3V3, VCC_3V3, 5V_USB, +5VA; and with a P for the point: V3P3, 1P8V.
	voltsInName = regexp.MustCompile(`^[A-Z_]*?([+-]?)([0-9]{1,3})(?:\.([0-9]{1,2}))?V([0-9]{0,2})(?:[A-Z]{0,3}|[_-][A-Z0-9_+-]*)$`)
	pointInName = regexp.MustCompile(`^([A-Z_]*?)([0-9]{1,2})P([0-9]{1,2})V?(?:_[A-Z0-9_]*)?$`)
	usbInName   = regexp.MustCompile(`^\+?(?:USB_?)?VBUS(?:_[A-Z0-9_]*)?$|^\+?VUSB$`)
	groundName  = regexp.MustCompile(`^[ADPSCE]?_?GND(?:[0-9]|[ADPS]|_[A-Z0-9_]*)?$|^VSS[A]?$|^0V$|^EARTH$|^CHASSIS$`)
)

// maxVolts is beyond what boards name their supplies after: what has more is no chip
// capacitor's by its value alone.
const maxVolts = 100

// longestNet is longer than names of supplies are.
const longestNet = 30

// millivolts reads the supply out of a net's name; 0 is ground. ok is false for names
// that tell none.
func millivolts(net string) (mv int64, ok bool) {
	name := strings.ToUpper(net[strings.LastIndexByte(net, '/')+1:])
	if len(name) > longestNet {
		return 0, false
	}
	if groundName.MatchString(name) {
		return 0, true
	}
	if usbInName.MatchString(name) {
		return 5_000, true
	}
	whole, fraction, sign := "", "", int64(1)
	if m := voltsInName.FindStringSubmatch(name); m != nil {
		whole, fraction = m[2], m[3]+m[4]
		if m[1] == "-" {
			sign = -1
		}
	} else if m := pointInName.FindStringSubmatch(name); m != nil {
		whole, fraction = m[2], m[3]
	}
	n, err := strconv.ParseInt(whole+(fraction + "000")[:3], 10, 64)
	if whole == "" || err != nil || n > maxVolts*1000 {
		return 0, false
	}
	return sign * n, true
}

// rails tells at which supply each part with two pads lies: where the nets of both
// are grounds or named by their voltages.
func rails(b *pcb.Board) map[string]Rail {
	nets := make([][]int32, len(b.Components))
	for i := 1; i < len(b.Pins); i++ {
		if p := &b.Pins[i]; p.Component >= 0 && int(p.Component) < len(nets) {
			nets[p.Component] = append(nets[p.Component], p.Net)
		}
	}
	out := map[string]Rail{}
	for i := range nets {
		if len(nets[i]) == 2 {
			if r, ok := railBetween(b, nets[i][0], nets[i][1]); ok {
				out[b.Components[i].Ref] = r
			}
		}
	}
	return out
}

// railBetween is the voltage between two nets, at the most that their names allow: two
// supplies may come one without the other.
func railBetween(b *pcb.Board, x, y int32) (Rail, bool) {
	if x <= 0 || y <= 0 || int(x) >= len(b.Nets) || int(y) >= len(b.Nets) {
		return Rail{}, false
	}
	u, ok := millivolts(b.Nets[x].Name)
	v, known := millivolts(b.Nets[y].Name)
	most := max(u, v, 0) - min(u, v, 0)
	if !ok || !known || most == 0 {
		return Rail{}, false
	}
	net := b.Nets[x].Name
	if max(v, -v) > max(u, -u) {
		net = b.Nets[y].Name
	}
	return Rail{most, net[strings.LastIndexByte(net, '/')+1:]}, true
}
