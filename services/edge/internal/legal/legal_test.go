package legal_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"boardorder/services/edge/internal/legal"
)

func TestSamplesSayThatTheyAreSamples(t *testing.T) {
	t.Parallel()
	texts, err := legal.Load("")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"terms", "withdrawal", "privacy", "imprint", "contact"}; !slices.Equal(texts.Samples(), want) {
		t.Errorf("samples: %v, want %v", texts.Samples(), want)
	}
	for _, text := range texts {
		if !strings.Contains(string(text.Body), "This text is a sample.") || text.Title == "" || text.Path() != "/legal/"+text.Name {
			t.Errorf("%s: title %q at %s; want a sample that says so, with a title, at /legal/%s:\n%s", text.Name, text.Title, text.Path(), text.Name, text.Body)
		}
	}
}

func TestTheOperatorsTexts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	put("terms.md", "# Ours\n\nBoards & more <script>alert(1)</script> [x](javascript:alert(1)) [y](https://example.com/)\n")
	texts, err := legal.Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	terms := string(texts[0].Body)
	if texts[0].Sample || len(texts.Samples()) != 4 || !strings.Contains(terms, "Ours</h1>") || !strings.Contains(terms, `href="https://example.com/"`) {
		t.Errorf("terms: %s, a sample %v, samples %v; want ours with the link, false, the other 4", terms, texts[0].Sample, texts.Samples())
	}
	if strings.Contains(terms, "<script") || strings.Contains(terms, "javascript:") {
		t.Errorf("terms hold markup from outside: %s", terms)
	}
	for name, text := range map[string]string{"empty": " \n", "no UTF-8": "\xff\xfe", "long": strings.Repeat("x", 1<<20)} {
		put("terms.md", text)
		if _, err := legal.Load(dir); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
}
