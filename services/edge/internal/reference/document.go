package reference

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

type object = map[string]any

// A document is an OpenAPI description that remembers the order in which it was
// written: people read what matters first, and JSON objects have no order.
type document struct {
	root  object
	order map[string][]string // names by where they stand
}

// place is where something stands in the document: the names that lead there.
type place []string

func (p place) join(names ...string) place { return append(slices.Clip(p), names...) }

func (p place) key() string { return strings.Join(p, "\x00") }

// readDocument takes the description as it is served, and the text that it was
// written as.
func readDocument(served, written []byte) (*document, error) {
	d := &document{order: map[string][]string{}}
	if err := json.Unmarshal(served, &d.root); err != nil {
		return nil, fmt.Errorf("decode the description: %w", err)
	}
	var tree yaml.Node
	if err := yaml.Unmarshal(written, &tree); err != nil {
		return nil, fmt.Errorf("decode the written description: %w", err)
	}
	for _, n := range tree.Content {
		d.note(nil, n)
	}
	return d, nil
}

func (d *document) note(at place, n *yaml.Node) {
	switch n.Kind {
	case yaml.MappingNode:
		var names []string
		for i := 0; i+1 < len(n.Content); i += 2 {
			name := n.Content[i].Value
			names = append(names, name)
			d.note(at.join(name), n.Content[i+1])
		}
		d.order[at.key()] = names
	case yaml.SequenceNode:
		for i, inner := range n.Content {
			d.note(at.join(fmt.Sprint(i)), inner)
		}
	}
}

// names are those of an object in the order of writing; what was added when it is
// served comes last.
func (d *document) names(at place, o object) []string {
	var out []string
	for _, name := range d.order[at.key()] {
		if _, there := o[name]; there {
			out = append(out, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o)) {
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// get gives the object inside another one, what it refers to if it is a reference,
// and where that stands. It is empty where there is none.
func (d *document) get(at place, o object, name string) (place, object) {
	inner, _ := o[name].(object)
	return d.follow(at.join(name), inner)
}

func (d *document) follow(at place, o object) (place, object) {
	for {
		ref, ok := o["$ref"].(string)
		if !ok {
			return at, o
		}
		at = strings.Split(strings.TrimPrefix(ref, "#/"), "/")
		o = d.root
		for _, name := range at {
			o, _ = o[name].(object)
		}
	}
}

// sample writes a value of the document as JSON, in the order of writing.
func (d *document) sample(out *strings.Builder, at place, v any, indent string) {
	switch v := v.(type) {
	case object:
		d.sampleOf(out, '{', '}', indent, d.names(at, v), func(name, deeper string) {
			out.WriteString(encodePlain(name) + ": ")
			d.sample(out, at.join(name), v[name], deeper)
		})
	case []any:
		names := make([]string, len(v))
		for i := range v {
			names[i] = fmt.Sprint(i)
		}
		d.sampleOf(out, '[', ']', indent, names, func(name, deeper string) {
			var i int
			_, _ = fmt.Sscan(name, &i)
			d.sample(out, at.join(name), v[i], deeper)
		})
	default:
		out.WriteString(encodePlain(v))
	}
}

func (d *document) sampleOf(out *strings.Builder, open, end byte, indent string, names []string, each func(name, deeper string)) {
	out.WriteByte(open)
	for i, name := range names {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString("\n" + indent + "  ")
		each(name, indent+"  ")
	}
	if len(names) > 0 {
		out.WriteString("\n" + indent)
	}
	out.WriteByte(end)
}

// encodePlain is a plain value as JSON, with every letter as it is.
func encodePlain(v any) string {
	var out strings.Builder
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	_ = e.Encode(v) // of a string, a number, a boolean or null
	return strings.TrimSpace(out.String())
}
