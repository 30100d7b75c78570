package standalone_test

import (
	"encoding/csv"
	"flag"
	"go/ast"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var addSentences = flag.Bool("add-sentences", false, "add to sentences.csv what the specification says and the table lacks")

// sentencesFile is what the interface specification says, sentence by sentence,
// beside the tests that hold it.
const sentencesFile = "sentences.csv"

// specifications are where the specification may lie, seen from here: beside the
// repository, or beside the folder of a worktree of it.
var specifications = []string{"../../../shared/spec/interface-specification.md", "../../../../shared/spec/interface-specification.md"}

// untested is why a sentence needs no test. There are no other reasons.
var untested = []string{
	"naming",    // it says how the document calls things
	"silent",    // it says that the document does not say something
	"advice",    // it tells a client what to do, and nothing of the service
	"operator",  // it tells what people of the operator do, or an agreement between people
	"explained", // it leads to, or sums up, sentences that stand in rows of their own
}

// sentence is one row of the table.
type sentence struct {
	section, text string
	tests         []string // folder.TestName, or folder.TestName/subtest
	why           string   // one of untested
}

// sentencesOf splits the specification: prose by full stops, tables by rows.
func sentencesOf(text string) []sentence {
	var out []sentence
	section, rowsOf := "", false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
			rowsOf = false
		case strings.HasPrefix(line, "#"):
			section = strings.TrimSpace(strings.TrimLeft(line, "#"))
		case strings.HasPrefix(line, "|"):
			if rowsOf && !strings.HasPrefix(line, "|---") {
				out = append(out, sentence{section: section, text: strings.Trim(line, "| ")})
			}
			rowsOf = true // the first row is the head
		default:
			for _, s := range prose(line) {
				out = append(out, sentence{section: section, text: s})
			}
		}
	}
	return out
}

var (
	listMark = regexp.MustCompile(`^(?:\d+\.|-)\s+`)
	stop     = regexp.MustCompile(`[.:;]\s+`)
)

// prose splits a paragraph after each full stop that a capital, or a name in
// backquotes, follows.
func prose(line string) []string {
	line = listMark.ReplaceAllString(line, "")
	var out []string
	from := 0
	for _, m := range stop.FindAllStringIndex(line, -1) {
		if line[m[0]] != '.' || !begins(line[m[1]:]) || strings.HasSuffix(line[:m[0]], "e.g") {
			continue
		}
		out = append(out, line[from:m[0]+1])
		from = m[1]
	}
	return append(out, line[from:])
}

func begins(s string) bool {
	return s != "" && (s[0] >= 'A' && s[0] <= 'Z' || s[0] == '`' || s[0] == '\'')
}

func readSentences(t *testing.T) []sentence {
	t.Helper()
	f, err := os.Open(sentencesFile)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []sentence
	for _, r := range rows[1:] {
		out = append(out, sentence{r[0], r[1], strings.Fields(r[2]), r[3]})
	}
	return out
}

// specification is the text of the specification, or "" where it is not at hand.
func specification() string {
	for _, at := range specifications {
		if text, err := os.ReadFile(at); err == nil {
			return string(text)
		}
	}
	return ""
}

// TestEverySentenceIsHeld: whatever the interface specification says has a test
// that exists, or a reason why it needs none.
func TestEverySentenceIsHeld(t *testing.T) {
	t.Parallel()
	if *addSentences {
		add(t)
	}
	for _, wrong := range unheld(readSentences(t), testNames(t), testLiterals(t)) {
		t.Errorf("sentences.csv: %s; want a test that exists, or a reason why it needs none", wrong)
	}
}

// TestTableHasEverySentence: the table says what the specification says, neither
// less nor something else.
func TestTableHasEverySentence(t *testing.T) {
	t.Parallel()
	text := specification()
	if text == "" {
		t.Skip("the specification is not beside this repository, so the table is not compared with it")
	}
	for _, wrong := range different(sentencesOf(text), readSentences(t)) {
		t.Errorf("sentences.csv: %s; want the sentences of the specification, each as often", wrong)
	}
}

// unheld says which sentences nothing holds.
func unheld(table []sentence, tests map[string]bool, literals map[string]map[string]bool) (wrong []string) {
	for _, s := range table {
		switch {
		case len(s.tests) == 0 && s.why == "":
			wrong = append(wrong, "nothing holds: "+s.text)
		case len(s.tests) > 0 && s.why != "":
			wrong = append(wrong, "it has tests, and a reason for none: "+s.text)
		case s.why != "" && !slices.Contains(untested, s.why):
			wrong = append(wrong, s.why+" is no reason: "+s.text)
		}
		for _, name := range s.tests {
			top, sub, _ := subtest(name)
			if !tests[top] {
				wrong = append(wrong, "there is no test "+top+": "+s.text)
			} else if sub != "" && !literals[top][strings.ReplaceAll(sub, "_", " ")] && !literals[top][sub] {
				wrong = append(wrong, "the test "+top+" has no case "+sub+": "+s.text)
			}
		}
	}
	return wrong
}

// subtest splits folder.TestName/case.
func subtest(name string) (top, sub string, ok bool) {
	at := strings.LastIndex(name, ".Test")
	if at < 0 {
		return name, "", false
	}
	test, sub, ok := strings.Cut(name[at:], "/")
	return name[:at] + test, sub, ok
}

// different compares the specification with the table.
func different(spec, table []sentence) (wrong []string) {
	missing := map[[2]string]int{}
	for _, s := range spec {
		missing[[2]string{s.section, s.text}]++
	}
	for _, s := range table {
		key := [2]string{s.section, s.text}
		if missing[key] == 0 {
			wrong = append(wrong, "the specification does not say, or not so often, under "+s.section+": "+s.text)
			continue
		}
		missing[key]--
	}
	for key, n := range missing {
		if n > 0 {
			wrong = append(wrong, "the table lacks, under "+key[0]+": "+key[1])
		}
	}
	slices.Sort(wrong)
	return wrong
}

// add writes what the table lacks into it, for somebody to name the tests.
func add(t *testing.T) {
	t.Helper()
	known := map[[2]string]sentence{}
	if _, err := os.Stat(sentencesFile); err == nil {
		for _, s := range readSentences(t) {
			known[[2]string{s.section, s.text}] = s
		}
	}
	f, err := os.Create(sentencesFile)
	if err != nil {
		t.Fatal(err)
	}
	w := csv.NewWriter(f)
	_ = w.Write([]string{"section", "sentence", "tests", "untested because"})
	for _, s := range sentencesOf(specification()) {
		if old, ok := known[[2]string{s.section, s.text}]; ok {
			s = old
		}
		_ = w.Write([]string{s.section, s.text, strings.Join(s.tests, " "), s.why})
	}
	if w.Flush(); w.Error() != nil || f.Close() != nil {
		t.Fatal("sentences.csv is not written")
	}
}

// testLiterals are the texts that stand in each test function, which its cases
// are called by.
func testLiterals(t *testing.T) map[string]map[string]bool {
	t.Helper()
	out := map[string]map[string]bool{}
	for _, s := range sources(t) {
		if !strings.HasSuffix(s.path, "_test.go") {
			continue
		}
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv != nil || !strings.HasPrefix(f.Name.Name, "Test") {
				continue
			}
			texts := map[string]bool{}
			ast.Inspect(f, func(n ast.Node) bool {
				if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
					texts[strings.Trim(l.Value, "`\"")] = true
				}
				return true
			})
			out[path.Dir(filepath.ToSlash(s.path))+"."+f.Name.Name] = texts
		}
	}
	return out
}

// TestSentencesAreJudged: the judges find what they are there for.
func TestSentencesAreJudged(t *testing.T) {
	t.Parallel()
	spec := sentencesOf("# A\n\nOne is so. `Two` is, e.g. Tuesdays; three too.\n\n| Field | Type |\n|---|---|\n| ok | boolean |\n| ok | boolean |\n\n## B\n1. Four: five.\n")
	var texts []string
	for _, s := range spec {
		texts = append(texts, s.section+": "+s.text)
	}
	const want = "A: One is so. # A: `Two` is, e.g. Tuesdays; three too. # A: ok | boolean # A: ok | boolean # B: Four: five."
	if got := strings.Join(texts, " # "); got != want {
		t.Errorf("split as %s, want %s", got, want)
	}
	table := []sentence{
		{"A", "One is so.", []string{"a.TestB"}, ""}, {"A", "`Two` is, e.g. Tuesdays; three too.", nil, ""}, {"A", "ok | boolean", []string{"a.TestGone"}, ""},
		{"B", "Four: five.", nil, "because"}, {"B", "Six.", []string{"a.TestB"}, "naming"}, {"B", "Seven.", []string{"a.TestB/a case", "a.TestB/no_case"}, ""},
	}
	got := strings.Join(unheld(table, map[string]bool{"a.TestB": true}, map[string]map[string]bool{"a.TestB": {"a case": true}}), "; ")
	for _, want := range []string{"nothing holds: `Two`", "there is no test a.TestGone: ok", "because is no reason: Four", "and a reason for none: Six", "has no case no_case: Seven"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not found: %s", want, got)
		}
	}
	if strings.Contains(got, "a case:") {
		t.Errorf("a case that exists is not found: %s", got)
	}
	got = strings.Join(different(spec, table), "; ")
	for _, want := range []string{"lacks, under A: ok | boolean", "does not say, or not so often, under B: Six.", "under B: Seven."} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not found: %s", want, got)
		}
	}
}
