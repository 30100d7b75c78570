package gerber

import (
	"bytes"
	"strings"

	"boardorder/pkg/board/pcb"
)

// maxBody bounds the length of one extended command: the longest real macros
// are far below.
const maxBody = 4 << 20

// readExtended reads a block of extended commands between percent signs. Where the
// closing sign is missing, the first thing that is no extended command ends it.
func (r *reader) readExtended() {
	r.pos++ // %
	for r.pos < len(r.data) {
		r.blank()
		if r.pos >= len(r.data) {
			break
		}
		c := r.data[r.pos]
		switch {
		case c == '%':
			r.pos++
			return
		case c == '*':
			r.pos++
		case !r.startsExtended():
			r.find(pcb.Warning, "missing_percent", "", r.line, "an extended command has no closing percent sign")
			return
		default:
			r.readExtendedCommand()
		}
	}
	r.find(pcb.Problem, "truncated", "", r.line, "the file ends in the middle of an extended command")
}

// blank skips white space, counting lines.
func (r *reader) blank() {
	for r.pos < len(r.data) && r.data[r.pos] <= ' ' {
		switch r.data[r.pos] {
		case '\n':
			r.line++
			r.pos++
		case '\r':
			r.carriageReturn()
		default:
			r.pos++
		}
	}
}

// startsExtended tells whether a two-letter command stands here.
func (r *reader) startsExtended() bool {
	d := r.data[r.pos:]
	return len(d) >= 2 && isLetter(d[0]) && isLetter(d[1])
}

func isLetter(c byte) bool { return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' }

var extendedCommands = map[string]bool{
	"FS": true, "MO": true, "AD": true, "AM": true, "AB": true, "SR": true, "LP": true, "LM": true, "LR": true,
	"LS": true, "TF": true, "TA": true, "TO": true, "TD": true, "IP": true, "IR": true, "MI": true, "OF": true,
	"SF": true, "AS": true, "IN": true, "LN": true, "IJ": true, "IO": true, "IC": true, "IF": true, "KO": true,
	"PF": true, "RO": true,
}

// bareExtended reads an extended command that lacks its percent signs; false
// when there is none here.
func (r *reader) bareExtended() bool {
	if !r.startsExtended() || !extendedCommands[string(r.data[r.pos:r.pos+2])] {
		return false
	}
	r.find(pcb.Warning, "missing_percent", "", r.line, "an extended command is not between percent signs")
	r.readExtendedCommand()
	return true
}

// readExtendedCommand reads one command up to its asterisk, a macro up to its end.
func (r *reader) readExtendedCommand() {
	cmd, line := strings.ToUpper(string(r.data[r.pos:r.pos+2])), r.line
	r.pos += 2
	if cmd == "AM" {
		r.macroDefinition(line)
		return
	}
	rest := r.data[r.pos:]
	end := bytes.IndexAny(rest[:min(len(rest), maxBody)], "*%")
	if end < 0 {
		r.find(pcb.Problem, "truncated", "", line, "the file ends in the middle of the command %s", cmd)
		r.pos = len(r.data)
		return
	}
	body := rest[:end]
	r.pos += end
	r.line += countLines(body)
	if rest[end] == '*' {
		r.pos++
	} else {
		r.warnNoStar()
	}
	r.file.Commands++
	r.dispatch(cmd, joinLines(body), line)
}

// joinLines removes the line ends within a command.
func joinLines(b []byte) string {
	if bytes.IndexByte(b, '\n') < 0 && bytes.IndexByte(b, '\r') < 0 {
		return string(b)
	}
	return strings.NewReplacer("\r", "", "\n", "").Replace(string(b))
}

func (r *reader) dispatch(cmd, body string, line int) {
	switch cmd {
	case "FS":
		r.formatCommand(body, line)
	case "MO":
		r.modeCommand(body, line)
	case "AD":
		r.apertureDefinition(body, line)
	case "AB":
		r.blockCommand(body, line)
	case "SR":
		r.repeatCommand(body, line)
	case "LP":
		r.polarity(body, line)
	case "LM", "LR", "LS":
		r.placement(cmd, body, line)
	case "TF", "TA", "TO", "TD":
		r.attribute(cmd+body, line)
	case "IP":
		r.imagePolarity(body, line)
	case "IR", "MI", "OF", "SF", "AS":
		r.applyDeprecated(cmd, strings.TrimSpace(body), line)
	case "IN":
		r.file.ImageName = strings.ToValidUTF8(strings.TrimSpace(body), "?")
	case "LN":
		if len(r.file.LayerNames) < 64 {
			r.file.LayerNames = append(r.file.LayerNames, strings.ToValidUTF8(strings.TrimSpace(body), "?"))
		}
	default:
		r.reportUnsupported(cmd, body, line)
	}
}

// reportUnsupported reports the commands that are not followed.
func (r *reader) reportUnsupported(cmd, body string, line int) {
	whole := clip([]byte(cmd + body))
	switch cmd {
	case "IC":
		if strings.HasPrefix(body, "AS") { // plain ASCII
			return
		}
		r.find(pcb.Problem, "input_code", "", line, "the file says that it is not written in ASCII (%q)", whole)
	case "IJ", "IO", "PF", "RO":
		r.find(pcb.Note, "ignored_command", cmd, line, "the plotter command %q does not change the image and is not followed", whole)
	case "KO":
		r.find(pcb.Warning, "ignored_command", cmd, line, "the knockout command %q is not followed: an area may be drawn that should be free", whole)
	case "IF":
		r.find(pcb.Problem, "include_file", "", line, "the file includes another (%q), which is not read", whole)
	default:
		r.file.Unknown++
		r.find(pcb.Warning, "unknown_command", cmd, line, "unknown extended command %q", whole)
	}
}

func (r *reader) polarity(body string, line int) {
	switch strings.TrimSpace(body) {
	case "D":
		r.clear = false
	case "C":
		r.clear = true
	default:
		r.find(pcb.Warning, "bad_command", "LP", line, "unknown polarity %q", clip([]byte(body)))
	}
}

func (r *reader) imagePolarity(body string, line int) {
	switch strings.TrimSpace(body) {
	case "POS":
		r.file.Negative = false
	case "NEG":
		r.file.Negative = true
	default:
		r.find(pcb.Warning, "bad_command", "IP", line, "unknown image polarity %q", clip([]byte(body)))
	}
}

// placement sets mirroring, rotation or scale of apertures.
func (r *reader) placement(cmd, body string, line int) {
	body = strings.TrimSpace(body)
	switch cmd {
	case "LM":
		r.dict.mirror = body
		if !strings.Contains(" N X Y XY ", " "+body+" ") {
			r.dict.mirror = ""
			r.find(pcb.Warning, "bad_command", "LM", line, "unknown mirroring %q", clip([]byte(body)))
		}
	case "LR":
		r.dict.rotation = leadingFloat(body, 0)
	case "LS":
		s := leadingFloat(body, 0)
		if !(s > 1e-6 && s < 1e6) {
			r.find(pcb.Warning, "bad_command", "LS", line, "scale %q makes no sense; ignored", clip([]byte(body)))
			return
		}
		r.dict.scale = s
	}
	r.setTransform()
}
