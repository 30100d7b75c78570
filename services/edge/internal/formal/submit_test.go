package formal_test

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/blob"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/formal"
	"boardorder/services/edge/internal/edgetest"
	formalapi "boardorder/services/edge/internal/formal"
	"boardorder/services/edge/internal/web"
)

// TestRequestIsOneOrder: the same request_id is the same order, and its fields of this
// time are named where they differ; another account's is another order.
func TestRequestIsOneOrder(t *testing.T) {
	t.Parallel()
	d := open(t)
	id := field("request_id", "po-7")
	first := d.submit(t, usual(id))
	order := edgetest.Decode[formalapi.Record](t, first)
	if first.Status != 201 || first.Header.Get(web.Replayed) != "" || first.Header.Get("Location") != "/v1/orders/"+order.OrderID || order.RequestID != "po-7" {
		t.Fatalf("first: %d %v %s, want a new order of po-7 with its Location", first.Status, first.Header, first.Body)
	}
	for name, tt := range map[string]struct {
		parts   []edgetest.Part
		differs []string
	}{
		"the same again":     {usual(id), nil},
		"another name":       {usual(id, field("name", "Pump")), []string{"name"}},
		"another count":      {usual(id, field("qty", "51")), []string{"qty"}},
		"other layers":       {usual(id, field("board_layers", "2")), []string{"board_layers"}},
		"another file":       {usual(id, edgetest.Part{Field: "gerbers", Name: "board.zip", Content: "PK other"}), []string{"gerbers"}},
		"a file of new name": {usual(id, edgetest.Part{Field: "gerbers", Name: "new.zip", Content: "PK gerbers"}), nil},
		"a file more":        {usual(id, bom), []string{"services", "bom"}},
		"another country":    {usual(id, field("board_origin", "de")), []string{"board_origin"}},
		"texts":              {usual(id, field("notes", "n"), field("production_spec", "s"), field("customer_po", "p"), field("target_date", "soon"), field("email", "b@example.com")), []string{"production_spec", "target_date", "customer_po", "notes", "email"}},
	} {
		r := d.submit(t, tt.parts)
		got := edgetest.Decode[formalapi.Record](t, r)
		if r.Status != 201 || r.Header.Get(web.Replayed) != "true" || got.OrderID != order.OrderID || !slices.Equal(got.Differs, tt.differs) {
			t.Errorf("%s: %d, replayed %q, order %s, differs %v; want 201, true, %s, %v", name, r.Status, r.Header.Get(web.Replayed), got.OrderID, got.Differs, order.OrderID, tt.differs)
		}
		if says := strings.Contains(got.Next, "another request_id"); says != (tt.differs != nil) {
			t.Errorf("%s: next %q, want it to say that the order stands: %t", name, got.Next, tt.differs != nil)
		}
	}
	if n := d.countStaged(t); n != 1 {
		t.Errorf("%d files are kept after ten requests, want the one of the order", n)
	}
	other := d.submit(t, usual(id), edgetest.AccountHeader, "acc_2")
	if got := edgetest.Decode[formalapi.Record](t, other); got.OrderID == order.OrderID || other.Header.Get(web.Replayed) != "" {
		t.Errorf("acc_2 with the request_id of another account: %s, replayed %q; want an order of its own", got.OrderID, other.Header.Get(web.Replayed))
	}
	unnamed := edgetest.Decode[formalapi.Record](t, d.submit(t, usual()))
	if again := edgetest.Decode[formalapi.Record](t, d.submit(t, usual())); unnamed.OrderID == again.OrderID || unnamed.RequestID == "" {
		t.Errorf("without a request_id: %s (%q) and %s, want two orders that have one", unnamed.OrderID, unnamed.RequestID, again.OrderID)
	}
}

// TestControlledAfterAll: a request that declares the order of its request_id reaches
// the desk, though an order stands there that is not controlled.
func TestControlledAfterAll(t *testing.T) {
	t.Parallel()
	d := open(t)
	id := field("request_id", "po-7")
	d.submit(t, usual(id))
	before := len(d.Commands())
	r := d.submit(t, usual(id, field("itar", "true"), field("board_origin", "us")))
	if sent := d.Commands()[before:]; r.Status != 201 || len(sent) != 1 || !decode[formal.SubmitData](t, sent[0]).ITAR {
		t.Errorf("declared later: %d with %d commands, want 201 and one that declares", r.Status, len(sent))
	}
	before = len(d.Commands())
	r = d.submit(t, usual(id, field("itar", "true"))) // and not of the US
	sent := d.Commands()[before:]
	if r.Code() != contract.ITAROrigin || len(sent) != 1 {
		t.Fatalf("declared for anywhere: %s with %d commands, want %s and one command", r.Body, len(sent), contract.ITAROrigin)
	}
	if got := decode[formal.SubmitData](t, sent[0]); !got.ITAR || got.Name != "" || got.Qty != 0 || len(got.Files) != 0 || got.Order != formal.Key(edgetest.Account, "po-7") {
		t.Errorf("passed on %+v, want the declaration and the order's key alone", got)
	}
}

// TestOrdersThatAreNotConfirmed: what the client is told to send again, by how far the order came.
func TestOrdersThatAreNotConfirmed(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		down, silent bool
		parts        []edgetest.Part
		code         contract.Code
		says         string
		files        int // kept for a command that may be on its way
	}{
		"the broker is away":                 {true, false, usual(field("request_id", "po-7")), contract.FormalIncomplete, "the same request_id", 1},
		"the broker is away, no request_id":  {true, false, usual(), contract.FormalIncomplete, "request_id=req_", 1},
		"no outcome in time":                 {false, true, usual(field("request_id", "po-7")), contract.FormalUnavailable, "the same request_id", 1},
		"no outcome in time, no request_id":  {false, true, usual(), contract.FormalUnavailable, "request_id=req_", 1},
		"a declaration without a broker":     {true, false, usual(field("request_id", "po-7"), field("itar", "true")), contract.FormalIncomplete, "the same request_id", 0},
		"a declaration without an outcome":   {false, true, usual(field("request_id", "po-7"), field("itar", "true")), contract.FormalUnavailable, "the same request_id", 0},
		"a declaration that names no order":  {true, false, usual(field("itar", "true")), contract.ITAROrigin, "board_origin=us", 0},
		"a request that is refused up front": {true, false, usual(field("services", "{}")), "", "", 0},
	} {
		d := open(t)
		d.fail(tt.down, tt.silent)
		r := d.submit(t, tt.parts)
		if r.Code() != tt.code || !strings.Contains(string(r.Body), tt.says) || d.countStaged(t) != tt.files {
			t.Errorf("%s: %d %s with %d files; want %s saying %q with %d", name, r.Status, r.Body, d.countStaged(t), tt.code, tt.says, tt.files)
		}
	}
	d := open(t)
	d.refuse = contract.Refuse(contract.PriceUnavailable, "Too many.")
	if r := d.submit(t, usual()); r.Code() != contract.PriceUnavailable {
		t.Errorf("refused at the desk: %d %s, want %s", r.Status, r.Body, contract.PriceUnavailable)
	}
}

// TestFormsThatAreNone: what is not a form, or is too large for one, leaves nothing.
func TestFormsThatAreNone(t *testing.T) {
	t.Parallel()
	d := open(t)
	form, kind := edgetest.Form(t, usual()...)
	cut, _ := edgetest.Form(t, gerbers, edgetest.Part{Field: "bom", Name: "bom.csv", Content: strings.Repeat("x", 1000)})
	large, largeKind := edgetest.Form(t, usual(edgetest.Part{Field: "bom", Name: "bom.csv", Content: strings.Repeat("x", formal.MaxFileBytes+1)})...)
	full, fullKind := edgetest.Form(t, usual(edgetest.Part{Field: "bom", Name: "bom.csv", Content: strings.Repeat("x", formal.MaxFileBytes)})...)
	for name, tt := range map[string]struct {
		body   string
		header []string
		status int
		code   contract.Code
	}{
		"JSON":                    {`{"name": "n"}`, nil, 415, contract.UnsupportedMedia},
		"a form of no boundary":   {form, []string{"Content-Type", "multipart/form-data"}, 415, contract.UnsupportedMedia},
		"a form that is packed":   {form, append(slices.Clone(kind), "Content-Encoding", "gzip"), 415, contract.UnsupportedMedia},
		"a part without a name":   {"--b\r\nContent-Type: text/plain\r\n\r\nx\r\n--b--\r\n", []string{"Content-Type", "multipart/form-data; boundary=b"}, 400, contract.InvalidRequest},
		"a form that is cut off":  {cut[:len(cut)-500], []string{"Content-Type", kindOf(t, cut)}, 400, contract.InvalidRequest},
		"a file of 20 MB":         {full, fullKind, 201, ""},
		"a file of 20 MB and one": {large, largeKind, 413, contract.InvalidFile},
	} {
		before := d.countStaged(t)
		r := d.Do("POST", "/v1/orders", tt.body, tt.header...)
		if r.Status != tt.status || r.Code() != tt.code {
			t.Errorf("%s: %d %s, want %d %s", name, r.Status, r.Code(), tt.status, tt.code)
		}
		if n := d.countStaged(t) - before; tt.status != 201 && n != 0 {
			t.Errorf("%s: %d files are kept, want 0", name, n)
		}
	}
	if r := d.Do("POST", "/v1/orders", ""); !slices.Equal(r.Details(), []string{"body.name missing", "body.qty missing"}) {
		t.Errorf("no body: %d %s, want the fields that are missing", r.Status, r.Body)
	}
}

// kindOf is the media type of a form that was written.
func kindOf(t testing.TB, form string) string {
	t.Helper()
	boundary, _, ok := strings.Cut(strings.TrimPrefix(form, "--"), "\r\n")
	if !ok {
		t.Fatalf("no boundary in %q", form)
	}
	return "multipart/form-data; boundary=" + boundary
}

type fullStore struct{ blob.Store }

func (fullStore) Put(context.Context, string, io.Reader, int64, string) (blob.Info, error) {
	return blob.Info{}, errors.New("no room")
}

// TestOrderWhoseFilesAreNotStored: the client is told to send it again; nothing went to the desk.
func TestOrderWhoseFilesAreNotStored(t *testing.T) {
	t.Parallel()
	w := edgetest.New(t)
	k := &formalapi.Orders{Client: w.Client, Blobs: fullStore{w.Blobs}, Begin: func(c *web.Call) (io.Reader, func(), error) { return c.Body(), func() {}, nil }}
	w.Serve(k.Routes()...)
	body, kind := edgetest.Form(t, usual()...)
	if r := w.Do("POST", "/central/orders", body, kind...); r.Status != 502 || r.Code() != contract.FormalIncomplete || len(w.Commands()) != 0 {
		t.Errorf("a store without room: %d %s, %d commands; want 502 %s and none", r.Status, r.Body, len(w.Commands()), contract.FormalIncomplete)
	}
}
