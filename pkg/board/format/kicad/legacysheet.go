package kicad

import (
	"bytes"
	"strings"

	"boardorder/pkg/board/internal/partfield"
)

// readLegacySheet reads a .sch of KiCad up to 5, a file of lines; nil where the
// file is another tool's.
func readLegacySheet(f File) *sheet {
	if !bytes.HasPrefix(f.Data, []byte("EESchema")) {
		return nil
	}
	s := &sheet{file: f.Name}
	var sym *symbol
	var child *subsheet
	for line := range strings.Lines(string(f.Data)) {
		line = strings.TrimRight(line, "\r\n")
		if sym == nil && child == nil && strings.IndexByte(line, '$') < 0 {
			continue // wires and the like
		}
		words := legacyWords(line)
		if len(words) == 0 {
			continue
		}
		switch words[0] {
		case "$Comp":
			sym = &symbol{onBoard: true, refs: map[string]string{}}
		case "$EndComp":
			if sym != nil {
				s.symbols = append(s.symbols, *sym)
			}
			sym = nil
		case "$Sheet":
			child = &subsheet{}
		case "$EndSheet":
			if child != nil {
				s.children = append(s.children, *child)
			}
			child = nil
		default:
			if sym != nil {
				sym.legacyLine(words)
			}
			if child != nil {
				child.legacyLine(words)
			}
		}
	}
	return s
}

func (s *symbol) legacyLine(w []string) {
	switch {
	case w[0] == "L" && len(w) > 2:
		s.ref = w[2]
	case w[0] == "U" && len(w) > 3:
		s.uuid = w[3]
	case w[0] == "AR":
		var path, ref string
		for _, p := range w[1:] {
			if v, ok := strings.CutPrefix(p, "Path="); ok {
				path = strings.Trim(v, `"`)
			}
			if v, ok := strings.CutPrefix(p, "Ref="); ok {
				ref = strings.Trim(v, `"`)
			}
		}
		s.refs[path] = ref
	case w[0] == "F" && len(w) > 2:
		switch w[1] {
		case "0":
			s.ref = w[2]
		case "1":
			s.part.Value = w[2]
		case "2":
			s.part.Footprint = w[2]
		case "3":
		default:
			partfield.Set(&s.part, w[len(w)-1], w[2])
		}
	}
}

func (c *subsheet) legacyLine(w []string) {
	if w[0] == "U" && len(w) > 1 {
		c.uuid = w[1]
	}
	if w[0] == "F1" && len(w) > 1 {
		c.file = w[1]
	}
}

// legacyWords splits a line at spaces outside of quotes; the quotes of a whole
// word are taken off.
func legacyWords(line string) []string {
	var out []string
	for len(line) > 0 {
		line = strings.TrimLeft(line, " \t")
		if line == "" {
			break
		}
		if line[0] == '"' {
			end := 1
			for end < len(line) && line[end] != '"' {
				if line[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end, len(line))
			out = append(out, strings.ReplaceAll(line[1:end], `\"`, `"`))
			line = line[min(end+1, len(line)):]
			continue
		}
		end := strings.IndexAny(line, " \t")
		if end < 0 {
			end = len(line)
		}
		out = append(out, line[:end])
		line = line[end:]
	}
	return out
}
