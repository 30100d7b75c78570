package standalone_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A source is one Go file of the repository.
type source struct {
	path    string // from the root, with slashes
	test    bool
	program bool // of package main
	imports []string
	file    *ast.File
}

// isIn reports whether the file belongs to a folder or to one below it.
func (s source) isIn(folder string) bool { return strings.HasPrefix(s.path, folder+"/") }

func sources(t *testing.T) []source {
	t.Helper()
	const root = "../.."
	var all []source
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); path != root && (name == "testdata" || name == "data" || name[0] == '.') {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		s, err := parse(root, path)
		all = append(all, s)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	// What helps tests is no part of the program: packages that import testing, and
	// those of the boards that only tests import.
	helpers, used := map[string]bool{}, map[string]bool{}
	for _, s := range all {
		if s.test {
			continue
		}
		if slices.Contains(s.imports, "testing") {
			helpers[path.Dir(s.path)] = true
		}
		for _, i := range s.imports {
			used[strings.TrimPrefix(i, "boardorder/")] = true
		}
	}
	for _, s := range all {
		if dir := path.Dir(s.path); s.isIn("pkg/board") && !s.program && !used[dir] {
			helpers[dir] = true
		}
	}
	for i := range all {
		all[i].test = all[i].test || helpers[path.Dir(all[i].path)]
	}
	return all
}

func parse(root, path string) (source, error) {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return source{}, err
	}
	rel, err := filepath.Rel(root, path)
	s := source{path: filepath.ToSlash(rel), test: strings.HasSuffix(path, "_test.go"), program: file.Name.Name == "main", file: file}
	for _, i := range file.Imports {
		name, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			return source{}, err
		}
		s.imports = append(s.imports, name)
	}
	return s, err
}

// isWithin reports whether an import is a package or one below it.
func isWithin(name, pkg string) bool { return name == pkg || strings.HasPrefix(name, pkg+"/") }

// owners are the only folders that import what stands behind them. deploy/ may
// too: it starts servers and reads their ledger.
var owners = map[string][]string{
	"github.com/nats-io":          {"pkg/bus"},
	"go.mongodb.org/mongo-driver": {"pkg/projection"},
	"modernc.org/sqlite":          {"pkg/projection"},
	"github.com/minio/minio-go":   {"pkg/blob"},
	"github.com/gofiber/fiber":    {"services/edge"},
	"github.com/valyala/fasthttp": {"services/edge"},
	"github.com/stripe/stripe-go": {"pkg/card/stripe"},
}

// testTools are what the tests of several modules are written with. They lie beside
// what they are about.
var testTools = []string{"pkg/browsertest", "pkg/bus/bustest", "pkg/bus/simbus", "pkg/blob/blobtest", "pkg/clocktest", "pkg/door/doortest", "pkg/projection/projectiontest", "pkg/tlsfiles/tlstest", "pkg/board/testkit", "pkg/board/dfm/internal/kit", "services/edge/internal/mcp/mcptest", "deploy/standalone/internal/release"}

// TestWhoMayImportWhom holds the architecture: the rules are in ARCHITECTURE.md.
func TestWhoMayImportWhom(t *testing.T) {
	t.Parallel()
	all := sources(t)
	if len(all) < 100 {
		t.Fatalf("%d files, want 100 at least: looked in the wrong place", len(all))
	}
	for _, s := range all {
		for _, name := range s.imports {
			if why := forbidden(s, name); why != "" {
				t.Errorf("%s imports %s: %s", s.path, name, why)
			}
		}
	}
}

// vocabulary are packages that import nothing of ours, and whose words requests and
// events are written with.
var vocabulary = []string{"boardorder/pkg/money", "boardorder/pkg/board/answers", "boardorder/pkg/board/untrusted"}

func forbidden(s source, name string) string {
	if rest, ok := strings.CutPrefix(s.path, "services/"); ok {
		own, _, _ := strings.Cut(rest, "/")
		if isWithin(name, "boardorder/services") && !isWithin(name, "boardorder/services/"+own) {
			return "a service never imports another one"
		}
	}
	switch ours := isWithin(name, "boardorder"); {
	case ours && !s.isIn("deploy") && isWithin(name, "boardorder/deploy") && !(s.test && isWithin(name, "boardorder/deploy/simulator")):
		return "what ships does not import what it is run with; its tests may import the simulator"
	case ours && s.isIn("pkg") && !isWithin(name, "boardorder/pkg"):
		return "what is shared imports no service"
	case ours && s.isIn("pkg/contract") && !s.test && !isWithin(name, "boardorder/pkg/contract") && !slices.Contains(vocabulary, name):
		return "the contract imports nothing of ours but vocabulary"
	case ours && path.Dir(s.path) == "pkg/contract" && !s.test && isWithin(name, "boardorder/pkg/contract"):
		return "what all aggregates share knows none of them"
	case ours && s.isIn("pkg/board") && !s.test && !s.program && !isWithin(name, "boardorder/pkg/board"):
		return "the board model stands for itself"
	}
	if !s.test && !s.isIn("deploy") {
		for _, tool := range testTools {
			if isWithin(name, "boardorder/"+tool) && !s.isIn(tool) {
				return "what ships does not import what tests are written with"
			}
		}
	}
	for pkg, folders := range owners {
		if isWithin(name, pkg) && !s.isIn("deploy") && !slices.ContainsFunc(folders, s.isIn) {
			return "only " + strings.Join(folders, ", ") + " may"
		}
	}
	return ""
}

// impure are the packages that bytes in, values out needs none of.
var impure = []string{"net", "os", "log", "syscall", "database/sql", "math/rand", "go.uber.org/zap"}

// TestBoardsArePure: pkg/board takes bytes and gives values. No network, no
// files, no clock, no log. Commands below it, such as its benchmark, are programs, and
// its testkit is what tests are written with.
func TestBoardsArePure(t *testing.T) {
	t.Parallel()
	files := 0
	for _, s := range sources(t) {
		if !s.isIn("pkg/board") || s.isIn("pkg/board/testkit") || s.test || s.program {
			continue
		}
		files++
		for _, name := range s.imports {
			if slices.ContainsFunc(impure, func(pkg string) bool { return isWithin(name, pkg) }) && name != "net/url" {
				t.Errorf("%s imports %s", s.path, name)
			}
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if call := clock(n); call != "" {
				t.Errorf("%s uses time.%s", s.path, call)
			}
			return true
		})
	}
	if files < 50 {
		t.Errorf("%d files, want 50 at least: looked in the wrong place", files)
	}
}

func clock(n ast.Node) string {
	sel, ok := n.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	if pkg, ok := sel.X.(*ast.Ident); ok && pkg.Name == "time" &&
		slices.Contains([]string{"Now", "Since", "Until", "Sleep", "After", "NewTimer", "NewTicker", "Tick", "AfterFunc"}, sel.Sel.Name) {
		return sel.Sel.Name
	}
	return ""
}

// TestRulesForbid: the rules above find what they are there for.
func TestRulesForbid(t *testing.T) {
	t.Parallel()
	for path, imports := range map[string][]string{
		"services/edge/edge.go":        {"boardorder/services/pricing", "github.com/nats-io/nats.go", "boardorder/deploy/simulator"},
		"services/pricing/price.go":    {"github.com/gofiber/fiber/v2", "go.mongodb.org/mongo-driver/v2/mongo"},
		"pkg/contract/mark.go":         {"boardorder/pkg/secret", "boardorder/pkg/contract/quotes"},
		"pkg/contract/quotes/quote.go": {"boardorder/pkg/secret", "boardorder/pkg/bus"},
		"pkg/board/upload/upload.go":   {"boardorder/pkg/secret"},
		"pkg/projection/mongo/put.go":  {"github.com/minio/minio-go/v7"},
		"pkg/aggregate/aggregate.go":   {"github.com/nats-io/nats.go/jetstream", "boardorder/services/edge"},
		"services/console/web/page.go": {"boardorder/services/consoles"},
		"services/notify/cmd/main.go":  {"boardorder/pkg/bus/bustest", "boardorder/pkg/board/testkit/faulty"},
	} {
		for _, name := range imports {
			if forbidden(source{path: path}, name) == "" {
				t.Errorf("%s may import %s", path, name)
			}
		}
	}
	for path, name := range map[string]string{
		"services/edge/edge.go": "boardorder/services/edge/internal/web", "pkg/bus/embedded/embedded.go": "github.com/nats-io/nats-server/v2/server",
		"deploy/standalone/infra/infra.go": "github.com/nats-io/nats-server/v2/server", "services/upload/upload.go": "boardorder/pkg/bus",
		"pkg/contract/orders/sold.go": "boardorder/pkg/contract/quotes",
	} {
		if why := forbidden(source{path: path}, name); why != "" {
			t.Errorf("%s may not import %s: %s", path, name, why)
		}
	}
}
