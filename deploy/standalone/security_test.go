package standalone_test

import (
	"go/ast"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// claim is one row of the table in SECURITY.md.
type claim struct {
	id, status, why string
	tests           []string // folder.TestName
}

var namedTest = regexp.MustCompile("`([a-z0-9/-]+\\.(?:Test|Fuzz)[A-Za-z0-9]+)`")

func claims(text string) []claim {
	var out []claim
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.TrimSpace(line), " | ")
		if len(cells) != 5 || !strings.HasPrefix(cells[0], "| S") {
			continue
		}
		c := claim{id: strings.TrimPrefix(cells[0], "| "), status: cells[2], why: strings.TrimSpace(cells[3])}
		for _, m := range namedTest.FindAllStringSubmatch(cells[4], -1) {
			c.tests = append(c.tests, m[1])
		}
		out = append(out, c)
	}
	return out
}

// testNames are all tests and fuzz targets, as folder.TestName.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, s := range sources(t) {
		if !strings.HasSuffix(s.path, "_test.go") {
			continue
		}
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
				names[path.Dir(s.path)+"."+f.Name.Name] = true
			}
		}
	}
	return names
}

// TestSecurityTableIsTrue: each of S1 to S41 stands in SECURITY.md once, what is
// held names tests that exist, and what is not says why.
func TestSecurityTableIsTrue(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range judge(claims(string(text)), testNames(t)) {
		t.Errorf("SECURITY.md: %s; want each of S1 to S41 once, held by tests or said why not", wrong)
	}
}

// judge says what is wrong with a table.
func judge(table []claim, tests map[string]bool) (wrong []string) {
	if len(table) != 41 {
		wrong = append(wrong, strconv.Itoa(len(table))+" rows, want 41")
	}
	for i, c := range table {
		if want := "S" + strconv.Itoa(i+1); c.id != want {
			wrong = append(wrong, c.id+" stands where "+want+" should")
		}
		for _, name := range c.tests {
			if !tests[name] {
				wrong = append(wrong, c.id+": there is no test "+name)
			}
		}
		switch c.status {
		case "held":
			if len(c.tests) == 0 {
				wrong = append(wrong, c.id+" is held by no test")
			}
		case "partly", "open":
			if len(c.why) < 20 {
				wrong = append(wrong, c.id+" does not say what is missing")
			}
		default:
			wrong = append(wrong, c.id+": "+c.status+" is no status")
		}
	}
	return wrong
}

// TestSecurityTableIsJudged: the judge finds what it is there for.
func TestSecurityTableIsJudged(t *testing.T) {
	t.Parallel()
	table := claims("| S1 | x | held |  | `a.TestGone` |\n| S3 | x | held | y |  |\n| S3 | x | open | soon |  |\n| S4 | x | done |  | `a.TestB` |\n")
	got := strings.Join(judge(table, map[string]bool{"a.TestB": true}), "; ")
	for _, want := range []string{"4 rows", "S1: there is no test a.TestGone", "S3 stands where S2", "S3 is held by no test", "S3 does not say", "done is no status"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not found: %s", want, got)
		}
	}
}
