package gerber

import (
	"strings"

	"boardorder/pkg/board/pcb"
)

// formatCommand reads FS: zero omission, notation and digits, such as LAX24Y24.
// Sequence and code lengths (N2, G2, D2, M2), as old files give them, are passed over.
func (r *reader) formatCommand(body string, line int) {
	body = strings.ToUpper(strings.ReplaceAll(body, " ", ""))
	f := r.file.Format
	x, y := "", ""
	f.TrailingOmitted, f.Incremental = false, false
	for i := 0; i < len(body); i++ {
		switch body[i] {
		case 'L', 'D': // D: nothing omitted, which reads like leading
		case 'T':
			f.TrailingOmitted = true
		case 'I':
			f.Incremental = true
		case 'X':
			x = digits(body[i+1:])
		case 'Y':
			y = digits(body[i+1:])
		}
	}
	if x == "" {
		x = y
	}
	if len(x) != 2 || x[0] > '8' || x[1] > '9' {
		r.find(pcb.Warning, "bad_command", "FS", line, "the coordinate format %q cannot be read", clip([]byte(body)))
		return
	}
	if y != "" && y != x {
		r.find(pcb.Warning, "uneven_format", "", line, "the format differs between X and Y (%s, %s); X is used for both", x, y)
	}
	f.Integer, f.Decimal = int(x[0]-'0'), int(x[1]-'0')
	if r.file.FormatStated && f != r.file.Format {
		r.find(pcb.Warning, "format_changed", "", line, "the coordinate format changes within the file")
	}
	r.file.Format, r.file.FormatStated = f, true
	r.setScale()
	r.unusual(line)
}

// unusual notes formats that are legal in old files but often a mistake.
func (r *reader) unusual(line int) {
	f := r.file.Format
	if f.TrailingOmitted {
		r.find(pcb.Note, "trailing_zeros_omitted", "", line, "trailing zeros are omitted, which is deprecated; followed")
	}
	if f.Incremental {
		r.find(pcb.Note, "incremental", "", line, "coordinates are incremental, which is deprecated; followed")
	}
}

func digits(s string) string {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return s[:n]
}

func (r *reader) modeCommand(body string, line int) {
	switch strings.ToUpper(strings.TrimSpace(body)) {
	case "IN":
		r.unit(false)
	case "MM":
		r.unit(true)
	default:
		r.find(pcb.Warning, "bad_command", "MO", line, "unknown unit %q", clip([]byte(body)))
	}
}

func (r *reader) unit(metric bool) {
	if r.file.UnitStated && r.file.Metric != metric {
		r.find(pcb.Warning, "unit_changed", "", r.line, "the unit changes within the file")
	}
	r.file.Metric, r.file.UnitStated = metric, true
	r.setScale()
}
