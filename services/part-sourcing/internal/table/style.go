package table

import (
	"encoding/xml"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// maxStyles bounds the styles of a workbook; a spreadsheet writes 64,000 at most.
const maxStyles = 65_536

// styles reads which style shows numbers how.
func (w *workbook) styles(d *xml.Decoder) error {
	codes := map[string]string{}
	inside := false // of the list that cells refer to
	return elements(d, func(e xml.StartElement) error {
		switch e.Name.Local {
		case "numFmt":
			if len(codes) < maxStyles {
				codes[attr(e, "numFmtId")] = attr(e, "formatCode")
			}
		case "cellStyleXfs", "cellStyles", "dxfs":
			inside = false
		case "cellXfs":
			inside = true
		case "xf":
			if inside && len(w.formats) < maxStyles {
				w.formats = append(w.formats, formatOf(attr(e, "numFmtId"), codes))
			}
		}
		return nil
	})
}

// formatOf is a style's way of showing numbers. Some have numbers and no text.
func formatOf(id string, codes map[string]string) string {
	if code, ok := codes[id]; ok {
		return code
	}
	if n, err := strconv.Atoi(id); err == nil && (n >= 14 && n <= 17 || n == 22) {
		return "yyyy-mm-dd"
	}
	return ""
}

var (
	padded = regexp.MustCompile(`^0{2,20}$`)
	// literal is what a format writes as it stands, or as wide a blank as: "DM", [Red], \d, _D, *-.
	literal = regexp.MustCompile(`"[^"]*"|\[[^\]]*\]|[\\_*].`)
)

// displayText is a number as its cell shows it, as far as that may be a name: with zeros
// before it, or as a day.
func (w *workbook) displayText(text, style string) string {
	text = number(text)
	n, err := strconv.Atoi(style)
	if err != nil || n < 0 || n >= len(w.formats) {
		return text
	}
	code := w.formats[n]
	switch bare := strings.ToLower(literal.ReplaceAllString(code, "")); {
	case padded.MatchString(code) && len(text) < len(code) && digitsOnly(text):
		return strings.Repeat("0", len(code)-len(text)) + text
	case strings.ContainsAny(bare, "yd"):
		return w.epoch.day(text)
	}
	return text
}

func digitsOnly(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// An epoch is the day from which a workbook counts days.
type epoch bool

const (
	since1900 epoch = false
	since1904 epoch = true // workbooks of early Macintoshes and their descendants: 0 is 1 January 1904
)

// feignedDay is the count of 29 February 1900, which spreadsheets have and calendars have not:
// from 1 to it days count from a day later.
const feignedDay = 60

// day is the day that a spreadsheet's count of days means; 1 is 1 January 1900, unless it counts
// from 1904.
func (e epoch) day(text string) string {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || v < 0 || v > 2_000_000 || e == since1900 && v < 1 {
		return text
	}
	first := time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	if e == since1900 {
		first = time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)
		if v < feignedDay {
			v++
		}
	}
	return first.AddDate(0, 0, int(v)).Format(time.DateOnly)
}
