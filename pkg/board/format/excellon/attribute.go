package excellon

import (
	"strconv"
	"strings"

	"boardorder/pkg/board/pcb"
)

// attribute reads an X2 attribute out of a comment, with or without the #@!
// that KiCad writes before it.
func (s *scanner) attribute(text string) {
	text = strings.Trim(strings.TrimSpace(strings.TrimPrefix(text, "#@!")), "%* ")
	name, rest, _ := strings.Cut(text, ",")
	fields := strings.Split(rest, ",")
	switch {
	case strings.HasSuffix(name, "TF.FileFunction"):
		s.fileFunction(rest, fields)
	case strings.HasSuffix(name, "TF.GenerationSoftware"):
		s.software = strings.Join(fields, " ")
	case strings.HasSuffix(name, "TA.AperFunction"):
		s.attr = toolAttr{plating: platingField(fields[0])}
		if len(fields) > 2 {
			s.attr.function = fields[2]
		} else if len(fields) == 1 {
			s.attr.function = fields[0]
		}
	case name == "TD":
		s.attr = toolAttr{}
	}
}

// fileFunction reads Plated,1,4,PTH,Drill and its like.
func (s *scanner) fileFunction(text string, fields []string) {
	s.function = text
	switch p := platingField(fields[0]); {
	case p != pcb.PlatingUnknown:
		s.plating = p
	case strings.EqualFold(fields[0], "MixedPlating"):
		s.mixed = true
	}
	if len(fields) < 3 {
		return
	}
	from, err1 := strconv.Atoi(strings.TrimSpace(fields[1]))
	to, err2 := strconv.Atoi(strings.TrimSpace(fields[2]))
	if err1 == nil && err2 == nil && from > 0 && to > 0 && from <= 128 && to <= 128 {
		s.span = Span{min(from, to), max(from, to)}
	}
}

func platingField(f string) pcb.Plating {
	switch strings.ToLower(strings.TrimSpace(f)) {
	case "plated":
		return pcb.Plated
	case "nonplated":
		return pcb.NonPlated
	}
	return pcb.PlatingUnknown
}
