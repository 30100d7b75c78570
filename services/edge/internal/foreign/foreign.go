// Package foreign sets text from outside apart from our own sentences: what
// files, nets and layers are called may read like an instruction, to a person
// or to an agent. Where a sentence speaks of such a thing it says [file 1], and
// the reply's field named says what that stands for: the sentence can be read as
// it is, by people and machines alike. What can be no instruction stays.
package foreign

import (
	"bytes"
	"cmp"
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// kinds are the fields whose texts come from outside, and what such a text is
// called in a sentence.
var kinds = map[string]string{
	"file": "file", "files": "file", "name": "name", "layer": "layer", "layers": "layer", "board": "board", "net": "net", "nets": "net",
	"choices": "choice", "from": "source", "source": "source", "project_name": "project",
	"reference": "reference", "references": "reference", "part": "part", "mpn": "part", "manufacturer": "manufacturer", "footprint": "footprint", "package": "package",
	"description": "description", "replaces": "part", "original_mpn": "part", "replacement_mpn": "part", "replacement_manufacturer": "manufacturer",
	"reason": "reason", "objects": "object",
}

// sentences are the fields whose texts are ours.
var sentences = []string{
	"message", "what", "why", "question", "notes", "assumed", "progress", "step", "summary", "next", "fabricators_note", "custom_quote_reasons", "includes",
}

// Apart gives a JSON reply whose sentences hold no text from outside that
// stands in one of the reply's other fields, or in more. One that needs no
// change stays as it is, byte for byte.
func Apart(reply []byte, more ...string) []byte { return apart(reply, more, "") }

// ApartBut is Apart for a reply of which one field is ours, at its top, that
// elsewhere holds text from outside.
func ApartBut(reply []byte, ours string) []byte { return apart(reply, nil, ours) }

func apart(reply []byte, more []string, ours string) []byte {
	d := json.NewDecoder(bytes.NewReader(reply))
	d.UseNumber()
	var v map[string]any
	if d.Decode(&v) != nil {
		return reply
	}
	s := &setter{named: map[string]string{}, count: map[string]int{}}
	for _, text := range more {
		s.add("file", text)
	}
	for name, e := range v {
		if name != ours {
			s.collect(name, e)
		}
	}
	if s.sort(); len(s.texts) == 0 {
		return reply
	}
	s.replace("", v)
	if len(s.named) == 0 {
		return reply
	}
	v["named"] = s.named
	out, err := json.Marshal(v)
	if err != nil {
		return reply
	}
	return out
}

type setter struct {
	texts []outside // the longest first
	named map[string]string
	count map[string]int // of labels, by kind
}

// outside is a text and what it is.
type outside struct{ text, kind string }

var (
	token = regexp.MustCompile(`^[A-Za-z0-9_+~./(){}|#-]{1,40}$`)
	word  = regexp.MustCompile(`[A-Za-z]{4,}`)
)

// plain tells what can be no instruction: a short word, such as a net's name, or a
// longer one that is made of two words at most, such as a usual file name.
func plain(text string) bool {
	return token.MatchString(text) && (len(text) <= 16 || len(word.FindAllString(text, 3)) <= 2)
}

// longObject is longer than what is said of a pad or a part with a usual name.
const longObject = 40

// add notes a text from outside, and the parts of it that sentences use.
func (s *setter) add(kind, text string) {
	base := path.Base(text)
	if kind == "name" && path.Ext(base) != "" {
		kind = "file"
	}
	for _, t := range []string{text, base, strings.TrimSuffix(base, path.Ext(base))} {
		if t = strings.TrimSpace(t); t != "" && !plain(t) {
			s.texts = append(s.texts, outside{t, kind})
		}
	}
}

func (s *setter) sort() {
	slices.SortFunc(s.texts, func(a, b outside) int {
		return cmp.Or(len(b.text)-len(a.text), cmp.Compare(a.text, b.text), cmp.Compare(a.kind, b.kind))
	})
	s.texts = slices.CompactFunc(s.texts, func(a, b outside) bool { return a.text == b.text })
}

// collect finds the texts from outside in what a field holds.
func (s *setter) collect(field string, v any) {
	switch v := v.(type) {
	case string:
		// What a place is between is our words about it, with names of parts within.
		if kind, ok := kinds[field]; ok && (field != "objects" || len(v) > longObject) {
			s.add(kind, v)
		}
	case []any:
		for _, e := range v {
			s.collect(field, e)
		}
	case map[string]any:
		for name, e := range v {
			s.collect(name, e)
		}
	}
}

// replace gives what a field holds, with its sentences set apart.
func (s *setter) replace(field string, v any) any {
	switch v := v.(type) {
	case string:
		if slices.Contains(sentences, field) {
			return s.sentence(v)
		}
	case []any:
		for i, e := range v {
			v[i] = s.replace(field, e)
		}
	case map[string]any:
		for name, e := range v {
			v[name] = s.replace(name, e)
		}
	}
	return v
}

func (s *setter) sentence(text string) string {
	for _, t := range s.texts {
		if strings.Contains(text, t.text) {
			label := "[" + s.label(t) + "]"
			text = strings.ReplaceAll(text, t.text, label)
			text = strings.ReplaceAll(text, " "+t.kind+" "+label, " "+label) // not "the file [file 1]"
		}
	}
	return text
}

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
