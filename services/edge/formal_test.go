package edge_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"boardorder/pkg/blob"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/registry"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/flow"
	"boardorder/pkg/projection"
	"boardorder/pkg/secret"
)

// formal stands in for the central service: it makes the order of a command, or of
// the one before under the same key.
func (w *world) formal(ctx context.Context, c contract.Command) error {
	w.mu.Lock()
	lost := w.formalAway
	w.mu.Unlock()
	if lost {
		return nil
	}
	switch c.Name {
	case formal.Submit:
		var d formal.SubmitData
		if err := json.Unmarshal(c.Data, &d); err != nil {
			return flow.Permanent(err)
		}
		if _, err := w.docs.Get(ctx, "central-order", d.Order); errors.Is(err, projection.ErrNotFound) {
			for _, f := range d.Files {
				if _, err := w.blobs.Stat(ctx, f.Key); err != nil {
					return flow.Permanent(err)
				}
			}
			err := w.putFormal(formal.Order{
				Key: d.Order, ID: contract.IDFrom(contract.OrderPrefix, w.now(), d.Order), Ref: "CO-" + strings.ToUpper(d.Order[:10]), Account: c.Account, RequestID: d.RequestID,
				Submission: c.ID, Status: formal.Submitted, Form: d.Form, Files: d.Files,
				Dates: formal.Dates{Submitted: w.now()}, CreatedAt: w.now(), Timeline: []formal.Moment{{What: formal.EventSubmitted, At: w.now()}},
			})
			if err != nil {
				return err
			}
		}
		return w.finish(c, contract.Operation{Aggregate: contract.FormalAggregate, ID: d.Order})
	case formal.AcceptQuote:
		var d formal.AcceptQuoteData
		if err := json.Unmarshal(c.Data, &d); err != nil {
			return flow.Permanent(err)
		}
		if d.TotalCents != 100 {
			return w.finish(c, contract.Operation{Refusal: contract.Refuse(contract.QuoteNotAccepted, "No.")})
		}
		return w.finish(c, contract.Operation{Aggregate: contract.FormalAggregate, ID: d.Order})
	case formal.Answer:
		var d formal.AnswerData
		if err := json.Unmarshal(c.Data, &d); err != nil {
			return flow.Permanent(err)
		}
		return w.finish(c, contract.Operation{Aggregate: contract.FormalAggregate, ID: d.Order})
	}
	return nil
}

func (w *world) putFormal(o formal.Order) error {
	body, err := json.Marshal(o)
	if err != nil {
		return err
	}
	return w.docs.Put(context.Background(), projection.Document{
		Kind: "central-order", ID: o.Key, Seq: w.seq.Add(1), At: o.CreatedAt, Body: body,
		Keys: map[string]string{"account": o.Account, "order_id": o.ID, "order_ref": o.Ref},
	})
}

// part is one part of an order's form: a file where name is not empty.
type part struct{ field, name, content string }

func orderForm(t testing.TB, parts ...part) (io.Reader, string) {
	t.Helper()
	var out bytes.Buffer
	m := multipart.NewWriter(&out)
	for _, p := range parts {
		var err error
		var to io.Writer
		if p.name != "" {
			to, err = m.CreateFormFile(p.field, p.name)
		} else {
			to, err = m.CreateFormField(p.field)
		}
		if err == nil {
			_, err = io.WriteString(to, p.content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	return &out, m.FormDataContentType()
}

func (w *world) order(path string, parts ...part) answer {
	w.t.Helper()
	body, kind := orderForm(w.t, parts...)
	return w.do("POST", path, body, "Content-Type", kind)
}

var (
	gerbers = part{"gerbers", "board.zip", "PK gerbers"}
	bom     = part{"bom", "bom.csv", "Designator,MPN"}
	named   = part{"name", "", "Motor controller"}
	qty     = part{"qty", "", "50"}
	layers  = part{"board_layers", "", "4"}
)

// TestOrdersNameWhatTheyLeaveAside: fields, files and an Idempotency-Key are of no effect,
// and the reply says so; request_id alone names an order.
func TestOrdersNameWhatTheyLeaveAside(t *testing.T) {
	t.Parallel()
	w := start(t)
	for name, tt := range map[string]struct {
		more   []part
		header []string
		want   string
	}{
		"nothing":            {nil, nil, "<nil>"},
		"a field and a file": {[]part{{"colour", "", "red"}, {"drawing", "drawing.pdf", "%PDF"}}, nil, "[colour drawing]"},
		"a key":              {[]part{{"request_id", "", "r1"}}, []string{"Idempotency-Key", "order-1"}, "[Idempotency-Key]"},
		"a key alone":        {nil, []string{"Idempotency-Key", "order-3"}, "<nil>"},
		"a key and a field":  {[]part{{"colour", "", "red"}, {"request_id", "", "r2"}}, []string{"Idempotency-Key", "order-2"}, "[colour Idempotency-Key]"},
	} {
		body, kind := orderForm(t, append([]part{gerbers, named, qty, layers}, tt.more...)...)
		a := w.do("POST", "/v1/orders", body, append([]string{"Content-Type", kind}, tt.header...)...)
		if got := fmt.Sprint(a.json(t)["left_aside"]); a.status != 201 || got != tt.want {
			t.Errorf("%s: POST = %d with left_aside %s, want 201 with %s", name, a.status, got, tt.want)
		}
	}
}

// TestOrderIsSubmitted under both addresses, with files before fields, and found.
func TestOrderIsSubmitted(t *testing.T) {
	t.Parallel()
	w := start(t)
	for i, path := range []string{"/v1/orders", "/central/orders"} {
		a := w.order(path, gerbers, bom, part{"notes", "", "mind the gap\u202e"}, named, qty, layers, part{"services", "", `{"fabrication": true}`},
			part{"request_id", "", fmt.Sprint("po-", i)}, part{"colour", "", "red"})
		m := a.json(t)
		if a.status != 201 || m["status"] != "submitted" || m["qty"] != 50.0 || m["notes"] != "mind the gap" || fmt.Sprint(m["left_aside"]) != "[colour]" {
			t.Fatalf("POST = %d %s, want 201 submitted, 50 with the note, colour left aside", a.status, a.body)
		}
		if fmt.Sprint(m["services"]) != "map[assembly:false fabrication:true part_procurement:false]" || len(m["files"].([]any)) != 2 {
			t.Errorf("order %s, want fabrication alone, 2 files", a.body)
		}
		for _, id := range []any{m["order_id"], m["order_ref"]} {
			for _, prefix := range []string{"/v1/orders/", "/central/orders/"} {
				if b := w.get(prefix + id.(string)); b.status != 200 || b.json(t)["order_id"] != m["order_id"] {
					t.Errorf("GET %v = %d %s, want 200 of the order %v", id, b.status, b.body, m["order_id"])
				}
			}
		}
	}
	sent := w.commandsOf(formal.Submit)
	var d formal.SubmitData
	if err := json.Unmarshal(sent[0].Data, &d); err != nil || d.Order != formal.Key(account, "po-0") || !strings.HasPrefix(d.Files[0].Key, uploads.StagingPrefix) {
		t.Errorf("command %+v, %v", d, err)
	}
}

// TestOrderIsRefused: every rule and every field, each in its own shape. Nothing of a
// refused order is kept or passed on.
func TestOrderIsRefused(t *testing.T) {
	t.Parallel()
	w := start(t)
	good := []part{gerbers, named, qty, layers}
	for name, tt := range map[string]struct {
		parts  []part
		status int
		want   string // code, or type and place of each detail
	}{
		"nothing at all":           {[]part{{"notes", "", "x"}}, 422, "missing body.name, missing body.qty"},
		"no design":                {[]part{named, qty, layers}, 422, "design_or_bom_required"},
		"fabrication of a BOM":     {[]part{bom, named, qty, layers, {"services", "", `{"fabrication":true}`}}, 422, "gerbers_required_for_fabrication"},
		"no layers":                {[]part{gerbers, named, qty}, 422, "layers_required"},
		"a BOM without layers":     {[]part{bom, named, qty}, 422, "layers_required"},
		"services as a list":       {append(good, part{"services", "", `["fabrication"]`}), 422, "dict_type body.services"},
		"from another planet":      {append(good, part{"board_origin", "", "mars"}), 422, "value_error body.board_origin"},
		"ITAR from there":          {append(good, part{"board_origin", "", "mars"}, part{"itar", "", "true"}), 422, "itar_origin"},
		"wanted before it is sent": {append(good, part{"target_date", "", "2020-02-29"}), 422, "date_future body.target_date"},
		"wanted then to the hour":  {append(good, part{"target_date", "", "2020-02-29T10:00:00Z"}), 422, "date_future body.target_date"},
		"wanted on no day":         {append(good, part{"target_date", "", "2027-02-30"}), 422, "date_from_datetime_parsing body.target_date"},
		"ITAR abroad":              {append(good, part{"itar", "", "true"}, part{"board_origin", "", "cn"}), 422, "itar_origin"},
		"ITAR from anywhere":       {append(good, part{"ITAR", "", "yes"}), 422, "itar_origin"},
		"ITAR before all else":     {[]part{{"qty", "", "x"}, {"itar", "", "1"}}, 422, "itar_origin"},
		"neither yes nor no":       {append(good, part{"itar", "", "perhaps"}, part{"board_origin", "", "US"}), 422, "bool_parsing body.itar"},
		"no number":                {[]part{gerbers, named, {"qty", "", "many"}, layers}, 422, "int_parsing body.qty"},
		"too few":                  {[]part{gerbers, named, {"qty", "", "0"}, layers}, 422, "greater_than_equal body.qty"},
		"too many":                 {[]part{gerbers, named, {"qty", "", "99999999999999999999"}, layers}, 422, "less_than_equal body.qty"},
		"too many layers":          {[]part{gerbers, named, qty, {"board_layers", "", "65"}}, 422, "less_than_equal body.board_layers"},
		"a long name":              {[]part{gerbers, {"name", "", strings.Repeat("n", 201)}, qty, layers}, 422, "string_too_long body.name"},
		"an invisible name":        {[]part{gerbers, {"name", "", "\u200b\u202e"}, qty, layers}, 422, "string_too_short body.name"},
		"an empty name":            {[]part{gerbers, {"name", "", " "}, qty, layers}, 422, "string_too_short body.name"},
		"services no JSON":         {append(good, part{"services", "", "fabrication"}), 422, "json_invalid body.services"},
		"services of another kind": {append(good, part{"services", "", `{"fabrication":"yes","magic":true}`}), 422, "bool_type body.services.fabrication, extra_forbidden body.services.magic"},
		"no service":               {append(good, part{"services", "", `{}`}), 422, "value_error body.services"},
		"no e-mail address":        {append(good, part{"email", "", "ada"}), 422, "value_error body.email"},
		"a file as text":           {[]part{{"gerbers", "", "G04*"}, named, qty, layers}, 422, "value_error body.gerbers"},
		"text as a file":           {[]part{gerbers, {"name", "n.txt", "x"}, qty, layers}, 422, "string_type body.name, missing body.name"},
		"an empty file":            {[]part{{"gerbers", "a.zip", ""}, named, qty, layers}, 422, "value_error body.gerbers"},
		"two Gerbers":              {append(good, gerbers), 422, "value_error body.gerbers"},
		"two names":                {append(good, named), 422, "value_error body.name"},
		"no text":                  {append(good, part{"notes", "", "\xff"}), 422, "string_unicode body.notes"},
		"a large file":             {append(good, part{"cpl", "cpl.csv", strings.Repeat("x", formal.MaxFileBytes+1)}), 413, "invalid_file"},
	} {
		a := w.order("/v1/orders", tt.parts...)
		if got := problemOf(t, a); a.status != tt.status || got != tt.want {
			t.Errorf("%s: %d %s, want %d %s\n%s", name, a.status, got, tt.status, tt.want, a.body)
		}
	}
	if keys := w.blobKeys(); len(keys) > 0 || len(w.commandsOf(formal.Submit)) > 0 {
		t.Errorf("kept %v, sent %d; want none", keys, len(w.commandsOf(formal.Submit)))
	}
	for _, kind := range []string{"application/json", "multipart/form-data"} {
		if a := w.do("POST", "/v1/orders", strings.NewReader("{}"), "Content-Type", kind); a.status != 415 {
			t.Errorf("an order as %s: %d %s, want 415", kind, a.status, a.body)
		}
	}
	body, kind := orderForm(t, good...)
	text, _ := io.ReadAll(body)
	if a := w.do("POST", "/v1/orders", bytes.NewReader(text[:len(text)-30]), "Content-Type", kind); a.status != 400 {
		t.Errorf("half a form: %d %s, want 400", a.status, a.body)
	}
	if keys := w.blobKeys(); len(keys) > 0 {
		t.Errorf("half a form left %v, want nothing", keys)
	}
}

// problemOf is the code of an error, or the type and place of each detail.
func problemOf(t *testing.T, a answer) string {
	t.Helper()
	m := a.json(t)
	if code, ok := m["error"].(string); ok {
		return code
	}
	var out []string
	details, _ := m["detail"].([]any)
	for _, d := range details {
		d := d.(map[string]any)
		out = append(out, fmt.Sprint(d["type"], " ", strings.Trim(strings.ReplaceAll(fmt.Sprint(d["loc"]), " ", "."), "[]")))
	}
	return strings.Join(out, ", ")
}

// TestControlledOrderIsTaken from the United States; a declaration beside the form counts
// too, and nothing of it is logged.
func TestControlledOrderIsTaken(t *testing.T) {
	t.Parallel()
	w := start(t)
	parts := []part{{"gerbers", "stealthwing.zip", "PK"}, {"name", "", "stealthwing"}, qty, layers}
	a := w.order("/v1/orders", append(parts, part{"itar", "", "true"}, part{"board_origin", "", "US"})...)
	if m := a.json(t); a.status != 201 || m["itar"] != true || m["board_origin"] != "us" {
		t.Fatalf("POST = %d %s, want 201, controlled, made in the US", a.status, a.body)
	}
	if sent := w.commandsOf(formal.Submit); !registry.LabelsOf(sent[0]).IsControlled() {
		t.Errorf("the command is not marked: %v, want it controlled", registry.LabelsOf(sent[0]))
	}
	body, kind := orderForm(t, parts...)
	if a := w.do("POST", "/v1/orders", body, "Content-Type", kind, "X-ITAR", "1"); a.code(t) != "itar_origin" {
		t.Errorf("declared in a header: %d %s, want itar_origin", a.status, a.body)
	}
	for _, line := range w.logs.All() {
		if text := fmt.Sprint(line.Message, line.ContextMap()); strings.Contains(text, "stealthwing") {
			t.Errorf("the log names a controlled design: %s", text)
		}
	}
}

// TestDeclarationOfASentOrderIsPassedOn: a request_id that comes again declares its
// order, also where the request itself is refused. Else an order is shown as it is.
func TestDeclarationOfASentOrderIsPassedOn(t *testing.T) {
	t.Parallel()
	w := start(t)
	id := part{"request_id", "", "po-7"}
	good := []part{gerbers, named, qty, layers, id}
	if a := w.order("/v1/orders", good...); a.status != 201 {
		t.Fatalf("an order with %+v: %d %s, want 201", id, a.status, a.body)
	}
	for name, tt := range map[string]struct {
		parts  []part
		origin string
		code   string
	}{
		"without an origin": {append(slices.Clone(good), part{"itar", "", "yes"}), "", "itar_origin"},
		"from abroad":       {append(slices.Clone(good), part{"itar", "", "1"}, part{"board_origin", "", "CN"}), "cn", "itar_origin"},
		"with wrong fields": {[]part{id, {"itar", "", "true"}, {"board_origin", "", "us"}}, "us", "missing body.name, missing body.qty"},
		"in order":          {append(slices.Clone(good), part{"itar", "", "true"}, part{"board_origin", "", "US"}), "us", ""},
	} {
		before, kept := len(w.commandsOf(formal.Submit)), len(w.blobKeys())
		a := w.order("/v1/orders", tt.parts...)
		if tt.code != "" && (a.status != 422 || problemOf(t, a) != tt.code) || tt.code == "" && a.status != 201 {
			t.Errorf("%s: %d %s, want %q", name, a.status, a.body, tt.code)
		}
		sent := w.commandsOf(formal.Submit)
		if len(sent) != before+1 {
			t.Errorf("%s: %d commands, want 1", name, len(sent)-before)
			continue
		}
		var d formal.SubmitData
		if err := json.Unmarshal(sent[before].Data, &d); err != nil || !d.ITAR || d.BoardOrigin != tt.origin || d.Order != formal.Key(account, "po-7") {
			t.Errorf("%s: passed on %+v, %v; want a declaration for %q of the order po-7", name, d, err, tt.origin)
		}
		if tt.code != "" && (d.Name != "" || len(d.Files) > 0 || len(w.blobKeys()) != kept) {
			t.Errorf("%s: of the refused request %+v is passed on, and %d files are kept, want the declaration alone, and %d", name, d, len(w.blobKeys()), kept)
		}
	}
	before := len(w.commandsOf(formal.Submit))
	if a := w.order("/v1/orders", good...); a.status != 201 || len(w.commandsOf(formal.Submit)) != before {
		t.Errorf("a plain replay: %d, %d commands; want 201, none", a.status, len(w.commandsOf(formal.Submit))-before)
	}
}

// TestOrderIsMadeOnce: the same request_id is the same order, and what came with it again
// is not kept.
func TestOrderIsMadeOnce(t *testing.T) {
	t.Parallel()
	w := start(t)
	id := part{"request_id", "", "po-7"}
	first := w.order("/v1/orders", gerbers, named, qty, layers, id)
	kept := len(w.blobKeys())
	again := w.order("/central/orders", id, bom, named, part{"qty", "", "99"}, layers)
	if first.status != 201 || again.status != 201 || first.json(t)["order_id"] != again.json(t)["order_id"] || again.json(t)["qty"] != 50.0 {
		t.Fatalf("first %s, again %s; want 201 twice, the same order of 50", first.body, again.body)
	}
	if first.header.Get("Idempotent-Replayed") != "" || again.header.Get("Idempotent-Replayed") != "true" || len(w.blobKeys()) != kept {
		t.Errorf("replayed %q and %q; %d files, then %d; want only the second, no more files", first.header.Get("Idempotent-Replayed"), again.header.Get("Idempotent-Replayed"), kept, len(w.blobKeys()))
	}
	other := secret.NewAPIKey(true)
	w.putKey(other, "acc_other", accounts.DefaultScopes(), nil)
	body, kind := orderForm(t, gerbers, named, qty, layers, id)
	if a := w.do("POST", "/v1/orders", body, "Content-Type", kind, "X-API-Key", other.Text); a.json(t)["order_id"] == first.json(t)["order_id"] {
		t.Errorf("two accounts have the order %v", first.json(t)["order_id"])
	}
}

// TestOrderThatIsNotConfirmed: the service is away, then it is there again.
func TestOrderThatIsNotConfirmed(t *testing.T) {
	t.Parallel()
	w := start(t, func(c *edgeConfig) { c.FormalTimeout = 100 * time.Millisecond })
	w.set(func() { w.formalAway = true })
	parts := []part{gerbers, named, qty, layers, {"request_id", "", "po-9"}}
	if a := w.order("/v1/orders", parts...); a.status != 502 || a.code(t) != "central_unavailable" || a.header.Get("Retry-After") == "" || !strings.Contains(string(a.body), "the same request_id") {
		t.Fatalf("service away: %d %s, want 502 central_unavailable with Retry-After, and the same request_id advised", a.status, a.body)
	}
	if a := w.order("/v1/orders", gerbers, named, qty, layers); a.code(t) != "central_unavailable" || !strings.Contains(string(a.body), "request_id=req_") {
		t.Errorf("without a request_id: %d %s, want central_unavailable, and a request_id given", a.status, a.body)
	}
	w.set(func() { w.formalAway = false })
	healed := w.retry(func() answer { return w.order("/v1/orders", parts...) }, 201)
	o := healed.json(t)
	w.set(func() { w.formalAway = true })
	accept := `{"customer_approved":true,"option_id":"o","quote_number":"q","issued_at":"2026-11-22T12:30:00.125Z","total_cents":100}`
	path := "/v1/orders/" + o["order_id"].(string) + "/accept-quote"
	if a := w.post(path, accept); a.status != 502 || a.code(t) != "central_unavailable" {
		t.Fatalf("accept while the service is away: %d %s, want 502 central_unavailable", a.status, a.body)
	}
	w.set(func() { w.formalAway = false })
	w.retry(func() answer { return w.post(path, accept) }, 200)
}

// retry asks until the answer has a status, as a client does after 502.
func (w *world) retry(ask func() answer, want int) answer {
	w.t.Helper()
	for range 100 {
		if a := ask(); a.status == want {
			return a
		} else if a.status != 502 {
			w.t.Fatalf("asked again: %d %s, want 502 until it is known", a.status, a.body)
		}
	}
	w.t.Fatal("it never healed")
	return answer{}
}

// TestAcceptance: what must be said, how, and what the service decides.
func TestAcceptance(t *testing.T) {
	t.Parallel()
	w := start(t)
	o := w.order("/v1/orders", gerbers, named, qty, layers).json(t)
	path := "/central/orders/" + o["order_ref"].(string) + "/accept-quote"
	for body, want := range map[string]string{
		`{}`:                           "explicit_approval_required",
		`{"customer_approved":"true"}`: "explicit_approval_required",
		`{"customer_approved":false,"option_id":"o","quote_number":"q","issued_at":"2026-11-22T12:30:00Z","total_cents":100}`: "explicit_approval_required",
		`{"customer_approved":true}`: "missing body.option_id, missing body.quote_number, missing body.issued_at, missing body.total_cents",
		`{"customer_approved":true,"option_id":1,"quote_number":"q","issued_at":"yesterday","total_cents":"100"}`:             "string_type body.option_id, datetime_from_date_parsing body.issued_at, int_type body.total_cents",
		`{"customer_approved":true,"option_id":"o","quote_number":"q","issued_at":"2026-11-22T12:30:00Z","total_cents":99.5}`: "int_type body.total_cents",
		`{"customer_approved":true,"option_id":"o","quote_number":"q","issued_at":"2026-11-22T12:30:00Z","total_cents":101}`:  "quote_not_accepted",
		`{"customer_approved":true`:    "json_invalid body",
		`[{"customer_approved":true}]`: "model_attributes_type body",
		`"yes"`:                        "model_attributes_type body",
	} {
		if a := w.post(path, body); problemOf(t, a) != want || a.status != map[bool]int{true: 409, false: 422}[want == "quote_not_accepted"] {
			t.Errorf("%s: %d %s, want %s", body, a.status, a.body, want)
		}
	}
	good := `{"customer_approved":true,"option_id":"opt_1_1","quote_number":"CO-1-Q1","issued_at":"2026-11-22T12:30:00.125Z","total_cents":100,"po":"7"}`
	if a := w.post(path, good, "Idempotency-Key", "k1"); a.status != 200 || fmt.Sprint(a.json(t)["left_aside"]) != "[po Idempotency-Key]" {
		t.Errorf("%d %s, want what has no effect named in left_aside", a.status, a.body)
	}
	var d formal.AcceptQuoteData
	sent := w.commandsOf(formal.AcceptQuote)
	if err := json.Unmarshal(sent[len(sent)-1].Data, &d); err != nil || d.Key != w.key.ID || !d.Approved || d.IssuedAt.Nanosecond() != 125_000_000 {
		t.Errorf("command %+v, %v", d, err)
	}
}

// TestOrdersOfOthersAreUnknown, in every address.
func TestOrdersOfOthersAreUnknown(t *testing.T) {
	t.Parallel()
	w := start(t)
	o := w.order("/v1/orders", gerbers, named, qty, layers).json(t)
	other := secret.NewAPIKey(true)
	w.putKey(other, "acc_other", accounts.DefaultScopes(), nil)
	for _, id := range []any{o["order_id"], o["order_ref"], "ord_none", "CO-NONE"} {
		for _, rest := range []string{"", "/design-review"} {
			if a := w.get(fmt.Sprint("/v1/orders/", id, rest), "X-API-Key", other.Text); a.status != 404 || a.code(t) != "order_not_found" {
				t.Errorf("GET %v%s = %d %s, want 404 order_not_found", id, rest, a.status, a.body)
			}
		}
	}
	if a := w.get("/v1/orders", "X-API-Key", other.Text).json(t); len(a["orders"].([]any)) != 0 {
		t.Errorf("list of another account: %v, want none", a)
	}
	if a := w.get("/v1/orders/" + strings.Repeat("x", 81)); problemOf(t, a) != "string_too_long path.identifier" {
		t.Errorf("a long id: %d %s, want string_too_long path.identifier", a.status, a.body)
	}
	narrow := secret.NewAPIKey(true)
	w.putKey(narrow, account, []string{accounts.ScopeQuotes}, nil)
	if a := w.get("/v1/orders", "X-API-Key", narrow.Text); a.status != 403 {
		t.Errorf("without the scope: %d, want 403", a.status)
	}
	if a := w.get("/v1/orders", "X-API-Key", ""); a.status != 401 {
		t.Errorf("without a key: %d, want 401", a.status)
	}
}

// TestOrdersAreListed newest first, page by page.
func TestOrdersAreListed(t *testing.T) {
	t.Parallel()
	w := start(t)
	begin := time.Now().UTC()
	for i := range 5 {
		err := w.putFormal(formal.Order{Key: fmt.Sprint("k", i), ID: fmt.Sprint("ord_", i), Ref: fmt.Sprint("CO-", i), Account: account, Status: formal.Submitted, CreatedAt: begin.Add(time.Duration(i) * time.Second)})
		if err != nil {
			t.Fatal(err)
		}
	}
	var got []any
	for path := "/v1/orders?limit=2"; path != ""; {
		m := w.get(path).json(t)
		for _, o := range m["orders"].([]any) {
			got = append(got, o.(map[string]any)["order_id"])
		}
		next, more := m["next_cursor"].(string)
		if m["has_more"] != more {
			t.Fatalf("has_more %v, next_cursor %v; want both or none", m["has_more"], m["next_cursor"])
		}
		if path = ""; more {
			path = "/central/orders?limit=2&cursor=" + next
		}
	}
	if got, want := fmt.Sprint(got), "[ord_4 ord_3 ord_2 ord_1 ord_0]"; got != want {
		t.Errorf("listed %s, want %s", got, want)
	}
	for query, want := range map[string]string{
		"limit=0": "greater_than_equal query.limit", "limit=101": "less_than_equal query.limit", "limit=few": "int_parsing query.limit", "cursor=nonsense": "value_error query.cursor",
	} {
		if a := w.get("/v1/orders?" + query); a.status != 422 || problemOf(t, a) != want {
			t.Errorf("GET /v1/orders?%s: %d %s, want 422 %s", query, a.status, a.body, want)
		}
	}
}

// TestDesignReview shows what people and the check found.
func TestDesignReview(t *testing.T) {
	t.Parallel()
	w := start(t)
	at := time.Now().UTC()
	o := formal.Order{
		Key: "k", ID: "ord_1", Ref: "CO-1", Account: account, Status: formal.InReview, CreatedAt: at,
		Files: []formal.File{{Role: "gerbers", Name: "a.zip", Key: "central/k/x/0"}},
	}
	put := func(o formal.Order) map[string]any {
		if err := w.putFormal(o); err != nil {
			t.Fatal(err)
		}
		return w.get("/v1/orders/CO-1/design-review").json(t)
	}
	if m := put(o); m["review"].(map[string]any)["status"] != "pending" || m["design_check"].(map[string]any)["status"] != "checking" {
		t.Errorf("at first: %v, want pending, checking", m)
	}
	o.Review = &formal.Review{Operator: "ann", Findings: []formal.Finding{{Level: "warning", What: "Move the fiducial."}}, At: at}
	o.Check = &formal.Check{Status: designchecks.MustFix, Findings: []formal.Finding{{Level: "must_fix", Check: "outline", What: "The outline is open."}}, At: at}
	m := put(o)
	if text := fmt.Sprint(m); !strings.Contains(text, "Move the fiducial.") || !strings.Contains(text, "The outline is open.") || strings.Contains(text, "ann") {
		t.Errorf("then: %v, want both findings, and no operator", m)
	}
	o.ITAR, o.Check = true, nil
	if m := put(o)["design_check"].(map[string]any); m["status"] != "not_run" || m["why"] == nil {
		t.Errorf("of a controlled design: %v, want not_run, and why", m)
	}
}

// TestDetailsHaveOneShape: every failure has its five members, and repeats what was sent,
// shortened and cleaned.
func TestDetailsHaveOneShape(t *testing.T) {
	t.Parallel()
	w := start(t)
	o := w.order("/v1/orders", gerbers, named, qty, layers).json(t)
	accept := fmt.Sprint("/v1/orders/", o["order_id"], "/accept-quote")
	long := strings.Repeat("9", 300)
	for _, tt := range []struct {
		a    answer
		want string // input and ctx of each
	}{
		{w.order("/v1/orders", gerbers, layers), "[<nil> map[]] [<nil> map[]]"},
		{w.order("/v1/orders", gerbers, named, layers, part{"qty", "", "0"}), "[0 map[ge:1]]"},
		{w.order("/v1/orders", gerbers, named, qty, layers, part{"services", "", `{"assembly":"yes","x":[1,{"a":2}]}`}), `[yes map[]] [[1,{"a":2}] map[]]`},
		{w.order("/v1/orders", gerbers, named, qty, layers, part{"board_origin", "", "ma\u202ers"}), "[mars map[]]"},
		{w.post(accept, `{"customer_approved":true,"option_id":1,"quote_number":null,"issued_at":"soon","total_cents":"100"}`), "[1 map[]] [<nil> map[]] [soon map[]] [100 map[]]"},
		{w.post(accept, `{"customer_approved":true,"option_id":"o","quote_number":"q","issued_at":"2026-11-22T12:30:00Z","total_cents":`+long+`.5}`), "[" + long[:100] + "… map[]]"},
		{w.post(accept, `[1, 2]`), "[[1, 2] map[]]"},
		{w.post(accept, `{"a"`), "[map[] map[error:"},
		{w.get("/v1/orders?limit=0"), "[0 map[ge:1]]"},
	} {
		var got []string
		details, _ := tt.a.json(t)["detail"].([]any)
		for _, d := range details {
			d := d.(map[string]any)
			if _, isObject := d["ctx"].(map[string]any); len(d) != 5 || !isObject || d["msg"] == "" || len(d["loc"].([]any)) == 0 {
				t.Errorf("detail %v, want 5 fields, with an object, a message and a place", d)
			}
			got = append(got, fmt.Sprint([]any{d["input"], d["ctx"]}))
		}
		if text := strings.Join(got, " "); !strings.HasPrefix(text, tt.want) {
			t.Errorf("%d %s\n got %s\nwant %s", tt.a.status, tt.a.body, text, tt.want)
		}
	}
}

// TestOtherContentUnderOneRequestID is said, and the order is as it was sent first.
func TestOtherContentUnderOneRequestID(t *testing.T) {
	t.Parallel()
	w := start(t)
	id := part{"request_id", "", "po-7"}
	first := w.order("/v1/orders", gerbers, bom, named, qty, layers, id).json(t)
	if _, reported := first["differs"]; reported {
		t.Errorf("at first: %v, want nothing that differs", first)
	}
	same := w.order("/v1/orders", id, bom, layers, part{"board_origin", "", "any"}, qty, gerbers, named)
	if m := same.json(t); m["differs"] != nil || same.header.Get("Idempotent-Replayed") != "true" || m["next"] != first["next"] {
		t.Errorf("the same again: %s, want it replayed, nothing that differs, next %v", same.body, first["next"])
	}
	other := w.order("/v1/orders", part{"gerbers", "board.zip", "PK others"}, named, part{"qty", "", "99"}, layers, id, part{"notes", "", "hurry"})
	m := other.json(t)
	if got := fmt.Sprint(m["differs"]); other.status != 201 || got != "[qty services notes gerbers bom]" || m["qty"] != 50.0 || m["notes"] != nil || !strings.Contains(m["next"].(string), "another request_id") {
		t.Errorf("another form under the same request_id: %d %s, differs %v; want the first order and the five fields", other.status, other.body, m["differs"])
	}
}

// TestFilesThatServicesNeed are named where the order has them not; it is taken.
func TestFilesThatServicesNeed(t *testing.T) {
	t.Parallel()
	w := start(t)
	cpl := part{"cpl", "cpl.csv", "Designator,X,Y"}
	for _, tt := range []struct {
		services string
		files    []part
		want     string
	}{
		{`{"fabrication":true}`, []part{gerbers}, "[]"},
		{`{"fabrication":true,"part_procurement":true}`, []part{gerbers}, "[bom]"},
		{`{"fabrication":true,"assembly":true}`, []part{gerbers}, "[bom cpl]"},
		{`{"fabrication":true,"assembly":true}`, []part{gerbers, bom, cpl}, "[]"},
		{`{"assembly":true}`, []part{bom}, "[cpl gerbers]"},
		{`{"part_procurement":true}`, []part{bom}, "[]"},
		{"", []part{gerbers, bom, cpl}, "[]"},
	} {
		a := w.order("/v1/orders", append(tt.files, named, qty, layers, part{"services", "", tt.services})...)
		m := a.json(t)
		if got := fmt.Sprint(m["missing_files"]); a.status != 201 || got != tt.want || strings.Contains(fmt.Sprint(m["next"]), "has not") != (tt.want != "[]") {
			t.Errorf("%s of %d files: %d %s, want %s", tt.services, len(tt.files), a.status, a.body, tt.want)
		}
	}
}

// TestQuoteIsADocument for whoever has the key, and by its link for whoever was given
// that; another quote ends the link, and of a controlled order there is none.
func TestQuoteIsADocument(t *testing.T) {
	t.Parallel()
	w := start(t)
	at := w.now().UTC().Truncate(time.Millisecond)
	o := formal.Order{
		Key: "k", ID: "ord_1", Ref: "CO-1", Account: account, Status: formal.Submitted, CreatedAt: at, Form: formal.Form{Name: "m", Qty: 5},
	}
	put := func() map[string]any {
		if err := w.putFormal(o); err != nil {
			t.Fatal(err)
		}
		return w.get("/v1/orders/ord_1").json(t)
	}
	if m := put(); m["quote_pdf_url"] != nil {
		t.Errorf("without a quote: %v, want none", m["quote_pdf_url"])
	}
	if a := w.get("/v1/orders/ord_1/quote.pdf"); a.status != 404 || a.code(t) != "not_found" {
		t.Errorf("without a quote: %d %s, want 404 not_found", a.status, a.body)
	}
	o.Status, o.Quote = formal.Quoted, &formal.Quote{Number: "CO-1-Q1", IssuedAt: at, ValidUntil: at.Add(time.Hour),
		Options: []formal.Option{{ID: "opt_1_1", Fabricator: "A", TotalCents: 500, Currency: "USD", Lines: []prices.Line{{Label: "b", Cents: 500}}}}}
	link := strings.TrimPrefix(put()["quote_pdf_url"].(string), w.url)
	for _, path := range []string{"/v1/orders/ord_1/quote.pdf", "/central/orders/CO-1/quote.pdf", link} {
		key := w.key.Text
		if path == link {
			key = ""
		}
		if a := w.get(path, "X-API-Key", key); a.status != 200 || a.header.Get("Content-Type") != "application/pdf" || !bytes.HasPrefix(a.body, []byte("%PDF-")) || !strings.Contains(a.header.Get("Content-Disposition"), "CO-1-Q1.pdf") {
			t.Errorf("GET %s: %d %v, want the PDF CO-1-Q1.pdf", path, a.status, a.header)
		}
	}
	if a := w.get("/v1/orders/ord_1/quote.pdf", "X-API-Key", ""); a.status != 401 {
		t.Errorf("without a key: %d, want 401", a.status)
	}
	other := secret.NewAPIKey(true)
	w.putKey(other, "acc_other", accounts.DefaultScopes(), nil)
	if a := w.get("/v1/orders/ord_1/quote.pdf", "X-API-Key", other.Text); a.status != 404 {
		t.Errorf("another account's: %d, want 404", a.status)
	}
	if a := w.get(strings.Replace(link, "CO-1-Q1", "CO-1-Q2", 1), "X-API-Key", ""); a.status != 403 || a.code(t) != "link_invalid" {
		t.Errorf("an altered link: %d %s, want 403 link_invalid", a.status, a.body)
	}
	o.Quote.Number = "CO-1-Q2"
	newer := strings.TrimPrefix(put()["quote_pdf_url"].(string), w.url)
	if a := w.get(link, "X-API-Key", ""); a.status != 410 {
		t.Errorf("the link of the quote before: %d %s, want 410", a.status, a.body)
	}
	o.ITAR = true
	if url := put()["quote_pdf_url"]; url != w.url+"/v1/orders/ord_1/quote.pdf" {
		t.Errorf("of a controlled order: %v, want that of the API, %s", url, w.url+"/v1/orders/ord_1/quote.pdf")
	}
	if a := w.get(newer, "X-API-Key", ""); a.status != 410 {
		t.Errorf("the link after it was declared: %d %s, want 410", a.status, a.body)
	}
	o.ITAR = false
	put()
	if m := put(); m["status"] != "quoted" || !strings.Contains(m["next"].(string), "/accept-quote") {
		t.Errorf("while the quote is valid: %v, next %v; want quoted, accept-quote", m["status"], m["next"])
	}
	w.advance(time.Hour)
	if m := put(); m["status"] != "quoted" || strings.Contains(m["next"].(string), "/accept-quote") || !strings.Contains(m["next"].(string), "Quote CO-1-Q2 could be accepted until") {
		t.Errorf("from its end on: %v, next %v; want quoted, until when CO-1-Q2 could be accepted", m["status"], m["next"])
	}
	w.advance(200 * 24 * time.Hour)
	if a := w.get(newer, "X-API-Key", ""); a.status != 410 {
		t.Errorf("long after: %d %s, want 410", a.status, a.body)
	}
}

// unsteady is a store that takes nothing while it is away.
type unsteady struct {
	blob.Store
	unavailable atomic.Bool
}

func (s *unsteady) Put(ctx context.Context, key string, r io.Reader, size int64, contentType string) (blob.Info, error) {
	if s.unavailable.Load() {
		return blob.Info{}, errors.New("the store is away")
	}
	return s.Store.Put(ctx, key, r, size, contentType)
}

// TestOrderThatIsNotComplete: the store of files is away, or the broker is; sent again
// once they are there, the order is made, once.
func TestOrderThatIsNotComplete(t *testing.T) {
	t.Parallel()
	w := start(t)
	files := &unsteady{Store: w.blobs}
	w.blobs = files
	w.stop()
	w.open()
	parts := []part{gerbers, named, qty, layers, {"request_id", "", "po-11"}}
	files.unavailable.Store(true)
	if a := w.order("/v1/orders", parts...); a.status != 502 || a.code(t) != "central_order_incomplete" || a.header.Get("Retry-After") == "" || !strings.Contains(string(a.body), "the same request_id") {
		t.Fatalf("store away: %d %s, want 502 central_order_incomplete with Retry-After, and the same request_id advised", a.status, a.body)
	}
	if len(w.commandsOf(formal.Submit)) > 0 {
		t.Fatal("an order without its files was sent")
	}
	files.unavailable.Store(false)
	if a := w.order("/v1/orders", parts...); a.status != 201 {
		t.Fatalf("store there again: %d %s, want 201", a.status, a.body)
	}
	if a := w.get("/v1/orders").json(t); len(a["orders"].([]any)) != 1 {
		t.Errorf("orders %v, want one", a)
	}
}

// TestOrderThatTheBrokerDoesNotTake: commands have no room left, then they have again.
func TestOrderThatTheBrokerDoesNotTake(t *testing.T) {
	t.Parallel()
	w := start(t)
	large := contract.CommandName{Service: "console", Verb: "record"}
	full, sent := false, int64(0)
	refused := func(c contract.Command) bool { // twice: a busy machine may be late once
		for range 2 {
			if w.bus.Send(t.Context(), c) == nil {
				return false
			}
		}
		return true
	}
	for i := range 2000 {
		c, err := contract.NewCommand(large, "", account, w.now(), strings.Repeat("x", 900_000))
		if err != nil {
			t.Fatal(err)
		}
		c.ID = fmt.Sprint("large-", i)
		if full = refused(c); full {
			break
		}
		sent++
	}
	if !full {
		t.Fatal("the stream of commands takes everything")
	}
	// What is left over fills up with little ones.
	for i := range 5000 {
		c, _ := contract.NewCommand(large, "", account, w.now(), strings.Repeat("x", 500))
		c.ID = fmt.Sprint("small-", i)
		if refused(c) {
			break
		}
	}
	parts := []part{gerbers, named, qty, layers, {"request_id", "", "po-12"}}
	a := w.order("/v1/orders", parts...)
	if a.status != 502 || a.code(t) != "central_order_incomplete" || a.header.Get("Retry-After") == "" {
		t.Fatalf("no room: %d %s, want 502 central_order_incomplete with Retry-After", a.status, a.body)
	}
	var taken atomic.Int64
	bustest.Go(t, func(ctx context.Context) error { // somebody makes room
		return w.bus.Serve(ctx, bus.Work{Service: "console", Parallel: 16, Handlers: flow.Handlers{large: func(context.Context, contract.Command) error {
			taken.Add(1)
			return nil
		}}})
	})
	// Each try counts in the account's quota of a day: it waits for the room.
	bustest.WaitFor(t, "room in the stream", func() bool { return taken.Load() >= sent })
	w.retry(func() answer { return w.order("/v1/orders", parts...) }, 201)
	if m := w.get("/v1/orders").json(t); len(m["orders"].([]any)) != 1 {
		t.Errorf("orders %v, want one", m)
	}
}
