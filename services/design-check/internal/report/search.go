package report

import (
	"context"
	"encoding/json"
	"fmt"

	"boardorder/pkg/board/copper"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/untrusted"
)

// Search is what nets, parts and pads are looked for in, beside a report's page: their names, which
// are fetched once somebody searches, and the copper of nets in several files, of which one is fetched
// when a net is chosen.
type Search struct {
	Index []byte
	Nets  [][]byte // at most MaxNetFiles
}

// Bounds of what is searched.
const (
	MaxNetFiles = 64
	netFile     = 96 << 10 // bytes of one file, unpacked, beyond which the next begins
	maxNet      = 2 << 20  // bytes of one net's copper, unpacked
	maxNets     = 8 << 20  // the same of all
	maxIndex    = 6 << 20  // bytes of names, unpacked: beyond it pads are left out
)

// searchIndex is the file of names. Positions are micrometres of the page's drawing.
type searchIndex struct {
	Nets  []netEntry  `json:"nets"`
	Parts []partEntry `json:"parts"`
}

type netEntry struct {
	Name string `json:"name"`
	File int    `json:"file"` // that holds its copper, from 0; -1 where none does
	Pads int    `json:"pads"`
}

type partEntry struct {
	Ref   string   `json:"ref"`
	Value string   `json:"value,omitempty"`
	Side  string   `json:"side,omitempty"`
	At    []int64  `json:"at,omitempty"`   // x, y; none where no file says it
	Pads  [][4]any `json:"pads,omitempty"` // number, x, y, and its net's index in Nets; -1 is none
}

// writeSearch writes what is searched of a board that is drawn.
func (v *view) writeSearch(ctx context.Context, c *copper.Copper) (Search, error) {
	index := searchIndex{Nets: []netEntry{}, Parts: []partEntry{}}
	numbers := make([]int, len(c.Board.Nets))
	var nets []int32 // of the index
	for i, n := range c.Board.Nets {
		numbers[i] = -1
		if name := untrusted.Strip(n.Name, maxName); name != "" {
			numbers[i] = len(index.Nets)
			index.Nets = append(index.Nets, netEntry{Name: name, File: -1})
			nets = append(nets, int32(i))
		}
	}
	v.addParts(&index, c.Board, padPlaces(c), numbers)
	files, err := v.netFiles(ctx, c, nets, index.Nets)
	if err != nil {
		return Search{}, err
	}
	text, err := json.Marshal(index)
	if err == nil && len(text) > maxIndex {
		for i := range index.Parts {
			index.Parts[i].Pads = nil
		}
		text, err = json.Marshal(index)
	}
	if err != nil {
		return Search{}, fmt.Errorf("index of a report's search: %w", err)
	}
	return Search{Index: text, Nets: files}, nil
}

// addParts lists parts with their pads, and counts pads of nets.
func (v *view) addParts(index *searchIndex, b *pcb.Board, where map[int32]geom.Point, numbers []int) {
	pads := make([][][4]any, len(b.Components))
	boxes := make([]geom.Box, len(b.Components))
	for i := range boxes {
		boxes[i] = geom.EmptyBox()
	}
	for i, p := range b.Pins {
		at, known := where[int32(i)]
		if p.Net > 0 && int(p.Net) < len(numbers) && numbers[p.Net] >= 0 {
			index.Nets[numbers[p.Net]].Pads++
		}
		if p.Component < 0 || int(p.Component) >= len(pads) || !known {
			continue
		}
		net := -1
		if p.Net > 0 && int(p.Net) < len(numbers) {
			net = numbers[p.Net]
		}
		x, y := v.micrometres(at)
		pads[p.Component] = append(pads[p.Component], [4]any{untrusted.Strip(p.Number, maxName), x, y, net})
		boxes[p.Component] = boxes[p.Component].Add(at)
	}
	for i, c := range b.Components {
		ref := untrusted.Strip(c.Ref, maxName)
		if ref == "" {
			continue
		}
		e := partEntry{Ref: ref, Value: untrusted.Strip(c.Value, maxName), Side: c.Side.String(), Pads: pads[i]}
		switch {
		case !boxes[i].Empty():
			x, y := v.micrometres(boxes[i].Centre())
			e.At = []int64{x, y}
		case c.HasAt:
			x, y := v.micrometres(c.At)
			e.At = []int64{x, y}
		}
		index.Parts = append(index.Parts, e)
	}
}

// micrometres is where a point lies in the drawing.
func (v *view) micrometres(p geom.Point) (x, y int64) {
	return (p.X - v.frame.Min.X) / int64(geom.Micrometre), (v.frame.Max.Y - p.Y) / int64(geom.Micrometre)
}

// padPlaces gives where pins are: as the files state it, or where copper is drawn for them.
func padPlaces(c *copper.Copper) map[int32]geom.Point {
	out := map[int32]geom.Point{}
	for _, l := range c.Layers {
		for i := range l.Items {
			if pin := l.Items[i].Pin; pin > 0 {
				if _, known := out[pin]; !known {
					out[pin] = l.Items[i].Shape.CorePoint()
				}
			}
		}
	}
	for i, p := range c.Board.Pins {
		if p.HasAt {
			out[int32(i)] = p.At
		}
	}
	return out
}
