package registry_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/registry"
	"boardorder/pkg/contract/uploads"
)

// TestRowsAreWhole: each aggregate and each command has one row, and each row what is
// made of it.
func TestRowsAreWhole(t *testing.T) {
	t.Parallel()
	var names []contract.Aggregate
	for _, a := range registry.Aggregates() {
		names = append(names, a.Name)
		if a.State == nil || a.About == "" || len(a.Events) == 0 || a.Load.PerDay == 0 || a.Load.Bytes == 0 {
			t.Errorf("%s: state %T, about %q, %d events, load %+v; want all of them", a.Name, a.State, a.About, len(a.Events), a.Load)
		}
		if sorted := slices.Compact(slices.Sorted(slices.Values(a.Events))); len(sorted) != len(a.Events) {
			t.Errorf("%s: events %v, want each once", a.Name, a.Events)
		}
		for _, common := range registry.EventsOfAny() {
			if slices.Contains(a.Events, common) {
				t.Errorf("%s lists %s, which is an event of any aggregate", a.Name, common)
			}
		}
	}
	if want := contract.Aggregates(); !slices.Equal(slices.Sorted(slices.Values(names)), slices.Sorted(slices.Values(want))) {
		t.Errorf("rows of %v, want of %v", names, want)
	}
	seen := map[contract.CommandName]bool{}
	for _, c := range registry.Commands() {
		if seen[c.Name] || c.Data == nil || c.Name.Service == "" || c.Name.Verb == "" {
			t.Errorf("%s: twice %t, data %T; want one row with data", c.Name, seen[c.Name], c.Data)
		}
		seen[c.Name] = true
		if c.Of != "" && !slices.Contains(names, c.Of) {
			t.Errorf("%s is about %s, which is no aggregate", c.Name, c.Of)
		}
	}
	if services := registry.Services(); !slices.IsSorted(services) || len(slices.Compact(slices.Clone(services))) != len(services) || len(services) == 0 {
		t.Errorf("Services() = %v, want each once, sorted", services)
	}
}

// TestAggregateOf: what a command is about stands in its data, and only a token is an id.
func TestAggregateOf(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		command contract.CommandName
		data    string
		of      contract.Aggregate
		id      string
		ok      bool
	}{
		"a quote":               {quotes.Price, `{"quote": "q1"}`, contract.QuoteAggregate, "q1", true},
		"an account":            {accounts.Open, `{"id": "acc_1"}`, contract.AccountAggregate, "acc_1", true},
		"no id":                 {quotes.Price, `{}`, contract.QuoteAggregate, "", false},
		"an id with a dot":      {quotes.Price, `{"quote": "q1.>"}`, contract.QuoteAggregate, "q1.>", false},
		"an id with a wildcard": {quotes.Price, `{"quote": "*"}`, contract.QuoteAggregate, "*", false},
		"about none":            {orders.Place, `{"quote": "q1"}`, "", "", false},
		"of no row":             {contract.CommandName{Service: "x", Verb: "y"}, `{"quote": "q1"}`, "", "", false},
		"no data":               {quotes.Price, ``, contract.QuoteAggregate, "", false},
	} {
		of, id, ok := registry.AggregateOf(contract.Command{Name: tt.command, Data: json.RawMessage(tt.data)})
		if of != tt.of || id != tt.id || ok != tt.ok {
			t.Errorf("%s: %s with %s is about %q %q, %t; want %q %q, %t", name, tt.command, tt.data, of, id, ok, tt.of, tt.id, tt.ok)
		}
	}
}

// TestMarksOfCommands: by these a command is found when a person or a design must be forgotten.
func TestMarksOfCommands(t *testing.T) {
	t.Parallel()
	ada, up, board := contract.PersonLabel("ada@example.com"), uploads.Label("upref"), boards.Label("d1")
	for name, tt := range map[string]struct {
		command contract.CommandName
		data    string
		want    contract.Labels
	}{
		"a price":                {quotes.Price, `{"upload": "upref", "digest": "d1", "request": {"ship_to": {"email": "ada@example.com"}}}`, contract.NewLabels(ada, up, board)},
		"a price for nobody":     {quotes.Price, `{"upload": "upref"}`, contract.NewLabels(up)},
		"a delivery":             {quotes.ChooseDelivery, `{"ship_to": {"email": "ada@example.com"}}`, contract.NewLabels(ada)},
		"a controlled order":     {formal.Submit, `{"email": "ada@example.com", "itar": true}`, contract.NewLabels(ada).Union(contract.Labels{contract.ControlledLabel})},
		"an order":               {formal.Submit, `{"email": "ada@example.com", "itar": false}`, contract.NewLabels(ada)},
		"its acceptance":         {formal.AcceptQuote, `{"itar": true}`, contract.Labels{contract.ControlledLabel}},
		"labels of another row":  {quotes.PickPart, `{"email": "ada@example.com", "upload": "upref", "itar": true}`, nil},
		"of no row":              {contract.CommandName{Service: "x", Verb: "y"}, `{"email": "ada@example.com"}`, nil},
		"an address in capitals": {quotes.ChooseDelivery, `{"ship_to": {"email": "ADA@example.com"}}`, contract.NewLabels(ada)},
	} {
		got := registry.LabelsOf(contract.Command{Name: tt.command, Data: json.RawMessage(tt.data)})
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: labels of %s with %s: %v, want %v", name, tt.command, tt.data, got, tt.want)
		}
	}
}

// TestTimersReachTheirService: a timer carries only what its aggregate's row allows, and
// that is of one service.
func TestTimersReachTheirService(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		of      contract.Aggregate
		command contract.CommandName
		carries bool
	}{
		{contract.OrderAggregate, orders.Place, true}, {contract.OrderAggregate, orders.Follow, true}, {contract.OrderAggregate, orders.Cancel, false},
		{contract.QuoteAggregate, quotes.PriceReview, true}, {contract.QuoteAggregate, orders.Place, false}, {contract.CheckoutAggregate, orders.Place, false},
		{contract.OrderAggregate, orders.IssueRefund, false}, {"none", orders.Place, false}, {contract.OrderAggregate, contract.CommandName{}, false},
	} {
		if err := registry.CheckTimer(tt.of, tt.command); (err == nil) != tt.carries {
			t.Errorf("a timer of %s with %s: %v, want it to be carried: %t", tt.of, tt.command, err, tt.carries)
		}
	}
	for _, a := range registry.Aggregates() {
		service := ""
		for _, c := range registry.TimerCommands(a.Name) {
			if service == "" {
				service = c.Service
			}
			if c.Service != service {
				t.Errorf("timers of %s reach %s and %s, want one service", a.Name, service, c.Service)
			}
			if err := registry.CheckTimer(a.Name, c); err != nil {
				t.Errorf("TimerCommands(%s) has %s, and CheckTimer says %v", a.Name, c, err)
			}
		}
	}
}

// TestGrants: programs that may send a service single commands. Money is moved by none of them.
func TestGrants(t *testing.T) {
	t.Parallel()
	want := map[string]string{"edge": "console.create-own-key console.revoke-own-key console.change-own-key console.set-own-details console.note-endpoint-act console.add-member console.set-member-role console.remove-member console.send-sign-in-code console.report-key console.note-elsewhere", "projector": "", "pricing": "console.note-part-approval", "payment": ""}
	for program, commands := range want {
		var got []string
		for _, c := range registry.GrantsOf(program) {
			got = append(got, c.String())
		}
		if strings.Join(got, " ") != commands {
			t.Errorf("grants of %s: %v, want %q", program, got, commands)
		}
	}
	for _, c := range []contract.CommandName{orders.IssueRefund, orders.Cancel, orders.ReportStatus, quotes.PriceReview} {
		for _, row := range registry.Commands() {
			if row.Name == c && len(row.Senders) > 0 {
				t.Errorf("%s may be sent by %v, want nobody beside those of deploy/access", c, row.Senders)
			}
		}
	}
}

// TestWhatClientsSee: what is the team's and bookkeeping's is shown to no client.
func TestWhatClientsSee(t *testing.T) {
	t.Parallel()
	shown := registry.ClientAggregates()
	for a, want := range map[contract.Aggregate]bool{
		contract.QuoteAggregate: true, contract.OrderAggregate: true, contract.UploadAggregate: true, contract.FormalAggregate: true,
		contract.AccountAggregate: false, contract.AuditAggregate: false, contract.CaseAggregate: false, contract.ErasureAggregate: false, contract.InvoiceBookAggregate: false,
	} {
		if got := slices.Contains(shown, a); got != want {
			t.Errorf("%s is shown to clients: %t, want %t", a, got, want)
		}
	}
	for a, want := range map[contract.Aggregate]bool{
		contract.OrderAggregate: true, contract.CheckoutAggregate: true, contract.CustomerAggregate: true, contract.QuoteAggregate: true,
		contract.AuditAggregate: false, contract.InvoiceBookAggregate: false, contract.ErasureAggregate: false, contract.AccountAggregate: false,
	} {
		if got := registry.Overwrites(a); got != want {
			t.Errorf("states of %s can be removed: %t, want %t", a, got, want)
		}
	}
	if got := registry.RetentionOf(contract.OrderAggregate); got != 0 {
		t.Errorf("orders are kept for %s, want for ever (0)", got)
	}
	if got := registry.RetentionOf(contract.QuoteAggregate); got != quotes.Retention {
		t.Errorf("quotes are kept for %s, want %s", got, quotes.Retention)
	}
}

// TestStreams: each has a name and a subject of its own, and together they take no more
// room than there is.
func TestStreams(t *testing.T) {
	t.Parallel()
	names, subjects := map[string]bool{}, map[string]bool{}
	for _, total := range []int64{20 << 30, 100 << 30} {
		sum := int64(0)
		for _, s := range registry.Streams() {
			size := registry.SizeOf(s, total)
			if size < 64<<20 {
				t.Errorf("%s of %d bytes in all takes %d, want 64 MiB at least", s.Name, total, size)
			}
			if size > 64<<20 {
				sum += size
			}
		}
		if sum > total {
			t.Errorf("streams above the least take %d bytes, want %d at most", sum, total)
		}
	}
	for _, s := range registry.Streams() {
		if names[s.Name] || subjects[s.Subject] || s.About == "" {
			t.Errorf("%s at %s, about %q: want a name, a subject and a sentence of its own", s.Name, s.Subject, s.About)
		}
		names[s.Name], subjects[s.Subject] = true, true
	}
	for _, a := range registry.Aggregates() {
		if !names[contract.EventStream(a.Name)] {
			t.Errorf("no stream of %s", a.Name)
		}
	}
}

// TestBuckets: each bucket once, with room of its own; what is only counted lies in memory.
func TestBuckets(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, b := range registry.Buckets() {
		if seen[b.Name] || b.Bytes <= 0 || b.About == "" {
			t.Errorf("bucket %s: twice %t, %d bytes, about %q; want one with room and a sentence", b.Name, seen[b.Name], b.Bytes, b.About)
		}
		if b.Memory && b.Bytes > 64<<20 {
			t.Errorf("bucket %s takes %d bytes of memory, want 64 MiB at most", b.Name, b.Bytes)
		}
		seen[b.Name] = true
	}
	kinds := registry.DocumentKinds()
	if len(slices.Compact(slices.Sorted(slices.Values(kinds)))) != len(kinds) || !slices.Contains(kinds, string(contract.QuoteAggregate)) || !slices.Contains(kinds, accounts.KeyDocumentKind) {
		t.Errorf("DocumentKinds() = %v, want each once, with quotes and API keys", kinds)
	}
}

// TestFollowersFindWhatTheyActOn: of each aggregate that is followed whoever appends
// chooses what makes way, and what followers act on are events of the aggregate's own.
func TestFollowersFindWhatTheyActOn(t *testing.T) {
	t.Parallel()
	for _, a := range registry.Aggregates() {
		for _, f := range a.Followers {
			tolerates := a.Name == contract.AccountAggregate || a.Name == contract.PartCheckAggregate // of a feed that is away for long the newest are enough
			if a.Versions > 0 && !registry.Overwrites(a.Name) && !tolerates {
				t.Errorf("%s, followed by %s, keeps %d versions, and the broker lets go of the oldest by itself", a.Name, f.Service, a.Versions)
			}
			if len(f.ActsOn) == 0 && !f.Waits {
				t.Errorf("%s follows %s and acts on nothing", f.Service, a.Name)
			}
			for _, name := range f.ActsOn {
				if !slices.Contains(a.Events, name) || !registry.CallsForSomething(a.Name, name) {
					t.Errorf("%s acts on %s of %s, which is none of its events: %v", f.Service, name, a.Name, a.Events)
				}
			}
		}
		for _, name := range registry.EventsOfAny() {
			if registry.CallsForSomething(a.Name, name) {
				t.Errorf("%s of %s calls for something, and a client can repeat it at will", name, a.Name)
			}
		}
	}
}
