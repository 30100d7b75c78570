package cli_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/run"
	"boardorder/services/console"
	"boardorder/services/console/internal/audit"
	"boardorder/services/console/internal/cli"
)

func TestAudit(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	trail := console.NewTrail(b, time.Now)
	for _, what := range []string{"=1+1", "refund"} {
		err := trail.Record(t.Context(), audits.Record{Operator: "ann", Action: what, Kind: "order", ID: "q", Outcome: "done",
			Before: map[string]string{"status": "paid"}, After: map[string]string{"status": "held", "refunded": "$1.00"}})
		if err != nil {
			t.Fatal(err)
		}
	}
	do := func(args ...string) string {
		t.Helper()
		var out bytes.Buffer
		err := cli.Run(args, cli.IO{Out: &out, Err: &out}, func(do func(context.Context, run.Deps) error) error {
			return do(t.Context(), run.Deps{Bus: b, Now: time.Now})
		})
		if err != nil {
			t.Errorf("%v: %v\n%s", args, err, out.String())
		}
		return out.String()
	}
	if got := do("audit", "verify"); !strings.HasPrefix(got, "2 entries\nlast hash ") || strings.Count(got, "\n") != 2 {
		t.Errorf("verify: %s, want 2 entries and the last hash", got)
	}
	rows, err := csv.NewReader(strings.NewReader(do("audit", "export", "-format", "csv"))).ReadAll()
	if err != nil || len(rows) != 3 || rows[1][3] != "'=1+1" || rows[2][11] != "refunded=$1.00; status=held" {
		t.Errorf("csv: %v, %v", rows, err)
	}
	v := audit.NewVerifier()
	for line := range strings.Lines(do("audit", "export", "-format", "json")) {
		var e audits.Entry
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		v.Add(e)
	}
	if r := v.Report(); r.Entries != 2 || len(r.Problems) != 0 {
		t.Errorf("the file does not verify: %+v, want 2 entries without problems", r)
	}
}
