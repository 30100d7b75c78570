package report

import (
	"regexp"
	"strings"
)

// A Span is the copper layers that drill files pass by a drill report of Altium.
type Span struct {
	Kind     string   // as written: Layer Pair, MicroVia
	From, To string   // names of layers
	Files    []string // drill files, lower case
}

var (
	spanHead = regexp.MustCompile(`^([A-Za-z][A-Za-z /-]*?)\s*:\s*(.+?) to (.+)$`)
	spanFile = regexp.MustCompile(`^ASCII\b.*\bFile\s*:\s*(\S.*)$`)
	spanKind = regexp.MustCompile(`(?i)layer ?pair|via`)
)

// Spans reads the spans of an Altium drill report (.DRR): a heading such as "MicroVia : L1
// to L2", and the files beneath it.
func Spans(data []byte) []Span {
	var out []Span
	within := false
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if m := spanFile.FindStringSubmatch(line); m != nil {
			if within {
				last := &out[len(out)-1]
				last.Files = append(last.Files, strings.ToLower(m[1]))
			}
		} else if m := spanHead.FindStringSubmatch(line); m != nil {
			if within = spanKind.MatchString(m[1]); within {
				out = append(out, Span{Kind: m[1], From: strings.TrimSpace(m[2]), To: strings.TrimSpace(m[3])})
			}
		}
	}
	return out
}
