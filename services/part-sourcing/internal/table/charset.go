package table

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// Text makes UTF-8 with line feeds of text in whatever encoding it came: UTF-8,
// UTF-16, or one of the encodings of before. cut tells that it was too long: then it
// ends with a whole line, where it has lines.
func Text(data []byte) (text string, cut bool) {
	if len(data) > maxText {
		data, cut = data[:maxText], true
		if end := bytes.LastIndexAny(data, "\r\n"); end >= 0 {
			data = data[:end+1]
		}
	}
	s := decode(data)
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return strings.ReplaceAll(s, "\r", "\n"), cut
}

func decode(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		return strings.ToValidUTF8(string(data[3:]), "\uFFFD")
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		return wide(data[2:], 0)
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		return wide(data[2:], 1)
	}
	if low, ok := wideWithoutMark(data); ok {
		return wide(data, low)
	}
	if utf8.Valid(data) {
		return string(data)
	}
	return decodeLegacy(data)
}

// wide decodes UTF-16 of which the low byte comes at that place.
func wide(data []byte, low int) string {
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = uint16(data[2*i+low]) | uint16(data[2*i+1-low])<<8
	}
	return string(utf16.Decode(units))
}

// wideWithoutMark recognises UTF-16 by the zero bytes of its ASCII letters.
func wideWithoutMark(data []byte) (low int, ok bool) {
	head := data[:min(len(data), 2048)]
	var zeros [2]int
	for i, c := range head {
		if c == 0 {
			zeros[i%2]++
		}
	}
	switch {
	case zeros[1] > len(head)/4 && zeros[0] == 0:
		return 0, true
	case zeros[0] > len(head)/4 && zeros[1] == 0:
		return 1, true
	}
	return 0, false
}

// A legacy is an encoding of before Unicode.
type legacy struct {
	encoding encoding.Encoding
	prior    int             // what text in it is worth before its letters are looked at
	foreign  func(rune) bool // letters that it has and that lists in it do not; may be nil
}

// legacies are the encodings that lists come in.
var legacies = []legacy{
	{charmap.Windows1252, 1, nil}, {charmap.Windows1250, 0, nil}, {charmap.Windows1251, 0, nil}, {japanese.ShiftJIS, 0, nil},
	{simplifiedchinese.GB18030, 0, kana}, {traditionalchinese.Big5, 0, kana}, {japanese.EUCJP, 0, nil}, {korean.EUCKR, 0, func(r rune) bool { return kana(r) || unicode.Is(unicode.Han, r) }},
}

func kana(r rune) bool { return r >= 0x3040 && r <= 0x30FF }

// enough text tells the encoding.
const enough = 64 << 10

// decodeLegacy takes the encoding in which the text makes most sense.
func decodeLegacy(data []byte) string {
	head := data[:min(len(data), enough)]
	best, most := legacies[0].encoding, -1<<30
	for _, l := range legacies {
		decoded, err := l.encoding.NewDecoder().Bytes(head)
		if err != nil {
			continue
		}
		if n := l.prior + l.sense(string(decoded)); n > most {
			best, most = l.encoding, n
		}
	}
	decoded, err := best.NewDecoder().Bytes(data)
	if err != nil {
		return strings.ToValidUTF8(string(data), "\uFFFD")
	}
	return string(decoded)
}

const (
	western = "µ±°Ω²³×éèêëàâäáãåæçíìîïñóòôöõøúùûüßÄÖÜÉÅØ®™–’\u00a0"
	central = "ąćęłńśźżĄĆĘŁŃŚŹŻčďěňřšťůžýČĎŇŘŠŤŮŽÝőűŐŰ"
)

// sense scores what was decoded: letters and signs that people write count for
// it, those that only a wrong encoding yields count against it.
func (l *legacy) sense(text string) int {
	n := 0
	before := ' '
	for _, r := range text {
		n += l.score(r, before)
		before = r
	}
	return n
}

func (l *legacy) score(r, before rune) int {
	switch {
	case unicode.Is(unicode.Cyrillic, r):
		return cyrillic(r, before)
	case unicode.Is(unicode.Cyrillic, before) && unicode.IsLetter(r):
		return -4 // no word has letters of two scripts
	case r < 0x80:
		return 0
	case r == utf8.RuneError, r < 0xA0, unicode.Is(unicode.Co, r):
		return -20
	case l.foreign != nil && l.foreign(r):
		return -4
	case strings.ContainsRune(western, r):
		if before >= 0xC0 && unicode.Is(unicode.Latin, before) {
			return -1 // accents seldom come together there
		}
		return 2
	case strings.ContainsRune(central, r):
		return 2
	case kana(r):
		return 4
	case r >= 0xAC00 && r <= 0xD7A3:
		return hangul(r)
	case r >= 0xFF61 && r <= 0xFF9F: // half-width kana: what Shift-JIS makes of any high byte
		return -2
	case r >= 0x4E00 && r <= 0x9FFF:
		return common(r)
	}
	return -1
}

// cyrillic scores a letter of words: small ones follow large ones, not the other
// way round.
func cyrillic(r, before rune) int {
	switch {
	case unicode.Is(unicode.Latin, before):
		return -4
	case unicode.IsUpper(r) && unicode.IsLower(before):
		return -3
	case unicode.Is(unicode.Cyrillic, before):
		return 3
	}
	return 2
}

// hangul scores a syllable: those of KS X 1001 are in use, of the other ten thousand
// hardly any.
func hangul(r rune) int {
	if b, err := korean.EUCKR.NewEncoder().Bytes([]byte(string(r))); err == nil && len(b) == 2 && b[0] >= 0xB0 && b[1] >= 0xA1 {
		return 5
	}
	return -4
}

// common scores an ideograph: those of the first level of GB 2312, JIS and Big5 are in
// use, of the other ten thousands hardly any.
func common(r rune) int {
	if b, err := simplifiedchinese.GBK.NewEncoder().Bytes([]byte(string(r))); err == nil && len(b) == 2 && b[0] >= 0xB0 && b[0] <= 0xD7 && b[1] >= 0xA1 {
		return 4
	}
	if b, err := japanese.ShiftJIS.NewEncoder().Bytes([]byte(string(r))); err == nil && len(b) == 2 && b[0] >= 0x88 && b[0] <= 0x97 {
		return 3
	}
	if b, err := traditionalchinese.Big5.NewEncoder().Bytes([]byte(string(r))); err == nil && len(b) == 2 && b[0] >= 0xA4 && b[0] <= 0xC6 {
		return 3
	}
	return -2
}
