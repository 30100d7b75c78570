// Package pcbdoc writes boards as Altium Designer stores them, for tests and for
// hostile uploads: records in the streams of a compound file. Lengths are mils.
package pcbdoc

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
)

// Layers by their numbers in the file.
const (
	Top, Bottom             = 1, 32
	TopOverlay              = 33
	TopPaste, BottomPaste   = 35, 36
	TopSolder, BottomSolder = 37, 38
	Plane1                  = 39
	KeepOut                 = 56
	Mechanical1             = 57
	Multi                   = 74
	None                    = 0xFFFF // no net, no part, no pour
	Round, Square, Octagon  = 1, 2, 3
	RoundRect               = 9
	ByRule, Manual          = 1, 2
	RoundHole, SquareHole   = 0, 1
	SlotHole                = 2
	Copper, CutoutOfPour    = 0, 1
	recordArc, recordPad    = 1, 2
	recordVia, recordTrack  = 3, 4
	recordText, recordFill  = 5, 6
	recordRegion            = 11
	unitsInMil              = 10_000
)

// A File is a board that is being written.
type File struct {
	Board   string // properties of the board, |NAME=VALUE|NAME=VALUE
	Streams map[string][]byte
	counts  map[string]uint32
}

// New begins a board of w by h mils whose lower left corner is the origin that the
// designer set, at 1000, 1000.
func New(w, h float64) *File {
	f := &File{Streams: map[string][]byte{}, counts: map[string]uint32{}}
	f.Board = "|RECORD=Board|ORIGINX=1000mil|ORIGINY=1000mil" + Stack(Top, Bottom) + Outline(1000, 1000, 1000+w, 1000, 1000+w, 1000+h, 1000, 1000+h)
	return f
}

// Stack is a layer stack of copper layers in their order, 1.6 mm thick if of two.
func Stack(layers ...int) string {
	var b strings.Builder
	for i, l := range layers {
		next := 0
		if i+1 < len(layers) {
			next = layers[i+1]
		}
		fmt.Fprintf(&b, "|LAYER%dNAME=L%d|LAYER%dNEXT=%d|LAYER%dCOPTHICK=1.378mil|LAYER%dDIELTYPE=1|LAYER%dDIELCONST=4.5|LAYER%dDIELHEIGHT=60.236mil|LAYER%dDIELMATERIAL=FR-4",
			l, i+1, l, next, l, l, l, l, l)
	}
	return b.String()
}

// Outline is a board shape of straight edges through corners x, y, x, y, ….
func Outline(xy ...float64) string {
	var b strings.Builder
	xy = append(xy, xy[0], xy[1])
	for i := 0; i+1 < len(xy); i += 2 {
		fmt.Fprintf(&b, "|KIND%d=0|VX%d=%gmil|VY%d=%gmil|CX%d=0mil|CY%d=0mil|SA%d=0|EA%d=0|R%d=0mil", i/2, i/2, xy[i], i/2, xy[i+1], i/2, i/2, i/2, i/2, i/2)
	}
	return b.String()
}

// Bytes is the file.
func (f *File) Bytes() []byte {
	streams := map[string][]byte{"FileHeader": prefixSize([]byte("\x13PCB 6.0 Binary File")), "Board6/Data": Properties(f.Board), "Board6/Header": words([]uint32{1})}
	for name, data := range f.Streams {
		streams[name+"/Data"] = data
		streams[name+"/Header"] = words([]uint32{f.counts[name]})
	}
	return Compound(streams)
}

// Add appends a record to a stream.
func (f *File) Add(stream string, record []byte) {
	f.Streams[stream] = append(f.Streams[stream], record...)
	f.counts[stream]++
}

// Count states how many records a stream's header counts.
func (f *File) Count(stream string, n uint32) { f.counts[stream] = n }

// Properties is a piece of text that states its length.
func Properties(s string) []byte { return prefixSize([]byte(s + "\x00")) }

func prefixSize(b []byte) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, uint32(len(b))), b...)
}

// Net adds a net; they are numbered from 0.
func (f *File) Net(name string) { f.Add("Nets6", Properties("|NAME="+name)) }

// Part adds a part; they are numbered from 0.
func (f *File) Part(properties string) { f.Add("Components6", Properties(properties)) }

// Rule adds a design rule.
func (f *File) Rule(properties string) {
	f.Add("Rules6", append([]byte{0, 0}, Properties(properties)...))
}

// An Object is what all drawn things state. The zero Object has net 0 and part 0: use
// [LayerObject] for one without.
type Object struct {
	Layer           int
	Net, Pour, Part int
	Flags           byte
	KeepOut         bool
}

// LayerObject is an object on a layer that belongs to nothing.
func LayerObject(layer int) Object { return Object{Layer: layer, Net: None, Pour: None, Part: None} }

// NetObject is an object on a layer that belongs to a net.
func NetObject(layer, net int) Object { return Object{Layer: layer, Net: net, Pour: None, Part: None} }

func (o Object) bytes() []byte {
	b := []byte{byte(o.Layer), o.Flags, 0}
	if o.KeepOut {
		b[2] = 2
	}
	for _, v := range []int{o.Net, o.Pour, o.Part} {
		b = binary.LittleEndian.AppendUint16(b, uint16(v))
	}
	return append(b, 0xFF, 0xFF, 0xFF, 0xFF)
}

// mils appends lengths.
func mils(b []byte, v ...float64) []byte {
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, uint32(int32(math.Round(x*unitsInMil))))
	}
	return b
}

func float(b []byte, v float64) []byte {
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
}

func record(kind byte, pieces ...[]byte) []byte {
	out := []byte{kind}
	for _, p := range pieces {
		out = append(out, prefixSize(p)...)
	}
	return out
}

// Track adds a straight line.
func (f *File) Track(o Object, x1, y1, x2, y2, width float64) {
	f.Add("Tracks6", record(recordTrack, append(mils(o.bytes(), x1, y1, x2, y2, width), make([]byte, 12)...)))
}

// Arc adds an arc, counter-clockwise between angles in degrees.
func (f *File) Arc(o Object, x, y, radius, from, to, width float64) {
	b := float(float(mils(o.bytes(), x, y, radius), from), to)
	f.Add("Arcs6", record(recordArc, append(mils(b, width), make([]byte, 11)...)))
}

// Fill adds a rectangle turned round its middle.
func (f *File) Fill(o Object, x1, y1, x2, y2, turn float64) {
	f.Add("Fills6", record(recordFill, append(float(mils(o.bytes(), x1, y1, x2, y2), turn), make([]byte, 10)...)))
}

// AddVia adds a via between two copper layers; it has no land on layers that were
// removed.
func (f *File) AddVia(o Object, x, y, size, drill float64, from, to int, mask float64, removed ...int) {
	b := append(mils(o.bytes(), x, y, size, drill), byte(from), byte(to))
	b = append(b, make([]byte, 54-len(b))...)
	b = mils(b, mask)
	b = append(b, make([]byte, 8)...)
	b = append(b, Manual)
	b = append(b, make([]byte, 8)...)
	for range 32 {
		b = mils(b, size)
	}
	b = append(b, make([]byte, 6)...)
	lands := make([]byte, 32)
	for _, l := range removed {
		lands[l-1] = 1
	}
	b = append(append(b, lands...), 1)
	f.Add("Vias6", record(recordVia, mils(b, mask)))
}

// A Pad is a pad whose size is the same on all layers, unless Mid and Bottom say more.
type Pad struct {
	Object
	Name             string
	X, Y, W, H       float64
	Shape            int
	Drill, Turn      float64
	Plated           bool
	MaskMode         byte
	Mask, Paste      float64
	Mid, Bottom      [2]float64 // sizes
	Hole             int
	Slot, SlotTurn   float64
	OffsetX, OffsetY float64
	AltShape, Corner int  // of rounded rectangles, with percent
	Sized            bool // states the shape of its hole and corners
}

// Pad adds a pad.
func (f *File) Pad(p Pad) {
	mode := byte(0)
	mid, bottom := [2]float64{p.W, p.H}, [2]float64{p.W, p.H}
	if p.Mid[0] > 0 {
		mode, mid, bottom = 1, p.Mid, p.Bottom
	}
	b := mils(p.bytes(), p.X, p.Y, p.W, p.H, mid[0], mid[1], bottom[0], bottom[1], p.Drill)
	b = float(append(b, byte(p.Shape), byte(p.Shape), byte(p.Shape)), p.Turn)
	plated := byte(0)
	if p.Plated {
		plated = 1
	}
	b = append(b, plated, 0, mode)
	b = append(b, make([]byte, 23)...)
	b = mils(b, p.Paste, p.Mask)
	b = append(append(b, make([]byte, 7)...), p.MaskMode, p.MaskMode)
	b = append(b, make([]byte, 120-len(b))...)
	name := append([]byte{byte(len(p.Name))}, p.Name...)
	var sizes []byte
	if p.Sized {
		sizes = p.sizes(mid)
	}
	f.Add("Pads6", record(recordPad, name, []byte{0}, []byte("\x04|&|0"), []byte{0}, b, sizes))
}

func (p Pad) sizes(mid [2]float64) []byte {
	var b []byte
	for i := range 2 {
		for range 29 {
			b = mils(b, mid[i])
		}
	}
	for range 29 {
		b = append(b, byte(p.Shape))
	}
	b = float(mils(append(b, 0, byte(p.Hole)), p.Slot), p.SlotTurn)
	for _, v := range []float64{p.OffsetX, p.OffsetY} {
		for range 32 {
			b = mils(b, v)
		}
	}
	b = append(b, 0)
	for _, v := range []int{p.AltShape, p.Corner} {
		for range 32 {
			b = append(b, byte(v))
		}
	}
	return b
}

// Region adds an area with holes, each corners x, y, x, y, …, in both forms that files
// hold.
func (f *File) Region(o Object, properties string, outer []float64, holes ...[]float64) {
	head := append(o.bytes(), 0)
	head = binary.LittleEndian.AppendUint16(head, uint16(len(holes)))
	head = append(append(head, 0, 0), Properties(properties)...)
	inner := []byte{}
	for _, h := range holes {
		inner = append(inner, corners(h)...)
	}
	f.Add("Regions6", record(recordRegion, append(append(append([]byte{}, head...), corners(outer)...), inner...)))
	curved := binary.LittleEndian.AppendUint32(append([]byte{}, head...), uint32(len(outer)/2))
	closed := append(append([]float64{}, outer...), outer[:2]...)
	for i := 0; i+1 < len(closed); i += 2 {
		curved = mils(append(curved, 0), closed[i], closed[i+1], 0, 0, 0)
		curved = float(float(curved, 0), 0)
	}
	f.Add("ShapeBasedRegions6", record(recordRegion, append(curved, inner...)))
}

// corners is a count and as many places.
func corners(xy []float64) []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(xy)/2))
	for _, v := range xy {
		b = float(b, v*unitsInMil)
	}
	return b
}

// A Text is lettering; of its part the designator or the comment, if it says so.
type Text struct {
	Object
	X, Y, Height, Pen, Turn float64
	Mirror, Comment, Ref    bool
	Font                    byte // 1 is not drawn with strokes, 2 is a bar code
	Inverted                bool
	Words                   string
}

// Text adds lettering.
func (f *File) Text(t Text) {
	flag := func(v bool) byte {
		if v {
			return 1
		}
		return 0
	}
	b := append(mils(t.bytes(), t.X, t.Y, t.Height), 1, 0)
	b = mils(append(float(b, t.Turn), flag(t.Mirror)), t.Pen)
	b = append(b, flag(t.Comment), flag(t.Ref), 0, t.Font, 0, 0)
	b = append(b, make([]byte, 64)...)
	b = append(b, flag(t.Inverted))
	b = binary.LittleEndian.AppendUint32(mils(b, 0), 0xFFFFFFFF)
	b = append(b, make([]byte, 230-len(b))...)
	f.Add("Texts6", record(recordText, b, append([]byte{byte(len(t.Words))}, t.Words...)))
}
