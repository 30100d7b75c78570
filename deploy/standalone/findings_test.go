package standalone_test

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/phrase"
)

// speakers are the folders whose words stand in findings, and the files of them that say nothing to
// customers: figures of fabricators, rules for design tools, and patterns that texts are told by.
var speakers = map[string][]string{
	"pkg/board/dfm":                      {"capability.go", "validate.go", "names.go", "smallest.go", "tie.go", "kicadrules.go", "limits.go"},
	"services/design-check/internal/fab": {},
	readers:                              {"document.go", "facts.go", "material.go", "notes.go", "unread.go", "values.go", "table.go", "differences.go", "processes.go", "backup.go"},
}

// readers say findings and, beside them, how they told what a file is, and what its notes mean: that
// stays in English, as the files are. So does what the readers of formats say of a file's inside.
const readers = "pkg/board/upload"

var (
	gapInText = regexp.MustCompile(`%[-+ #0-9.]*[a-zA-Z]|\. `)
	wordsOnly = regexp.MustCompile(`[a-z]+ [a-z]+`)
	choice    = regexp.MustCompile(`\(([^()]*\|[^()]*)\)`)
)

// TestFindingsAreTranslated lists the words that a finding can say and no translation holds. The
// board model knows no languages: [phrase.Finding] knows its sentences again.
func TestFindingsAreTranslated(t *testing.T) {
	t.Parallel()
	known := strings.ToLower(strings.Join(findingTexts(), "\n"))
	for _, s := range sources(t) {
		if s.test || !isSpeaker(s.path) {
			continue
		}
		for text, at := range sentencesIn(s.file, strings.Contains(s.path, readers)) {
			for _, words := range gapInText.Split(text, -1) {
				words = strings.ToLower(strings.Trim(words, " .,:;()"))
				if wordsOnly.MatchString(words) && !strings.Contains(known, words) {
					t.Errorf("%s, byte %d: no finding is translated that says %q, of %q", s.path, at, words, text)
				}
			}
		}
	}
}

// findingTexts are the texts that are translated, with every choice made either way.
func findingTexts() []string {
	var out []string
	for _, check := range dfm.Names() {
		out = append(out, check.Words())
	}
	for _, key := range phrase.Findings() {
		for k := range 2 {
			text := choice.ReplaceAllStringFunc(key, func(c string) string {
				words := strings.Split(c[1:len(c)-1], "|")
				return words[min(k, len(words)-1)]
			})
			out = append(out, gapInText.ReplaceAllString(text, "\n"))
		}
	}
	return out
}

func isSpeaker(path string) bool {
	for folder, silent := range speakers {
		if strings.Contains(path, folder+"/") && !slices.Contains(silent, filepath.Base(path)) {
			return !strings.Contains(path, "/kit/") && !strings.Contains(path, "/testdata/")
		}
	}
	return false
}

// sentencesIn gives the texts of a file that may be said to customers, and where they stand: all, or
// those alone that are given to Say or are a finding's Message.
func sentencesIn(f *ast.File, messages bool) map[string]token.Pos {
	out := map[string]token.Pos{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			return n.Tag == nil
		case *ast.CallExpr:
			if s, ok := n.Fun.(*ast.SelectorExpr); ok && slices.Contains([]string{"MustCompile", "Errorf", "New"}, s.Sel.Name) {
				return false
			} else if ok && messages && s.Sel.Name == "Say" {
				addTexts(out, n)
			}
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && messages && key.Name == "Message" {
				addTexts(out, n.Value)
			}
		case *ast.AssignStmt:
			if to, ok := n.Lhs[0].(*ast.SelectorExpr); ok && messages && to.Sel.Name == "Message" {
				addTexts(out, n)
			}
		case *ast.BasicLit:
			if !messages {
				addTexts(out, n)
			}
		}
		return true
	})
	return out
}

// addTexts adds the texts that stand below a node.
func addTexts(out map[string]token.Pos, n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			if text, err := strconv.Unquote(l.Value); err == nil && wordsOnly.MatchString(text) {
				out[text] = l.Pos()
			}
		}
		return true
	})
}
