package untrusted

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// A Reply says which fields of an API's JSON replies hold whose words.
//
// A name that is short stays in our sentences, in quotes. Where a sentence speaks of anything
// else it says [file 1], and the reply's field named says what that stands for. Our own words
// are no names: what is looked for is what stands in a field that holds names, and what our
// sentences quote. Under choices, strangers' are those of the option "board" alone.
type Reply struct {
	Kinds     map[string]string // by field that strangers wrote: what its text is called in a sentence
	Sentences []string          // fields whose sentences are ours
	Details   []string          // fields of ours, whose names stand beside them: only their direction is held
}

// SetApart gives a reply whose sentences hold no text of strangers that stands in
// one of the reply's other fields, or in more, the names of files. One that needs no
// change stays as it is, byte for byte.
func (r *Reply) SetApart(reply []byte, more ...string) []byte { return r.setApart(reply, more, "") }

// SetApartExcept is SetApart for a reply of which one field is ours, at its top, that
// elsewhere holds text of strangers.
func (r *Reply) SetApartExcept(reply []byte, ours string) []byte { return r.setApart(reply, nil, ours) }

// setApart decodes and writes anew only what it has to change: most replies have no
// sentence that names anything.
func (r *Reply) setApart(reply []byte, more []string, ours string) []byte {
	s := &setter{Reply: r, named: map[string]string{}, count: map[string]int{}}
	for _, text := range more {
		s.add("file", text)
	}
	walkStrings(string(reply), func(at place, text string) {
		isSentence := slices.Contains(r.Sentences, at.field)
		if isSentence {
			s.sentences = append(s.sentences, text)
		}
		if isSentence || slices.Contains(r.Details, at.field) {
			s.turned = s.turned || IsolateNames(text) != text
		}
		if at.top != ours && !at.option { // choices of other options than boards are ours
			s.collect(at.field, text)
		}
	})
	if s.order(); !s.turned && !slices.ContainsFunc(s.sentences, s.names) {
		return reply
	}
	d := json.NewDecoder(bytes.NewReader(reply))
	d.UseNumber()
	var v map[string]any
	if d.Decode(&v) != nil {
		return reply
	}
	s.replace("", v)
	if len(s.named) > 0 {
		v["named"] = s.named
	}
	out, err := json.Marshal(v)
	if err != nil {
		return reply
	}
	return out
}

type setter struct {
	*Reply
	texts     []outside      // the longest first
	first     [256][]outside // the same, by the byte that each begins with
	sentences []string       // as they stand
	turned    bool           // a sentence is not written from the left alone
	named     map[string]string
	count     map[string]int // of labels, by kind
}

// outside is a text and what it is. A short one is a name, which stays.
type outside struct {
	text, kind string
	short      bool
}

// add notes a text from outside, and the parts of it that sentences use.
func (s *setter) add(kind, text string) {
	if kind == "object" {
		text = objectName(text)
	}
	base := path.Base(text)
	if kind == "name" && path.Ext(base) != "" {
		kind = "file"
	}
	s.note(kind, text)
	if base != text {
		s.note(kind, base)
	}
	if stem := strings.TrimSuffix(base, path.Ext(base)); stem != base && !IsShort(stem) && !IsPhrase(stem) {
		s.note(kind, stem)
	}
}

// note notes one text, unless it can be no instruction, or is a name that nothing tells
// from a word of ours where no quotes are about it.
func (s *setter) note(kind, text string) {
	if text = strings.TrimSpace(text); text == "" || IsUsual(text) {
		return
	}
	short := IsShort(text)
	if !short || !IsWord(text) {
		s.texts = append(s.texts, outside{text, kind, short})
	}
}

// objectName is what an object is called: "pad U1-3" and "track of GND" begin with
// our words for what it is.
func objectName(object string) string {
	rest := object
	for {
		first, after, more := strings.Cut(rest, " ")
		if !objectWords[first] {
			return rest
		}
		if !more {
			return ""
		}
		rest = after
	}
}

var objectWords = func() map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(`pad track via area plane copper text line of the silkscreen hole slot plated non-plated land mask opening outline
		edge board piece inner corner end a`) {
		out[w] = true
	}
	return out
}()

func (s *setter) order() {
	slices.SortFunc(s.texts, func(a, b outside) int {
		return cmp.Or(len(b.text)-len(a.text), cmp.Compare(a.text, b.text), cmp.Compare(a.kind, b.kind))
	})
	s.texts = slices.CompactFunc(s.texts, func(a, b outside) bool { return a.text == b.text })
	for _, t := range s.texts {
		s.first[t.text[0]] = append(s.first[t.text[0]], t)
	}
}

// collect notes what a field holds if it is from outside.
func (s *setter) collect(field, text string) {
	if kind, ok := s.Kinds[field]; ok {
		s.add(kind, text)
	}
	if name, ok := strings.CutPrefix(text, "file:"); ok { // where an option comes from
		s.add("file", name)
	}
}

// names tells whether a sentence names something.
func (s *setter) names(sentence string) bool {
	_, _, length := s.findText(sentence, 0)
	return length > 0
}

// replace gives what a field holds, with its sentences set apart.
func (s *setter) replace(field string, v any) any {
	switch v := v.(type) {
	case string:
		if slices.Contains(s.Sentences, field) {
			return IsolateNames(s.sentence(v))
		}
		if slices.Contains(s.Details, field) {
			return IsolateNames(v)
		}
	case []any:
		for i, e := range v {
			v[i] = s.replace(field, e)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) { // labels are counted in the same order each time
			if _, own := v[name].(string); own && name == "notes" {
				continue // a customer's own words: ours are a list
			}
			v[name] = s.replace(name, v[name])
		}
	}
	return v
}

// sentence gives a sentence with names in quotes, and labels where other texts stood. It
// is read once, so that no name is looked for in a label.
func (s *setter) sentence(text string) string {
	var out strings.Builder
	begun := 0 // of what is not written yet
	for t, at, length := s.findText(text, 0); length > 0; t, at, length = s.findText(text, begun) {
		if t.short {
			out.WriteString(text[begun:at] + strconv.Quote(t.text))
		} else {
			out.WriteString(dropKind(text[begun:at], t.kind) + "[" + s.label(t) + "]")
		}
		begun = at + length
	}
	out.WriteString(text[begun:])
	return out.String()
}

// findText finds the first text of a sentence from i on that cannot stay as it is: where it
// begins, and how many bytes it takes, or 0 where there is none.
func (s *setter) findText(text string, i int) (t outside, at, length int) {
	for ; i < len(text); i++ {
		t, length := s.textAt(text, i)
		if t.kind != "" {
			return t, i, length
		}
		i += max(length-1, 0) // in quotes, and stays
	}
	return outside{}, i, 0
}

// textAt gives the longest text that stands at i, and is not part of another name, or what
// stands there in quotes, and how many bytes of the sentence it takes.
func (s *setter) textAt(text string, i int) (outside, int) {
	for _, t := range s.first[text[i]] {
		if !strings.HasPrefix(text[i:], t.text) || cuts(text, i) || cuts(text, i+len(t.text)) {
			continue
		}
		end := nameEnd(text, i+len(t.text))
		switch {
		case !t.short: // with what it is the beginning of
			return outside{text[i:end], t.kind, false}, end - i
		case end == i+len(t.text) && !continues(text, i) && !isQuoted(text, i):
			return t, len(t.text)
		}
	}
	if text[i] == '"' && !(i > 0 && letterOrFigure(text[i-1])) { // else it means inches
		return s.quotationAt(text, i)
	}
	return outside{}, 0
}

// quotationAt gives what stands in quotes from i on: our sentences put in quotes what files
// hold that stands in no field. A name stays.
func (s *setter) quotationAt(text string, i int) (outside, int) {
	quoted, err := strconv.QuotedPrefix(text[i:])
	if err != nil { // cut short, or nobody's quotes
		quoted = text[i:]
	}
	inner, err := strconv.Unquote(quoted)
	if err != nil {
		inner = strings.Trim(quoted, `"`)
	}
	if inner = CleanLine(inner); inner == "" || IsUsual(inner) || IsShort(inner) {
		return outside{}, len(quoted) // stays as it is
	}
	for _, t := range s.first[inner[0]] {
		if t.text == inner {
			return t, len(quoted)
		}
	}
	kind := "text"
	if extension.MatchString(inner) {
		kind = "file"
	}
	return outside{inner, kind, false}, len(quoted)
}

// extension is how the names of files end.
var extension = regexp.MustCompile(`\.[A-Za-z][A-Za-z0-9]{1,6}$`)

// nameEnd gives where a name ends of which a part ends at i.
func nameEnd(text string, i int) int {
	end := i
	for end < len(text) && nameByte(text[end]) {
		end++
	}
	return i + len(strings.TrimRight(text[i:end], ".")) // which end the sentence
}

// continues reports whether what begins at i is the rest of a name.
func continues(text string, i int) bool { return i > 0 && nameByte(text[i-1]) }

// isQuoted reports whether what begins at i stands in quotes as printers set them.
func isQuoted(text string, i int) bool { return strings.HasSuffix(text[:i], "“") }

func nameByte(c byte) bool { return letterOrFigure(c) || strings.IndexByte("._-/+~#$\\|", c) >= 0 }

// dropKind drops the kind that a label repeats: not "the file [file 1]".
func dropKind(before, kind string) string {
	if rest, ok := strings.CutSuffix(before, kind+" "); ok && (rest == "" || strings.HasSuffix(rest, " ")) {
		return rest
	}
	return before
}

// cuts reports whether a word is divided at i.
func cuts(text string, i int) bool {
	return i > 0 && i < len(text) && letterOrFigure(text[i-1]) && letterOrFigure(text[i])
}

func letterOrFigure(c byte) bool { return letter(c) || figure(c) }

func (s *setter) label(t outside) string {
	for label, text := range s.named {
		if text == t.text {
			return label
		}
	}
	s.count[t.kind]++
	label := t.kind + " " + strconv.Itoa(s.count[t.kind])
	s.named[label] = t.text
	return label
}
