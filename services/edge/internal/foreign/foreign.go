// Package foreign sets text from outside apart from our own sentences: what
// files, nets and layers are called may read like an instruction, to a person
// or to an agent. Where a sentence speaks of such a thing it says {text_1}, and
// the reply's field named says what that stands for.
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

// names are the fields whose texts come from outside.
var names = []string{"file", "files", "name", "layer", "layers", "board", "nets", "net", "choices", "from", "mpn", "project_name", "source",
	"reference", "part", "manufacturer", "footprint", "package", "description", "replaces", "original_mpn", "replacement_mpn", "replacement_manufacturer", "reason",
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
	s := &setter{named: map[string]string{}}
	for _, text := range more {
		s.add(text)
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
	texts []string // the longest first
	named map[string]string
}

// plain is what can be no instruction: a short word, such as a net's name.
var plain = regexp.MustCompile(`^[A-Za-z0-9_+~./-]{1,16}$`)

// longObject is longer than what is said of a pad or a part with a usual name.
const longObject = 40

// add notes a text from outside, and the parts of it that sentences use.
func (s *setter) add(text string) {
	base := path.Base(text)
	for _, t := range []string{text, base, strings.TrimSuffix(base, path.Ext(base))} {
		if t = strings.TrimSpace(t); t != "" && !plain.MatchString(t) {
			s.texts = append(s.texts, t)
		}
	}
}

func (s *setter) sort() {
	slices.SortFunc(s.texts, func(a, b string) int { return cmp.Or(len(b)-len(a), cmp.Compare(a, b)) })
	s.texts = slices.Compact(s.texts)
}

// collect finds the texts from outside in what a field holds.
func (s *setter) collect(field string, v any) {
	switch v := v.(type) {
	case string:
		// What a place is between is our words about it, with names of parts within.
		if slices.Contains(names, field) || field == "objects" && len(v) > longObject {
			s.add(v)
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
		if strings.Contains(text, t) {
			text = strings.ReplaceAll(text, t, "{"+s.label(t)+"}")
		}
	}
	return text
}

func (s *setter) label(text string) string {
	for label, t := range s.named {
		if t == text {
			return label
		}
	}
	label := "text_" + strconv.Itoa(len(s.named)+1)
	s.named[label] = text
	return label
}
