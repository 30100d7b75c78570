package note

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

//go:embed languages.csv
var languages []byte

// A vocabulary is the words of other languages with what they are in English.
type vocabulary struct {
	english map[string]string
	first   map[string]bool // the first word of each that is not Chinese
	words   *regexp.Regexp  // any of them, the longest first
}

var foreignWords = sync.OnceValue(func() vocabulary {
	r := csv.NewReader(bytes.NewReader(languages))
	r.Comment, r.FieldsPerRecord = '#', 3
	rows, err := r.ReadAll()
	if err != nil {
		panic(err) // a file of ours, which a test reads
	}
	v := vocabulary{english: map[string]string{}, first: map[string]bool{}}
	var written []string
	for _, row := range rows[1:] {
		if _, twice := v.english[row[1]]; !twice {
			written = append(written, row[1])
		}
		v.english[row[1]] = row[2]
		v.first[strings.FieldsFunc(row[1], isNonLetter)[0]] = true
	}
	slices.SortFunc(written, func(a, b string) int { return len(b) - len(a) })
	for i, w := range written {
		written[i] = regexp.QuoteMeta(w)
	}
	v.words = regexp.MustCompile(strings.Join(written, "|"))
	return v
})

// english gives a line, in lower case, with the words of other languages in English.
func english(line string) string {
	v := foreignWords()
	if !slices.ContainsFunc(strings.FieldsFunc(line, isNonLetter), func(w string) bool { return v.first[w] }) && strings.IndexFunc(line, isHan) < 0 {
		return line
	}
	var out strings.Builder
	at := 0
	for at < len(line) {
		m := v.words.FindStringIndex(line[at:])
		if m == nil {
			break
		}
		begin, end := at+m[0], at+m[1]
		if !wholeWord(line, begin, end) {
			_, size := utf8.DecodeRuneInString(line[begin:])
			out.WriteString(line[at : begin+size])
			at = begin + size
			continue
		}
		out.WriteString(line[at:begin] + v.english[line[begin:end]])
		at = end
	}
	return out.String() + line[at:]
}

// wholeWord reports whether no letter stands beside a word. Chinese is written without
// spaces.
func wholeWord(line string, begin, end int) bool {
	first, _ := utf8.DecodeRuneInString(line[begin:])
	if isHan(first) {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(line[:begin])
	after, _ := utf8.DecodeRuneInString(line[end:])
	return !unicode.IsLetter(before) && !unicode.IsLetter(after)
}

func isNonLetter(r rune) bool { return !unicode.IsLetter(r) }

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }
