package passive

import (
	"regexp"
	"slices"
	"strings"
)

// Unread are words of a line that nothing of its specification stands for. They may
// ask for something: a part that is chosen by the specification may lack it.
type Unread struct{ Value, Description []string }

// Words reads a line as [Parse] does and gives the words that were not understood.
func Words(l Line) (Spec, Unread, bool) { return parse(l) }

// plainWords ask for nothing: what every part of the kind is, what stands beside
// numbers, and what the part is for.
var plainWords = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`smd smt smt-chip chip chips res ress resistor resistors resistance r rs cap caps capacitor capacitors capacitance c cer ceramic ceramics
		multilayer multi layer mlcc mlccs class ind inductor inductors l ferrite bead beads fb general purpose gp hand soldering handsoldering standard std regular normal generic any common stock
		cerm to tol tol. tolerance max max. min min. rated rating voltage power watt watts volt volts vdc dc v w f ohm ohms Ω ω tc tcr t.c.r temp temperature coefficient
		case package pkg size format metric imperial inch mm in surface mount mounted mounting smd-chip type series value val nominal
		rohs compliant compliance lead pb free pb-free lead-free leadfree halogen halogen-free green or better equivalent equiv equal
		unpolarized unpolarised non-polarized nonpolarized non unpolar small symbol us eu iec rectangular fixed passive component part discrete
		decoupling bypass filter pull-up pullup pull-down pulldown pull up down series termination coupling load bulk basic extended preferred
		for and with the of a an no nr pcs pc each x
		widerstand widerstände kondensator kondensatoren keramik keramikkondensator vielschicht bauform résistance condensateur céramique resistencia condensador cerámico
		rezystor kondensator ceramiczny resistore condensatore ceramico weerstand condensator keramisch motstånd
		电阻 贴片电阻 贴片 电容 贴片电容 陶瓷电容 陶瓷 精度 耐压 封装 抵抗 コンデンサ チップ 积层 резистор конденсатор керамический чип`) {
		m[w] = true
	}
	return m
}()

var (
	metricSize = regexp.MustCompile(`(?i)^([0-9]{4,5})m?(?:etric)?$`)
	sizeWord   = regexp.MustCompile(`(?i)^(?:[RCL]|RES|CAP|SMD|SMT|CHIP|CASE)[-_]?(01005|[0-9]{4})$`)
	frequency  = regexp.MustCompile(`(?i)^[0-9]{1,4}[km]?hz$`)
	packing    = regexp.MustCompile(`(?i)\btape ?(?:and|&|/|,|\+|und)? ?reel\b|(?:\b(?:paper|plastic) ?,? ?)?\bt ?[/&] ?r\b|\b(?:cut|embossed|paper|plastic|carrier|ammo) ?-?(?:tape|pack)\b|\bembossed\b|\breels?\b|\btape\b|\btr$`)
	someLetter = regexp.MustCompile(`[\pL\pN]`)
)

// unread gives the words of a text, which ratings left, that are neither the value nor
// the size nor plain.
func (s *Spec) unread(text string) []string {
	var out []string
	for _, w := range words(packing.ReplaceAllString(text, " ")) {
		if s.says(w) { // .1uF begins with its point
			continue
		}
		w = strings.Trim(w, `.:,;"'*+-–/&`)
		if !someLetter.MatchString(w) || slices.Contains(out, w) || s.says(w) {
			continue
		}
		out = append(out, w)
	}
	return out
}

// says reports whether a word says what s says.
func (s *Spec) says(w string) bool {
	switch word := strings.ToLower(w); {
	case plainWords[word]:
		return true
	case word == "jumper":
		return s.Jumper()
	case word == "line" || word == "lines": // that it lies in
		return s.Kind == Ferrite
	}
	if v, ok := valueOf(w, s.Kind); ok && v == s.Value {
		return true
	}
	if v, ok := voltage(w); ok {
		return v == s.Voltage
	}
	if m := sizeWord.FindStringSubmatch(w); m != nil {
		return m[1] == s.Size
	}
	if s.Size != "" && (w == s.Size || "0"+w == s.Size) {
		return true
	}
	if m := metricSize.FindStringSubmatch(w); m != nil {
		return s.Size != "" && metricSizes[m[1]] == s.Size
	}
	if frequency.MatchString(w) {
		return s.Kind == Ferrite || s.Kind == Inductor
	}
	if parts := strings.Split(w, "-"); len(parts) > 1 {
		return !slices.ContainsFunc(parts, func(p string) bool { return !s.says(p) })
	}
	return false
}
