package archive

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/unicode/norm"
)

// maxName is the greatest length of a member's path in bytes.
const maxName = 1024

// cleanName returns the name that a member goes by, or the reason to refuse
// it. "." is the archive's own folder.
func cleanName(raw string) (name, refused string) {
	name = norm.NFC.String(decodeName(raw))
	switch {
	case name == "":
		return "", "has no name"
	case len(name) > maxName:
		return "", "has a name that is too long"
	case strings.ContainsRune(name, '\\'):
		return "", `has a backslash in its name: folders are separated by "/"`
	case strings.HasPrefix(name, "/"):
		return "", "has an absolute path"
	case len(name) > 1 && name[1] == ':' && name[0]|0x20 >= 'a' && name[0]|0x20 <= 'z':
		return "", "has a drive letter in its name"
	case strings.ContainsFunc(name, invisible):
		return "", "has characters in its name that do not show"
	}
	for segment := range strings.SplitSeq(name, "/") {
		if segment == ".." {
			return "", `has ".." in its path`
		}
	}
	return path.Clean(name), ""
}

// invisible are the characters that make a name look like another, and for which a file is
// refused. Fewer than those that untrusted drops: names of files hold joiners and soft hyphens
// that nobody put there to deceive.
func invisible(r rune) bool {
	return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == utf8.RuneError ||
		r == '\u2028' || r == '\u2029' || r == '\ufeff' || r == '\u200b'
}

// decodeName reads a name that is not UTF-8 as older systems wrote it: pairs
// of high bytes are Chinese, single ones the DOS code page.
func decodeName(raw string) string {
	if utf8.ValidString(raw) {
		return raw
	}
	var from encoding.Encoding = charmap.CodePage437
	if pairs(raw) {
		from = simplifiedchinese.GB18030
	}
	decoded, err := from.NewDecoder().String(raw)
	if err != nil {
		return string(utf8.RuneError)
	}
	return decoded
}

// pairs says whether all high bytes of s come in pairs as GB 2312 has them.
func pairs(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 0x80 {
			continue
		}
		if s[i] < 0xa1 || s[i] > 0xf7 || i+1 == len(s) || s[i+1] < 0xa1 {
			return false
		}
		i++
	}
	return true
}

// fold maps names to one that some file system takes for the same.
func fold(name string) string {
	return norm.NFC.String(cases.Fold().String(norm.NFKC.String(name)))
}

// rubbish says whether a file was made by an operating system for itself.
func rubbish(name string) bool {
	if name == "__MACOSX" || strings.HasPrefix(name, "__MACOSX/") || strings.Contains(name, "/__MACOSX/") {
		return true
	}
	base := path.Base(name)
	switch strings.ToLower(base) {
	case ".ds_store", "thumbs.db", "desktop.ini", ".localized":
		return true
	}
	return strings.HasPrefix(base, "._")
}
