package assemblyprice

import (
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/money"
	"boardorder/services/part-sourcing/internal/placement"
)

// A Use is one distinct part as a board uses it.
type Use struct {
	Top, Bottom      int  // pieces on each side of a board
	Joints           int  // of one piece
	ThroughHole      bool // soldered by hand
	Basic            bool // always loaded at the fabricator
	BottomTerminated bool // its joints lie below it
	Size             string
	Pitch            int64 // nanometres; 0 unknown
}

// A Job is what is assembled.
type Job struct {
	Boards int64
	Uses   []Use
}

// Services.
const (
	Economic = "economic"
	Standard = "standard"
)

// Line codes.
const (
	CodeSetup      = "assembly_setup"
	CodeStencil    = "stencil"
	CodeTop        = "placement_top"
	CodeBottom     = "placement_bottom"
	CodeFeeders    = "feeders"
	CodeHandSetup  = "hand_soldering_setup"
	CodeHandJoints = "hand_soldering"
	CodeXRay       = "xray"
	CodeMinimum    = "minimum_charge"
)

// A Line is one part of the price.
type Line struct {
	Code  string `json:"code"`
	Label string `json:"label"`
	Cents int64  `json:"cents"`
}

// A Price is what assembling costs: its lines add up to Cents.
type Price struct {
	Service string `json:"service"`
	Lines   []Line `json:"lines"`
	Cents   int64  `json:"cents"`
	Days    int    `json:"days"` // working days, once boards and parts are there
	// UncountedParts are distinct parts whose joints are not known; they are taken
	// for two each.
	UncountedParts int `json:"uncounted_parts,omitempty"`
}

// Assemble prices a job. A job without parts or boards costs nothing.
func (r *Rates) Assemble(j Job) Price {
	n := j.count()
	p := Price{Service: Economic, UncountedParts: n.uncounted}
	s := r.Economic
	if !j.economic(s, n) {
		p.Service, s = Standard, r.Standard
	}
	p.Days = s.Days
	if j.Boards <= 0 || n.pieces() == 0 {
		return p
	}
	sides := int64(0)
	for _, pieces := range []int64{n.placed[placement.Top], n.placed[placement.Bottom]} {
		if pieces > 0 {
			sides++
		}
	}
	p.add(CodeSetup, "Assembly setup", s.Setup*sides)
	p.add(CodeStencil, "Stencil", s.Stencil*sides)
	p.add(CodeTop, prices.TopLabel, micros(n.joints[placement.Top]*j.Boards, s.Joint))
	p.add(CodeBottom, prices.BottomLabel, micros(n.joints[placement.Bottom]*j.Boards, s.Joint))
	p.add(CodeFeeders, "Feeders for parts that are not always loaded", s.Feeder*j.feeders(p.Service))
	if n.handJoints > 0 {
		p.add(CodeHandSetup, "Hand soldering setup", r.Hand.Setup)
		p.add(CodeHandJoints, prices.HandSolderedLabel, micros(n.handJoints*j.Boards, r.Hand.Joint))
	}
	if n.hidden > 0 {
		p.add(CodeXRay, "X-ray inspection", r.XRay.Setup+micros(n.hidden*j.Boards, r.XRay.Part))
	}
	p.add(CodeMinimum, "Minimum charge for assembly", max(r.Minimum-p.Cents, 0))
	return p
}

// add appends a line that costs something.
func (p *Price) add(code, label string, cents int64) {
	if cents > 0 {
		p.Lines = append(p.Lines, Line{code, label, cents})
		p.Cents += cents
	}
}

// micros is the cost in cents of n times so many millionths of a dollar.
func micros(n, each int64) int64 { return money.Divide(n*each, 10_000) }

// A tally counts a board's work.
type tally struct {
	placed     map[placement.Side]int64 // placed by machine
	joints     map[placement.Side]int64
	handJoints int64
	hidden     int64
	uncounted  int
}

func (t *tally) pieces() int64 {
	return t.placed[placement.Top] + t.placed[placement.Bottom] + t.handJoints
}

func (j Job) count() tally {
	t := tally{placed: map[placement.Side]int64{}, joints: map[placement.Side]int64{}}
	for _, u := range j.Uses {
		joints := int64(u.Joints)
		if joints <= 0 {
			joints = 2
			t.uncounted++
		}
		if u.ThroughHole {
			t.handJoints += joints * int64(u.Top+u.Bottom)
			continue
		}
		t.placed[placement.Top] += int64(u.Top)
		t.placed[placement.Bottom] += int64(u.Bottom)
		t.joints[placement.Top] += joints * int64(u.Top)
		t.joints[placement.Bottom] += joints * int64(u.Bottom)
		if u.BottomTerminated {
			t.hidden += int64(u.Top + u.Bottom)
		}
	}
	return t
}

// sizes are those of chips in their order, finest first.
var sizes = map[string]int{"01005": 1, "0201": 2, "0402": 3, "0603": 4, "0805": 5, "1206": 6}

// economic reports whether the simpler service takes the job: parts on one side,
// none finer than it places.
func (j Job) economic(s Service, n tally) bool {
	if n.placed[placement.Top] > 0 && n.placed[placement.Bottom] > 0 {
		return false
	}
	for _, u := range j.Uses {
		if u.ThroughHole {
			continue
		}
		if rank := sizes[u.Size]; rank > 0 && rank < sizes[s.FinestSize] {
			return false
		}
		if u.Pitch > 0 && u.Pitch < s.FinestPitch*1000 {
			return false
		}
	}
	return true
}

// feeders counts the distinct parts that a feeder is loaded with for this job:
// with the standard service all of them.
func (j Job) feeders(service string) int64 {
	n := int64(0)
	for _, u := range j.Uses {
		if !u.ThroughHole && u.Top+u.Bottom > 0 && (service == Standard || !u.Basic) {
			n++
		}
	}
	return n
}
