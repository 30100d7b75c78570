// Package casecode reads the names of cases and of the land patterns made for
// them: SOIC-8, QFN-48-1EP_7x7mm_P0.5mm, SOP127P600X175_8N.
package casecode

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"

	"boardorder/pkg/passive"
)

// A Case is what the name of one tells. Zero means that it does not.
type Case struct {
	Family string // one name for cases that fit the same lands: "SO", "QFN", "BGA", "SOT-23"
	Pins   int
	Size   string // of a two-terminal chip: "0603"
	Width  int    // of a small outline body, tenths of a millimetre
}

// families in the order in which they are looked for; the first that is found
// counts.
var families = []struct {
	family string
	word   *regexp.Regexp
}{
	{"QFN", regexp.MustCompile(`(?i)(?:[UVWX]{0,2}QFN|[UVWXH]?V?QFPN|LFCSP|MLF|MLPQ|HVQFN|X2QFN|AQFN)`)},
	{"DFN", regexp.MustCompile(`(?i)(?:[UWVHT]*DFN|[UVWX]*SON|MLPD?|POWERPAK)`)},
	{"BGA", regexp.MustCompile(`(?i)(?:BGA|CSP|WLP)`)},
	{"LGA", regexp.MustCompile(`(?i)LGA`)},
	{"QFP", regexp.MustCompile(`(?i)QFP`)},
	{"TSSOP", regexp.MustCompile(`(?i)H?TSSOP`)},
	{"MSOP", regexp.MustCompile(`(?i)(?:MSOP|VSSOP)`)},
	{"SSOP", regexp.MustCompile(`(?i)[QV]?SSOP`)},
	{"SOT-223", regexp.MustCompile(`(?i)SOT-?223`)},
	{"SOT-23", regexp.MustCompile(`(?i)T?SOT-?23|SOT-?25\b|SOT-?26\b|SOT95P`)},
	{"SOT-363", regexp.MustCompile(`(?i)SOT-?3(?:[26]3|53)(?:[_ ]SC-?(?:70|88)A?)?|SC-?(?:70|88)`)},
	{"SOT-89", regexp.MustCompile(`(?i)SOT-?89`)},
	{"SO", regexp.MustCompile(`(?i)(?:^|[^A-Z])(?:SOIC|SOP|SO)(?:[-_ 0-9]|$)`)},
	{"SOT-523", regexp.MustCompile(`(?i)SOT-?(?:416|523)`)},
	{"SOD-123", regexp.MustCompile(`(?i)SOD-?123`)},
	{"SOD-323", regexp.MustCompile(`(?i)SOD-?323`)},
	{"SOD-523", regexp.MustCompile(`(?i)SOD-?523`)},
	{"SOD-923", regexp.MustCompile(`(?i)SOD-?923`)},
	{"MELF", regexp.MustCompile(`(?i)MELF|SOD-?80|(?:^|[^A-Z])LL-?(?:34|41)`)},
	{"DO-35", regexp.MustCompile(`(?i)(?:^|[^A-Z])DO-?(?:35|204AH)(?:[^0-9]|$)`)},
	{"DO-41", regexp.MustCompile(`(?i)(?:^|[^A-Z])DO-?(?:41|204AL)(?:[^0-9]|$)`)},
	{"DO-15", regexp.MustCompile(`(?i)(?:^|[^A-Z])DO-?(?:15|204AC)(?:[^0-9]|$)`)},
	{"DO-201", regexp.MustCompile(`(?i)(?:^|[^A-Z])DO-?(?:201|27)(?:[^0-9]|$)`)},
	{"SMA", regexp.MustCompile(`(?i)(?:^|[^A-Z])(?:SMA|DO-?214AC)(?:[^A-Z]|$)`)},
	{"SMB", regexp.MustCompile(`(?i)(?:^|[^A-Z])(?:SMB|DO-?214AA)(?:[^A-Z]|$)`)},
	{"SMC", regexp.MustCompile(`(?i)(?:^|[^A-Z])(?:SMC|DO-?214AB)(?:[^A-Z]|$)`)},
	{"TO-252", regexp.MustCompile(`(?i)TO-?252|D-?PAK`)},
	{"TO-263", regexp.MustCompile(`(?i)TO-?263|D2PAK`)},
	{"TO-220", regexp.MustCompile(`(?i)TO-?220`)},
	{"TO-92", regexp.MustCompile(`(?i)TO-?92`)},
	{"DIP", regexp.MustCompile(`(?i)(?:^|[^A-Z])P?DIP`)},
}

// finePitch is how IPC-7351 names the lands of TSSOP, SSOP, MSOP and VSSOP alike:
// SOP65P640X120-20N. Which of them is meant it does not tell.
var finePitch = regexp.MustCompile(`(?i)(?:^|[^A-Z])SOP(?:40|50|63|64|65)P`)

// threeByThree is the body of a TSSOP that JEDEC has as MSOP, and others as VSSOP: of the
// same lands.
var threeByThree = regexp.MustCompile(`(?i)TSSOP-(?:8|10)[-_ ]3(?:\.0)?x3(?:\.0)?mm`)

// bodyBehind is the body's size in tenths of a millimetre behind the name of a family
// without leads, before the pins: DFN1006-2, U-DFN2020-6. None of them has a thousand.
var bodyBehind = regexp.MustCompile(`^[-_ ]?[0-9]{4}(?:[-_ ]|$)`)

// pinsAfter is the number behind a family's name: SOIC-8, LQFP48, SOT-23-5.
var (
	pinsAfter  = regexp.MustCompile(`^[A-Za-z]*[-_ ]?([0-9]{1,4})(?:[^0-9.x]|$)`)
	ipcPins    = regexp.MustCompile(`(?i)[0-9]X[0-9]{2,4}[_-]([0-9]{1,4})[A-Z]?(?:$|[^0-9X])`) // SOP127P600X175_8N, SOT95P245X110-3M
	pinsBefore = regexp.MustCompile(`(?:^|[^0-9.A-Za-z])([0-9]{1,4})-?$`)                      // 8-MSOP-PowerPad, 16-SOIC
	leads      = regexp.MustCompile(`(?i)(?:^|[-_ ])([0-9]{1,4}) ?LD(?:[-_ ]|$)`)              // QFN55-32LD: of 5 x 5 mm
)

// Parse reads the name of a case or land pattern. A library's prefix is passed
// over.
func Parse(name string) Case {
	if _, rest, ok := strings.Cut(name, ":"); ok {
		name = rest
	}
	name = name[:min(len(name), 200)]
	c := Case{Size: passive.Size(name)}
	if c.Size != "" {
		c.Pins = 2
		return c
	}
	if at := finePitch.FindStringIndex(name); at != nil {
		c.Pins = pins(name, at)
		return c
	}
	for _, f := range families {
		at := f.word.FindStringIndex(name)
		if at == nil {
			continue
		}
		c.Family = f.family
		if f.family == "TSSOP" && threeByThree.MatchString(name) {
			c.Family = "MSOP"
		}
		if size := bodyBehind.FindString(name[at[1]:]); f.family == "DFN" || f.family == "QFN" {
			at[1] += len(strings.TrimRight(size, "-_ "))
		}
		if c.Pins = pins(name, at); f.family == "DFN" && c.Pins > maxInTwoRows {
			c.Pins = 0 // WSON68 is of 6 x 8 mm
		}
		if leaded[f.family] {
			c.Pins = 2 // DO-35_SOD27
		}
		if f.family == "SO" {
			c.Width = widthOf(name, c.Pins)
		}
		return c
	}
	return c
}

// maxInTwoRows is more than any case without leads has in two rows.
const maxInTwoRows = 40

func pins(name string, at []int) int {
	for _, m := range [][]string{leads.FindStringSubmatch(name), ipcPins.FindStringSubmatch(name), pinsAfter.FindStringSubmatch(strings.TrimLeft(name[at[1]:], "_ ")), pinsBefore.FindStringSubmatch(name[:at[0]])} {
		if m == nil {
			continue
		}
		if n, err := strconv.Atoi(m[1]); err == nil && n >= 2 && n <= 3000 {
			return n
		}
	}
	return 0
}

// Differ reports whether two cases are surely not the same: what either does not
// tell is no difference.
func Differ(a, b Case) bool {
	switch {
	case a.Size != "" && b.Size != "":
		return a.Size != b.Size
	case a.Size != "" && b.Family != "":
		return b.hasManyLegs() || leaded[b.Family]
	case b.Size != "" && a.Family != "":
		return a.hasManyLegs() || leaded[a.Family]
	case a.Family != "" && b.Family != "" && a.Family != b.Family:
		return true
	case a.Width > 0 && b.Width > 0 && (a.Width-b.Width > widthTolerance || b.Width-a.Width > widthTolerance):
		return true
	}
	// Exposed pads are counted by some and not by others.
	return a.Family != "" && b.Family != "" && a.Pins > 0 && b.Pins > 0 && (a.Pins-b.Pins > 1 || b.Pins-a.Pins > 1)
}

// Same reports whether two cases are surely the same: what either does not tell is no
// sameness.
func Same(a, b Case) bool {
	switch {
	case Differ(a, b) || !a.IsTold() || !b.IsTold():
		return false
	case a.Size != "" || b.Size != "":
		return a.Size == b.Size
	case twoEnded[a.Family]:
		return true
	case a.IsWide() != b.IsWide():
		return false
	}
	m, n := a.CountPins(), b.CountPins()
	return m > 0 && n > 0 && m-n <= 1 && n-m <= 1 // an exposed pad is counted or not
}

// IsTold reports whether a name told which case it is.
func (c Case) IsTold() bool { return c.Size != "" || c.Family != "" }

// twoEnded are families of which every case has two ends.
var twoEnded = set("SOD-123 SOD-323 SOD-523 SOD-923 SMA SMB SMC DO-35 DO-41 DO-15 DO-201")

// usual is how many pins a case has whose name does not tell.
var usual = map[string]int{"SOT-23": 3, "SOT-523": 3, "SOT-89": 3, "SOT-223": 4, "TO-252": 3, "TO-263": 3, "TO-220": 3, "TO-92": 3}

// CountPins is how many pins a case has, by its name or as usual; 0 unknown.
func (c Case) CountPins() int { return cmp.Or(c.Pins, usual[c.Family]) }

// IsTwoEnded reports whether a case surely has two ends that lie on pads.
func (c Case) IsTwoEnded() bool { return twoEnded[c.Family] && !leaded[c.Family] }

// IsSurfaceMounted reports whether a case surely lies on pads with all its pins.
func (c Case) IsSurfaceMounted() bool {
	return c.Family != "" && !leaded[c.Family] && c.Family != "DIP" && c.Family != "TO-220" && c.Family != "TO-92"
}

// hasManyLegs reports whether a case has surely more than the two ends of a chip.
func (c Case) hasManyLegs() bool {
	switch c.Family {
	case "QFN", "QFP", "TSSOP", "MSOP", "SSOP", "SO", "SOT-23", "SOT-223", "SOT-363", "SOT-89", "TO-252", "TO-263", "TO-220", "TO-92", "DIP", "SOT-523":
		return true
	}
	return c.Pins > 2
}

// leaded are families of cases with two wires, which no lands of a chip take.
var leaded = set("DO-35 DO-41 DO-15 DO-201")

func set(names string) map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		m[name] = true
	}
	return m
}

// tabbed are families whose tab is often numbered like the lead that it joins.
var tabbed = map[string]bool{"SOT-223": true, "SOT-89": true, "TO-252": true, "TO-263": true, "TO-220": true}

// MinPads is how many numbered pads a footprint for the case has, at least: where a
// tab has the number of a lead there is one fewer than there are joints.
func (c Case) MinPads() int {
	if tabbed[c.Family] && c.Pins > 1 {
		return c.Pins - 1
	}
	return c.Pins
}

// BottomTerminated reports whether the joints lie below the case, where only
// X-rays see them.
func (c Case) BottomTerminated() bool {
	return c.Family == "QFN" || c.Family == "DFN" || c.Family == "BGA" || c.Family == "LGA"
}
