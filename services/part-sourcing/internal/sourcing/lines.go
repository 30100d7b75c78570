package sourcing

import (
	"cmp"
	"fmt"
	"strings"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/passive"
	"boardorder/services/part-sourcing/internal/assembly"
	"boardorder/services/part-sourcing/internal/assemblyprice"
	"boardorder/services/part-sourcing/internal/casecode"
	"boardorder/services/part-sourcing/internal/design"
	"boardorder/services/part-sourcing/internal/identity"
	"boardorder/services/part-sourcing/internal/placement"
	"boardorder/services/part-sourcing/internal/verdict"
)

// Why nothing is bought for a line.
const (
	supplied   = "the customer sends it"
	unfitted   = "the line says that it is not fitted, so nothing is bought for it"
	mechanical = "a fiducial, hole, test point or drawing, and it names no part: nothing is bought or fitted there; to have a part fitted, give its number"
	none       = "the list says that none is fitted"
)

// ReasonLeftOff is why nothing is bought for a line that is not fitted; "" where the
// customer or the placements say so, or it is fitted.
func ReasonLeftOff(l *assembly.Line) string {
	switch {
	case l.Mechanical:
		return mechanical
	case l.DNP:
		return unfitted
	case l.Quantity == 0:
		return none
	}
	return ""
}

// PlanLines are the lines of a plan in its order, with those that are not fitted, for which
// nothing is looked up.
func PlanLines(plan []assembly.Line, boards int64, rates *assemblyprice.Rates) []verdict.Line {
	lines, at := Lines(plan, boards, rates, nil)
	out := make([]verdict.Line, len(plan))
	for i := range plan {
		l := &plan[i]
		out[i] = verdict.Line{Refs: l.Refs, Name: l.NameOrDescription(), PerBoard: int64(l.Count()), Aside: ReasonLeftOff(l), LeftOff: true}
	}
	for k, i := range at {
		out[i] = lines[k]
	}
	return out
}

// Lines makes lines to look up of those of a plan that are fitted; those of one part
// buy together. Of parts that the customer sends only the package is looked up, to be
// held against the footprint. fits may be nil. at tells for each which line of the
// plan it is.
func Lines(plan []assembly.Line, boards int64, rates *assemblyprice.Rates, fits map[string]design.Fit) (lines []verdict.Line, at []int) {
	for i := range plan {
		l := &plan[i]
		if !l.IsFitted() {
			continue
		}
		lines, at = append(lines, line(l, fits)), append(at, i)
	}
	pool(lines, func(k int, pieces int64) int64 {
		l := &plan[at[k]]
		size := cmp.Or(lines[k].ID.Spec.Size, passive.Size(l.Footprint))
		return rates.PurchaseCount(pieces, size, IsHandSoldered(l, fits))
	}, boards)
	return lines, at
}

func line(l *assembly.Line, fits map[string]design.Fit) verdict.Line {
	v := verdict.Line{
		Refs: l.Refs, Name: l.NameOrDescription(), Stated: l.Value, Manufacturer: l.Manufacturer, Footprint: l.Footprint,
		PerBoard: int64(l.Count()), ID: identity.Identify(&l.Line, rail(l.Refs, fits)),
	}
	switch {
	case l.CustomerSupplied:
		v.Aside = supplied
	case l.DNP:
		v.Aside, v.LeftOff = unfitted, true
	}
	if len(l.Refs) > 0 {
		v.Pads = fits[l.Refs[0]].Pins
		if f := fits[l.Refs[0]]; f.Joints > 0 {
			v.Lands = f.Box
		}
	}
	for _, ref := range l.Refs {
		if at := fits[ref].Land; at != nil {
			v.Places = append(v.Places, verdict.Place{Ref: ref, Land: at})
		}
	}
	v.Value, v.Unread, v.HasValue = identity.Read(&l.Line)
	words := identity.Words(&l.Line)
	v.Special, v.Kind, v.Substituted = passive.Special(words), passive.KindOf(words), l.Substituted
	if l.Short {
		v.Doubts = append(v.Doubts, "the list says fewer pieces than it names places; the places were counted")
	}
	if l.Open && v.ID.Certainty != identity.Passive { // any of a specification is meant as it is
		v.Doubts = append(v.Doubts, "the list names the part as one of its kind, so another may be meant; the named one was taken: is it the one?")
	}
	if l.HasOddPlace() {
		v.Doubts = append(v.Doubts, "its designator is one of a test point, fiducial or hole, and its value names a part; is it to be fitted?")
	}
	return v
}

// rail is the highest supply that parts of a line lie at; none where it is not told of
// each of them.
func rail(refs []string, fits map[string]design.Fit) (most identity.Rail) {
	for _, ref := range refs {
		switch r := fits[ref].Rail; {
		case r.Millivolts == 0:
			return identity.Rail{}
		case r.Millivolts > most.Millivolts:
			most = identity.Rail(r)
		}
	}
	return most
}

// IsHandSoldered reports whether a part is soldered by hand, as far as the design or the
// name of its land pattern tells.
func IsHandSoldered(l *assembly.Line, fits map[string]design.Fit) bool {
	for _, ref := range l.Refs {
		switch fits[ref].Mount {
		case pcb.ThroughHole:
			return true
		case pcb.SurfaceMount:
			return false
		}
	}
	c := casecode.Parse(l.Footprint)
	return c.Family == "DIP" || c.Family == "TO-220" || c.Family == "TO-92"
}

// FindUnnamed gives the indexes of the lines that name no exact part: nothing that
// could be looked up, or a value that was taken for a part number and that nobody
// knows. The customer has to give part numbers for them, or leave the choice to
// the operator's team.
func FindUnnamed(lines []verdict.Line, parts []verdict.Part) []int {
	var out []int
	for i := range lines {
		guessed := lines[i].ID.Certainty == identity.Guessed && parts[i].Verdict == verdict.Problem && parts[i].Stock == nil
		if lines[i].Aside == "" && (lines[i].ID.Certainty == identity.None || guessed) {
			out = append(out, i)
		}
	}
	return out
}

// Uses tells what assembling a plan takes, for package assemblyprice. parts are
// the verdicts of the lines that at names, as Lines and a report give them; lines
// that the customer supplies are assembled, too. Lines of one part are one use.
func Uses(plan []assembly.Line, parts []verdict.Part, at []int, fits map[string]design.Fit) []assemblyprice.Use {
	found := map[int]*verdict.Part{}
	for k, i := range at {
		if k < len(parts) {
			found[i] = &parts[k]
		}
	}
	var out uses
	for i := range plan {
		if l := &plan[i]; l.IsFitted() {
			out.add(loadKey(l, found[i]), use(l, found[i], fits))
		}
	}
	return out.list
}

// A uses gathers the distinct parts of a board: one feeder serves all lines of a
// part.
type uses struct {
	list []assemblyprice.Use
	at   map[distinct]int
}

// A distinct is a part, and how it is worked with.
type distinct struct {
	part string
	use  assemblyprice.Use
}

func (u *uses) add(part string, more assemblyprice.Use) {
	key := distinct{part, more}
	key.use.Top, key.use.Bottom = 0, 0
	if u.at == nil {
		u.at = map[distinct]int{}
	}
	i, known := u.at[key]
	if !known {
		u.at[key] = len(u.list)
		u.list = append(u.list, more)
		return
	}
	u.list[i].Top += more.Top
	u.list[i].Bottom += more.Bottom
}

// loadKey tells parts apart: by what is bought, else by what the line names.
func loadKey(l *assembly.Line, p *verdict.Part) string {
	if p != nil && p.SKU != "" {
		return p.Source + "\x00" + p.SKU
	}
	return strings.ToUpper(strings.Join([]string{l.MPN, l.FabCode, fmt.Sprint(l.Codes), l.Value, l.Footprint, strings.Join(l.Disputed, "\n")}, "\x00"))
}

func use(l *assembly.Line, p *verdict.Part, fits map[string]design.Fit) assemblyprice.Use {
	c := casecode.Parse(l.Footprint)
	u := assemblyprice.Use{ThroughHole: IsHandSoldered(l, fits), Size: c.Size, Joints: c.Pins, BottomTerminated: c.BottomTerminated()}
	if p != nil {
		u.Basic = p.Library == "basic"
		u.Joints = cmp.Or(p.Joints, u.Joints)
		named := casecode.Parse(p.Choice.Offer.Package)
		u.BottomTerminated = u.BottomTerminated || named.BottomTerminated()
	}
	for _, ref := range l.Refs {
		if f := fits[ref]; f.Joints > 0 {
			u.Joints, u.Pitch = f.Joints, f.Pitch
			break
		}
	}
	for _, place := range l.Places {
		if place.Side == placement.Bottom {
			u.Bottom++
		} else {
			u.Top++
		}
	}
	u.Top += l.Count() - len(l.Places) // without a position the side is not known
	return u
}
