package manifests

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"boardorder/deploy/access"
	"boardorder/pkg/run"
	"boardorder/services/central"
	"boardorder/services/console"
	designcheck "boardorder/services/design-check"
	"boardorder/services/edge"
	"boardorder/services/feed"
	"boardorder/services/notify"
	partsourcing "boardorder/services/part-sourcing"
	"boardorder/services/payment"
	"boardorder/services/pricing"
	"boardorder/services/projector"
	"boardorder/services/upload"
	"boardorder/services/webhooks"

	"github.com/caarlos0/env/v11"
)

const root = "../.."

// configs is what each service reads. The check of folders below fails for a
// service that is missing here.
var configs = map[string]func() any{
	"central":       func() any { return &central.Config{} },
	"console":       func() any { return &console.Config{} },
	"design-check":  func() any { return &designcheck.Config{} },
	"edge":          func() any { return &edge.Config{} },
	"feed":          func() any { return &feed.Config{} },
	"notify":        func() any { return &notify.Config{} },
	"part-sourcing": func() any { return &partsourcing.Config{} },
	"payment":       func() any { return &payment.Config{} },
	"pricing":       func() any { return &pricing.Config{} },
	"projector":     func() any { return &projector.Config{} },
	"upload":        func() any { return &upload.Config{} },
	"webhooks":      func() any { return &webhooks.Config{} },
}

func TestEveryServiceIsKnown(t *testing.T) {
	t.Parallel()
	folders, err := filepath.Glob(filepath.Join(root, "services", "*", "cmd", "*", "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, f := range folders {
		name := filepath.Base(filepath.Dir(f))
		if module := filepath.Base(filepath.Dir(filepath.Dir(filepath.Dir(f)))); name != module {
			t.Errorf("%s: the command of %s must have its name, for the Dockerfile", f, module)
		}
		found = append(found, name)
	}
	slices.Sort(found)
	if want := slices.Sorted(maps.Keys(configs)); !slices.Equal(found, want) {
		t.Errorf("services with a command = %v, known here: %v", found, want)
	}
}

// jobs are the programs that do one thing and end, with what they read.
func jobs() map[string][]string {
	bucket := []string{"S3_URL"}
	for _, u := range access.Services() {
		bucket = append(bucket, access.FilesVariable(u.Name))
	}
	return map[string][]string{
		"access": bucket,
		"topology": {
			"NATS_URL", "NATS_CREDS", "NATS_TLS_CA", "NATS_TLS_CERT", "NATS_TLS_KEY", "NATS_TLS_FIRST",
			"STREAM_REPLICAS", "STREAM_MAX_BYTES", "STREAM_PARTS", "ACK_WAIT",
		},
	}
}

// settings are the variables of programs that are built here and read no configuration
// of ours.
var settings = map[string][]string{"caddy": {"XDG_DATA_HOME", "XDG_CONFIG_HOME"}}

// rows are the first variable of each row of configurations that are lists: of as many rows as
// a deployment here has and one more.
var rows = map[string]string{
	"DISTRIBUTOR_0_NAME": "distributor_a", "DISTRIBUTOR_1_NAME": "distributor_b", "DISTRIBUTOR_2_NAME": "distributor_c",
	"FABRICATOR_0_NAME": "board_maker", "FABRICATOR_1_NAME": "house",
}

// reads gives the names of all variables that a program reads.
func reads(t *testing.T, program string) map[string]bool {
	t.Helper()
	names, ok := jobs()[program]
	if !ok {
		names, ok = settings[program]
	}
	if ok {
		known := map[string]bool{}
		for _, name := range names {
			known[name] = true
		}
		return known
	}
	found := map[string]bool{ // by the Go runtime and by OpenTelemetry
		"GOMEMLIMIT": true, "GOMAXPROCS": true,
		"OTEL_EXPORTER_OTLP_ENDPOINT": true, "OTEL_TRACES_SAMPLER": true, "OTEL_TRACES_SAMPLER_ARG": true,
	}
	folder := filepath.Join(root, "deploy", program, "cmd", program)
	if config, ok := configs[program]; ok {
		folder = filepath.Join(root, "services", program, "cmd", program)
		for _, c := range []any{config(), &run.Common{}} {
			params, err := env.GetFieldParamsWithOptions(c, env.Options{Environment: rows})
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range params {
				found[p.Key] = true
			}
		}
	}
	for name := range variablesOfSource(t, folder) {
		found[name] = true
	}
	return found
}

// variablesOfSource finds the variables that a command itself reads: tags of its own
// configuration, and calls such as env("NAME").
func variablesOfSource(t *testing.T, folder string) map[string]bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no sources: %v", folder, err)
	}
	names := map[string]bool{}
	for _, f := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), f, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if name := variable(n); name != "" {
				names[name] = true
			}
			return true
		})
	}
	return names
}

func variable(n ast.Node) string {
	switch n := n.(type) {
	case *ast.Field:
		if n.Tag != nil {
			tag, _ := strconv.Unquote(n.Tag.Value)
			name, _, _ := strings.Cut(reflect.StructTag(tag).Get("env"), ",")
			return name
		}
	case *ast.CallExpr:
		called, ok := n.Fun.(*ast.Ident)
		if ok && called.Name == "env" && len(n.Args) == 1 {
			if text, ok := n.Args[0].(*ast.BasicLit); ok {
				name, _ := strconv.Unquote(text.Value)
				return name
			}
		}
	}
	return ""
}

// needed are variables that services ask for when they are built, or that
// deployments must not leave to their usual values.
var needed = map[string][]string{
	"console":   {"CONSOLE_ADDR", "CONSOLE_URL"},
	"edge":      {"PUBLIC_URL", "CARD_WEBHOOK_SECRETS"},
	"payment":   {"FABRICATOR_0_NAME", "FABRICATOR_0_INTERFACE", "FABRICATOR_0_URL", "FABRICATOR_0_APP_ID", "FABRICATOR_0_ACCESS_KEY", "FABRICATOR_0_SECRET_KEY"},
	"pricing":   {"FABRICATOR_0_NAME", "FABRICATOR_0_INTERFACE", "FABRICATOR_0_URL", "FABRICATOR_0_APP_ID", "FABRICATOR_0_ACCESS_KEY", "FABRICATOR_0_SECRET_KEY"},
	"simulator": {"SIMULATOR_ADDR", "SIMULATOR_SMTP_ADDR", "SIMULATOR_DATA", "SIMULATOR_WEBHOOK_URL"},
}

// checkVariables holds an environment to the program that is given it: own are
// the names that are said for it alone.
func checkVariables(t *testing.T, program string, vars map[string]string, own []string) {
	t.Helper()
	known := reads(t, program)
	for name := range vars {
		if strings.HasPrefix(name, "DEVELOPMENT_") {
			t.Errorf("%s is given %s, which is for development only", program, name)
		}
	}
	for _, name := range own {
		if !known[name] {
			t.Errorf("%s is given %s, which it does not read", program, name)
		}
	}
	for _, name := range needed[program] {
		// No proxy is trusted until somebody says which: that must be said, too.
		if value, said := vars[name]; !said || value == "" && name != "TRUSTED_PROXIES" {
			t.Errorf("%s is not given %s", program, name)
		}
	}
	config, ok := configs[program]
	if !ok {
		return
	}
	if vars["MASTER_KEY_FILE"] == "" && vars["MASTER_KEY"] == "" {
		t.Errorf("%s is not given a master key", program)
	}
	for _, c := range []any{config(), &run.Common{}} {
		if err := env.ParseWithOptions(c, env.Options{Environment: vars}); err != nil {
			t.Errorf("%s cannot read its configuration: %v", program, err)
		}
	}
}

// program is what an image runs: boardorder/<program>, here or in a registry,
// which must be a command.
func program(image string) (string, bool, error) {
	name, ours := strings.CutPrefix(image, "boardorder/")
	if !ours {
		name, ours = strings.CutPrefix(image, "registry.boardorder.example/")
	}
	if !ours {
		return "", false, nil
	}
	name, _, _ = strings.Cut(name, "@")
	name, _, _ = strings.Cut(name, ":")
	for _, path := range []string{"services/%[1]s/cmd/%[1]s", "deploy/%[1]s/cmd/%[1]s", "deploy/%[1]s"} {
		if _, err := os.Stat(filepath.Join(root, fmt.Sprintf(path, name), "main.go")); err == nil {
			return name, true, nil
		}
	}
	return "", true, fmt.Errorf("image %s: neither services/%[2]s nor deploy/%[2]s has a command", image, name)
}

// file reads a file of the repository.
func file(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return text
}
