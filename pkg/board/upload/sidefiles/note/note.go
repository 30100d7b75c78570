package note

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"
)

// A Topic is what a statement is about.
type Topic string

// The topics. What a plain board is made without is a flag by the name of its
// [board.Process].
const (
	Layers        Topic = "layers"         // Number
	Thickness     Topic = "thickness"      // Length
	Width         Topic = "width"          // Length
	Height        Topic = "height"         // Length
	Finish        Topic = "finish"         // Text
	MaskColour    Topic = "mask colour"    // Text
	LegendColour  Topic = "legend colour"  // Text
	OuterCopper   Topic = "outer copper"   // Ounces
	InnerCopper   Topic = "inner copper"   // Ounces
	Material      Topic = "material"       // Text
	ViaProcess    Topic = "via process"    // Text
	Impedance     Topic = "impedance"      // flag
	EdgePlating   Topic = "edge plating"   // flag
	Castellations Topic = "castellations"  // flag
	GoldFingers   Topic = "gold fingers"   // flag
	Flex          Topic = "flex"           // flag
	Panel         Topic = "panel"          // flag
	PerPanel      Topic = "pieces a panel" // Number
	BlindVias     Topic = "blind vias"     // flag
	VScores       Topic = "v-scores"       // flag
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
}

const (
	maxSize      = 256 << 10
	maxLine      = 400
	fewestTopics = 2
)

// Read finds the statements of fabrication notes. It gives none for files that
// are too large, no text, or say too little to be meant for a fabricator. Of
// several statements on one topic the first counts.
func Read(data []byte) []Statement {
	if len(data) > maxSize || bytes.IndexByte(data, 0) >= 0 || !utf8.Valid(data) {
		return nil
	}
	var out []Statement
	seen := map[Topic]bool{}
	line := 0
	for l := range strings.Lines(string(data)) {
		line++
		text := strings.TrimSpace(l)
		if text == "" || len(text) > maxLine {
			continue
		}
		for _, s := range statements(strings.ToLower(text)) {
			if !seen[s.Topic] {
				seen[s.Topic] = true
				s.Line = line
				out = append(out, s)
			}
		}
	}
	if len(seen) < fewestTopics && !slices.ContainsFunc(marks, func(m mark) bool { return m.plain && seen[m.topic] }) {
		return nil
	}
	return out
}
