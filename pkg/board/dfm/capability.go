package dfm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
)

// A Capability is what one fabricator publishes about what it builds. Figures
// that it does not publish are absent. Lengths are millimetres, ratios plain.
type Capability struct {
	Version int               `json:"version"` // of the format
	ID      string            `json:"id"`
	Name    string            `json:"name"`
	Sources map[string]Source `json:"sources"`
	Offers  []Offer           `json:"offers,omitempty"` // none: any number of layers may do
	Options []Option          `json:"options,omitempty"`
	Figures []Figure          `json:"figures"`
	Note    string            `json:"note,omitempty"` // for the customer
}

// Source is where a figure was read and the day on which it was seen there.
type Source struct {
	Title   string `json:"title"`
	URL     string `json:"url"`
	Checked string `json:"checked"`           // 2006-01-02
	Edition string `json:"edition,omitempty"` // of the page, where it is known to be older or not dated
}

// Offer is a range of builds that the fabricator takes.
type Offer struct {
	Layers      [2]int     `json:"layers"`
	CopperOz    []float64  `json:"copper_oz,omitempty"`       // outer, finished
	InnerOz     []float64  `json:"inner_copper_oz,omitempty"` // inner
	ThicknessMM [2]float64 `json:"thickness_mm,omitzero"`
	SmallestMM  [2]float64 `json:"smallest_mm,omitzero"` // shorter side, longer side
	LargestMM   [2]float64 `json:"largest_mm,omitzero"`
	AreaMM2     float64    `json:"largest_mm2,omitempty"`
	Source      string     `json:"source"`
}

// Option is a special process that is offered or is not.
type Option struct {
	Name    string `json:"name"` // blind_vias, castellations, edge_plating, flex
	Offered bool   `json:"offered"`
	Source  string `json:"source"`
}

// Processes of a fabricator.
const (
	StandardProcess = "standard" // without extra charge
	AdvancedProcess = "advanced" // what can be built at all
)

// Figure is one published limit and the builds for which it holds.
type Figure struct {
	Check       Name    `json:"check"`
	Where       string  `json:"where,omitempty"`    // outer, inner; both when empty
	Layers      [2]int  `json:"layers,omitzero"`    // all when empty
	UpToOz      float64 `json:"up_to_oz,omitempty"` // of the layer's copper; the least that suffices counts
	Process     string  `json:"process,omitempty"`  // both when empty
	Min         float64 `json:"min,omitempty"`
	Recommended float64 `json:"recommended,omitempty"`
	Source      string  `json:"source"`
}

// Build is what a board is to be built as. The zero of a field takes the usual:
// 2 layers, 1 oz outside, 0.5 oz inside; both processes.
type Build struct {
	Layers            int
	CopperOz, InnerOz float64
	Process           string
}

// ReadCapability reads and checks a fabricator's figures.
func ReadCapability(data []byte) (*Capability, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	c := &Capability{}
	if err := d.Decode(c); err != nil {
		return nil, fmt.Errorf("reading a fabricator's figures: %w", err)
	}
	if err := c.validate(); err != nil {
		return nil, fmt.Errorf("figures of %q: %w", c.ID, err)
	}
	return c, nil
}

// AddPractice adds what fabricators commonly give for checks that c publishes nothing of.
func (c *Capability) AddPractice() {
	given := map[Name]bool{}
	for _, f := range c.Figures {
		given[f.Check] = true
	}
	const source = "practice"
	for _, n := range Names() {
		if f := checks[n].practice; f != (Figure{}) && !given[n] {
			f.Check, f.Source = n, source
			c.Figures = append(c.Figures, f)
			c.Sources[source] = practiceSource
		}
	}
}

// Limits gives the limits for one build. With both processes Min is what can be
// built at all and Recommended what is built without extra charge or doubt. Where checks
// are named, it gives those of no others, but for a board's size.
func (c *Capability) Limits(b Build, of ...Name) Limits {
	b = b.applyDefaults()
	l := Limits{Outer: map[Name]Limit{}, Inner: map[Name]Limit{}}
	for name, s := range c.figures(b, of) {
		outer, inner := s[outerSide].limit(b.Process), s[innerSide].limit(b.Process)
		if outer != (Limit{}) {
			l.Outer[name] = outer
		}
		if inner != outer {
			l.Inner[name] = inner
		}
	}
	if o, ok := c.Offer(b.Layers); ok && o.LargestMM[0] > 0 {
		l.Outer[BoardWidth] = Limit{Min: nm(o.LargestMM[0])}
		l.Outer[BoardLength] = Limit{Min: nm(o.LargestMM[1])}
	}
	if o, ok := c.Offer(b.Layers); ok && o.ThicknessMM[1] > 0 {
		l.Outer[BoardThickness] = Limit{Min: nm(o.ThicknessMM[1])}
	}
	return l
}

// Offer gives what is offered for boards of a layer count.
func (c *Capability) Offer(layers int) (Offer, bool) {
	for _, o := range c.Offers {
		if isWithin(layers, o.Layers) {
			return o, true
		}
	}
	return Offer{}, false
}

func (b Build) applyDefaults() Build {
	if b.Layers <= 0 {
		b.Layers = 2
	}
	if b.CopperOz <= 0 {
		b.CopperOz = 1
	}
	if b.InnerOz <= 0 {
		b.InnerOz = 0.5
	}
	return b
}

// Sides of a board, and processes, as figures are sorted by them.
const (
	outerSide, innerSide = 0, 1
	standard, advanced   = 0, 1
)

// bestFigures are the most special figures of one check, by process; nil: there is none.
type bestFigures [2]*Figure

// figures finds the most special figures for a build, by check and side; of some checks
// alone, where they are named.
func (c *Capability) figures(b Build, of []Name) map[Name]*[2]bestFigures {
	most := len(c.Figures)
	if len(of) > 0 {
		most = min(most, len(of))
	}
	found, room := make(map[Name]*[2]bestFigures, most), make([][2]bestFigures, most)
	for i := range c.Figures {
		f := &c.Figures[i]
		if len(of) > 0 && !slices.Contains(of, f.Check) {
			continue
		}
		sides := found[f.Check]
		if sides == nil {
			sides, room = &room[0], room[1:]
			found[f.Check] = sides
		}
		for side := range sides {
			for process, name := range [...]string{StandardProcess, AdvancedProcess} {
				best := &sides[side][process]
				if f.holds(b, side == innerSide, name) && (*best == nil || f.specialThan(*best)) {
					*best = f
				}
			}
		}
	}
	return found
}

// limit joins the figures of both processes into one limit.
func (s bestFigures) limit(process string) Limit {
	var usual Limit
	if s[standard] != nil {
		usual = s[standard].limit()
	}
	if process == StandardProcess || s[advanced] == nil {
		return usual
	}
	l := s[advanced].limit()
	if l.Recommended == 0 && s[standard] != nil && *s[standard] != *s[advanced] {
		l.Recommended = usual.Min
	}
	return l
}

func (f *Figure) holds(b Build, inner bool, process string) bool {
	oz, where := b.CopperOz, "outer"
	if inner {
		oz, where = b.InnerOz, "inner"
	}
	return (f.Where == "" || f.Where == where) && (f.Process == "" || f.Process == process) &&
		(f.Layers == [2]int{} || isWithin(b.Layers, f.Layers)) && (f.UpToOz == 0 || oz <= f.UpToOz+1e-9)
}

// specialThan prefers what is said of this process and side alone, and then the
// least copper that suffices.
func (f *Figure) specialThan(g *Figure) bool {
	if (f.Process != "") != (g.Process != "") {
		return f.Process != ""
	}
	if (f.Where != "") != (g.Where != "") {
		return f.Where != ""
	}
	if (f.UpToOz > 0) != (g.UpToOz > 0) {
		return f.UpToOz > 0
	}
	return f.UpToOz < g.UpToOz
}

func (f *Figure) limit() Limit {
	if f.Check == AspectRatio {
		return Limit{Min: thousandths(f.Min), Recommended: thousandths(f.Recommended)}
	}
	return Limit{Min: nm(f.Min), Recommended: nm(f.Recommended)}
}

func nm(mm float64) int64 { return int64(math.Round(mm * 1e6)) }

func thousandths(v float64) int64 { return int64(math.Round(v * 1e3)) }

func isWithin(v int, span [2]int) bool { return v >= span[0] && v <= span[1] }

// Breaks reports whether a measured value breaks a limit, by more than what
// rounding in files explains. No limit is never broken.
func (n Name) Breaks(value, limit int64) bool {
	if limit == 0 {
		return false
	}
	if n.Maximum() {
		return value > limit+n.tolerance()
	}
	return value < limit-n.tolerance()
}
