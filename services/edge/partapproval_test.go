package edge_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/secret"

	"github.com/tidwall/gjson"
)

// askApproval stands in for pricing: all lines with alternatives are asked about.
func (w *world) askApproval(ctx context.Context, c contract.Command) error {
	var d quotes.AskApprovalData
	if err := json.Unmarshal(c.Data, &d); err != nil {
		return err
	}
	doc, err := w.docs.Get(ctx, string(contract.QuoteAggregate), d.Quote)
	if err != nil {
		return err
	}
	var q quotes.Quote
	if err := json.Unmarshal(doc.Body, &q); err != nil {
		return err
	}
	q.Approvals = append(q.Approvals, quotes.PartApproval{ID: d.Approval, Key: d.Key, Network: d.Network, Lines: []quotes.ApprovalLine{w.lineAsked(q)}, AskedAt: w.now(), ExpiresAt: q.ExpiresAt})
	if err := w.write(string(contract.QuoteAggregate), d.Quote, q); err != nil {
		return err
	}
	return w.finish(c, contract.Operation{Aggregate: contract.QuoteAggregate, ID: d.Quote})
}

func (w *world) lineAsked(q quotes.Quote) quotes.ApprovalLine {
	line, ok := q.ApprovalLineOf("U1", nil)
	if !ok {
		w.t.Errorf("quote %s has the parts %+v, want U1 with alternatives", q.Ref, q.Reply.Parts)
	}
	return line
}

// quoteWithParts is a quote of an account whose part has an alternative.
func (w *world) quoteWithParts(th things, more string) string {
	w.t.Helper()
	id, _ := w.postAs(th, "/v1/quotes", quoteBody(th.upload, more)).json(w.t)["quote_id"].(string)
	q := w.quoteState(id)
	q.Reply.Parts = []assemblies.Part{{Found: partchecks.Found{Reference: "U1", Part: "OLD", QuantityPerBoard: 1, Alternatives: []partchecks.Alternative{{MPN: "NEW", Score: 57, Reasons: []partchecks.AlternativeReason{}}}}, Fitting: assemblies.Fitted}}
	up, err := w.docs.Get(w.t.Context(), string(contract.UploadAggregate), q.Upload)
	if err != nil {
		w.t.Fatal(err)
	}
	q.Digest = gjson.GetBytes(up.Body, "digest").Str
	w.put(contract.QuoteAggregate, q.Ref, q)
	w.set(func() { w.commands = nil })
	return id
}

// TestPartApprovals: whoever integrates asks, reads and prices, and never approves: no call with a key does.
func TestPartApprovals(t *testing.T) {
	t.Parallel()
	w := start(t)
	th := w.writeThings(account)
	th.key = w.key
	id := w.quoteWithParts(th, "")
	at := "/v1/quotes/" + id + "/part-approvals"
	viewer, stranger := secret.NewAPIKey(true), secret.NewAPIKey(true)
	w.putKey(viewer, account, []string{accounts.ScopeChecks}, nil)
	w.putKey(stranger, "acc_other", accounts.DefaultScopes(), nil)
	for name, tt := range map[string]struct {
		key  string
		body string
		want int
	}{
		"without the scope": {viewer.Text, "{}", http.StatusForbidden}, "of another account": {stranger.Text, "{}", http.StatusNotFound}, "without a key": {"", "{}", http.StatusUnauthorized},
		"no list": {w.key.Text, `{"lines":"U1"}`, http.StatusUnprocessableEntity}, "no reference": {w.key.Text, `{"lines":[{}]}`, http.StatusUnprocessableEntity},
	} {
		if a := w.post(at, tt.body, "X-API-Key", tt.key); a.status != tt.want {
			t.Errorf("%s: %d %s, want %d", name, a.status, a.body, tt.want)
		}
	}
	a := w.post(at, "{}")
	reply := a.json(t)
	approval, _ := reply["approval_id"].(string)
	page, _ := reply["approval_url"].(string)
	if a.status != http.StatusCreated || reply["status"] != "open" || !strings.HasPrefix(page, w.url+"/part-approvals/") || strings.Contains(page, id) {
		t.Fatalf("asked: %d %s, want an open approval with a page that does not tell the quote's id", a.status, a.body)
	}
	d := readLast[quotes.AskApprovalData](w, quotes.AskApproval)
	if d.Key != w.key.ID || d.Network != "127.0.0.1" {
		t.Errorf("asked by key %q from %q, want %q from where the call came", d.Key, d.Network, w.key.ID)
	}
	for _, body := range []string{`{}`, `{"customer_approved":true,"lines":[{"reference":"U1","approved":"NEW"}]}`} {
		for method, path := range map[string]string{"PATCH": at + "/" + approval, "PUT": at + "/" + approval, "POST": at + "/" + approval, "DELETE": at + "/" + approval} {
			if a := w.do(method, path, strings.NewReader(body), "Content-Type", "application/json", "X-API-Key", w.key.Text); a.status != http.StatusMethodNotAllowed {
				t.Errorf("%s %s: %d %s, want 405: nothing with a key answers", method, path, a.status, a.body)
			}
		}
	}
	if a := w.post(at+"/"+approval+"/quote", "{}"); a.status != http.StatusUnprocessableEntity || a.code(t) != "explicit_approval_required" {
		t.Errorf("priced while it is open: %d %s, want explicit_approval_required", a.status, a.body)
	}
	q := w.quoteState(id)
	q.Approvals[0].Answer = &quotes.ApprovalAnswer{Chosen: []string{"NEW"}, Name: "Ada", Email: "ada@example.com", Network: "198.51.100.7", SameNetwork: true, At: w.now(), Shown: "5h0wn"}
	w.put(contract.QuoteAggregate, q.Ref, q)
	b := w.get("/v1/quotes/" + id)
	list, _ := b.json(t)["part_approvals"].([]any)
	if len(list) != 1 || slices.ContainsFunc([]string{"ada@example.com", "198.51.100.7", "approval_url"}, func(s string) bool { return strings.Contains(string(b.body), s) }) || !strings.Contains(string(b.body), `"answered_by":"Ada"`) {
		t.Errorf("the quote says %s, want the approval with Ada's name, and neither her address, her network nor the page", b.body)
	}
	if a := w.post(at+"/"+approval+"/quote", "{}"); a.status != http.StatusCreated || readLast[quotes.PriceData](w, quotes.Price).Approval != approval {
		t.Errorf("priced: %d %s, want it with the approval", a.status, a.body)
	}
	up := uploads.Upload{Ref: q.Upload, Account: account, Status: uploads.Open, ExpiresAt: w.now().Add(quotes.InstantTTL), Files: []uploads.File{{Name: "a.gbr"}}, Digest: boards.FilesDigest(q.Digest) + "e"}
	w.put(contract.UploadAggregate, q.Upload, up)
	if a := w.get(at + "/" + approval); a.json(t)["status"] != "void" {
		t.Errorf("after more files: %s, want it void", a.body)
	}
	if a := w.post(at+"/"+approval+"/quote", "{}", "Idempotency-Key", "later"); a.status != http.StatusConflict {
		t.Errorf("priced after more files: %d %s, want 409", a.status, a.body)
	}
}
