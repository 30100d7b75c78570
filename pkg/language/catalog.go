package language

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
	"golang.org/x/text/message/catalog"
)

// catalogFiles has catalog/<language>/<area>.yaml which maps an English text to its translation. Where the
// first argument is a count, the translation is a map of CLDR's plural categories
// (one, other, …) to texts; the folder en holds these, and what its key names more clearly than English says it.
//
//go:embed catalog
var catalogFiles embed.FS

var texts = func() catalog.Catalog {
	c, err := readCatalog(catalogFiles)
	if err != nil {
		panic(err) // what is built in; a test reads it
	}
	return c
}()

func readCatalog(files fs.FS) (catalog.Catalog, error) {
	c := catalog.NewBuilder(catalog.Fallback(language.English))
	names, err := fs.Glob(files, "catalog/*/*.yaml")
	if err != nil {
		return nil, fmt.Errorf("catalog: %w", err)
	}
	for _, name := range names {
		tag, err := language.Parse(path.Base(path.Dir(name)))
		if err != nil {
			return nil, fmt.Errorf("catalog: %s: %w", name, err)
		}
		if err := addTexts(c, tag, files, name); err != nil {
			return nil, fmt.Errorf("catalog: %s: %w", name, err)
		}
	}
	return c, nil
}

func addTexts(c *catalog.Builder, tag language.Tag, files fs.FS, name string) error {
	translations, err := readTexts(files, name)
	if err != nil {
		return err
	}
	for key, t := range translations {
		if err := c.Set(tag, key, t.message()); err != nil {
			return fmt.Errorf("%q: %w", key, err)
		}
	}
	return nil
}

// A translation is one text, or one for each plural category.
type translation struct {
	text  string
	cases map[string]string
}

func readTexts(files fs.FS, name string) (map[string]translation, error) {
	data, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, err
	}
	var nodes map[string]translation
	if err := yaml.Unmarshal(data, &nodes); err != nil {
		return nil, err
	}
	return nodes, nil
}

// UnmarshalYAML reads a text or a map of texts.
func (t *translation) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind == yaml.MappingNode {
		return n.Decode(&t.cases)
	}
	return n.Decode(&t.text)
}

func (t translation) message() catalog.Message {
	if t.cases == nil {
		return catalog.String(t.text)
	}
	var cases []any
	for _, category := range []string{"=0", "zero", "one", "two", "few", "many", "other"} { // "other" must be last
		if text, ok := t.cases[category]; ok {
			cases = append(cases, category, text)
		}
	}
	return plural.Selectf(1, "%d", cases...)
}

// Translations lists the languages that each text of the catalog is in.
func Translations() (map[string][]string, error) {
	languages := map[string][]string{}
	names, err := fs.Glob(catalogFiles, "catalog/*/*.yaml")
	if err != nil {
		return nil, fmt.Errorf("catalog: %w", err)
	}
	for _, name := range names {
		translations, err := readTexts(catalogFiles, name)
		if err != nil {
			return nil, fmt.Errorf("catalog: %s: %w", name, err)
		}
		for key := range translations {
			languages[key] = append(languages[key], path.Base(path.Dir(name)))
		}
	}
	return languages, nil
}

// plainTexts are the texts of the catalog that take no arguments.
var plainTexts = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	all, err := Translations()
	if err != nil {
		panic(err) // what is built in; a test reads it
	}
	for key := range all {
		out[key] = !strings.Contains(key, "%")
	}
	return out
})
