package excellon

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/board/internal/pattern"
	"boardorder/pkg/board/pcb"
)

// Comments carry what the format has no words for. Every CAD system has its
// own habits; these are the ones met.
var (
	placesComment = pattern.Lazy(`(?i)(?:^|[^a-z])format\s*[:=]\s*\{?\s*(\d)\s*[:.]\s*(\d)`)
	holeComment   = pattern.Lazy(`(?i)^(?:T(\d+)\s+)?(?:Hole|Back[ _-]?drill|Drill|Tool)[ _]?size\s+(\d+)\.?\s*=\s*([\d.]+)\s*(.*)$`)
	toolComment   = pattern.Lazy(`(?i)^T(?:ool)?[ _#]*0*(\d{1,4})\s*[:=-]?\s*(?:[FSBHZ]\d+)*\s*(C|dia(?:meter|\.)?|size|drill)?\s*[:=]?\s*(\d*\.\d+|\d+)\s*(mm|millimet\w*|inch(?:es)?|in|"|mils?|thou|microns?|[uµ]m)?(?:[^\w.].*)?$`)
	backComment   = pattern.Lazy(`(?i)\bback[ _-]?drill(?:ing|s|ed|size)?\b|\bMUST[-_ ]NOT[-_ ]CUT\b`)
	countComment  = pattern.Lazy(`(?i)Quantity\s*=\s*(\d+)`)
	layersComment = pattern.Lazy(`(?i)\blayers?\s+TOP\s+(?:and|to)\s+BOTTOM\b`)
	kicadComment  = pattern.Lazy(`(?i)^DRILL file \{(.*?)\}`)
	mentorContent = pattern.Lazy(`(?i)^Contents\s*:\s*(.*)$`)
	unitComment   = pattern.Lazy(`(?i)\bunits?\s*[:=]\s*(mm|metric|inch(?:es)?|mils?)\b`)
)

// comment reads the text of one comment, its marks removed.
func (s *scanner) comment(text string) {
	upper := strings.ToUpper(text)
	switch {
	case strings.Contains(upper, "TF.") || strings.Contains(upper, "TA.") || strings.HasSuffix(upper, "TD"):
		s.attribute(text)
		return
	case strings.HasPrefix(upper, "TYPE="):
		s.sectionComment(upper[len("TYPE="):])
		return
	case holeComment().MatchString(text):
		s.holesize(text)
		return
	case strings.HasPrefix(upper, "GENERATIONSOFTWARE,"):
		s.software = strings.TrimRight(text[len("GENERATIONSOFTWARE,"):], "*%")
	case strings.HasPrefix(upper, "EASYEDA"):
		s.software = text
	}
	s.toolRemark(text)
	s.formatComment(text, upper)
	s.describe(text, upper)
}

func (s *scanner) sectionComment(kind string) {
	switch strings.Trim(kind, " ;") {
	case "PLATED":
		s.section = pcb.Plated
	case "NON_PLATED", "NONPLATED", "NON-PLATED":
		s.section = pcb.NonPlated
	}
}

// formatComment finds statements about numbers.
func (s *scanner) formatComment(text, upper string) {
	if m := placesComment().FindStringSubmatch(text); m != nil {
		i, _ := strconv.Atoi(m[1])
		d, _ := strconv.Atoi(m[2])
		s.statePlaces(i, d)
	}
	if !strings.Contains(upper, "FORMAT") && !strings.Contains(upper, "ZERO") && !strings.Contains(upper, "UNIT") {
		return
	}
	switch {
	case strings.Contains(upper, "SUPPRESS LEADING") || strings.Contains(upper, "LEADING ZERO SUPPRESS"):
		s.stated.Zeros = TrailingKept
	case strings.Contains(upper, "SUPPRESS TRAILING") || strings.Contains(upper, "TRAILING ZERO SUPPRESS"):
		s.stated.Zeros = LeadingKept
	}
	switch {
	case s.stated.Unit != UnknownUnit:
	case strings.Contains(upper, "/ METRIC /") || strings.Contains(upper, "/ MM /"):
		s.stated.Unit = Millimetre
	case strings.Contains(upper, "/ INCH /") || strings.Contains(upper, "/ ENGLISH /"):
		s.stated.Unit = Inch
	default:
		s.unitWord(text)
	}
}

func (s *scanner) unitWord(text string) {
	if m := unitComment().FindStringSubmatch(text); m != nil {
		switch strings.ToLower(m[1]) {
		case "mm", "metric":
			s.stated.Unit = Millimetre
		case "inch", "inches":
			s.stated.Unit = Inch
		}
	}
}

// describe finds statements about the file as a whole.
func (s *scanner) describe(text, upper string) {
	if backComment().MatchString(text) {
		s.backDrill = true
	}
	if m := kicadComment().FindStringSubmatch(text); m != nil {
		s.software = m[1]
	}
	if layersComment().MatchString(text) {
		s.span.From, s.bottom = 1, true
	}
	if m := mentorContent().FindStringSubmatch(text); m != nil {
		s.platingWords(m[1])
		if s.software == "" {
			s.software = "Siemens Xpedition"
		}
	}
	if strings.HasPrefix(upper, "LAYER: DRILL") {
		s.platingWords(text)
	}
}

// platingWords sets the file's plating from free words.
func (s *scanner) platingWords(text string) {
	t := strings.ToUpper(text)
	switch {
	case strings.Contains(t, "NON-PLATED"), strings.Contains(t, "NON_PLATED"), strings.Contains(t, "NPTH"):
		s.plating = pcb.NonPlated
	case strings.Contains(t, "PLATED"), strings.Contains(t, "PTH"):
		s.plating = pcb.Plated
	}
}

// holesize reads the tool table that Allegro and EasyEDA write as comments.
func (s *scanner) holesize(text string) {
	m := holeComment().FindStringSubmatch(text)
	if m == nil {
		return
	}
	number := m[1]
	if number == "" {
		number = m[2]
	}
	n, err := strconv.Atoi(number)
	if err != nil || n > 1<<20 {
		return
	}
	size, err := strconv.ParseFloat(m[3], 64)
	if err != nil {
		return
	}
	i := s.tool(n)
	if i < 0 {
		return
	}
	t := &s.tools[i]
	if backComment().MatchString(text) {
		t.Function = backDrill
	}
	s.sizeFromComment(t, size, strings.ToUpper(m[4]))
	if c := countComment().FindStringSubmatch(m[4]); c != nil {
		t.Stated, _ = strconv.Atoi(c[1])
	}
}

// A remark is a tool's size as a comment gives it.
type remark struct {
	size float64
	rest string // upper case: the unit, the plating
	line int
}

// toolRemark keeps the size that a comment gives for a tool: "T1 = 0.8 mm", "Tool 3: dia
// .032 in", a header that was commented out. It needs a unit, a word or a point: a bare
// number may be a count.
func (s *scanner) toolRemark(text string) {
	m := toolComment().FindStringSubmatch(text)
	if m == nil || m[2] == "" && m[4] == "" && !strings.Contains(m[3], ".") {
		return
	}
	n, _ := strconv.Atoi(m[1])
	size, err := strconv.ParseFloat(m[3], 64)
	if err != nil || size <= 0 || len(s.remarks) >= maxTools {
		return
	}
	if s.remarks == nil {
		s.remarks = map[int]remark{}
	}
	if _, known := s.remarks[n]; known {
		return
	}
	unit := strings.ToUpper(m[4])
	switch unit {
	case `"`, "IN":
		unit = "INCH"
	case "UM", "µM", "\u039cM": // the micro sign has another letter as its capital
		unit = "MICRON"
	case "THOU":
		unit = "MIL"
	}
	_, rest, _ := strings.Cut(text, m[3])
	s.remarks[n] = remark{size, unit + " " + strings.ToUpper(rest), s.line}
}

// useRemarks gives tools without a size the one that a comment states. A program without
// tools has those of its comments.
func (s *scanner) useRemarks() {
	if len(s.tools) == 0 && s.selects == 0 {
		for _, n := range slices.Sorted(maps.Keys(s.remarks)) {
			if i := s.tool(n); i >= 0 {
				s.tools[i].Line = s.remarks[n].line
			}
		}
	}
	for i := range s.tools {
		t := &s.tools[i]
		if r, ok := s.remarks[t.Number]; ok && !t.hasSize {
			s.sizeFromComment(t, r.size, r.rest)
			t.remarked = true
		}
	}
}

func (s *scanner) sizeFromComment(t *rawTool, size float64, rest string) {
	switch {
	case strings.Contains(rest, "NON_PLATED") || strings.Contains(rest, "NON-PLATED"):
		t.Plating = pcb.NonPlated
	case strings.Contains(rest, "PLATED"):
		t.Plating = pcb.Plated
	}
	if t.hasSize {
		return
	}
	switch {
	case strings.Contains(rest, "MIL") && !strings.Contains(rest, "MILLI"):
		t.size, t.unit = size/1000, Inch
	case strings.Contains(rest, "MM"), strings.Contains(rest, "MILLI"):
		t.size, t.unit = size, Millimetre
	case strings.Contains(rest, "INCH"):
		t.size, t.unit = size, Inch
	case strings.Contains(rest, "MICRON"):
		t.size, t.unit = size/1000, Millimetre
	default:
		t.size = size
	}
	t.hasSize, t.hasPoint = true, true
}
