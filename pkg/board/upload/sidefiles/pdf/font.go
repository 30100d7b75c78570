package pdf

import (
	"strconv"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"
)

// A font says which letters the bytes of a string are, and how wide they are.
type font struct {
	wide    bool // two bytes a letter
	unicode map[int]string
	widths  map[int]float64 // in thousandths of the size
	usual   float64         // where no width is known
	scale   float64         // of widths, in sizes: 0.001 but for fonts that are drawn
	cost    int             // steps that it took to read
}

// maxCost bounds what a font tells, twice the letters that there can be and their widths.
const maxCost = 300_000

// maxTold bounds the values of one list of letters, three for each that there can be.
const maxTold = 3 << 16

func (f *file) font(v any) *font {
	d := f.dict(v)
	t := &font{unicode: map[int]string{}, widths: map[int]float64{}, usual: 500, scale: 0.001}
	if d == nil {
		return t
	}
	t.wide = d["Subtype"] == name("Type0")
	if m := f.list(d["FontMatrix"]); d["Subtype"] == name("Type3") && len(m) == 6 {
		if v, ok := f.resolve(m[0]).(float64); ok && v != 0 {
			t.scale = v
		}
	}
	if v, ok := f.resolve(f.dict(d["FontDescriptor"])["MissingWidth"]).(float64); ok {
		t.usual = v
	}
	first, _ := f.resolve(d["FirstChar"]).(float64)
	widths := f.list(d["Widths"])
	for i, w := range widths[:min(len(widths), 256)] {
		if v, ok := f.resolve(w).(float64); ok {
			t.widths[int(first)+i] = v
		}
	}
	if base, _ := f.resolve(d["BaseFont"]).(name); widths == nil && !t.wide {
		t.readStandardWidths(string(base))
	}
	if t.wide {
		if below := f.list(d["DescendantFonts"]); len(below) > 0 {
			t.readWideWidths(f, f.dict(below[0]))
		}
	} else {
		t.readEncoding(f, d["Encoding"])
	}
	if s, ok := f.resolve(d["ToUnicode"]).(stream); ok {
		t.readUnicode(f.unpack(s))
	}
	t.cost += len(t.unicode)
	return t
}

// pay counts a step of reading the font; false once it tells more than any font does.
func (t *font) pay() bool {
	t.cost++
	return t.cost <= maxCost
}

// readWideWidths reads the widths of a font of many letters: lists of them, and ranges of one.
func (t *font) readWideWidths(f *file, d dict) {
	t.usual = 1000
	if v, ok := f.resolve(d["DW"]).(float64); ok {
		t.usual = v
	}
	list := f.list(d["W"])
	for i := 0; i+1 < len(list) && t.pay(); {
		from, _ := f.resolve(list[i]).(float64)
		if widths, ok := f.resolve(list[i+1]).([]any); ok {
			for k, w := range widths {
				if v, ok := f.resolve(w).(float64); ok && t.pay() {
					t.widths[int(from)+k] = v
				}
			}
			i += 2
			continue
		}
		if i+2 >= len(list) {
			return
		}
		to, _ := f.resolve(list[i+1]).(float64)
		w, _ := f.resolve(list[i+2]).(float64)
		for k := int(from); k <= int(to) && t.pay(); k++ {
			t.widths[k] = w
		}
		i += 3
	}
}

// readEncoding tells the letters of a font of 256: those of Windows, unless differences are listed.
func (t *font) readEncoding(f *file, v any) {
	table := charmap.Windows1252
	d := f.dict(v)
	if n, _ := f.resolve(v).(name); n == "MacRomanEncoding" || d["BaseEncoding"] == name("MacRomanEncoding") {
		table = charmap.Macintosh
	}
	for c := range 256 {
		switch r := table.DecodeByte(byte(c)); {
		case r == '\u00A0':
			t.unicode[c] = " "
		case r == '\u00AD':
			t.unicode[c] = "-"
		case r == '\uFFFD' || r == '\u007F': // not used by Windows: PDF has bullets there
			t.unicode[c] = "•"
		case r >= ' ':
			t.unicode[c] = string(r)
		}
	}
	at := 0
	differences := f.list(d["Differences"])
	t.cost += len(differences)
	for _, v := range differences {
		switch v := f.resolve(v).(type) {
		case float64:
			at = int(v)
		case name:
			if at >= 0 && at < 256 {
				t.unicode[at] = lettersOf(string(v))
			}
			at++
		}
	}
}

// glyphs are names of letters that are no letters themselves.
var glyphs = map[string]string{
	"space": " ", "period": ".", "comma": ",", "colon": ":", "semicolon": ";", "hyphen": "-", "minus": "-", "endash": "–", "emdash": "—",
	"slash": "/", "backslash": `\`, "parenleft": "(", "parenright": ")", "bracketleft": "[", "bracketright": "]", "plus": "+", "equal": "=",
	"braceleft": "{", "braceright": "}", "bar": "|", "brokenbar": "¦", "dollar": "$", "asciitilde": "~", "asciicircum": "^",
	"plusminus": "±", "percent": "%", "degree": "°", "mu": "µ", "mu1": "µ", "quotedbl": `"`, "quotesingle": "'", "quoteright": "’", "quoteleft": "‘",
	"quotedblleft": "“", "quotedblright": "”", "quotesinglbase": "‚", "quotedblbase": "„", "guilsinglleft": "‹", "guilsinglright": "›", "guillemotleft": "«", "guillemotright": "»",
	"numbersign": "#", "ampersand": "&", "at": "@", "asterisk": "*", "underscore": "_", "less": "<", "fraction": "⁄", "divide": "÷", "logicalnot": "¬", "perthousand": "‰",
	"greater": ">", "lessequal": "≤", "greaterequal": "≥", "multiply": "×", "Omega": "Ω", "Ohm": "Ω", "bullet": "•", "periodcentered": "·", "ellipsis": "…", "exclam": "!", "question": "?",
	"zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
	"onehalf": "½", "onequarter": "¼", "threequarters": "¾", "onesuperior": "¹", "twosuperior": "²", "threesuperior": "³", "ordfeminine": "ª", "ordmasculine": "º",
	"cent": "¢", "sterling": "£", "yen": "¥", "Euro": "€", "currency": "¤", "florin": "ƒ", "section": "§", "paragraph": "¶", "dagger": "†", "daggerdbl": "‡",
	"copyright": "©", "registered": "®", "trademark": "™", "exclamdown": "¡", "questiondown": "¿",
	"AE": "Æ", "ae": "æ", "OE": "Œ", "oe": "œ", "Oslash": "Ø", "oslash": "ø", "Lslash": "Ł", "lslash": "ł", "Eth": "Ð", "eth": "ð", "Thorn": "Þ", "thorn": "þ", "germandbls": "ß", "dotlessi": "ı",
	"acute": "´", "grave": "`", "circumflex": "ˆ", "tilde": "˜", "dieresis": "¨", "ring": "˚", "caron": "ˇ", "cedilla": "¸", "macron": "¯", "breve": "˘", "dotaccent": "˙", "hungarumlaut": "˝", "ogonek": "˛",
	"fi": "fi", "fl": "fl", "ff": "ff", "ffi": "ffi", "ffl": "ffl",
}

// accents are what the names of letters end in, and the marks upon them.
var accents = map[string]string{
	"acute": "\u0301", "grave": "\u0300", "circumflex": "\u0302", "tilde": "\u0303", "dieresis": "\u0308", "ring": "\u030A", "caron": "\u030C", "cedilla": "\u0327",
}

// lettersOf are the letters that a name means, which may join several and tell of their form behind
// a period; "" where it means none that is known.
func lettersOf(glyph string) string {
	glyph, _, _ = strings.Cut(glyph, ".")
	var b strings.Builder
	for part := range strings.SplitSeq(glyph, "_") {
		b.WriteString(letterOf(part))
	}
	return b.String()
}

// letterOf is the letter of a name without parts.
func letterOf(glyph string) string {
	if len(glyph) <= 1 {
		return glyph
	}
	if s, ok := glyphs[glyph]; ok {
		return s
	}
	if mark, ok := accents[glyph[1:]]; ok {
		return norm.NFC.String(glyph[:1] + mark)
	}
	for _, prefix := range []string{"uni", "u"} {
		if digits, ok := strings.CutPrefix(glyph, prefix); ok && len(digits) >= 4 {
			if v, err := strconv.ParseUint(digits, 16, 21); err == nil {
				return string(rune(v))
			}
		}
	}
	return ""
}

// readUnicode reads a table from codes to letters.
func (t *font) readUnicode(data []byte) {
	l := &lexer{data: data}
	var held []any
	for {
		v, ok := l.value(0)
		if !ok {
			if l.at >= len(l.data) {
				return
			}
			l.at++
			continue
		}
		op, is := v.(operator)
		if !is {
			if held = append(held, v); len(held) > maxTold {
				return
			}
			continue
		}
		switch op {
		case "endbfchar":
			for i := 0; i+1 < len(held); i += 2 {
				t.tell(codeOf(held[i]), held[i+1], 0)
			}
		case "endbfrange":
			for i := 0; i+2 < len(held); i += 3 {
				t.tellRange(codeOf(held[i]), codeOf(held[i+1]), held[i+2])
			}
		}
		held = held[:0]
	}
}

func (t *font) tellRange(from, to int, v any) {
	if from < 0 {
		return
	}
	list, isList := v.([]any)
	for k := from; k <= to && k-from < 1<<16 && t.pay(); k++ {
		switch {
		case !isList:
			t.tell(k, v, k-from)
		case k-from < len(list):
			t.tell(k, list[k-from], 0)
		}
	}
}

// tell says that a code is a text in UTF-16, its last unit raised by add.
func (t *font) tell(code int, v any, add int) {
	s, ok := v.(text)
	if !ok || code < 0 || len(s) < 2 || len(s) > 32 || !t.pay() {
		return
	}
	var units []uint16
	for i := 0; i+1 < len(s); i += 2 {
		units = append(units, uint16(s[i])<<8|uint16(s[i+1]))
	}
	units[len(units)-1] += uint16(add)
	t.unicode[code] = string(utf16.Decode(units))
}

// codeOf is a string of bytes as a number; -1 for none.
func codeOf(v any) int {
	s, ok := v.(text)
	if !ok || s == "" || len(s) > 4 {
		return -1
	}
	n := 0
	for i := range len(s) {
		n = n<<8 | int(s[i])
	}
	return n
}

// decode gives the letters of a string and its width, in sizes without spacing.
func (t *font) decode(s text) (letters string, width float64, codes, blanks int) {
	var b strings.Builder
	step := 1
	if t.wide {
		step = 2
	}
	for i := 0; i+step <= len(s); i += step {
		code := int(s[i])
		if t.wide {
			code = code<<8 | int(s[i+1])
		}
		b.WriteString(t.unicode[code])
		w, known := t.widths[code]
		if !known {
			w = t.usual
		}
		width += w * t.scale
		if codes++; !t.wide && code == ' ' {
			blanks++
		}
	}
	return b.String(), width, codes, blanks
}
