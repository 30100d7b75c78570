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
	"golang.org/x/text/encoding/simplifiedchinese"
)

// Text makes UTF-8 with line feeds of text in whatever encoding it came: UTF-8,
// UTF-16, Shift-JIS, GB 18030 or Windows-1252. cut tells that it was too long.
func Text(data []byte) (text string, cut bool) {
	if len(data) > maxText {
		data, cut = data[:maxText], true
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

// decodeLegacy takes the encoding in which the text makes most sense.
func decodeLegacy(data []byte) string {
	best, most := "", -1<<30
	for _, e := range []struct {
		encoding encoding.Encoding
		prior    int // what text in it is worth before its letters are looked at
	}{{charmap.Windows1252, 1}, {japanese.ShiftJIS, 0}, {simplifiedchinese.GB18030, 0}} {
		decoded, err := e.encoding.NewDecoder().Bytes(data)
		if err != nil {
			continue
		}
		if n := e.prior + sense(string(decoded)); n > most {
			best, most = string(decoded), n
		}
	}
	return best
}

// sense scores what was decoded: letters and signs that people write count for
// it, those that only a wrong encoding yields count against it.
func sense(text string) int {
	n := 0
	for _, r := range text {
		switch {
		case r < 0x80:
		case r == utf8.RuneError, r >= 0x80 && r < 0xA0, unicode.Is(unicode.Co, r):
			n -= 20
		case strings.ContainsRune("µ±°Ω²³×éèêëàâäáãåæçíìîïñóòôöõøúùûüßÄÖÜÉÅØ®™–’\u00a0", r):
			n += 2
		case r >= 0x3040 && r <= 0x30FF: // kana
			n += 4
		case r >= 0xFF61 && r <= 0xFF9F: // half-width kana: what Shift-JIS makes of any high byte
			n -= 2
		case r >= 0x4E00 && r <= 0x9FFF:
			n += common(r)
		default:
			n--
		}
	}
	return n
}

// common scores an ideograph: those of the first level of GB 2312 and JIS are in
// use, of the other ten thousands hardly any.
func common(r rune) int {
	if b, err := simplifiedchinese.GBK.NewEncoder().Bytes([]byte(string(r))); err == nil && len(b) == 2 && b[0] >= 0xB0 && b[0] <= 0xD7 && b[1] >= 0xA1 {
		return 4
	}
	if b, err := japanese.ShiftJIS.NewEncoder().Bytes([]byte(string(r))); err == nil && len(b) == 2 && b[0] >= 0x88 && b[0] <= 0x97 {
		return 3
	}
	return -2
}
