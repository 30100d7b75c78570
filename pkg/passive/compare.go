package passive

import "slices"

// A climate is what the EIA code of a dielectric promises: between which
// temperatures it works, and how far the capacitance strays there.
type climate struct {
	coldest, hottest int64 // °C
	change           int64 // tenths of a percent
}

// climates by EIA 198 and IEC 60384. There is no single order of them: X6S works
// in more heat than X5R and strays farther, X8R works at 150 °C where C0G, which
// strays least, is rated for 125 °C only.
var climates = map[string]climate{
	"C0G": {-55, 125, 5}, "X8R": {-55, 150, 150}, "X8L": {-55, 150, 400}, "X7R": {-55, 125, 150}, "X7S": {-55, 125, 220}, "X7T": {-55, 125, 330},
	"X6S": {-55, 105, 220}, "X5R": {-55, 85, 150}, "X5S": {-55, 85, 220}, "Z5U": {10, 85, 560}, "Y5V": {-30, 85, 820},
}

// steadier reports whether dielectric a is at least as good as b in every respect.
func steadier(a, b string) bool {
	x, known := climates[a]
	y, compared := climates[b]
	return a == b || known && compared && x.coldest <= y.coldest && x.hottest >= y.hottest && x.change <= y.change
}

// A Comparison holds one property of a part against that of another.
type Comparison struct {
	Property    string `json:"property"` // value, size, tolerance, voltage, dielectric, power, current, temperature, temperature_coefficient, height, film, qualities, grade
	Named       string `json:"named"`
	Replacement string `json:"replacement"`
	Worse       bool   `json:"worse,omitempty"` // the replacement's is worse, or not known
}

// Unknown stands in a comparison for what is not known.
const Unknown = "not known"

// Compare holds a replacement against all that is known of the part that a list
// names. Of ceramic capacitors the height counts, known or not: those of one size
// differ in it, and those of chip resistors do not.
func Compare(named, replacement Spec) []Comparison {
	c := comparer{}
	c.add("value", named.ValueText(), replacement.ValueText(), named.Kind != replacement.Kind || named.Value != replacement.Value)
	if named.Size != "" {
		c.add("size", named.Size, replacement.Size, named.Size != replacement.Size)
	}
	if !named.Jumper() {
		c.addMaximum("tolerance", named.Tolerance, replacement.Tolerance, toleranceText)
	}
	c.addMinimum("voltage", named.Voltage, replacement.Voltage, func(v int64) string { return Spec{Voltage: v}.VoltageText() })
	if named.Dielectric != "" {
		c.add("dielectric", named.Dielectric, replacement.Dielectric, !steadier(replacement.Dielectric, named.Dielectric))
	}
	c.addMinimum("power", named.Power, replacement.Power, powerText)
	c.addMinimum("current", named.Current, replacement.Current, func(v int64) string { return formatScaled(v, 1000, "A") })
	if named.heat() > 0 || named.cold() < 0 {
		c.add("temperature", named.temperatures(), replacement.temperatures(), replacement.heat() < named.heat() || replacement.cold() > named.cold())
	}
	c.addMaximum("temperature_coefficient", named.Tempco, replacement.Tempco, tempcoText)
	if named.Kind == Capacitor && named.Height == 0 {
		c.add("height", Unknown, textOrUnknown(replacement.Height, heightText), true)
	}
	c.addMaximum("height", named.Height, replacement.Height, heightText)
	c.qualities("film", named.Qualities&films, replacement.Qualities&films)
	c.qualities("qualities", named.Qualities&^(films|gradeBits), replacement.Qualities&^(films|gradeBits))
	return c
}

// HasWorse reports whether any property of a replacement is worse than that of the
// part that is named, or not known.
func HasWorse(list []Comparison) bool {
	for _, c := range list {
		if c.Worse {
			return true
		}
	}
	return false
}

// heat is up to which temperature the part works; 0 unknown.
func (s Spec) heat() int64 {
	if s.Hottest > 0 {
		return s.Hottest
	}
	return climates[s.Dielectric].hottest
}

// cold is down to which temperature the part works; 0 unknown.
func (s Spec) cold() int64 {
	if s.Coldest < 0 {
		return s.Coldest
	}
	return climates[s.Dielectric].coldest
}

type comparer []Comparison

func (c *comparer) add(property, named, replacement string, worse bool) {
	if replacement == "" {
		replacement = Unknown
	}
	*c = append(*c, Comparison{property, named, replacement, worse})
}

// addMinimum compares what is better the more there is; of what the named part does not
// state nothing is asked.
func (c *comparer) addMinimum(property string, named, replacement int64, text func(int64) string) {
	if named > 0 {
		c.add(property, text(named), textOrUnknown(replacement, text), replacement < named)
	}
}

// addMaximum compares what is better the less there is.
func (c *comparer) addMaximum(property string, named, replacement int64, text func(int64) string) {
	if named > 0 {
		c.add(property, text(named), textOrUnknown(replacement, text), replacement == 0 || replacement > named)
	}
}

// qualities compares sets of which the replacement has to have all of the named
// part's. Those that make a grade are compared by number.
func (c *comparer) qualities(property string, named, replacement Qualities) {
	if named != 0 {
		c.add(property, named.String(), replacement.String(), !replacement.Contain(named))
	}
}

func textOrUnknown(v int64, text func(int64) string) string {
	if v == 0 {
		return Unknown
	}
	return text(v)
}

// Lacking compares what a list states of a part with what is known of the part, and gives
// what the part lacks or is not known to have. Of a dielectric the code alone is compared,
// and not the temperatures that it implies.
func Lacking(part, stated Spec) []Comparison {
	list := comparer(Compare(stated, part))
	list.qualities("grade", stated.Qualities&gradeBits, part.Qualities&gradeBits)
	return slices.DeleteFunc(list, func(c Comparison) bool {
		implied := c.Property == "temperature" && stated.Hottest == 0 && stated.Coldest == 0
		return !c.Worse || implied || c.Property == "height" && stated.Height == 0
	})
}

// IsKnown reports whether all is stated that decides what may take the part's place.
func (s Spec) IsKnown() bool {
	switch s.Kind {
	case Resistor:
		return s.Size != "" && (s.Jumper() || s.Tolerance > 0 && s.Power > 0 && s.Voltage > 0 && s.Tempco > 0)
	case Capacitor:
		return s.Size != "" && s.Tolerance > 0 && s.Voltage > 0 && s.Dielectric != ""
	}
	return false
}

// Stricter joins what two sources say of one part that is to be replaced: of what
// they say differently the better counts.
func (s Spec) Stricter(t Spec) Spec {
	return s.join(t, larger, smaller, steadier)
}

// Weaker joins what two sources say of one part that replaces another: of what they
// say differently the worse counts.
func (s Spec) Weaker(t Spec) Spec {
	return s.join(t, smaller, larger, func(a, b string) bool { return steadier(b, a) })
}

func (s Spec) join(t Spec, rating, error func(a, b int64) int64, counts func(a, b string) bool) Spec {
	s.Voltage, s.Power, s.Current, s.Hottest = rating(s.Voltage, t.Voltage), rating(s.Power, t.Power), rating(s.Current, t.Current), rating(s.Hottest, t.Hottest)
	s.Tolerance, s.Height, s.Tempco = error(s.Tolerance, t.Tolerance), error(s.Height, t.Height), error(s.Tempco, t.Tempco)
	s.Coldest = -rating(-s.Coldest, -t.Coldest)
	s.Qualities |= t.Qualities
	if s.Size == "" {
		s.Size = t.Size
	}
	switch {
	case s.Dielectric == "" || t.Dielectric != "" && counts(t.Dielectric, s.Dielectric):
		s.Dielectric = t.Dielectric
	case t.Dielectric != "" && !counts(s.Dielectric, t.Dielectric):
		s.Dielectric += "/" + t.Dielectric // neither is better: none is as good, and it is as good as none
	}
	return s
}

func larger(a, b int64) int64 { return max(a, b) }

// smaller is the smaller of two that are stated.
func smaller(a, b int64) int64 {
	if a == 0 || b == 0 {
		return max(a, b)
	}
	return min(a, b)
}
