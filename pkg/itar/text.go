package itar

import (
	"bytes"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// What a declaration looks like in text: a name in quotes before a colon, a
// name of a form or of a sloppy object, a part of a form.
var (
	quotedName = regexp.MustCompile(`["']([^"'\r\n]{2,200})["']\s*[:=]\s*`)
	bareName   = regexp.MustCompile(`(?:^|[{,;&?\r\n])\s*([^\s"'{},;:&?=]{2,200})\s*[:=]\s*`)
	partName   = regexp.MustCompile(`(?i)name="?([^";\r\n]{2,200})"?[^\r\n]*(?:\r?\n[^\r\n]+)*\r?\n\r?\n`)
)

// DeclaresInText reports whether a body that cannot be read as JSON declares all the
// same: cut off, in another notation, or of another type than it should be.
func DeclaresInText(body []byte) bool {
	text := strings.ToValidUTF8(string(bytes.ReplaceAll(body, []byte{0}, nil)), "\uFFFD") // UTF-16, too
	return declares(text, quotedName, saysQuoted) || declares(text, bareName, saysBare) || declares(text, partName, saysPart)
}

// DeclaresInFile reports whether a file of JSON declares, be it readable or not.
func DeclaresInFile(text []byte) bool {
	var v any
	d := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(text, []byte("\ufeff"))))
	d.UseNumber()
	if err := d.Decode(&v); err != nil || d.More() {
		return DeclaresInText(text)
	}
	return DeclaresIn(v) || declares(string(text), quotedName, saysQuoted) // of a name that stands twice, each counts
}

func declares(text string, name *regexp.Regexp, says func(rest string) bool) bool {
	for at := 0; at < len(text); {
		m := name.FindStringSubmatchIndex(text[at:])
		if m == nil {
			return false
		}
		if Name(unescape(text[at+m[2]:at+m[3]])) && says(text[at+m[1]:]) {
			return true
		}
		at += m[3] // what ends this name may begin the next
	}
	return false
}

// unescape undoes what JSON and forms do to letters.
func unescape(name string) string {
	if s, err := strconv.Unquote(`"` + name + `"`); err == nil {
		name = s
	}
	if s, err := url.QueryUnescape(name); err == nil {
		name = s
	}
	return name
}

// saysQuoted reads what stands after a name that is surely one. A yes that the
// text cuts off is one.
func saysQuoted(rest string) bool {
	value, cut := word(rest)
	return Yes(value) || cut && slices.Contains([]string{"tr", "tru", "ye"}, strings.ToLower(value))
}

// saysBare reads what stands after a word that may be part of a sentence.
func saysBare(rest string) bool {
	if strings.HasPrefix(rest, `"`) || strings.HasPrefix(rest, "'") {
		return saysQuoted(rest)
	}
	value, _ := word(rest)
	return Yes(value)
}

// saysPart reads the content of a part of a form.
func saysPart(rest string) bool {
	value, _, _ := strings.Cut(rest, "\n")
	return Yes(value)
}

// word is the value that a text begins with; cut says that the text ends with it.
func word(rest string) (value string, cut bool) {
	for _, quote := range []string{`"`, "'"} {
		if inner, ok := strings.CutPrefix(rest, quote); ok {
			value, _, ended := strings.Cut(inner, quote)
			return value, !ended
		}
	}
	end := strings.IndexAny(rest, " \t\r\n,;&}])")
	if end < 0 {
		return rest, true
	}
	return rest[:end], false
}
