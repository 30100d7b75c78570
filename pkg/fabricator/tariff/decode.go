package tariff

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"go.yaml.in/yaml/v3"

	"boardorder/pkg/catalog"
)

// decode reads the file and checks that it makes sense; the error has one
// line for each thing that is wrong.
func decode(data []byte, c *catalog.Catalog) (table, error) {
	var tb table
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(&tb); err != nil {
		return tb, readable(err)
	}
	var root yaml.Node
	if err := yaml.Unmarshal(data, &root); err != nil {
		return tb, readable(err)
	}
	k := &checker{root: &root, catalog: c, table: &tb}
	k.check()
	return tb, errors.Join(k.errs...)
}

func readable(err error) error {
	if e, ok := errors.AsType[*yaml.TypeError](err); ok {
		return fmt.Errorf("tariff: %s", strings.Join(e.Errors, "\n"))
	}
	return fmt.Errorf("tariff: %w", err)
}

// line finds where a path of keys and indexes stands in the file; zero when it
// does not stand there, and then the nearest that does.
func line(n *yaml.Node, path ...any) int {
	if n.Kind == yaml.DocumentNode && len(n.Content) > 0 {
		n = n.Content[0]
	}
	at := n.Line
	for _, p := range path {
		n = child(n, p)
		if n == nil {
			break
		}
		at = n.Line
	}
	return at
}

func child(n *yaml.Node, p any) *yaml.Node {
	switch p := p.(type) {
	case int:
		if n.Kind == yaml.SequenceNode && p < len(n.Content) {
			return n.Content[p]
		}
	case string:
		for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
			if n.Content[i].Value == p {
				return n.Content[i+1]
			}
		}
	}
	return nil
}

// formatPath writes a path as base[2].steps[0].per_m2.
func formatPath(path []any) string {
	var b strings.Builder
	for _, p := range path {
		switch p := p.(type) {
		case int:
			fmt.Fprintf(&b, "[%d]", p)
		default:
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			fmt.Fprint(&b, p)
		}
	}
	return b.String()
}
