package edge_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/customers"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
)

// TestITARIsRefusedHoweverItIsDeclared: the upload that the request names is
// marked, and nothing of the request is passed on.
func TestITARIsRefusedHoweverItIsDeclared(t *testing.T) {
	t.Parallel()
	w := start(t)
	for name, tt := range map[string]struct {
		method, path, body string
		headers            []string
	}{
		"upper case":           {"POST", "/v1/quotes", `{"upload_id":%q,"quantity":1,"ITAR":true}`, nil},
		"text":                 {"POST", "/v1/quotes", `{"upload_id":%q,"quantity":1,"Itar":"true"}`, nil},
		"number":               {"POST", "/v1/quotes", `{"upload_id":%q,"quantity":1,"itar":1}`, nil},
		"word":                 {"POST", "/v1/quotes", `{"upload_id":%q,"quantity":1,"itar ":"yes"}`, nil},
		"beside what is wrong": {"POST", "/v1/quotes?wait_s=1&wait_s=2", `{"upload_id":%q,"itar":true}`, nil},
		"said no, then yes":    {"POST", "/v1/quotes?itar=false&itar=true", `{"upload_id":%q}`, nil},
		"within":               {"POST", "/v1/quotes", `{"upload_id":%q,"quantity":1,"fab_options":{"itar":true}}`, nil},
		"query":                {"POST", "/v1/quotes?itar=true", `{"upload_id":%q,"quantity":1}`, nil},
		"query in upper case":  {"POST", "/v1/quotes?ITAR=TRUE", `{"upload_id":%q,"quantity":1}`, nil},
		"query, escaped":       {"POST", "/v1/quotes?%%69tar=1", `{"upload_id":%q,"quantity":1}`, nil},
		"header":               {"POST", "/v1/quotes", `{"upload_id":%q,"quantity":1}`, []string{"X-ITAR", "true"}},
		"check":                {"POST", "/v1/design-checks", `{"upload_id":%q,"ITAR":"on"}`, nil},
		"check, by query":      {"POST", "/v1/design-checks?Itar=yes", `{"upload_id":%q}`, nil},
		"parts":                {"POST", "/v1/part-checks", `{"boards":1,"parts":[{"mpn":"%s"}],"itar":true}`, nil},
		"another name of it":   {"POST", "/v1/design-checks", `{"Upload_ID":" %[1]s ","itar":true}`, nil},
		"reading an upload":    {"GET", "/v1/uploads/%s?itar=1", "", nil},
		"more names than ours": {"POST", "/v1/quotes", `{"upload_id":%q,"is_itar_controlled":true}`, nil},
	} {
		id := w.uploadID()
		before := len(w.commandsOf(uploads.DeclareITAR))
		path, body := tt.path, tt.body
		if strings.Contains(body, "%") {
			path, body = strings.ReplaceAll(path, "%%", "%"), fmt.Sprintf(body, id)
		} else {
			path = fmt.Sprintf(path, id)
		}
		a := w.do(tt.method, path, strings.NewReader(body), append([]string{"Content-Type", "application/json"}, tt.headers...)...)
		if a.status != 422 || a.code(t) != "itar_not_supported" {
			t.Errorf("%s: %d %s, want 422 itar_not_supported", name, a.status, a.body)
			continue
		}
		waitFor(t, name+": the mark", func() bool { return len(w.commandsOf(uploads.DeclareITAR)) == before+1 })
		if last := w.commandsOf(uploads.DeclareITAR)[before]; string(last.Data) != `{"ref":"`+contract.SecretRef(id)+`"}` {
			t.Errorf("%s: command %s, want %s", name, last.Data, contract.SecretRef(id))
		}
	}
	for _, name := range []contract.CommandName{quotes.Price, designchecks.Check, partchecks.Check} {
		if n := len(w.commandsOf(name)); n != 0 {
			t.Errorf("%d commands %s, want none", n, name)
		}
	}
}

// TestITARInAFormKeepsNothing: whichever way a form says it.
func TestITARInAFormKeepsNothing(t *testing.T) {
	t.Parallel()
	w := start(t)
	const kind = "multipart/form-data; boundary=b"
	body := func(disposition, value string) string {
		return "--b\r\nContent-Disposition: form-data; name=\"files\"; filename=\"secret.gbr\"\r\n\r\nG04*\r\n" +
			"--b\r\nContent-Disposition: form-data; " + disposition + "\r\n\r\n" + value + "\r\n--b--\r\n"
	}
	for name, tt := range map[string]struct{ path, disposition, value string }{
		"plain":       {"/v1/uploads", `name="itar"`, "true"},
		"blank":       {"/v1/uploads", `name="ITAR "`, "yes"},
		"no quotes":   {"/v1/uploads", `name=Itar`, "1"},
		"as a file":   {"/v1/uploads", `name="itar"; filename="itar.txt"`, ""},
		"query":       {"/v1/uploads?ITAR=true", `name="note"`, ""},
		"query, link": {"link?Itar=1", `name="note"`, ""},
		"link":        {"link", `name="itar"`, "true"},
	} {
		up := w.upload(file{"a.gbr", "x"})
		kept := len(w.blobKeys())
		passed := len(w.commandsOf(uploads.AddFiles))
		path := strings.Replace(tt.path, "link", up["upload_url"].(string), 1)
		a := w.do("POST", path, strings.NewReader(body(tt.disposition, tt.value)), "Content-Type", kind)
		if a.status != 422 || a.code(t) != "itar_not_supported" {
			t.Errorf("%s: %d %s, want 422 itar_not_supported", name, a.status, a.body)
		}
		if now := len(w.blobKeys()); now != kept || len(w.commandsOf(uploads.AddFiles)) != passed {
			t.Errorf("%s: %d files are kept, %d before, %d additions were passed on; want as many, %d", name, now, kept, len(w.commandsOf(uploads.AddFiles)), passed)
		}
		// A link adds files. It cannot delete the upload.
		if a := w.get("/v1/uploads/" + up["upload_id"].(string)); a.status != 200 {
			t.Errorf("%s: the upload is %d, want 200", name, a.status)
		}
	}
	if n := len(w.commandsOf(uploads.DeclareITAR)); n != 0 {
		t.Errorf("%d uploads were declared, want none", n)
	}
	if strings.Contains(w.logText(), "secret.gbr") {
		t.Error("the log holds the name of a file")
	}
}

// TestITAROfAMadeUpUploadLeavesNothing: the answer is the same as for a real one.
func TestITAROfAMadeUpUploadLeavesNothing(t *testing.T) {
	t.Parallel()
	w := start(t)
	real := w.post("/v1/quotes", `{"itar":true,"upload_id":"`+w.uploadID()+`"}`)
	waitFor(t, "the mark", func() bool { return len(w.commandsOf(uploads.DeclareITAR)) == 1 })
	for _, id := range []string{"", "up_unknown", "up_" + strings.Repeat("a", 48), strings.Repeat("x", 1000)} {
		if a := w.post("/v1/quotes", `{"itar":true,"upload_id":"`+id+`"}`); a.status != real.status || string(a.body) != string(real.body) {
			t.Errorf("%.20s: %d %s, want as of a real one %d %s", id, a.status, a.body, real.status, real.body)
		}
	}
	w.post("/v1/quotes", `{"itar":true,"upload_id":"`+w.uploadID()+`"}`)
	waitFor(t, "the next mark", func() bool { return len(w.commandsOf(uploads.DeclareITAR)) >= 2 })
	if n := len(w.commandsOf(uploads.DeclareITAR)); n != 2 {
		t.Errorf("%d uploads were declared, want 2", n)
	}
}

// TestNothingOfADeclaredDesignIsShown: the quote that was made of it before.
func TestNothingOfADeclaredDesignIsShown(t *testing.T) {
	t.Parallel()
	w := start(t)
	id := w.uploadID()
	quote := w.post("/v1/quotes?wait_s=30", quoteBody(id, `,"project_name":"hush-hush"`)).json(t)
	w.post("/v1/quotes", `{"itar":true,"upload_id":"`+id+`"}`)
	// The declaration is answered when readers see it.
	for _, path := range []string{"/v1/quote-requests/" + quote["request_id"].(string), "/v1/quotes/" + quote["quote_id"].(string), "/v1/uploads/" + id} {
		if a := w.get(path); a.status < 400 {
			t.Errorf("GET %s of a declared design: %d %s, want it refused", path, a.status, a.body)
		}
	}
}

// TestITARIsAboutWhatTheCallNames: a design that the caller names by a quote of its own.
func TestITARIsAboutWhatTheCallNames(t *testing.T) {
	t.Parallel()
	w := start(t)
	for name, ask := range map[string]func(quote, request string) answer{
		"reading the quote":   func(quote, _ string) answer { return w.get("/v1/quotes/" + quote + "?itar=true") },
		"polling the request": func(_, request string) answer { return w.get("/v1/quote-requests/" + request + "?ITAR=1") },
		"paying for it": func(quote, _ string) answer {
			return w.post("/v1/quotes/"+quote+"/saved/code", `{"itar":true}`, "X-ITAR", "true")
		},
		"by a header":           func(quote, _ string) answer { return w.do("GET", "/v1/quotes/"+quote, nil, "X-ITAR", "yes") },
		"a body of another use": func(quote, _ string) answer { return w.post("/v1/design-checks", `{"itar":true,"x":"`+quote+`"`) },
	} {
		id := w.uploadID()
		q := w.post("/v1/quotes?wait_s=30", quoteBody(id, "")).json(t)
		a := ask(q["quote_id"].(string), q["request_id"].(string))
		if a.status != 422 || a.code(t) != "itar_not_supported" {
			t.Errorf("%s: %d %s, want 422 itar_not_supported", name, a.status, a.body)
		}
		if a := w.get("/v1/uploads/" + id); a.status < 400 {
			t.Errorf("%s: the upload is open: %d, want it refused", name, a.status)
		}
	}
}

// TestITARCountsInABodyThatCannotBeRead: cut off, of another type, too large.
func TestITARCountsInABodyThatCannotBeRead(t *testing.T) {
	t.Parallel()
	w := start(t)
	for name, tt := range map[string]struct{ path, kind, body string }{
		"cut off":         {"/v1/quotes", "application/json", `{"upload_id":"ID","itar": true`},
		"cut off later":   {"/v1/design-checks", "application/json", `{"itar":true,"upload_id":"ID","boards":`},
		"said twice":      {"/v1/quotes", "application/json", `{"itar":true,"itar":false,"upload_id":"ID"}`},
		"a list":          {"/v1/quotes", "application/json", `[{"itar":true,"upload_id":"ID"}]`},
		"not JSON":        {"/v1/quotes", "application/json", `{'upload_id': 'ID', 'itar': True}`},
		"a form":          {"/v1/quotes", "application/x-www-form-urlencoded", `upload_id=ID&itar=true`},
		"no UTF-8":        {"/v1/part-checks", "application/json", "{\"upload_id\":\"ID\",\"itar\":true,\"x\":\"\xff\"}"},
		"of another type": {"/v1/quotes", "text/plain", `{"upload_id":"ID","ITAR":1}`},
		"too large":       {"/v1/quotes", "application/json", `{"upload_id":"ID","itar":true,"x":"` + strings.Repeat("x", 2<<20) + `"}`},
		"too deep":        {"/v1/quotes", "application/json", `{"upload_id":"ID","itar":true,"x":` + strings.Repeat("[", 100)},
		"query beside it": {"/v1/quotes?itar=1", "application/json", `{"upload_id":"ID`},
	} {
		id := w.uploadID()
		before := len(w.commandsOf(uploads.DeclareITAR))
		a := w.do("POST", tt.path, strings.NewReader(strings.ReplaceAll(tt.body, "ID", id)), "Content-Type", tt.kind)
		if a.status != 422 || a.code(t) != "itar_not_supported" {
			t.Errorf("%s: %d %s, want 422 itar_not_supported", name, a.status, a.body)
			continue
		}
		waitFor(t, name+": the mark", func() bool { return len(w.commandsOf(uploads.DeclareITAR)) == before+1 })
	}
	if a := w.post("/v1/quotes", `{"upload_id":"`+w.uploadID()+`","itar":false`); a.status != 400 || a.code(t) != "invalid_json" {
		t.Errorf("a denial in half a body: %d %s, want 400 invalid_json", a.status, a.body)
	}
	for _, name := range []contract.CommandName{quotes.Price, designchecks.Check, partchecks.Check} {
		if n := len(w.commandsOf(name)); n != 0 {
			t.Errorf("%d commands %s, want none", n, name)
		}
	}
}

// TestITARCountsAboveTheLimits: a declaration is no request that can wait.
func TestITARCountsAboveTheLimits(t *testing.T) {
	t.Parallel()
	w := start(t)
	own := w.uploadID()
	ids := make(chan string, 8)
	for range cap(ids) {
		ids <- w.uploadID()
	}
	hold := make(chan struct{})
	w.set(func() { w.hold = hold })
	for name, limits := range map[string]map[string]int{
		"by the hour": {"design-checks": 1, "requests": 1}, "at once": {"in-hand": 1},
	} {
		w.key = newKey(w, account, accounts.DefaultScopes(), limits)
		waiting := make(chan int, 1)
		if name == "at once" {
			go func() {
				status := 429
				for status == 429 && t.Context().Err() == nil { // what asks for the limit below may be in hand
					status = w.postOnly("/v1/quotes?wait_s=100", quoteBody(own, ""))
				}
				waiting <- status
			}()
		} else {
			waiting <- 0
		}
		waitFor(t, name+": the limit", func() bool {
			return w.get("/v1/capabilities").status == 429
		})
		for body, marks := range map[string]int{
			`{"upload_id":"ID","itar":true}`: 1, `{"upload_id":"ID","Itar":"yes"`: 1, `{"upload_id":"ID"}`: 0, `{"upload_id":"ID","itar":false`: 0,
		} {
			before := len(w.commandsOf(uploads.DeclareITAR))
			a := w.post("/v1/quotes", strings.ReplaceAll(body, "ID", <-ids))
			want := 429
			if marks > 0 {
				want = 422
			}
			if a.status != want {
				t.Errorf("%s, %s: %d %s, want %d", name, body, a.status, a.body, want)
				continue
			}
			waitFor(t, name+", "+body, func() bool { return len(w.commandsOf(uploads.DeclareITAR)) == before+marks })
		}
		if name == "at once" {
			close(hold)
			<-waiting
		}
	}
}

// TestUnclearITARDeletesNothing: a declaration that is neither yes nor no is
// refused as a field, whichever way it comes; the upload stays.
func TestUnclearITARDeletesNothing(t *testing.T) {
	t.Parallel()
	w := start(t)
	up := w.upload(file{"a.gbr", "x"})
	id := up["upload_id"].(string)
	const form = "multipart/form-data; boundary=b"
	formBody := func(value string) string {
		return "--b\r\nContent-Disposition: form-data; name=\"files\"; filename=\"b.gbr\"\r\n\r\nG04*\r\n--b\r\nContent-Disposition: form-data; name=\"itar\"\r\n\r\n" + value + "\r\n--b--\r\n"
	}
	kept := len(w.blobKeys())
	for name, tt := range map[string]struct{ method, path, kind, body string }{
		"a word":            {"POST", "/v1/quotes", "application/json", `{"upload_id":"{id}","quantity":1,"itar":"nope"}`},
		"another language":  {"POST", "/v1/design-checks", "application/json", `{"upload_id":"{id}","itar":"ja"}`},
		"a number":          {"POST", "/v1/quotes", "application/json", `{"upload_id":"{id}","quantity":1,"itar":2}`},
		"an object":         {"POST", "/v1/quotes", "application/json", `{"upload_id":"{id}","quantity":1,"itar":{"a":true}}`},
		"another name":      {"POST", "/v1/quotes", "application/json", `{"upload_id":"{id}","quantity":1,"IS_ITAR":"perhaps"}`},
		"within":            {"POST", "/v1/quotes", "application/json", `{"upload_id":"{id}","quantity":1,"fab_options":{"itar":"perhaps"}}`},
		"the query":         {"POST", "/v1/quotes?itar=nope", "application/json", `{"upload_id":"{id}","quantity":1}`},
		"the query of GET":  {"GET", "/v1/uploads/{id}?itar=nope", "", ""},
		"a form":            {"POST", "/v1/uploads", form, formBody("nope")},
		"a form by its URL": {"POST", up["upload_url"].(string), form, formBody("ja")},
	} {
		a := w.do(tt.method, strings.ReplaceAll(tt.path, "{id}", id), strings.NewReader(strings.ReplaceAll(tt.body, "{id}", id)), "Content-Type", tt.kind)
		if a.status != 422 || a.code(t) != "invalid_request" || !strings.Contains(string(a.body), `"wrong_type"`) {
			t.Errorf("%s: %d %s, want 422 invalid_request for a wrong_type", name, a.status, a.body)
		}
	}
	if a := w.get("/v1/uploads/" + id); a.status != 200 {
		t.Errorf("the upload: %d %s, want 200", a.status, a.body)
	}
	if n := len(w.blobKeys()); n != kept {
		t.Errorf("%d files are kept, want %d as before", n, kept)
	}
	for _, name := range []contract.CommandName{uploads.DeclareITAR, quotes.Price, designchecks.Check} {
		if n := len(w.commandsOf(name)); n != 0 {
			t.Errorf("%d commands %s, want none", n, name)
		}
	}
}

// TestITARCountsWithoutTheScope: a key of the account that may not make the call
// can still say that the design is controlled.
func TestITARCountsWithoutTheScope(t *testing.T) {
	t.Parallel()
	w := start(t)
	first, second := w.uploadID(), w.uploadID()
	w.key = newKey(w, account, []string{accounts.ScopeOrders}, nil)
	for i, tt := range []struct {
		path, body string
		status     int
		marks      int
	}{
		{"/v1/quotes", `{"upload_id":"` + first + `","quantity":1}`, 403, 0},
		{"/v1/quotes", `{"upload_id":"` + first + `","quantity":1,"itar":"nope"}`, 403, 0},
		{"/v1/quotes", `{"upload_id":"` + first + `","quantity":1,"itar":true}`, 422, 1},
		{"/v1/design-checks?itar=1", `{"upload_id":"` + second + `"}`, 422, 2},
	} {
		if a := w.post(tt.path, tt.body); a.status != tt.status {
			t.Errorf("row %d: POST %s %s: %d %s, want %d", i, tt.path, tt.body, a.status, a.body, tt.status)
		}
		waitFor(t, tt.path+": the mark", func() bool { return len(w.commandsOf(uploads.DeclareITAR)) == tt.marks })
	}
}

// An upload that another account declared is closed to that account by every way of
// use, and to no one else.
func TestDeclarationOfAnothersUploadIsForWhoDeclared(t *testing.T) {
	t.Parallel()
	w := start(t)
	for name, tt := range map[string]struct {
		owner  string
		by     []string
		closed bool
	}{
		"declared by the caller":          {"acc_other", []string{"acc_third", account}, true},
		"declared by a third":             {"acc_other", []string{"acc_third"}, false},
		"the caller's, declared by other": {account, []string{"acc_other"}, false},
		"declared by nobody":              {"acc_other", nil, false},
	} {
		id := w.secrets.NewUploadID()
		ref := contract.SecretRef(id)
		w.put(contract.UploadAggregate, ref, uploads.Upload{Ref: ref, Account: tt.owner, Status: uploads.Open, ExpiresAt: w.now().Add(time.Hour), DeclaredBy: tt.by})
		for _, path := range []string{"/v1/quotes", "/v1/design-checks", "/v1/buy-links"} {
			a := w.post(path, `{"upload_id":"`+id+`","quantity":5,"project_name":"x","source_url":"https://example.com/x"}`)
			want := contract.NoFiles // it is found, and would be used if it had files
			if tt.closed {
				want = contract.ITARNotSupported
			}
			if a.status != 422 || a.code(t) != string(want) {
				t.Errorf("%s: POST %s = %d %s, want %s", name, path, a.status, a.body, want)
			}
		}
	}
}

// TestDeclarationSaysWhichOrdersItHolds: the caller's that are paid and neither shipped
// nor cancelled, of its own uploads and of another's.
func TestDeclarationSaysWhichOrdersItHolds(t *testing.T) {
	t.Parallel()
	w := start(t)
	for name, tt := range map[string]struct {
		status orders.Status
		other  bool // the upload is another account's
		want   []string
	}{
		"paid":          {orders.Paid, false, []string{"BO-1"}},
		"held":          {orders.Held, false, []string{"BO-1"}},
		"in production": {orders.InProduction, false, []string{"BO-1"}},
		"shipped":       {orders.Shipped, false, nil},
		"cancelled":     {orders.Cancelled, false, nil},
		"another's":     {orders.Paid, true, []string{"BO-1"}},
		"no order":      {"", false, nil},
	} {
		owner := account
		if tt.other {
			owner = "acc_other"
		}
		id := w.secrets.NewUploadID()
		up, quote := contract.SecretRef(id), contract.SecretRef(w.secrets.QuoteID("req_"+name))
		w.put(contract.UploadAggregate, up, uploads.Upload{Ref: up, Account: owner, Status: uploads.Open, ExpiresAt: w.now().Add(time.Hour), Content: "c", Digest: boards.Digest(up, "c")})
		for _, by := range []string{account, "acc_third"} {
			quote, number := quote+by, map[string]string{account: "BO-1"}[by]
			w.putListed(contract.QuoteAggregate, quote, map[string]string{"digest": boards.Digest(up, "c")}, quotes.Quote{Ref: quote, Account: by, Upload: up})
			if tt.status != "" {
				w.put(contract.OrderAggregate, quote, orders.Order{Ref: number, Quote: quote, Account: by, Status: tt.status})
			}
		}
		a := w.post("/v1/quotes", `{"itar":true,"upload_id":"`+id+`"}`)
		var got struct {
			Held    []string `json:"held_orders"`
			Message string   `json:"message"`
		}
		if err := json.Unmarshal(a.body, &got); err != nil || a.status != 422 {
			t.Fatalf("%s: %d %s (%v), want 422", name, a.status, a.body, err)
		}
		if !slices.Equal(got.Held, tt.want) || strings.Contains(got.Message, "held") != (len(tt.want) > 0) {
			t.Errorf("%s: %s, want the held orders %v, and a word of them", name, a.body, tt.want)
		}
	}
}

// TestDeclarationByTokenKeepsPaidOrdersFiles: what is paid and not shipped would have
// nothing left to be built from, so naming the order alone does not delete its files; the
// reply says what would. An upload that nothing paid needs goes at once.
func TestDeclarationByTokenKeepsPaidOrdersFiles(t *testing.T) {
	t.Parallel()
	w := start(t)
	for name, tt := range map[string]struct {
		path, body string
		status     orders.Status
		keep       bool
	}{
		"paid, by its order":     {"/v1/reorders", `{"itar":true,"history_token":"{token}","order_id":"{order}"}`, orders.Paid, true},
		"in production, cut off": {"/v1/reorders?itar=yes", `{"history_token":"{token}","order_id":"{order}"`, orders.InProduction, true},
		"paid, by its request":   {"/v1/design-checks", `{"itar":true,"note":"{request}"}`, orders.Paid, true},
		"shipped, by its order":  {"/v1/reorders", `{"itar":true,"history_token":"{token}","order_id":"{order}"}`, orders.Shipped, false},
		"paid, with upload_id":   {"/v1/reorders", `{"itar":true,"history_token":"{token}","order_id":"{order}","upload_id":"{upload}"}`, orders.Paid, false},
		"paid, with quote_id":    {"/v1/quotes", `{"itar":true,"note":"{quote}"}`, orders.Paid, false},
	} {
		t.Run(name, func(t *testing.T) {
			id, request := w.secrets.NewUploadID(), contract.NewID(contract.RequestPrefix, w.now())
			quoteID := w.secrets.QuoteID(request)
			up, quote, customer := contract.SecretRef(id), contract.SecretRef(quoteID), customers.Ref(account, name+"@example.com")
			w.put(contract.UploadAggregate, up, uploads.Upload{Ref: up, Account: account, Status: uploads.Open, ExpiresAt: w.now().Add(time.Hour), Content: "c", Digest: boards.Digest(up, "c")})
			sold := quotes.Quote{Ref: quote, RequestID: request, Account: account, Upload: up, Digest: boards.Digest(up, "c")}
			w.putListed(contract.QuoteAggregate, quote, map[string]string{"digest": sold.Digest}, sold)
			order := contract.NewID("ord_", w.now())
			w.putListed(contract.OrderAggregate, quote, map[string]string{customers.Key: customer}, orders.Order{ID: order, Ref: "BO-1", Quote: quote, Account: account, Status: tt.status, Sold: sold})
			token := w.secrets.Link("history "+account, customer, w.now().Add(time.Hour))
			a := w.post(tt.path, strings.NewReplacer("{token}", token, "{order}", order, "{request}", request, "{upload}", id, "{quote}", quoteID).Replace(tt.body))
			var got struct {
				Held    []string `json:"held_orders"`
				Message string   `json:"message"`
			}
			if err := json.Unmarshal(a.body, &got); err != nil || a.status != 422 || a.code(t) != "itar_not_supported" {
				t.Fatalf("a declaration: %d %s (%v), want 422 itar_not_supported", a.status, a.body, err)
			}
			if held := tt.status != orders.Shipped; held != slices.Equal(got.Held, []string{"BO-1"}) || tt.keep != strings.Contains(got.Message, "upload_id or quote_id") {
				t.Errorf("reply %s, want BO-1 held: %v, the way to declare more: %v", a.body, tt.status != orders.Shipped, tt.keep)
			}
			sent := w.commandsOf(uploads.DeclareITAR)
			var data uploads.Data
			if err := json.Unmarshal(sent[len(sent)-1].Data, &data); err != nil || data != (uploads.Data{Ref: up, Keep: tt.keep}) {
				t.Errorf("declared %+v, %v; want kept %v", data, err, tt.keep)
			}
			if a := w.post("/v1/quotes", `{"upload_id":"`+id+`","quantity":5}`); a.code(t) != "itar_not_supported" {
				t.Errorf("used again: %d %s, want itar_not_supported", a.status, a.body)
			}
		})
	}
}
