package openfab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"boardorder/pkg/fabricator"

	"github.com/google/go-cmp/cmp"
)

// A wire plays the fabricator without a network: it answers the paths of the API, each list from
// its beginning and its last for good, and notes what was sent.
type wire struct {
	answers map[string][]answer
	decide  func(body string) answer // where it is there, answers each call
	calls   []string                 // paths
	bodies  map[string]string
}

type answer struct {
	status int
	body   string
	err    error // of the network
	sent   bool  // with err: the request had gone out
	torn   bool
}

func reply(code int, data string) answer {
	return answer{status: 200, body: fmt.Sprintf(`{"code": %d, "message": "words", "data": %s}`, code, data)}
}

func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	path := strings.TrimPrefix(r.URL.Path, apiRoot)
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	w.calls = append(w.calls, path)
	if w.bodies == nil {
		w.bodies = map[string]string{}
	}
	w.bodies[path] = string(body)
	list := w.answers[path]
	if w.decide != nil {
		list = []answer{w.decide(string(body))}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("nothing was to be asked of %s", path)
	}
	a := list[0]
	if len(list) > 1 {
		w.answers[path] = list[1:]
	}
	if a.err != nil {
		if trace := httptrace.ContextClientTrace(r.Context()); a.sent && trace != nil && trace.WroteHeaders != nil {
			trace.WroteHeaders()
		}
		return nil, a.err
	}
	res := &http.Response{StatusCode: a.status, Header: http.Header{"J-Trace-Id": {"t1"}}, Body: io.NopCloser(strings.NewReader(a.body)), Request: r}
	if a.torn {
		res.Body = io.NopCloser(iotest.ErrReader(io.ErrUnexpectedEOF))
	}
	return res, nil
}

func clientOf(t *testing.T, w *wire) *Client {
	t.Helper()
	c, err := New(Config{URL: "https://fabricator.test", AppID: "a", AccessKey: "b", SecretKey: "c", Transport: w, PerSecond: 1e6})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func kindOfCall(err error) fabricator.Kind {
	if err == nil {
		return ""
	}
	return fabricator.KindOf(err)
}

// TestAnswers: what an answer means, when something is asked and when an order is placed. After a
// create that may have arrived nobody says that it failed.
func TestAnswers(t *testing.T) {
	t.Parallel()
	for rule, tt := range map[string]struct {
		answer            answer
		requested, create fabricator.Kind
	}{
		"success":                           {reply(200, `{"orderId": "7"}`), "", ""},
		"a code that refuses":               {reply(2100, `null`), fabricator.Refused, fabricator.Refused},
		"a code that asks for people":       {reply(2116, `null`), fabricator.Review, fabricator.Review},
		"our own fault":                     {reply(1001, `null`), fabricator.Internal, fabricator.Internal},
		"too often":                         {reply(1002, `null`), fabricator.Unavailable, fabricator.Unavailable},
		"a server's error by code":          {reply(1003, `null`), fabricator.Unavailable, fabricator.Unknown},
		"a code that nobody documented":     {reply(98765, `null`), fabricator.Unavailable, fabricator.Unknown},
		"too many requests":                 {answer{status: 429}, fabricator.Unavailable, fabricator.Unavailable},
		"credentials refused":               {answer{status: 401}, fabricator.Internal, fabricator.Internal},
		"permission refused":                {answer{status: 403}, fabricator.Internal, fabricator.Internal},
		"a redirect":                        {answer{status: 302}, fabricator.Unavailable, fabricator.Unknown},
		"a server's error":                  {answer{status: 502}, fabricator.Unavailable, fabricator.Unknown},
		"a page":                            {answer{status: 200, body: "<html>"}, fabricator.Unavailable, fabricator.Unknown},
		"JSON without a code":               {answer{status: 200, body: `{"data": {}}`}, fabricator.Unavailable, fabricator.Unknown},
		"a code with a status of refusal":   {answer{status: 400, body: `{"code": 2100}`}, fabricator.Refused, fabricator.Refused},
		"half an answer":                    {answer{status: 200, torn: true}, fabricator.Unavailable, fabricator.Unknown},
		"an answer of another form":         {reply(200, `[1]`), fabricator.Unavailable, fabricator.Unknown},
		"nothing, before it was sent":       {answer{err: errors.New("refused")}, fabricator.Unavailable, fabricator.Unavailable},
		"nothing, after it was sent":        {answer{err: errors.New("reset"), sent: true}, fabricator.Unavailable, fabricator.Unknown},
		"an answer longer than any is read": {answer{status: 200, body: strings.Repeat(" ", responseCap+1)}, fabricator.Unavailable, fabricator.Unknown},
	} {
		for create, want := range map[bool]fabricator.Kind{false: tt.requested, true: tt.create} {
			c := clientOf(t, &wire{answers: map[string][]answer{"x": {tt.answer}}})
			var out createReply
			err := c.postAs(t.Context(), "x", struct{}{}, &out, create)
			if got := kindOfCall(err); got != want || err == nil && out.OrderID != "7" {
				t.Errorf("%s, create %t: %v, order %q; want kind %q", rule, create, err, out.OrderID, want)
			}
		}
	}
	c := clientOf(t, &wire{answers: map[string][]answer{"x": {reply(2100, "null")}}})
	err := c.post(t.Context(), "x", struct{}{}, nil)
	if e, ok := errors.AsType[*fabricator.Error](err); !ok || e.Code != 2100 || e.Trace != "t1" || len(e.Fields) != 1 || e.Fields[0].Field != "layers" {
		t.Errorf("code 2100 is %+v, want that it refuses the layers, with its trace", err)
	}
	c = clientOf(t, &wire{answers: map[string][]answer{"x": {{status: 200, body: `{"code": 200, "date": {"orderId": "8"}}`}}}})
	var out createReply
	if err := c.post(t.Context(), "x", struct{}{}, &out); err != nil || out.OrderID != "8" {
		t.Errorf("data under the name that production progress comes by: order %q, %v; want 8", out.OrderID, err)
	}
	left, leave := context.WithCancel(t.Context())
	leave()
	c = clientOf(t, &wire{})
	if err := c.post(left, "x", struct{}{}, nil); kindOfCall(err) != fabricator.Unavailable || !errors.Is(err, context.Canceled) {
		t.Errorf("a call that nobody waits for: %v, want that nothing was sent", err)
	}
}

// price is an answer that asks so much for boards and for shipping.
func price(boards, shipping string) answer {
	return reply(200, `{"orderTotalWeight": 100, "priceWithoutFreight": `+boards+`, "pcbCostInfo": {"stencilFee": `+boards+`}, "shipList": [{"options": "DHL", "showOptions": "DHL", "cost": `+shipping+`, "day": 3}],
		"achieveDateList": [{"achieveName": "2 days", "achieveDate": 48, "achieveChecked": "checked", "achievePrice": 0}]}`)
}

func request8() fabricator.PlaceRequest {
	s := standard()
	s.FileKey, s.BuildHours, s.To.Country = "files", 48, "US"
	return fabricator.PlaceRequest{Reference: "BO-1", Spec: s, Shipping: "DHL", AgreedCents: 10_000, Currency: "USD", Remark: "mind the edge", ShipTo: fabricator.Address{Name: "Ann Example", City: "Town", Country: "US"}}
}

// TestPlace: an order is created once, at a price that was agreed or hardly more; whatever is
// wrong before that creates none.
func TestPlace(t *testing.T) {
	t.Parallel()
	created := reply(200, `{"orderId": "o1", "batchNum": "BO-1", "orderDate": "2026-03-01 08:00:00"}`)
	for rule, tt := range map[string]struct {
		change  func(*fabricator.PlaceRequest)
		price   answer
		create  answer
		kind    fabricator.Kind
		creates int
		cents   int64
	}{
		"as agreed":                        {nil, price("80", "20"), created, "", 1, 10_000},
		"cheaper":                          {nil, price("70", "20"), created, "", 1, 9_000},
		"five percent more":                {nil, price("80", "25"), created, "", 1, 10_500},
		"a cent beyond that":               {nil, price("80", "25.01"), created, fabricator.PriceMoved, 0, 0},
		"no price was agreed":              {func(r *fabricator.PlaceRequest) { r.AgreedCents = 0 }, price("800", "20"), created, "", 1, 82_000},
		"agreed in another currency":       {func(r *fabricator.PlaceRequest) { r.Currency = "EUR" }, price("80", "20"), created, fabricator.Internal, 0, 0},
		"shipping that is gone":            {func(r *fabricator.PlaceRequest) { r.Shipping = "UPS" }, price("80", "20"), created, fabricator.Shipment, 0, 0},
		"no files":                         {func(r *fabricator.PlaceRequest) { r.Spec.FileKey = "" }, price("80", "20"), created, fabricator.Files, 0, 0},
		"no reference":                     {func(r *fabricator.PlaceRequest) { r.Reference = "" }, price("80", "20"), created, fabricator.Internal, 0, 0},
		"a reference that is none":         {func(r *fabricator.PlaceRequest) { r.Reference = "BO 1" }, price("80", "20"), created, fabricator.Internal, 0, 0},
		"a reference longer than it files": {func(r *fabricator.PlaceRequest) { r.Reference = strings.Repeat("a", 65) }, price("80", "20"), created, fabricator.Internal, 0, 0},
		"a board that nobody builds":       {func(r *fabricator.PlaceRequest) { r.Spec.Material = "wood" }, price("80", "20"), created, fabricator.Review, 0, 0},
		"no price":                         {nil, reply(1003, "null"), created, fabricator.Unavailable, 0, 0},
		"a create that fails":              {nil, price("80", "20"), answer{status: 500}, fabricator.Unknown, 1, 0},
		"a create that is refused":         {nil, price("80", "20"), reply(2408, "null"), fabricator.Shipment, 1, 0},
		"a create without an order":        {nil, price("80", "20"), reply(200, `{}`), fabricator.Unknown, 1, 0},
		"filed under another reference":    {nil, price("80", "20"), reply(200, `{"orderId": "o1", "batchNum": "other"}`), fabricator.Unknown, 1, 0},
		"filed under none that it says":    {nil, price("80", "20"), reply(200, `{"orderId": "o1"}`), "", 1, 10_000},
	} {
		r := request8()
		if tt.change != nil {
			tt.change(&r)
		}
		w := &wire{answers: map[string][]answer{"pcb/calculate": {tt.price}, "pcb/create": {tt.create}}}
		got, err := clientOf(t, w).Place(t.Context(), r)
		creates := 0
		for _, path := range w.calls {
			if path == "pcb/create" {
				creates++
			}
		}
		if kindOfCall(err) != tt.kind || creates != tt.creates || got.Cents != tt.cents || err == nil && (got.OrderID != "o1" || got.Reference != "BO-1" || got.Orders != 1) {
			t.Errorf("%s: %+v, %v after %d creates; want %d cents, kind %q after %d", rule, got, err, creates, tt.cents, tt.kind, tt.creates)
		}
		if rule != "as agreed" {
			continue
		}
		var sent createRequest
		if err := json.Unmarshal([]byte(w.bodies["pcb/create"]), &sent); err != nil || sent.BatchNum != "BO-1" || sent.FileKey != "files" || sent.AchieveDate != 48 || sent.ShippingMethod != "DHL" || sent.Board.OrderDetailsRemark != "BO-1 mind the edge" ||
			sent.Shipping.FirstName != "Ann" || sent.Shipping.LastName != "Example" || sent.Shipping.Province != "Town" {
			t.Errorf("%+v creates %s, %v; want its reference, files, build, shipping, remark and address", r, w.bodies["pcb/create"], err)
		}
		if want := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC); !got.At.Equal(want) {
			t.Errorf("an order of 8 o'clock at the fabricator's is of %s, want %s", got.At, want)
		}
	}
}

// TestStandardBuild: without a wish the standard build is priced, which any answer names, and it
// is tried first the next time.
func TestStandardBuild(t *testing.T) {
	t.Parallel()
	two := strings.Replace(price("80", "20").body, `"achieveDateList": [`, `"achieveDateList": [{"achieveName": "1 day", "achieveDate": 72, "achievePrice": -0}, {"achieveName": "3 days", "achieveDate": 24, "achievePrice": 30}, `, 1)
	w := &wire{answers: map[string][]answer{"pcb/calculate": {reply(wrongBuild, "null"), {status: 200, body: two}}}}
	c := clientOf(t, w)
	s := standard()
	s.To.Country = "US"
	p, err := c.ask(t.Context(), s)
	if err != nil || p.Build().Hours != 48 || len(w.calls) != 3 {
		t.Errorf("48 hours are refused, 72 name 48 as the standard: a build of %d hours, %v after %d calls; want 48 after 3", p.Build().Hours, err, len(w.calls))
	}
	if got := c.hoursToTry(s); got[0] != 48 || len(got) != len(usualHours) {
		t.Errorf("after a standard build of 48 hours, %v are tried, want 48 first, and each once", got)
	}
	w = &wire{answers: map[string][]answer{"pcb/calculate": {reply(wrongBuild, "null")}}}
	if _, err := clientOf(t, w).ask(t.Context(), s); kindOfCall(err) != fabricator.Unavailable || len(w.calls) != len(usualHours) {
		t.Errorf("no usual build time is on offer: %v after %d calls, want unavailable after %d", err, len(w.calls), len(usualHours))
	}
	w = &wire{answers: map[string][]answer{"pcb/calculate": {reply(2116, "null")}}}
	if _, err := clientOf(t, w).ask(t.Context(), s); kindOfCall(err) != fabricator.Review || len(w.calls) != 1 {
		t.Errorf("a board that people must look at: %v after %d calls, want review after 1", err, len(w.calls))
	}
}

// TestStandardBuildByOrder: small orders and large ones that take turns, whose standard builds
// differ, cost a call each once both were seen. The first of a kind tries each time once.
func TestStandardBuildByOrder(t *testing.T) {
	t.Parallel()
	w := &wire{decide: func(body string) answer {
		var sent priceRequest
		if err := json.Unmarshal([]byte(body), &sent); err != nil {
			t.Errorf("a price is asked with %s: %v", body, err)
		}
		hours := 48
		if sent.Board.Qty >= 500 || sent.Board.PCBColor != 0 {
			hours = 120
		}
		if sent.AchieveDate != hours {
			return reply(wrongBuild, "null")
		}
		return answer{status: 200, body: strings.Replace(price("80", "20").body, `"achieveDate": 48`, fmt.Sprintf(`"achieveDate": %d`, hours), 1)}
	}}
	c := clientOf(t, w)
	small, large, red := standard(), standard(), standard()
	large.Quantity, red.Mask = 1000, "Red"
	for round, want := range []map[int]int{{0: 1, 1: 3, 2: 1}, {0: 1, 1: 1, 2: 1}, {0: 1, 1: 1, 2: 1}} {
		for i, s := range []fabricator.Spec{small, large, red} {
			s.To.Country, s.HoleCount, w.calls = "US", 100+round, nil // another price each time
			p, err := c.Price(t.Context(), s)
			if hours := []int{48, 120, 120}[i]; err != nil || p.Build().Hours != hours || len(w.calls) != want[i] {
				t.Errorf("round %d, %d boards in %s: a build of %d hours after %d calls, %v; want %d hours after %d", round+1, s.Quantity, s.Mask, p.Build().Hours, len(w.calls), err, hours, want[i])
			}
		}
	}
}

// order is what the fabricator holds under a reference: orders of these statuses.
func order(express string, statuses ...string) answer {
	var items []string
	for i, s := range statuses {
		items = append(items, fmt.Sprintf(`{"orderType": 1, "pcbItem": {"orderId": "o%d", "produceCode": "Y%d", "orderStatus": %s, "cancelReason": "why", "orderDate": "2026-03-01T00:00:00Z"%s}}`, i+1, i+1, s, express))
	}
	return reply(200, `{"totalMoney": "103.455", "orderItem": [`+strings.Join(items, ",")+`]}`)
}

// TestProgress: the documented statuses; of several orders under one reference the first that is
// not cancelled counts, and only boards are looked at.
func TestProgress(t *testing.T) {
	t.Parallel()
	steps := reply(200, `[{"technicsProcessName": "Etching", "beginTime": "2026-03-02 10:00:00"}, {"technicsProcessName": "Drilling", "beginTime": "2026-03-01 10:00:00"}, {"technicsProcessName": "", "beginTime": "2026-03-01 10:00:00"}, {"technicsProcessName": "Mask", "beginTime": "soon"}]`)
	const parcel = `, "expressNo": "JD01", "freightModeName": "DHL Express"`
	for rule, tt := range map[string]struct {
		detail answer
		kind   fabricator.Kind
		status fabricator.Status
		order  string
		live   int
		steps  int
		parcel string
	}{
		"cancelled":                  {order("", "0"), "", fabricator.Cancelled, "o1", 0, 0, ""},
		"not yet looked at":          {order("", "1"), "", fabricator.InReview, "o1", 1, 0, ""},
		"waiting for us":             {order("", "2"), "", fabricator.NeedsReply, "o1", 1, 0, ""},
		"confirmed":                  {order("", "3"), "", fabricator.Confirmed, "o1", 1, 0, ""},
		"built":                      {order("", "4"), "", fabricator.InProgress, "o1", 1, 2, ""},
		"shipped":                    {order(parcel, "5"), "", fabricator.Shipped, "o1", 1, 2, "JD01"},
		"shipped, no parcel is told": {order("", "5"), "", fabricator.Shipped, "o1", 1, 2, ""},
		"a parcel before it ships":   {order(parcel, "4"), "", fabricator.InProgress, "o1", 1, 2, ""},
		"cancelled and made again":   {order("", "0", "3"), "", fabricator.Confirmed, "o2", 1, 0, ""},
		"ordered twice":              {order("", "3", "4"), "", fabricator.Confirmed, "o1", 2, 0, ""},
		"an unknown status":          {order("", "6"), fabricator.Unavailable, "", "", 0, 0, ""},
		"a status below none":        {order("", "-1"), fabricator.Unavailable, "", "", 0, 0, ""},
		"no status":                  {order("", "null"), fabricator.Unavailable, "", "", 0, 0, ""},
		"no order":                   {order(""), fabricator.NotFound, "", "", 0, 0, ""},
		"a stencil alone":            {reply(200, `{"orderItem": [{"orderType": 3, "pcbItem": {"orderStatus": 1}}]}`), fabricator.NotFound, "", "", 0, 0, ""},
		"a reference it has not":     {reply(unknownBatch, "null"), fabricator.NotFound, "", "", 0, 0, ""},
	} {
		w := &wire{answers: map[string][]answer{"pcb/order/detail": {tt.detail}, "pcb/wip/get": {steps}}}
		got, err := clientOf(t, w).Progress(t.Context(), fabricator.Placed{Reference: "BO-1"})
		number := ""
		if got.Tracking != nil {
			number = got.Tracking.Number
		}
		if kindOfCall(err) != tt.kind || got.Status != tt.status || got.Order.OrderID != tt.order || got.Order.Orders != tt.live || len(got.Steps) != tt.steps || number != tt.parcel {
			t.Errorf("%s: %+v, %v; want %s, order %q of %d, %d steps, parcel %q, kind %q", rule, got, err, tt.status, tt.order, tt.live, tt.steps, tt.parcel, tt.kind)
		}
		if err == nil && got.Order.Cents != 10_346 {
			t.Errorf("%s: an order of 103.455 costs %d cents, want 10346", rule, got.Order.Cents)
		}
		if tt.steps > 0 && got.Steps[0].Name != "Drilling" {
			t.Errorf("%s: the first step is %q, want the earliest, Drilling", rule, got.Steps[0].Name)
		}
	}
	w := &wire{answers: map[string][]answer{"pcb/order/detail": {order("", "3")}}}
	found, err := clientOf(t, w).FindOrder(t.Context(), "BO-1")
	if err != nil || found.OrderID != "o1" || found.OrderNumber != "Y1" || found.Cents != 10_346 || found.Currency != "USD" {
		t.Errorf("an order of 103.455 is found as %+v, %v; want o1, Y1, 10346 cents, half to even", found, err)
	}
	if _, err := clientOf(t, &wire{}).FindOrder(t.Context(), "two words"); kindOfCall(err) != fabricator.Internal {
		t.Errorf("a reference of two words: %v, want an internal error before anything is sent", err)
	}
}

// TestComponents: what the library says of its parts, at its bounds; what was not asked for is left
// out, and prices that cannot be true are none.
func TestComponents(t *testing.T) {
	t.Parallel()
	w := &wire{answers: map[string][]answer{"component/getComponentDetailByCode": {reply(200, `[
		{"componentCode": "C1", "componentModel": "LM358DR", "libraryType": "Basic", "stockCount": 9, "solderJointCount": 8, "priceRanges": [{"startQuantity": 0, "unitPrice": 0.0125}, {"startQuantity": 100, "unitPrice": "0.0100005"}], "parameters": [{"parameterName": "Part Status", "parameterValue": "Active"}, {"parameterName": "Empty", "parameterValue": "-"}]},
		{"componentCode": "c2", "libraryType": "expand", "stockCount": -4, "solderJointCount": -1, "assemblyComponentFlag": false, "priceRanges": [{"startQuantity": 1, "unitPrice": 1}, {"startQuantity": 1, "unitPrice": 0.9}]},
		{"componentCode": "C3", "priceRanges": [{"startQuantity": 1, "unitPrice": -1}]},
		{"componentCode": "C4", "priceRanges": [{"startQuantity": 1, "unitPrice": null}]},
		{"componentCode": "C5", "priceRanges": [{"startQuantity": 1, "unitPrice": "0.00000001"}]},
		{"componentCode": "C1", "componentModel": "again"}, {"componentCode": "C99"}]`)}}}
	got, err := clientOf(t, w).Components(t.Context(), []string{"c1", "C2", "C3", "C4", "C5", "C6"})
	none := map[string]string{}
	want := []fabricator.Component{
		{Code: "C1", Model: "LM358DR", Basic: true, Stock: 9, Joints: 8, Assembly: true, Lifecycle: "Active", Parameters: map[string]string{"Part Status": "Active"}, Prices: []fabricator.ComponentPrice{{From: 1, Unit: 12_500}, {From: 100, Unit: 10_000}}},
		{Code: "c2", Parameters: none}, {Code: "C3", Assembly: true, Parameters: none}, {Code: "C4", Assembly: true, Parameters: none}, {Code: "C5", Assembly: true, Parameters: none},
	}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("the library's answer, %v (-want +got)\n%s", err, d)
	}
	for n, kind := range map[int]fabricator.Kind{0: "", MaxComponents + 1: fabricator.Internal} {
		w := &wire{}
		if got, err := clientOf(t, w).Components(t.Context(), make([]string, n)); kindOfCall(err) != kind || len(got) > 0 || len(w.calls) > 0 {
			t.Errorf("%d codes: %+v, %v after %d calls; want kind %q and nothing asked", n, got, err, len(w.calls), kind)
		}
	}
	w = &wire{answers: map[string][]answer{"component/getComponentInfos": {reply(200, `{"componentInfos": [{"lcscPart": "C1", "mfrPart": "LM358DR", "manufacturer": "TI", "stock": 3}], "lastKey": "k"}`)}}}
	c := clientOf(t, w)
	page, next, err := c.ComponentList(t.Context(), "")
	if d := cmp.Diff([]fabricator.ComponentStub{{Code: "C1", Model: "LM358DR", Manufacturer: "TI", Stock: 3}}, page); d != "" || next != "k" || err != nil || w.bodies["component/getComponentInfos"] != "{}" {
		t.Errorf("the first page, asked for by %s: next %q, %v (-want +got)\n%s", w.bodies["component/getComponentInfos"], next, err, d)
	}
	if _, _, err := c.ComponentList(t.Context(), "k"); kindOfCall(err) != fabricator.Unavailable {
		t.Errorf("a page whose next is itself: %v, want that the list does not go on", err)
	}
}

// TestFiles: the key of files that were taken, the stackups on offer, and what the fabricator reads
// in the files.
func TestFiles(t *testing.T) {
	t.Parallel()
	for rule, tt := range map[string]struct {
		answer answer
		key    string
		kind   fabricator.Kind
	}{
		"taken":           {reply(200, `"files"`), "files", ""},
		"without a name":  {reply(200, `""`), "", fabricator.Unavailable},
		"of another form": {reply(200, `{}`), "", fabricator.Unavailable},
		"unreadable":      {reply(2001, `null`), "", fabricator.Files},
	} {
		w := &wire{answers: map[string][]answer{"pcb/uploadGerber": {tt.answer}}}
		key, err := clientOf(t, w).Upload(t.Context(), "board.zip", strings.NewReader("bytes of the board"))
		if body := w.bodies["pcb/uploadGerber"]; key != tt.key || kindOfCall(err) != tt.kind || !strings.Contains(body, "bytes of the board") || strings.Count(body, "board.zip") != 2 {
			t.Errorf("%s: key %q, %v, sent %q; want %q, kind %q, and the file by its name", rule, key, err, body, tt.key, tt.kind)
		}
	}
	w := &wire{answers: map[string][]answer{"pcb/getImpedanceTemplateSettingList": {reply(200, `[{"templateName": "7628", "impedanceTemplateCode": "S1", "enableFlag": true, "iaminationList": [{"iaminationType": 1, "content": "35 um"}, {"iaminationType": 2, "content": "PP"}, {"iaminationType": 3, "content": "core"}, {"iaminationType": 4, "content": "?"}]},
		{"impedanceTemplateCode": "S2", "enableFlag": false}, {"impedanceTemplateCode": "", "enableFlag": true}]`)}}}
	got, err := clientOf(t, w).Stackups(t.Context(), standard())
	want := []fabricator.Stackup{{Code: "S1", Name: "7628", Layers: []fabricator.StackupLayer{{Kind: "copper", Content: "35 um"}, {Kind: "prepreg", Content: "PP"}, {Kind: "core", Content: "core"}, {Content: "?"}}}}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Errorf("stackups, %v (-want +got)\n%s", err, d)
	}
	wood := standard()
	wood.Material = "wood"
	if got, err := clientOf(t, &wire{}).Stackups(t.Context(), wood); got != nil || err != nil {
		t.Errorf("stackups of wood: %+v, %v; want none, and nothing asked", got, err)
	}
	for rule, tt := range map[string]struct {
		answer answer
		want   fabricator.Audit
		kind   fabricator.Kind
	}{
		"read": {reply(200, `{"stencilLayer": 4, "minLineWidth": "0.15", "minLineDist": 0.127, "smallestHole": "0.3", "setLength": "20.5", "setWidth": 10.0000015}`),
			fabricator.Audit{Layers: 4, Width: 10_000_002, Height: 20_500_000, MinTrack: 0.15, MinSpace: 0.127, MinHole: 0.3}, ""},
		"layers as text":      {reply(200, `{"stencilLayer": "2"}`), fabricator.Audit{Layers: 2}, ""},
		"not read yet":        {reply(noAudit, `null`), fabricator.Audit{}, fabricator.Unavailable},
		"no layers":           {reply(200, `{}`), fabricator.Audit{}, fabricator.Unavailable},
		"layers below none":   {reply(200, `{"stencilLayer": -1}`), fabricator.Audit{}, fabricator.Unavailable},
		"more than there are": {reply(200, `{"stencilLayer": 101}`), fabricator.Audit{}, fabricator.Unavailable},
		"half a layer":        {reply(200, `{"stencilLayer": 1.5}`), fabricator.Audit{}, fabricator.Unavailable},
	} {
		w := &wire{answers: map[string][]answer{"pcb/audit/get": {tt.answer}}}
		got, err := clientOf(t, w).Audit(t.Context(), "files")
		if d := cmp.Diff(tt.want, got); d != "" || kindOfCall(err) != tt.kind {
			t.Errorf("%s: %v, want kind %q (-want +got)\n%s", rule, err, tt.kind, d)
		}
	}
}

// TestWireNumbers: amounts, days and hours as the API writes them, and what is none.
func TestWireNumbers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`1`: "1", `"1.50"`: "1.5", `-2.25`: "-2.25", `null`: "0", `""`: "0", `1000000000`: "1000000000", `1000000001`: "!", `1e3`: "!", `"1,000"`: "!", `"x"`: "!", `1.123456789`: "!", `true`: "!", `"+1"`: "!", `" 1"`: "!",
	} {
		var a amount
		got := "!"
		if err := json.Unmarshal([]byte(text), &a); err == nil {
			got = a.String()
		}
		if got != want {
			t.Errorf("%s is the amount %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]days{`3`: {3, 3}, `"6-9 business days"`: {6, 9}, `"6 ~ 9"`: {6, 9}, `"25–35"`: {25, 35}, `0`: {-1, -1}, `"0-1"`: {0, 1}, `200`: {200, 200}, `201`: {-1, -1}, `"9-6"`: {-1, -1}, `"soon"`: {-1, -1}, `1000`: {-1, -1}} {
		got := days{}
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			got = days{-1, -1}
		}
		if got != want {
			t.Errorf("%s are %d to %d days, want %d to %d", text, got.min, got.max, want.min, want.max)
		}
	}
	for text, want := range map[string]hours{`48`: 48, `"48"`: 48, `8760`: 8760, `8761`: -1, `0`: -1, `-1`: -1, `"x"`: -1, `1.5`: -1} {
		var got hours
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			got = -1
		}
		if got != want {
			t.Errorf("%s are %d hours, want %d", text, got, want)
		}
	}
}
