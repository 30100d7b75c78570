package manifests

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/blob/folder"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/embedded"
	"boardorder/pkg/bus/topology"
	"boardorder/pkg/circuit"
	docs "boardorder/pkg/projection/open"
	"boardorder/pkg/run"
	"boardorder/pkg/secret"
	"boardorder/pkg/worker"
	"boardorder/services/edge"
	partsourcing "boardorder/services/part-sourcing"
	"boardorder/services/payment"
	"boardorder/services/projector"
	"boardorder/services/webhooks"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/prometheus/promql/parser"
	"go.uber.org/zap"
)

// names is a registry that only notes what is registered, and its description.
type names map[string]string

var described = regexp.MustCompile(`fqName: "([^"]+)", help: "([^"]*)", .*variableLabels: {([^}]*)}`)

func (n names) Register(c prometheus.Collector) error {
	out := make(chan *prometheus.Desc, 100)
	c.Describe(out)
	close(out)
	for d := range out {
		found := described.FindStringSubmatch(d.String())
		if found == nil {
			return fmt.Errorf("%s is described in another way", d)
		}
		n[found[1]] = fmt.Sprintf("| `%s` | %s | %s |", found[1], strings.ReplaceAll(found[3], ",", ", "), found[2])
	}
	return nil
}

func (n names) MustRegister(all ...prometheus.Collector) {
	for _, c := range all {
		if err := n.Register(c); err != nil {
			panic(err) // as a registry does
		}
	}
}

func (n names) Unregister(prometheus.Collector) bool { return false }

// TestMain: the pool whose metrics are listed starts this program as its worker.
func TestMain(m *testing.M) {
	worker.Main()
	os.Exit(m.Run())
}

// metricsOfPrograms are the metrics that the programs really have.
func metricsOfPrograms(t *testing.T) names {
	t.Helper()
	n := names{}
	d := deps(t, n)
	projector.New(projector.Config{}, d)
	n.MustRegister(payment.New(payment.Config{}, d.Bus, d.Secrets, payment.Ports{}, d.Log, d.Now).Metrics())
	if _, err := edge.New(t.Context(), edge.Config{PublicURL: "http://localhost"}, edge.Deps{
		Bus: d.Bus, Docs: d.Docs, Blobs: d.Blobs, Secrets: d.Secrets, Log: d.Log, Metrics: n, Now: time.Now,
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := webhooks.Build(t.Context(), webhooks.Config{PublicURL: "http://localhost"}, d); err != nil {
		t.Fatal(err)
	}
	if _, err := partsourcing.Build(t.Context(), partsourcing.Config{Unconfined: true}, d); err != nil {
		t.Fatal(err)
	}
	n.MustRegister(circuit.Metrics(), run.Availability(d))
	pool, err := worker.Open(worker.Config{Metrics: n, Unconfined: true})
	if err != nil {
		t.Fatal(err)
	}
	pool.Close()
	families, err := run.Registry().Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		n[f.GetName()] = f.GetHelp()
	}
	return n
}

func deps(t *testing.T, metrics prometheus.Registerer) run.Deps {
	t.Helper()
	broker, err := embedded.Start(embedded.Config{Dir: t.TempDir(), Port: -1, Lazy: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { broker.Shutdown(); broker.WaitForShutdown() })
	conn := bus.Config{InProcess: broker, Name: "test", Log: zap.NewNop(), Metrics: metrics}
	if err := topology.Ensure(t.Context(), conn, topology.Config{}); err != nil {
		t.Fatal(err)
	}
	b, err := bus.Connect(t.Context(), conn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	if err := b.Verify(t.Context()); err != nil {
		t.Fatal(err)
	}
	store, err := docs.Open(t.Context(), "sqlite:"+filepath.Join(t.TempDir(), "docs.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	files, err := folder.Open(t.TempDir(), time.Now)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := secret.Parse(strings.Repeat("ab", 32))
	if err != nil {
		t.Fatal(err)
	}
	return run.Deps{Bus: b, Docs: store, Blobs: files, Secrets: keys, Log: zap.NewNop(), Metrics: metrics, Now: time.Now}
}

// check reads an expression as Prometheus does, and holds its names to what is
// registered.
func (n names) check(t *testing.T, where, expr string) {
	t.Helper()
	// Grafana puts a duration there.
	parsed, err := parser.NewParser(parser.Options{}).ParseExpr(strings.ReplaceAll(expr, "$__rate_interval", "5m"))
	if err != nil {
		t.Errorf("parse the expression of %s, %s: %v", where, expr, err)
		return
	}
	parser.Inspect(parsed, func(node parser.Node, _ []parser.Node) error {
		if v, ok := node.(*parser.VectorSelector); ok && !n.has(v.Name) {
			t.Errorf("%s: nobody registers %q", where, v.Name)
		}
		return nil
	})
}

func (n names) has(name string) bool {
	for _, part := range []string{"", "_bucket", "_count", "_sum"} {
		if base, ok := strings.CutSuffix(name, part); ok && n[base] != "" {
			return true
		}
	}
	return false
}

// others are metrics of what runs beside us: kube-state-metrics, the kubelet,
// cert-manager and KEDA.
var others = []string{
	"kube_cronjob_status_last_successful_time", "kube_statefulset_replicas", "kube_statefulset_status_replicas_ready",
	"kubelet_volume_stats_available_bytes", "kubelet_volume_stats_capacity_bytes",
	"certmanager_certificate_expiration_timestamp_seconds", "keda_scaler_detail_errors_total",
}

func rules(t *testing.T) []monitoring.Rule {
	t.Helper()
	var out []monitoring.Rule
	for _, r := range objects[*monitoring.PrometheusRule](build(t, "base")) {
		for _, g := range r.Spec.Groups {
			out = append(out, g.Rules...)
		}
	}
	return out
}

func TestDashboardsAndAlertsNameMetricsThatExist(t *testing.T) {
	t.Parallel()
	n := metricsOfPrograms(t)
	if n.has("nothing_of_the_kind") || !n.has("boardorder_handle_seconds_count") {
		t.Fatalf("cannot tell what is registered: %v", n)
	}
	all := rules(t)
	for _, rule := range all {
		if rule.Record != "" {
			n[rule.Record] = "a recording rule"
		}
	}
	for _, name := range others {
		n[name] = "of another program"
	}
	for _, rule := range all {
		n.check(t, "rule "+rule.Alert+rule.Record, rule.Expr.String())
	}
	boards, err := filepath.Glob(filepath.Join(root, "deploy", "grafana", "*.json"))
	if err != nil || len(boards) == 0 || len(all) == 0 {
		t.Fatalf("dashboards %v, %d rules: %v", boards, len(all), err)
	}
	for _, b := range boards {
		n.checkDashboard(t, b)
	}
}

var writeMetrics = flag.Bool("write-metrics", false, "write the handbook's page of metrics")

// TestMetricsAreListed holds the handbook's page of metrics to what the programs
// register; make generate writes it.
func TestMetricsAreListed(t *testing.T) {
	t.Parallel()
	var page strings.Builder
	page.WriteString("# Metrics\n\nWritten by `make generate` from what the programs register. Each process serves its own at `/metrics` of its health port, beside those of Go and of the process.\n\n")
	page.WriteString("| metric | labels | what |\n|---|---|---|\n")
	all := metricsOfPrograms(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if strings.HasPrefix(name, "boardorder_") {
			page.WriteString(all[name] + "\n")
		}
	}
	const path = "deploy/handbook/metrics.md"
	if *writeMetrics {
		if err := os.WriteFile(filepath.Join(root, path), []byte(page.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got := string(file(t, path)); got != page.String() {
		t.Errorf("%s is not what the programs register: run make generate\ngot:\n%s\nwant:\n%s", path, got, page.String())
	}
}

func (n names) checkDashboard(t *testing.T, path string) {
	t.Helper()
	var board struct {
		Title, UID string
		Panels     []struct {
			ID      int
			Title   string
			Type    string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(file(t, "deploy/grafana/"+filepath.Base(path)), &board); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	ids := map[int]bool{}
	for _, p := range board.Panels {
		if ids[p.ID] {
			t.Errorf("%s: two panels have the id %d", path, p.ID)
		}
		ids[p.ID] = true
		if p.Type != "row" && len(p.Targets) == 0 {
			t.Errorf("%s: panel %q asks for nothing", path, p.Title)
		}
		for _, target := range p.Targets {
			n.check(t, "panel "+p.Title, target.Expr)
		}
	}
}
