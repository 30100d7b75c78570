package verdict

import (
	"cmp"
	"fmt"

	"boardorder/pkg/passive"
	"boardorder/services/part-sourcing/internal/casecode"
	"boardorder/services/part-sourcing/internal/land"
	"boardorder/services/part-sourcing/internal/part"
	"boardorder/services/part-sourcing/internal/refdes"
)

// fits holds the part's package against the line's footprint.
func (p *Part) fits(l Line, o part.Offer) {
	name := o.Package
	if n, known := passive.Read(o.MPN); known {
		name = n.Spec.Size
	}
	p.flagPads(l.Pads, casecode.Parse(o.Package))
	lands, body := l.landCase(), casecode.Parse(name)
	another := casecode.Differ(lands, body)
	p.flag(another, "the part comes in another package than the footprint is for")
	p.Misfit = p.Misfit || another
	if !body.IsTold() {
		body = lands
	}
	p.flagPlaces(l.Places, body)
	p.flag(lands.IsWide() && body.Family == lands.Family && body.Width == 0,
		fmt.Sprintf("the footprint is for a body about %.1f mm wide, and the part may be 3.9 mm wide, since its package is named without a width: compare the data sheets", float64(lands.Width)/10))
}

// A Place is what lies round where a part of a line goes.
type Place struct {
	Ref string
	*land.Land
}

// flagPlaces holds a case against the pads at each place: of those that it does not fit the
// first is named.
func (p *Part) flagPlaces(places []Place, c casecode.Case) {
	for _, at := range places {
		if why := at.Exclude(c); why != "" {
			p.Misfit = true
			p.flag(true, "the part does not fit the pads at "+refdes.Name([]string{at.Ref})+": "+why)
			return
		}
	}
}

// landCase is the case that the line's footprint is for, by its name and its pads.
func (l *Line) landCase() casecode.Case {
	c := casecode.Parse(l.Footprint)
	if l.Lands.Empty() {
		return c
	}
	c.Pins = cmp.Or(c.Pins, l.Pads)
	return c.FillWidth(l.Lands.Width(), l.Lands.Height())
}

// flagPads compares pads with pins. An exposed pad and tabs are counted by some
// and not by others, so two too many are no difference; too few always are.
func (p *Part) flagPads(pads int, c casecode.Case) {
	if pads > 0 && c.Pins > 0 && (pads < c.MinPads() || pads > c.Pins+2) {
		p.Misfit = true
		p.flag(true, fmt.Sprintf("the footprint has %d pads, the part %d pins", pads, c.Pins))
	}
}
