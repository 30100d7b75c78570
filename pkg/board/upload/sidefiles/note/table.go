package note

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"boardorder/pkg/board/internal/pattern"
)

const (
	maxRows  = 2000
	maxPairs = 2000
)

// tableLines reads a table of options: a row for each, or a column.
func tableLines(text string) []line {
	delimiter, most := ',', 0
	for _, d := range ",;\t|" {
		if n := strings.Count(text[:min(len(text), 4096)], string(d)); n > most {
			delimiter, most = d, n
		}
	}
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord, r.TrimLeadingSpace = delimiter, true, -1, true
	var rows []row
	for len(rows) < maxRows {
		cells, err := r.Read()
		if cells == nil {
			break
		}
		if err == nil {
			number, _ := r.FieldPos(0)
			rows = append(rows, row{number, cells})
		}
	}
	return pairs(rows)
}

// A row is one of a table.
type row struct {
	number int
	cells  []string
}

var tableRule = pattern.Lazy(`^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$`)

// markdownTable counts the rows of a table that begins here: a heading and a rule below it.
func markdownTable(rows []string) int {
	if len(rows) < 2 || !strings.Contains(rows[0], "|") || !strings.Contains(rows[1], "|") || !tableRule().MatchString(rows[1]) {
		return 0
	}
	n := 2
	for n < len(rows) && n < maxRows && strings.Contains(rows[n], "|") {
		n++
	}
	return n
}

func markdownRows(text []string) []row {
	var out []row
	for i, t := range text {
		if tableRule().MatchString(t) {
			continue
		}
		out = append(out, row{i + 1, strings.Split(strings.Trim(strings.TrimSpace(t), "|"), "|")})
	}
	return out
}

// pairs gives the lines "label: value" of a table, whose labels stand above the values or
// before them. Cells after the second are remarks.
func pairs(rows []row) []line {
	if len(rows) > 1 && countLabels(rows[0].cells) >= 2 && countLabels(rows[0].cells) > countLabels(column(rows, 0)) {
		return columnPairs(rows)
	}
	var out []line
	for _, r := range rows {
		var cells []string
		for _, c := range r.cells {
			if c = strings.TrimSpace(c); c != "" {
				cells = append(cells, c)
			}
		}
		switch {
		case len(cells) == 0:
		case len(cells) == 1:
			out = append(out, line{number: r.number, text: cells[0]})
		default:
			out = append(out, line{number: r.number, text: strings.TrimRight(cells[0], ": ") + ": " + strings.Join(cells[1:], " ; ")})
		}
	}
	return slices.DeleteFunc(out, func(l line) bool { return len(l.text) > maxLine })
}

// columnPairs gives each heading with each value in its column.
func columnPairs(rows []row) []line {
	var out []line
	for _, r := range rows[1:] {
		for i, c := range r.cells {
			if c = strings.TrimSpace(c); c != "" && i < len(rows[0].cells) && len(out) < maxPairs {
				out = append(out, line{number: r.number, text: clip(rows[0].cells[i]) + ": " + clip(c)})
			}
		}
	}
	return out
}

func column(rows []row, k int) []string {
	var out []string
	for _, r := range rows {
		if k < len(r.cells) {
			out = append(out, r.cells[k])
		}
	}
	return out
}

func countLabels(cells []string) int {
	n := 0
	for _, c := range cells {
		if l := labelOf(plain(c)); l.topic != "" {
			n++
		}
	}
	return n
}

// IsOptions reports whether a table lists options of a board rather than parts.
func IsOptions(data []byte) bool {
	text, ok := decode(data)
	if !ok {
		return false
	}
	topics := map[Topic]bool{}
	for _, l := range tableLines(text) {
		for _, s := range l.read().statements {
			if s.Labelled && !s.Unclear {
				topics[s.Topic] = true
			}
		}
	}
	return len(topics) >= fewestTopics
}

// optionLines reads the options of a JSON object, whatever it nests them in: a line for
// each, "key: value".
func optionLines(text string) []line {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	w := &jsonWalk{text: text, decoder: d}
	if err := w.value("", false); err != nil {
		return nil
	}
	return w.out
}

// checkRecord are the words of keys below which a fabricator's program keeps what it looked at,
// and no option.
var checkRecord = pattern.Lazy(`(?i)\b(?:audit\w*|execution|results?|reviews?)\b|审核|检测|识别|结果`)

// A jsonWalk goes through a JSON text and notes where each value stands.
type jsonWalk struct {
	text    string
	decoder *json.Decoder
	out     []line
	counted int64 // offset up to which lines are counted
	lines   int
	depth   int
}

// value reads one value. What lists hold that is no plain value are things, not options.
func (w *jsonWalk) value(label string, listed bool) error {
	const deepest = 12
	token, err := w.decoder.Token()
	if err != nil {
		return err
	}
	open, nested := token.(json.Delim)
	if !nested {
		if label != "" {
			w.add(label, token)
		}
		return nil
	}
	if w.depth++; w.depth > deepest {
		return fmt.Errorf("nested deeper than %d", deepest)
	}
	for w.decoder.More() {
		inner, aside := label, listed || open == '['
		if open == '{' {
			key, err := w.decoder.Token()
			if err != nil {
				return err
			}
			if inner = keyWords(fmt.Sprint(key)); label != "" {
				if labelOf(plain(inner)).topic == "" {
					inner = label + " " + inner
				}
			}
			if record := checkRecord().MatchString(keyWords(fmt.Sprint(key))); listed || record {
				inner, aside = "", true
			}
		}
		if err := w.value(inner, aside); err != nil {
			return err
		}
	}
	w.depth--
	_, err = w.decoder.Token()
	return err
}

func (w *jsonWalk) add(label string, token json.Token) {
	end := w.decoder.InputOffset()
	w.lines += strings.Count(w.text[w.counted:end], "\n")
	w.counted = end
	words := ""
	switch v := token.(type) {
	case string:
		words = v
	case bool:
		if words = "no"; v {
			words = "yes"
		}
	case nil:
		return
	default:
		if words = fmt.Sprint(v); strings.HasPrefix(words, "-") {
			return // how programs say that nobody chose
		}
	}
	if len(label)+len(words) < maxLine && len(w.out) < maxPairs {
		w.out = append(w.out, line{number: w.lines + 1, text: label + ": " + words})
	}
}

// keyWords parts a key into words: solder_mask, solderMask.
func keyWords(key string) string {
	var out strings.Builder
	before := rune(0)
	for _, c := range key {
		if unicode.IsUpper(c) && unicode.IsLower(before) {
			out.WriteByte(' ')
		}
		if c == '_' || c == '.' {
			c = ' '
		}
		out.WriteRune(unicode.ToLower(c))
		before = c
	}
	return out.String()
}

func itoa(n int) string { return strconv.Itoa(n) }
