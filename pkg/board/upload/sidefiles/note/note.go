package note

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"boardorder/pkg/board/internal/pattern"
	"boardorder/pkg/board/pcb"
)

// A Topic is what a statement is about.
type Topic string

// The topics. What a plain board is made without is a flag by the name of its
// [pcb.Process].
const (
	Layers           Topic = "layers"         // Number
	Thickness        Topic = "thickness"      // Length
	Width            Topic = "width"          // Length
	Height           Topic = "height"         // Length
	Finish           Topic = "finish"         // Text
	MaskColour       Topic = "mask colour"    // Text
	SilkscreenColour Topic = "legend colour"  // Text
	OuterCopper      Topic = "outer copper"   // Ounces
	InnerCopper      Topic = "inner copper"   // Ounces
	LayerCopper      Topic = "layer copper"   // Ounces, of the copper layer Number
	Material         Topic = "material"       // Text
	ViaProcess       Topic = "via process"    // Text
	Impedance        Topic = "impedance"      // flag
	EdgePlating      Topic = "edge plating"   // flag
	Castellations    Topic = "castellations"  // flag; Number of edges, where it is said
	GoldFingers      Topic = "gold fingers"   // flag
	Bevel            Topic = "bevel"          // flag: of the gold fingers' edge
	Flex             Topic = "flex"           // flag
	Panel            Topic = "panel"          // flag
	PanelWanted      Topic = "panel wanted"   // flag: the fabricator is to make one
	PerPanel         Topic = "pieces a panel" // Number
	BlindVias        Topic = "blind vias"     // flag
	VScores          Topic = "v-scores"       // flag
	NoSilkscreen     Topic = "no legend"      // flag

	transition Topic = "glass transition" // Number, in degrees Celsius: becomes part of the material
)

// A Statement is one thing that the notes say. Which value it has follows from
// its topic; flags have none.
type Statement struct {
	Topic  Topic
	Text   string
	Number int
	Length int64 // nanometres
	Ounces float64
	Line   int
	// Unclear marks a subject whose value is none that is known: Text has it as written.
	Unclear bool
	// Labelled marks what stands behind a label of its own, as in "Layers: 4".
	Labelled bool

	weak bool // may be of something else than the board
}

// same reports whether two statements say the same.
func (s Statement) same(o Statement) bool {
	s.Line, s.Labelled, s.weak = o.Line, o.Labelled, o.weak
	return s == o
}

// An Unread is a line that names a subject of fabrication and was not understood.
type Unread struct {
	Line  int
	Words string // as written
}

// A Note is what a text says to a fabricator.
type Note struct {
	Statements []Statement // each once
	Unread     []Unread
	// Order marks a text that is for a fabricator by its name, or says several things.
	Order bool
	// Cut marks lettering of more lines than [MaxLettering], which was read so far.
	Cut bool
}

// MaxLettering is how many lines of one drawing's lettering are read.
const MaxLettering = 4000

const (
	maxSize      = 256 << 10
	maxLine      = 400
	maxUnread    = 40
	fewestTopics = 2
)

var (
	orderName   = pattern.Lazy(`(?i)(?:^|[^a-z])(?:fab(?:rication)?|order(?:ing)?|notes?|specs?|specifications?|stack[ _-]?up|manufactur\w*|production|fertigung|bestellung)(?:[^a-z]|$)`)
	historyName = pattern.Lazy(`(?i)change[ _-]?log|history|release[ _-]?notes|^news\b|licen[cs]e|^copying|contribut|code[ _-]of[ _-]conduct`)
)

// Read finds what a file says to a fabricator. It gives nothing for files that are too
// large or no text. One statement is enough where it stands by itself; what stands in a
// sentence of any text counts where the text says more.
func Read(name string, data []byte) Note {
	text, ok := decode(data)
	base := path.Base(name)
	if !ok || historyName().MatchString(base) {
		return Note{}
	}
	return judge(linesOf(base, text), orderName().MatchString(strings.TrimSuffix(base, path.Ext(base))))
}

// A Line is a line of lettering, and where it stands.
type Line struct {
	Number int
	Text   string
}

// ReadLines is Read for the lettering of a drawing, or for the words in a design's title.
func ReadLines(in []Line) Note {
	var lines []line
	for _, l := range in {
		for text := range strings.Lines(l.Text) {
			if len(lines) == MaxLettering {
				n := judge(lines, false)
				n.Cut = true
				return n
			}
			lines = append(lines, line{number: l.Number, text: text})
		}
	}
	return judge(lines, false)
}

// judge settles which of the statements of a text count.
func judge(lines []line, order bool) Note {
	var readings []reading
	strong := map[int]bool{} // by section
	topics := map[Topic]bool{}
	for _, l := range lines {
		r := l.read()
		r.statements = slices.DeleteFunc(r.statements, func(s Statement) bool { return s.Topic == ignored })
		if len(r.statements) == 0 && !r.unread && !r.special {
			continue
		}
		readings = append(readings, r)
		for _, s := range r.statements {
			if r.aside || s.Unclear {
				continue
			}
			strong[l.section] = strong[l.section] || !s.weak
			topics[s.Topic] = true
		}
	}
	n := Note{Order: order || len(topics) >= fewestTopics}
	for _, r := range readings {
		n.take(r, strong[r.line.section])
	}
	n.mergeTransition()
	n.findHybrid(readings)
	n.Unread = n.Unread[:min(len(n.Unread), maxUnread)]
	return n
}

// take adds what one line says, where that counts. company says that its section has
// something to say of a board.
func (n *Note) take(r reading, company bool) {
	counted := false
	for _, s := range r.statements {
		switch {
		case r.aside, (s.weak || s.Unclear) && !company && !n.namesBoard(s), !n.Order && !r.brief && !s.plain():
			continue
		}
		counted = true
		s.Line = r.line.number
		if !slices.ContainsFunc(n.Statements, s.same) {
			n.Statements = append(n.Statements, s)
		}
	}
	passed := len(r.statements) > 0 && !counted && slices.ContainsFunc(r.statements, func(s Statement) bool { return !s.weak })
	missed := r.special && !r.aside && !counted && !isTakenBackIn(r)
	if r.unread && n.Order || passed || missed {
		n.Unread = append(n.Unread, Unread{r.line.number, clip(r.line.text)})
	}
}

// namesBoard reports whether a weak statement is of the board all the same: of a label that
// names it, with a value as boards have.
func (n *Note) namesBoard(s Statement) bool {
	return n.Order && s.Labelled && !s.Unclear || s.Topic == Thickness && s.Labelled && !s.Unclear
}

// plain reports whether words mean nothing but the work on a board, wherever they stand.
func (s Statement) plain() bool {
	return slices.ContainsFunc(marks, func(m mark) bool { return m.plain && m.topic == s.Topic })
}

// mergeTransition puts a glass transition that stands by itself to the FR-4 that it is of.
func (n *Note) mergeTransition() {
	at := func(t Topic) int {
		return slices.IndexFunc(n.Statements, func(s Statement) bool { return s.Topic == t })
	}
	tg := at(transition)
	if tg < 0 {
		return
	}
	words := "FR-4 TG" + itoa(n.Statements[tg].Number)
	switch m := at(Material); {
	case m < 0:
		n.Statements[tg] = Statement{Topic: Material, Text: words, Line: n.Statements[tg].Line}
	case plainFR4().MatchString(n.Statements[m].Text):
		n.Statements[m].Text = words
	}
	n.Statements = slices.DeleteFunc(n.Statements, func(s Statement) bool { return s.Topic == transition })
	slices.SortStableFunc(n.Statements, func(a, b Statement) int { return cmp.Compare(a.Line, b.Line) })
}

// betweenLayers is what is said of sheets that lie at one place of the stack alone.
var betweenLayers = pattern.Lazy(`\b(?:under|below|above|between|beneath|for|on|in)\b.{0,30}\blayers?\b|\b(?:all other|other|outer|inner|internal|external|remaining) layers?\b|\blayers? \d`)

// findHybrid states a stackup of several laminates where notes name FR-4 and another sheet,
// and say between which layers.
func (n *Note) findHybrid(readings []reading) {
	hybrid := Statement{Topic: Topic(pcb.HybridStack)}
	var sheets []string
	placed := 0
	for _, s := range n.Statements {
		if s.Topic == hybrid.Topic {
			return
		}
		if s.Topic != Material || s.Unclear {
			continue
		}
		sheets, hybrid.Line = append(sheets, strings.ToLower(s.Text)), s.Line
		if slices.ContainsFunc(readings, func(r reading) bool {
			return r.line.number == s.Line && betweenLayers().MatchString(strings.ToLower(r.line.text))
		}) {
			placed++
		}
	}
	if len(sheets) > 1 && placed > 0 && IsMixed(strings.Join(sheets, " + ")) {
		n.Statements = append(n.Statements, hybrid)
		slices.SortStableFunc(n.Statements, func(a, b Statement) int { return cmp.Compare(a.Line, b.Line) })
	}
}

var plainFR4 = pattern.Lazy(`(?i)^(?:standard )?fr-? ?4$`)

// clip bounds what is kept of a line.
func clip(s string) string {
	const most = 100
	if r := []rune(strings.TrimSpace(s)); len(r) > most {
		return string(r[:most]) + "…"
	}
	return strings.TrimSpace(s)
}
