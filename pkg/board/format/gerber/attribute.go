package gerber

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// attributes is the attribute dictionary, and the tables that features share.
type attributes struct {
	layer    *pcb.Layer
	meter    pcb.Meter
	function pcb.Function // of the current .AperFunction
	aperture []pcb.Attribute
	object   []pcb.Attribute
	net, pin int32

	nets       map[string]int32
	pins       map[pcb.PinName]int32
	sets       map[string]int32
	transforms map[geom.Transform]int32

	both map[[2]int32]int32

	apSet, objSet     int32 // interned; valid when not dirty
	apDirty, objDirty bool

	mirror          string
	rotation, scale float64
}

func (d *attributes) init(l *pcb.Layer, m pcb.Meter) {
	*d = attributes{
		layer: l, meter: m, nets: map[string]int32{}, pins: map[pcb.PinName]int32{}, sets: map[string]int32{},
		transforms: map[geom.Transform]int32{{}: 0}, both: map[[2]int32]int32{}, scale: 1,
	}
}

// attach gives a feature its net, pin and the attributes of its aperture and itself.
func (d *attributes) attach(f *pcb.Feature, aperture int32) {
	f.Net, f.Pin = d.net, d.pin
	if d.objDirty {
		d.objSet, d.objDirty = d.intern(d.object), false
	}
	switch {
	case d.objSet == 0:
		f.Attrs = aperture
	case aperture == 0:
		f.Attrs = d.objSet
	default:
		f.Attrs = d.union(aperture, d.objSet)
	}
}

// union interns the two sets together.
func (d *attributes) union(a, b int32) int32 {
	k := [2]int32{a, b}
	if i, ok := d.both[k]; ok {
		return i
	}
	sets := d.layer.AttributeSets
	all := append(append([]pcb.Attribute{}, sets[a]...), sets[b]...)
	i := d.intern(all)
	d.both[k] = i
	return i
}

// apertureSet is the index of the current aperture attributes.
func (d *attributes) apertureSet() int32 {
	if d.apDirty {
		d.apSet, d.apDirty = d.intern(d.aperture), false
	}
	return d.apSet
}

// intern gives the index of a set of attributes, 0 for an empty one.
func (d *attributes) intern(list []pcb.Attribute) int32 {
	if len(list) == 0 {
		return 0
	}
	var key strings.Builder
	for _, a := range list {
		key.WriteString(a.Name)
		for _, v := range a.Values {
			key.WriteByte(0)
			key.WriteString(v)
		}
		key.WriteByte(1)
	}
	if !d.meter.Spend(pcb.Lookups, 1+key.Len()/16) {
		return 0
	}
	if i, ok := d.sets[key.String()]; ok {
		return i
	}
	if !d.meter.Spend(pcb.Named, len(list)+key.Len()/64) {
		return 0
	}
	i := int32(len(d.layer.AttributeSets))
	d.layer.AttributeSets = append(d.layer.AttributeSets, append(pcb.AttributeSet{}, list...))
	d.sets[key.String()] = i
	return i
}

// attribute carries out TF, TA, TO or TD, such as "TA.AperFunction,ViaPad".
func (r *reader) attribute(cmd string, line int) {
	kind, body := cmd[:2], strings.TrimSpace(cmd[2:])
	fields := strings.Split(body, ",")
	for i, f := range fields {
		fields[i] = unescape(strings.TrimSpace(f))
	}
	a := pcb.Attribute{Name: fields[0], Values: fields[1:]}
	d := &r.dict
	switch kind {
	case "TF":
		if len(r.file.Attributes) < 1000 {
			r.file.Attributes = append(r.file.Attributes, a)
		}
	case "TA":
		d.setAperture(a)
	case "TO":
		d.setObject(a)
	case "TD":
		d.remove(a.Name)
	default:
		r.find(pcb.Warning, "unknown_command", kind, line, "unknown attribute command %q", clip([]byte(cmd)))
	}
}

// maxAttributes bounds the dictionary.
const maxAttributes = 200

func (d *attributes) setAperture(a pcb.Attribute) {
	if a.Name == ".AperFunction" {
		d.function = apertureFunction(a.Values)
		if len(a.Values) < 2 && d.function != pcb.FuncDrawing && d.function != pcb.FuncOther {
			d.aperture, d.apDirty = drop(d.aperture, a.Name), true // the function says it all
			return
		}
	}
	d.aperture, d.apDirty = put(d.aperture, a), true
}

func (d *attributes) setObject(a pcb.Attribute) {
	switch a.Name {
	case ".N":
		d.net = d.netIndex(strings.Join(a.Values, ","))
	case ".P":
		if len(a.Values) >= 2 {
			d.pin = d.pinIndex(a.Values)
		}
	default:
		d.object, d.objDirty = put(d.object, a), true
	}
}

// remove deletes an attribute, or all aperture and object attributes.
func (d *attributes) remove(name string) {
	switch name {
	case "":
		d.aperture, d.object, d.net, d.pin, d.function = nil, nil, 0, 0, pcb.FuncUnknown
	case ".N":
		d.net = 0
	case ".P":
		d.pin = 0
	case ".AperFunction":
		d.function = pcb.FuncUnknown
		fallthrough
	default:
		d.aperture, d.object = drop(d.aperture, name), drop(d.object, name)
	}
	d.apDirty, d.objDirty = true, true
}

func put(list []pcb.Attribute, a pcb.Attribute) []pcb.Attribute {
	for i := range list {
		if list[i].Name == a.Name {
			list[i] = a
			return list
		}
	}
	if len(list) >= maxAttributes {
		return list
	}
	return append(list, a)
}

func drop(list []pcb.Attribute, name string) []pcb.Attribute {
	for i := range list {
		if list[i].Name == name {
			return append(list[:i], list[i+1:]...)
		}
	}
	return list
}

func (d *attributes) netIndex(name string) int32 {
	if name == "" || name == "N/C" {
		return 0
	}
	if i, ok := d.nets[name]; ok {
		return i
	}
	i := int32(len(d.layer.Nets))
	d.layer.Nets, d.nets[name] = append(d.layer.Nets, name), i
	return i
}

func (d *attributes) pinIndex(v []string) int32 {
	p := pcb.PinName{Component: v[0], Pin: v[1]}
	if len(v) > 2 {
		p.Function = v[2]
	}
	if i, ok := d.pins[p]; ok {
		return i
	}
	i := int32(len(d.layer.Pins))
	d.layer.Pins, d.pins[p] = append(d.layer.Pins, p), i
	return i
}

// unescape decodes \uXXXX and \UXXXXXXXX, and drops invalid UTF-8.
func unescape(s string) string {
	if strings.IndexByte(s, '\\') < 0 {
		return strings.ToValidUTF8(s, "?")
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if n := escapeLen(s[i:]); n > 0 {
			if v, err := strconv.ParseUint(s[i+2:i+n], 16, 32); err == nil && utf8.ValidRune(rune(v)) {
				b.WriteRune(rune(v))
				i += n - 1
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return strings.ToValidUTF8(b.String(), "?")
}

// escapeLen is the length of the escape that s starts with, 0 for none.
func escapeLen(s string) int {
	switch {
	case len(s) >= 6 && s[0] == '\\' && s[1] == 'u':
		return 6
	case len(s) >= 10 && s[0] == '\\' && s[1] == 'U':
		return 10
	}
	return 0
}
