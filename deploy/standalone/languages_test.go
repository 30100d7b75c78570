package standalone_test

import (
	"go/ast"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/language"
)

// textInTemplate is a text of the catalog in a template: {{t "…"}}, {{th "…" …}}, (t "…").
var textInTemplate = regexp.MustCompile(`\b(?:t|th) ("(?:[^"\\]|\\.)*")`)

// textInScript is a text of the catalog in the report's scripts: say("…").
var textInScript = regexp.MustCompile(`\bsay\(("(?:[^"\\]|\\.)*")`)

// TestTextsAreTranslated lists the texts that some language lacks, and the translations
// of texts that nothing shows.
func TestTextsAreTranslated(t *testing.T) {
	t.Parallel()
	have, err := language.Translations()
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for key, place := range textsOfTemplates(t) {
		used[key] = true
		checkLanguages(t, place, key, have[key])
	}
	for key, place := range textsOfCode(t) {
		used[key] = true
		checkLanguages(t, place, key, have[key])
	}
	for _, check := range dfm.Names() { // the board model knows no languages
		used[check.Words()] = true
		checkLanguages(t, string(check), check.Words(), have[check.Words()])
	}
	for key := range have {
		if !used[key] {
			t.Errorf("the catalog translates %q, which nothing shows", key)
		}
	}
}

func checkLanguages(t *testing.T, place, key string, have []string) {
	t.Helper()
	for _, l := range language.List() {
		if l.Code != language.English && !slices.Contains(have, l.Code) {
			t.Errorf("%s: %q has no text in %s", place, key, l.Name)
		}
	}
}

func textsOfTemplates(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	err := filepath.WalkDir("../../services", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == "testdata" {
			return filepath.SkipDir
		}
		ext := filepath.Ext(path)
		if d.IsDir() || ext != ".html" && ext != ".txt" && (ext != ".js" || !strings.Contains(path, "design-check")) {
			return nil
		}
		pattern := textInTemplate
		if ext == ".js" {
			pattern = textInScript
		}
		data, err := os.ReadFile(path) // #nosec G304 -- of the repository
		if err != nil {
			return err
		}
		for _, m := range pattern.FindAllStringSubmatch(string(data), -1) {
			text, err := strconv.Unquote(m[1])
			if err != nil {
				t.Errorf("%s: %s: %v", path, m[1], err)
			}
			texts[text] = path
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// textsOfCode are the texts that code gives to Text and HTML of a printer, or marks with Key.
func textsOfCode(t *testing.T) map[string]string {
	t.Helper()
	texts, speaks := map[string]string{}, map[string]bool{} // by folder: some file there has a printer
	for _, s := range sources(t) {
		if !s.test && (s.isIn("pkg/language") || slices.Contains(s.imports, "boardorder/pkg/language")) {
			speaks[filepath.Dir(s.path)] = true
		}
	}
	for _, s := range sources(t) {
		if s.test || !speaks[filepath.Dir(s.path)] {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || len(call.Args) == 0 {
				return true
			}
			f, ok := call.Fun.(*ast.SelectorExpr)
			if !ok || !slices.Contains([]string{"Text", "HTML", "Key"}, f.Sel.Name) {
				return true
			}
			if text, ok := literal(call.Args[0]); ok {
				texts[text] = s.path
			}
			return true
		})
	}
	return texts
}

// literal is the value of a string literal, or of several that are added up.
func literal(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		x, okX := literal(e.X)
		y, okY := literal(e.Y)
		return strings.Join([]string{x, y}, ""), okX && okY && e.Op == token.ADD
	}
	return "", false
}
