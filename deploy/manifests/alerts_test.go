package manifests

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/prometheus/prometheus/promql/parser"
	core "k8s.io/api/core/v1"
)

// Every alert names its page of the handbook, and every page is an alert's.
func TestEveryAlertHasAPage(t *testing.T) {
	t.Parallel()
	pages := map[string]bool{}
	found, err := filepath.Glob(filepath.Join(root, "deploy", "handbook", "alerts", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range found {
		pages[strings.TrimSuffix(filepath.Base(path), ".md")] = true
	}
	for _, rule := range rules(t) {
		if rule.Alert == "" {
			continue
		}
		if !pages[rule.Alert] || rule.Annotations["runbook"] != "deploy/handbook/alerts/"+rule.Alert+".md" {
			t.Errorf("alert %s: page %t, runbook %q; want true, deploy/handbook/alerts/%[1]s.md", rule.Alert, pages[rule.Alert], rule.Annotations["runbook"])
		}
		delete(pages, rule.Alert)
	}
	for name := range pages {
		t.Errorf("deploy/handbook/alerts/%s.md is no alert's page", name)
	}
}

// Each page says the same three things, so that it is read quickly at night.
func TestPagesOfAlertsAreWhole(t *testing.T) {
	t.Parallel()
	for _, rule := range rules(t) {
		if rule.Alert == "" {
			continue
		}
		text := string(file(t, rule.Annotations["runbook"]))
		at := 0
		for _, heading := range []string{"# " + rule.Alert + "\n", "\n## What it means\n", "\n## What to look at\n", "\n## What to do\n"} {
			i := strings.Index(text[at:], heading)
			if i < 0 {
				t.Errorf("%s has no %q, or not in its place", rule.Annotations["runbook"], heading)
				break
			}
			at += i
		}
	}
}

func TestAlertsSayWhatAPersonNeeds(t *testing.T) {
	t.Parallel()
	for _, rule := range rules(t) {
		if rule.Alert == "" {
			continue
		}
		if s := rule.Labels["severity"]; s != "critical" && s != "warning" {
			t.Errorf("%s has the severity %q, want critical or warning", rule.Alert, s)
		}
		if rule.Annotations["summary"] == "" || rule.Annotations["description"] == "" {
			t.Errorf("%s does not say what is wrong", rule.Alert)
		}
	}
}

// Rules and panels are PromQL, whatever their metrics are called.
func TestRulesAndPanelsParse(t *testing.T) {
	t.Parallel()
	exprs := map[string]string{}
	for _, rule := range rules(t) {
		exprs[rule.Alert+rule.Record] = rule.Expr.String()
	}
	for _, m := range regexp.MustCompile(`"expr": ("(?:[^"\\]|\\.)*")`).FindAllStringSubmatch(string(file(t, "deploy/grafana/boardorder.json")), -1) {
		var expr string
		if err := json.Unmarshal([]byte(m[1]), &expr); err != nil {
			t.Fatal(err)
		}
		exprs[expr] = strings.ReplaceAll(expr, "$__rate_interval", "5m")
	}
	if len(exprs) < 40 {
		t.Fatalf("%d expressions, want 40 at least: looked in the wrong place", len(exprs))
	}
	for where, expr := range exprs {
		if _, err := parser.NewParser(parser.Options{}).ParseExpr(expr); err != nil {
			t.Errorf("parse the expression of %s, %s: %v", where, expr, err)
		}
	}
}

// The dashboard is deployed as it is kept, where Grafana finds it.
func TestDashboardIsDeployed(t *testing.T) {
	t.Parallel()
	for _, m := range objects[*core.ConfigMap](build(t, "overlays/production")) {
		if m.Labels["grafana_dashboard"] == "1" {
			if m.Data["boardorder.json"] != string(file(t, "deploy/grafana/boardorder.json")) {
				t.Errorf("the dashboard that is deployed is not deploy/grafana/boardorder.json: %d bytes differ from it", len(m.Data["boardorder.json"]))
			}
			return
		}
	}
	t.Error("no dashboard is deployed")
}

// What the handbook's pages link to is there.
func TestHandbookLinks(t *testing.T) {
	t.Parallel()
	link := regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)
	pages := 0
	err := filepath.WalkDir(filepath.Join(root, "deploy", "handbook"), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		pages++
		text, err := os.ReadFile(path)
		for _, m := range link.FindAllSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(path), string(m[1]))); err != nil {
				t.Errorf("%s links to %s: %v", path, m[1], err)
			}
		}
		return err
	})
	if err != nil || pages < 10 {
		t.Errorf("%d pages: %v", pages, err)
	}
}
