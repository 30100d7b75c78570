package formal_test

import (
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/prices"
	"boardorder/services/edge/internal/edgetest"
	formalapi "boardorder/services/edge/internal/formal"
	"boardorder/services/edge/internal/web"
)

// desk is where formal orders are kept, as far as the edge sees it.
type desk struct {
	*edgetest.World
	refuse *contract.Refusal // every command
	silent bool              // nothing comes of a command in time
	orders *formalapi.Orders
}

// open serves the orders of an empty desk.
func open(t testing.TB) *desk {
	t.Helper()
	d := &desk{World: edgetest.New(t)}
	d.Answer = func(c contract.Command) *contract.Operation {
		switch {
		case d.silent:
			return nil
		case d.refuse != nil:
			return &contract.Operation{Refusal: d.refuse}
		}
		return d.carryOut(t, c)
	}
	k := &formalapi.Orders{
		Client: d.Client, Blobs: d.Blobs, Timeout: time.Minute,
		Begin:   func(c *web.Call) (io.Reader, func(), error) { return c.Body(), func() {}, nil },
		Network: func(*web.Call) (string, error) { return "net", nil },
	}
	d.orders = k
	d.Serve(k.Routes()...)
	return d
}

func (d *desk) carryOut(t testing.TB, c contract.Command) *contract.Operation {
	key := ""
	switch c.Name {
	case formal.Submit:
		data := decode[formal.SubmitData](t, c)
		key = data.Order
		if data.Name == "" { // it only declares
			return &contract.Operation{Refusal: contract.Refuse(contract.ITAROrigin, "Recorded.")}
		}
		d.put(formal.Order{
			Key: key, ID: "ord_" + key[:8], Ref: "CO-" + strings.ToUpper(key[:8]), Account: c.Account, RequestID: data.RequestID, Submission: c.Request,
			Status: formal.Submitted, Form: data.Form, Files: data.Files, Dates: formal.Dates{Submitted: edgetest.At}, CreatedAt: edgetest.At,
		})
	case formal.AcceptQuote:
		data := decode[formal.AcceptQuoteData](t, c)
		key = data.Order
		o := makeQuotedOrder()
		o.Status, o.Accepted = formal.Accepted, &formal.Acceptance{Terms: data.Terms, Currency: "USD", AcceptedAt: edgetest.At, Key: data.Key}
		d.put(o)
	case formal.Answer:
		data := decode[formal.AnswerData](t, c)
		key = data.Order
		o := makeAskedOrder()
		at := edgetest.At
		o.Questions[0].Answer, o.Questions[0].AnsweredAt = data.Text, &at
		d.put(o)
	}
	return &contract.Operation{Aggregate: contract.FormalAggregate, ID: key}
}

func decode[D any](t testing.TB, c contract.Command) (data D) {
	t.Helper()
	if err := json.Unmarshal(c.Data, &data); err != nil {
		t.Fatalf("%s: decode %s: %v", c.Name, c.Data, err)
	}
	return data
}

func (d *desk) put(o formal.Order) {
	d.Put(contract.FormalAggregate, o.Key, o, map[string]string{"account": o.Account, "order_id": o.ID, "order_ref": o.Ref})
}

// countStaged counts the files that lie in the store.
func (d *desk) countStaged(t testing.TB) (n int) {
	t.Helper()
	for _, err := range d.Blobs.List(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		n++
	}
	return n
}

var (
	gerbers = edgetest.Part{Field: "gerbers", Name: "board.zip", Content: "PK gerbers"}
	bom     = edgetest.Part{Field: "bom", Name: "bom.csv", Content: "Designator,MPN"}
	cpl     = edgetest.Part{Field: "cpl", Name: "cpl.csv", Content: "Designator,X,Y"}
)

func field(name, value string) edgetest.Part { return edgetest.Part{Field: name, Content: value} }

// fail has the broker be away, or nothing come of a command in time.
func (d *desk) fail(down, silent bool) {
	d.Down, d.silent = down, silent
	if silent {
		d.orders.Timeout = time.Millisecond
	}
}

// usual is a form that is taken, with the fields of others in place of its own.
func usual(others ...edgetest.Part) []edgetest.Part {
	parts := []edgetest.Part{field("name", "Motor controller"), field("qty", "50"), field("board_layers", "4"), gerbers}
	var out []edgetest.Part
	for _, p := range parts {
		replaced := false
		for _, o := range others {
			replaced = replaced || o.Field == p.Field
		}
		if !replaced {
			out = append(out, p)
		}
	}
	return append(out, others...)
}

// submit sends a form.
func (d *desk) submit(t testing.TB, parts []edgetest.Part, header ...string) edgetest.Reply {
	t.Helper()
	body, kind := edgetest.Form(t, parts...)
	return d.Do("POST", "/v1/orders", body, append(kind, header...)...)
}

// makeQuotedOrder is an order with a quote of two options that ends a month after it was issued.
func makeQuotedOrder() formal.Order {
	layers := 4
	issued := time.Date(2026, 11, 20, 9, 30, 0, 120e6, time.UTC)
	return formal.Order{
		Key: "k1", ID: "ord_1", Ref: "CO-1", Account: edgetest.Account, RequestID: "po-7", Submission: "rq_1", Status: formal.Quoted, Issued: 1,
		Form:  formal.Form{Name: "Motor controller", Qty: 50, Services: formal.Services{Fabrication: true}, BoardLayers: &layers, Email: "ada@example.com"},
		Files: []formal.File{{Role: formal.Gerbers, Name: "board.zip", Size: 10, SHA256: "ab", Key: "central/k1/gerbers"}},
		Quote: &formal.Quote{Number: "Q-1", IssuedAt: issued, ValidUntil: issued.AddDate(0, 1, 0), Options: []formal.Option{
			{ID: "opt_1", Fabricator: "North Fab", LeadTimeDays: 10, Lines: lines(100_000, 23_450), TotalCents: 123_450, Currency: "USD"},
			{ID: "opt_2", Fabricator: "South Fab", LeadTimeDays: 5, Lines: lines(200_001), TotalCents: 200_001, Currency: "USD"},
		}},
		Dates: formal.Dates{Submitted: issued.AddDate(0, 0, -1), Quoted: &issued}, CreatedAt: issued,
		Timeline: []formal.Moment{{What: formal.EventSubmitted, At: issued.AddDate(0, 0, -1)}, {What: formal.EventQuoted, At: issued, By: "op", Note: "Two ways."}},
	}
}

// makeAskedOrder is such an order about which the team has a question.
func makeAskedOrder() formal.Order {
	o := makeQuotedOrder()
	o.Questions = []formal.Question{{ID: "q1", Operator: "op", Text: "Which stackup?", AskedAt: edgetest.At}}
	return o
}

func lines(cents ...int64) (out []prices.Line) {
	for i, c := range cents {
		out = append(out, prices.Line{Label: "Line " + strconv.Itoa(i+1), Cents: c})
	}
	return out
}
