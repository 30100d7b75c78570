package standalone_test

import (
	"go/ast"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// looseWords are no verbs and no nouns: who reads one as the first word of a
// function's name has to look up what it does or gives.
var looseWords = strings.Fields(`
	about above across after again against ago ahead all almost along already also alone aloud although always amid among
	an and another any anew apart around as aside at away back backwards because before behind below beneath beside
	besides between beyond both but by despite down during each either else elsewhere enough even ever every everywhere
	except few first for forward from further here his how however if in indeed inside instead into it its itself just
	last later least less like likely many maybe me mine more most much my near nearly neither never next no nobody none
	nor not nothing now of off often on once one only onto or other others otherwise our ours out outside over own past
	per perhaps quite rather several she since so some somewhere soon still such than that the their theirs them then
	there therefore these they this those though through throughout thus till to together too toward towards under
	underneath unless until up upon us very via we what whatever when whenever where wherever whether which whichever
	while who whoever whom whose why with within without yet you your

	begun bent bought bound bred broken brought caught chosen dealt done drawn driven dug fallen fed felt flown forgotten
	fought found frozen given gone gotten grown heard held hidden hung kept known laid lain led left lent lit lost made
	meant met overdrawn paid proven redrawn ridden risen rung said sawn seen sent shaken shown shrunk slept sold sought
	spent spoken spun stolen stood struck stuck sung sunk sworn swept taken taught thought thrown told torn understood
	undone withdrawn woken won worn wound woven written wrung`)

// edNouns end like participles and are none.
var edNouns = strings.Fields("bed bleed embed exceed feed heed hundred need proceed reed seed shed shred speed succeed weed")

// usualNames begin with such a word and mean in Go, or in the field, what they mean here.
var usualNames = map[string]string{
	"At":   "what lies at a place, as image.Image.At and go/types.Tuple.At: here one aggregate of a log",
	"Last": "the newest entry of a log, as container/list.List.Last gives the last element",
	"Less": "sort.Interface and its like",
	"Next": "the next item of a sequence, as bufio's, go/scanner's and sql.Rows.Next",
	"Now":  "time.Now of a clock that a test sets",
	"now":  "time.Now of a clock that a test sets",
	"next": "the next item of a sequence, as bufio's, go/scanner's and sql.Rows.Next",
}

// TestFunctionsAreVerbsOrNouns holds the first word of functions' names, tests by
// name aside. Options and contexts are called With…, as in Go's own packages, and a
// via is a hole.
func TestFunctionsAreVerbsOrNouns(t *testing.T) {
	t.Parallel()
	functions := 0
	for _, s := range sources(t) {
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			functions++
			name := f.Name.Name
			if usualNames[name] == "" && !strings.HasPrefix(name, "With") && !strings.HasPrefix(strings.ToLower(name), "via") && isLoose(leadingWord(name)) {
				t.Errorf("%s: %s begins with %q; a function is called by what it does (a verb) or gives (a noun)", s.path, name, leadingWord(name))
			}
		}
	}
	if functions < 5_000 {
		t.Errorf("%d functions were looked at, want 5000 at least", functions)
	}
}

// TestDocsBeginWithTheName: a comment on a declaration that begins with a small letter begins
// with the name, also after it was changed.
func TestDocsBeginWithTheName(t *testing.T) {
	t.Parallel()
	docs := 0
	check := func(s source, name string, doc *ast.CommentGroup) {
		first, _, _ := strings.Cut(doc.Text(), " ")
		if docs++; first != "" && unicode.IsLower([]rune(first)[0]) && strings.TrimRight(first, ".,:;\n") != name {
			t.Errorf("%s: the comment on %s begins with %q, want the name", s.path, name, first)
		}
	}
	for _, s := range sources(t) {
		for _, d := range s.file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Doc != nil {
					check(s, d.Name.Name, d.Doc)
				}
			case *ast.GenDecl:
				if name := nameOf(d); name != "" && d.Doc != nil {
					check(s, name, d.Doc)
				}
			}
		}
	}
	if docs < 5_000 {
		t.Errorf("%d comments were looked at, want 5000 at least", docs)
	}
}

// nameOf is the name of a declaration of one type, variable or constant; "" of others.
func nameOf(d *ast.GenDecl) string {
	if len(d.Specs) != 1 {
		return ""
	}
	switch spec := d.Specs[0].(type) {
	case *ast.TypeSpec:
		return spec.Name.Name
	case *ast.ValueSpec:
		if len(spec.Names) == 1 {
			return spec.Names[0].Name
		}
	}
	return ""
}

func TestFirstWord(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"readBoard": "read", "ReadBoard": "read", "HTTPServer": "http", "ID": "id", "x": "x", "parse2": "parse", "_": "",
	} {
		if got := leadingWord(name); got != want {
			t.Errorf("firstWord(%q) = %q, want %q", name, got, want)
		}
	}
	for word, want := range map[string]bool{"asked": true, "need": false, "kept": true, "red": false, "before": true, "read": false} {
		if got := isLoose(word); got != want {
			t.Errorf("isLoose(%q) = %v, want %v", word, got, want)
		}
	}
}

func isLoose(word string) bool {
	return slices.Contains(looseWords, word) || len(word) > 3 && strings.HasSuffix(word, "ed") && !slices.Contains(edNouns, word)
}

// leadingWord is a name's first word in small letters: of readBoard read, of HTTPServer
// http.
func leadingWord(name string) string {
	r := []rune(name)
	n := 0
	for n < len(r) && unicode.IsUpper(r[n]) {
		n++
	}
	if n > 1 && n < len(r) && unicode.IsLower(r[n]) {
		n-- // the last capital begins the second word
	}
	for n < len(r) && unicode.IsLower(r[n]) {
		n++
	}
	return strings.ToLower(strings.Trim(string(r[:n]), "_"))
}
