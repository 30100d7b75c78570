package manifests

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/prometheus/promql/promqltest"
)

// healthy is an hour and a half of a system at work, a sample a minute, in the
// notation of Prometheus' own tests: start+step x times.
var healthy = map[string]string{
	`boardorder_dead_letters_total{command="pricing.quote",pod="pricing-0"}`:                              "3x90",
	`boardorder_events_dead_lettered_total{consumer="projector",pod="projector-0"}`:                       "1x90",
	`boardorder_stream_bytes{stream="EVENTS_QUOTE",pod="projector-0"}`:                                    "400+0.001x90",
	`boardorder_stream_bytes{stream="EVENTS_QUOTE",pod="projector-1"}`:                                    "400+0.001x90",
	`boardorder_stream_max_bytes{stream="EVENTS_QUOTE",pod="projector-0"}`:                                "1000x90",
	`boardorder_stream_max_bytes{stream="EVENTS_QUOTE",pod="projector-1"}`:                                "1000x90",
	`boardorder_stream_bytes{stream="TIMERS",pod="projector-0"}`:                                          "400x90",
	`boardorder_stream_max_bytes{stream="TIMERS",pod="projector-0"}`:                                      "1000x90",
	`boardorder_publish_seconds_count{result="ok"}`:                                                       "0+100x90",
	`boardorder_publish_seconds_count{result="error"}`:                                                    "0x90",
	`boardorder_publish_seconds_bucket{result="ok",le="0.01"}`:                                            "0+100x90",
	`boardorder_publish_seconds_bucket{result="ok",le="1"}`:                                               "0+100x90",
	`boardorder_publish_seconds_bucket{result="ok",le="+Inf"}`:                                            "0+100x90",
	`kube_cronjob_status_last_successful_time{cronjob="backup"}`:                                          "0x90",
	`boardorder_consumer_pending{stream="COMMANDS",consumer="pricing",pod="projector-0"}`:                 "7x90",
	`boardorder_consumer_ack_pending{stream="COMMANDS",consumer="pricing",pod="projector-0"}`:             "32x90",
	`boardorder_consumer_pending{stream="EVENTS_QUOTE",consumer="projector",pod="projector-0"}`:           "0x90",
	`boardorder_consumer_ack_pending{stream="EVENTS_QUOTE",consumer="projector",pod="projector-0"}`:       "0x90",
	`boardorder_consumer_pending{stream="EVENTS_UPLOAD",consumer="projector",pod="projector-0"}`:          "0x90",
	`boardorder_consumer_ack_pending{stream="EVENTS_UPLOAD",consumer="projector",pod="projector-0"}`:      "0x90",
	`boardorder_consumer_running{namespace="b",pod="pricing-0",stream="COMMANDS",consumer="pricing"}`:     "1x90",
	`boardorder_consumer_running{namespace="b",pod="pricing-1",stream="COMMANDS",consumer="pricing"}`:     "1x90",
	`boardorder_handle_seconds_count{command="pricing.quote",verdict="done"}`:                             "0+100x90",
	`boardorder_handle_seconds_count{command="pricing.quote",verdict="retry"}`:                            "0+5x90",
	`boardorder_outcome_seconds_bucket{command="pricing.quote",le="5"}`:                                   "0+100x90",
	`boardorder_outcome_seconds_bucket{command="pricing.quote",le="20"}`:                                  "0+100x90",
	`boardorder_outcome_seconds_bucket{command="pricing.quote",le="+Inf"}`:                                "0+100x90",
	`boardorder_circuits_open{company="fabricator",pod="pricing-0"}`:                                      "0x85 1x1 0x2",
	`boardorder_circuits_open{company="fabricator",pod="pricing-1"}`:                                      "0x90",
	`boardorder_in_hand_oldest_seconds{command="design-check.read",state="running",pod="design-check-0"}`: "120x90",
	`boardorder_in_hand_oldest_seconds{command="pricing.quote",state="waiting",pod="pricing-0"}`:          "1500x90",
	`process_start_time_seconds{pod="pricing-0"}`:                                                         "1x90",
	`boardorder_edge_waiting_requests{pod="edge-0"}`:                                                      "120x90",
	`boardorder_edge_request_seconds_count{status="200"}`:                                                 "0+10000x90",
	`boardorder_edge_request_seconds_count{status="422"}`:                                                 "0+3000x90",
	`boardorder_edge_request_seconds_count{status="503"}`:                                                 "0+1x90",
	`certmanager_certificate_expiration_timestamp_seconds{namespace="boardorder",name="nats"}`:            "5000000x90",
	`boardorder_charges_without_order{pod="payment-0"}`:                                                   "0x90",
	`boardorder_reconciled_timestamp_seconds{pod="payment-0"}`:                                            "0+60x90",
	`boardorder_reconciled_timestamp_seconds{pod="payment-1"}`:                                            "0x90",
	`boardorder_dependency_up{pod="pricing-0",dependency="documents"}`:                                    "1x90",
	`boardorder_dependency_up{pod="pricing-1",dependency="files"}`:                                        "1x90",
	`keda_scaler_detail_errors_total{namespace="boardorder",scaledObject="pricing"}`:                      "3x90",
	`kube_statefulset_replicas{namespace="boardorder",statefulset="nats"}`:                                "3x90",
	`kube_statefulset_status_replicas_ready{namespace="boardorder",statefulset="nats"}`:                   "3x90",
	`boardorder_stream_messages{stream="EVENTS_QUOTE",pod="projector-0"}`:                                 "5x90",
	`boardorder_stream_messages{stream="TIMERS",pod="projector-0"}`:                                       "5x90",
	`boardorder_stream_replicas_offline{stream="EVENTS_QUOTE",pod="projector-0"}`:                         "0x90",
	`kubelet_volume_stats_available_bytes{namespace="boardorder",persistentvolumeclaim="data-nats-0"}`:    "300x90",
	`kubelet_volume_stats_capacity_bytes{namespace="boardorder",persistentvolumeclaim="data-nats-0"}`:     "500x90",
	`boardorder_webhook_endpoints{pod="webhooks-0"}`:                                                      "6x90",
	`boardorder_webhook_endpoints{pod="webhooks-1"}`:                                                      "4x90",
	`boardorder_webhook_endpoints_failing{pod="webhooks-0"}`:                                              "2x90",
	`boardorder_webhook_endpoints_failing{pod="webhooks-1"}`:                                              "2x90",
	`boardorder_webhook_endpoints_disabled_total{reason="failing",pod="webhooks-0"}`:                      "1x90",
	`boardorder_webhook_endpoints_disabled_total{reason="gone",pod="webhooks-0"}`:                         "0x90",
	`boardorder_orders_held`:      "0x90",
	`boardorder_quotes_in_review`: "0x90",
}

// failing is what makes each alert fire; nothing else may fire with it but what
// stands behind it.
var failing = []struct {
	alert  string
	series map[string]string // beside what is healthy; an empty value takes a series away
	also   []string
}{
	{"DeadLetters", map[string]string{`boardorder_dead_letters_total{command="pricing.quote",pod="pricing-0"}`: "3x78 4x10"}, nil},
	{"DeadLetters", map[string]string{`boardorder_dead_letters_total{command="payment.settle",pod="payment-0"}`: "_x80 1x9"}, nil},
	{"EventsDeadLettered", map[string]string{`boardorder_events_dead_lettered_total{consumer="projector",pod="projector-0"}`: "1x78 2x10"}, nil},
	{"EventsDeadLettered", map[string]string{`boardorder_events_dead_lettered_total{consumer="notify",pod="notify-0"}`: "_x80 1x9"}, nil},
	{"StreamNearlyFull", map[string]string{`boardorder_stream_bytes{stream="EVENTS_QUOTE",pod="projector-1"}`: "801x90"}, nil},
	{"StreamFillRate", map[string]string{`boardorder_stream_bytes{stream="EVENTS_QUOTE",pod="projector-0"}`: "510+0.1x90"}, nil},
	{"TimersNearlyFull", map[string]string{`boardorder_stream_bytes{stream="TIMERS",pod="projector-0"}`: "501x90"}, nil},
	{"PublishesFail", map[string]string{`boardorder_publish_seconds_count{result="error"}`: "0+10x90"}, nil},
	{"StreamsNotMeasured", map[string]string{
		`boardorder_stream_bytes{stream="EVENTS_QUOTE",pod="projector-0"}`: "", `boardorder_stream_bytes{stream="EVENTS_QUOTE",pod="projector-1"}`: "",
		`boardorder_stream_bytes{stream="TIMERS",pod="projector-0"}`: "",
	}, nil},
	{"BackupTooOld", map[string]string{`kube_cronjob_status_last_successful_time{cronjob="backup"}`: "-150000x90"}, nil},
	{"BackupTooOld", map[string]string{`kube_cronjob_status_last_successful_time{cronjob="backup"}`: ""}, nil},
	{"ChargesWithoutOrder", map[string]string{`boardorder_charges_without_order{pod="payment-1"}`: "0x60 1x30"}, nil},
	{"LedgerNotReconciled", map[string]string{`boardorder_reconciled_timestamp_seconds{pod="payment-0"}`: "0+60x50 3000x40"}, nil},
	{"LedgerNotReconciled", map[string]string{
		`boardorder_reconciled_timestamp_seconds{pod="payment-0"}`: "", `boardorder_reconciled_timestamp_seconds{pod="payment-1"}`: "",
	}, nil},
	{"ConsumerBehind", map[string]string{`boardorder_consumer_pending{stream="COMMANDS",consumer="pricing",pod="projector-0"}`: "1001x90"}, nil},
	{"ConsumerStalled", map[string]string{`boardorder_consumer_ack_pending{stream="COMMANDS",consumer="pricing",pod="projector-0"}`: "0x90"}, nil},
	{"ConsumerNotRunning", map[string]string{`boardorder_consumer_running{namespace="b",pod="pricing-1",stream="COMMANDS",consumer="pricing"}`: "1x70 0x20"}, nil},
	{"ProjectionBehind", map[string]string{
		`boardorder_consumer_pending{stream="EVENTS_QUOTE",consumer="projector",pod="projector-0"}`:      "2600x90",
		`boardorder_consumer_ack_pending{stream="EVENTS_QUOTE",consumer="projector",pod="projector-0"}`:  "256x90",
		`boardorder_consumer_pending{stream="EVENTS_UPLOAD",consumer="projector",pod="projector-0"}`:     "2600x90",
		`boardorder_consumer_ack_pending{stream="EVENTS_UPLOAD",consumer="projector",pod="projector-0"}`: "256x90",
	}, []string{"ConsumerBehind"}},
	{"CommandsFail", map[string]string{`boardorder_handle_seconds_count{command="pricing.quote",verdict="retry"}`: "0+101x90"}, nil},
	{"ProviderCircuitOpen", map[string]string{`boardorder_circuits_open{company="fabricator",pod="pricing-0"}`: "0x60 1x30"}, nil},
	{"HandlerHangs", map[string]string{`boardorder_in_hand_oldest_seconds{command="design-check.read",state="running",pod="design-check-0"}`: "0+60x90"}, nil},
	{"ProcessRestarts", map[string]string{`process_start_time_seconds{pod="pricing-0"}`: "1x70 2x3 3x3 4x3 5x10"}, nil},
	{"WaitersSaturated", map[string]string{`boardorder_edge_waiting_requests{pod="edge-0"}`: "15001x90"}, nil},
	{"DependencyUnavailable", map[string]string{`boardorder_dependency_up{pod="pricing-1",dependency="files"}`: "1x70 0x20"}, nil},
	{"ScalerFails", map[string]string{`keda_scaler_detail_errors_total{namespace="boardorder",scaledObject="pricing"}`: "0+12x90"}, nil},
	{"BrokerUnavailable", map[string]string{`kube_statefulset_status_replicas_ready{namespace="boardorder",statefulset="nats"}`: "2x90"}, nil},
	{"BrokerWithoutQuorum", map[string]string{`kube_statefulset_status_replicas_ready{namespace="boardorder",statefulset="nats"}`: "1x90"}, []string{"BrokerUnavailable"}},
	{"StreamReplicaOffline", map[string]string{`boardorder_stream_replicas_offline{stream="EVENTS_QUOTE",pod="projector-0"}`: "0x60 1x30"}, nil},
	{"StreamWithoutLeader", map[string]string{`boardorder_stream_messages{stream="EVENTS_QUOTE",pod="projector-0"}`: "5x78 stale _x9"}, nil},
	{"DiskNearlyFull", map[string]string{`kubelet_volume_stats_available_bytes{namespace="boardorder",persistentvolumeclaim="data-nats-0"}`: "70x90"}, nil},
	{"CertificateExpires", map[string]string{`certmanager_certificate_expiration_timestamp_seconds{namespace="boardorder",name="nats"}`: "1200000x90"}, nil},
	{"ErrorBudgetBurnFast", map[string]string{`boardorder_edge_request_seconds_count{status="503"}`: "0+200x90"}, []string{"ErrorBudgetBurn", "ErrorBudgetBurnSlow"}},
	{"ErrorBudgetBurn", map[string]string{`boardorder_edge_request_seconds_count{status="503"}`: "0+100x90"}, []string{"ErrorBudgetBurnSlow"}},
	{"ErrorBudgetBurnSlow", map[string]string{`boardorder_edge_request_seconds_count{status="503"}`: "0+20x90"}, nil},
	{"QuotesSlow", map[string]string{`boardorder_outcome_seconds_bucket{command="pricing.quote",le="5"}`: "0+80x90"}, nil},
	{"PublishesSlow", map[string]string{`boardorder_publish_seconds_bucket{result="ok",le="0.01"}`: "0+90x90"}, nil},
	{"WebhookEndpointsFail", map[string]string{`boardorder_webhook_endpoints_failing{pod="webhooks-0"}`: "2x60 6x30"}, nil},
	{"WebhookEndpointDisabled", map[string]string{`boardorder_webhook_endpoints_disabled_total{reason="gone",pod="webhooks-0"}`: "0x78 1x12"}, nil},
	{"OrdersHeld", map[string]string{`boardorder_orders_held`: "1x90"}, nil},
	{"ReviewsWait", map[string]string{`boardorder_quotes_in_review`: "1x90"}, nil},
}

// expressions gives each alert's, with recorded names written out.
func expressions(t *testing.T) map[string]string {
	t.Helper()
	var written []string
	for _, rule := range rules(t) {
		if rule.Record != "" {
			written = append(written, rule.Record, "("+rule.Expr.String()+")")
		}
	}
	out := map[string]string{}
	for _, rule := range rules(t) {
		if rule.Alert != "" {
			out[rule.Alert] = strings.NewReplacer(written...).Replace(rule.Expr.String())
		}
	}
	return out
}

// firing are the alerts whose expressions hold at the end of what was measured.
func firing(t *testing.T, series, exprs map[string]string) []string {
	t.Helper()
	var load strings.Builder
	load.WriteString("load 1m\n")
	for name, values := range series {
		if values != "" {
			load.WriteString("\t" + name + " " + values + "\n")
		}
	}
	store := promqltest.LoadedStorage(t, load.String())
	defer store.Close()
	engine := promqltest.NewTestEngine(t, false, 5*time.Minute, 100_000)
	var out []string
	for alert, expr := range exprs {
		q, err := engine.NewInstantQuery(t.Context(), store, nil, expr, time.Unix(85*60, 0))
		if err != nil {
			t.Fatalf("make a query of %s, %s: %v", alert, expr, err)
		}
		v, err := q.Exec(t.Context()).Vector()
		if err != nil {
			t.Fatalf("query %s, %s: %v", alert, expr, err)
		}
		if len(v) > 0 {
			out = append(out, alert)
		}
		q.Close()
	}
	slices.Sort(out)
	return out
}

func TestNothingFiresWhileAllIsWell(t *testing.T) {
	t.Parallel()
	if got := firing(t, healthy, expressions(t)); len(got) > 0 {
		t.Errorf("%v fire, want nothing", got)
	}
}

func TestEachAlertFires(t *testing.T) {
	t.Parallel()
	exprs := expressions(t)
	untried := maps.Clone(exprs)
	for _, c := range failing {
		delete(untried, c.alert)
		series := maps.Clone(healthy)
		maps.Copy(series, c.series)
		want := append([]string{c.alert}, c.also...)
		slices.Sort(want)
		if got := firing(t, series, exprs); !slices.Equal(got, want) {
			t.Errorf("%v: %v fire, want %v", c.series, got, want)
		}
	}
	if len(untried) > 0 {
		t.Errorf("never seen to fire: %v", slices.Collect(maps.Keys(untried)))
	}
}
