package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/customers"
	"boardorder/pkg/run"
	"boardorder/services/console/internal/audit"
	"boardorder/services/console/internal/cli"
)

// All that is held of a customer is printed, nothing of anybody else, and that it
// was asked for stands in the record of what operators did.
func TestCustomerExport(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	for name, email := range map[string]string{"Ada": "ada@example.com", "Bob": "bob@example.com"} {
		c := contract.Command{ID: "c" + name, At: time.Now()}
		customer := customers.Customer{Email: email, ID: "person" + name}
		err := aggregate.At[customers.Customer](b, contract.CustomerAggregate, "person"+name).Create(t.Context(), c, time.Now(),
			aggregate.Change[customers.Customer]{Event: customers.EventSaved, State: customer})
		if err != nil {
			t.Fatal(err)
		}
	}
	var out, complaint bytes.Buffer
	err := cli.Run([]string{"customer", "export", "-email", "Ada@example.com"}, cli.IO{Out: &out, Err: &complaint, Operator: "terminal:ann"},
		func(do func(context.Context, run.Deps) error) error {
			return do(t.Context(), run.Deps{Bus: b, Now: time.Now})
		})
	if err != nil {
		t.Fatal(err)
	}
	var line struct {
		Aggregate contract.Aggregate
		ID        string
		State     customers.Customer
	}
	if err := json.Unmarshal(out.Bytes(), &line); err != nil || line.ID != "personAda" || line.State.Email != "ada@example.com" || strings.Contains(out.String(), "bob") {
		t.Errorf("export: %v, %s; want ada alone", err, out.String())
	}
	var recorded []string
	err = audit.Read(t.Context(), b, func(e audits.Entry) { recorded = append(recorded, string(e.Record)) })
	if err != nil || len(recorded) != 1 || !strings.Contains(recorded[0], "terminal:ann") || strings.Contains(recorded[0], "example.com") {
		t.Errorf("recorded %v, %v", recorded, err)
	}
}
