package edge_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

// TestLengthsOfTexts: what is bounded in length is refused a character beyond, by name,
// and not at the bound; what bounds it there is something else.
func TestLengthsOfTexts(t *testing.T) {
	t.Parallel()
	w := start(t)
	quote := w.post("/v1/quotes", quoteBody(w.uploadID(), "")).json(t)["quote_id"].(string)
	saved := "/v1/quotes/" + quote + "/saved/"
	var all sync.WaitGroup
	for _, tt := range []struct {
		path, body, field string
		most              int
	}{
		{"/v1/previous-orders", `{"email":%q}`, "email", 254},
		{"/v1/previous-orders", `{"email":"a@example.com","code":%q}`, "code", 12},
		{"/v1/previous-orders", `{"history_token":%q}`, "history_token", 200},
		{saved + "verify", `{"code":%q}`, "code", 20},
		{saved + "pay", `{"confirm_token":%q}`, "confirm_token", 200},
		{"/v1/reorders", `{"order_id":"o","history_token":%q}`, "history_token", 200},
		{"/v1/reorders", `{"history_token":"h","order_id":%q}`, "order_id", 80},
		{"/v1/reorders", `{"history_token":"h","order_id":"o","upload_id":%q}`, "upload_id", 64},
		{"/v1/reorders", `{"history_token":"h","order_id":"o","project_name":%q}`, "project_name", 200},
		{"/v1/quotes", `{"quantity":5,"upload_id":%q}`, "upload_id", 64},
		{"/v1/quotes", `{"quantity":5,"upload_id":"up_x","project_name":%q}`, "project_name", 200},
		{"/v1/design-checks", `{"upload_id":%q}`, "upload_id", 64},
		{"/v1/buy-links", `{"upload_id":%q}`, "upload_id", 64},
		{"/v1/buy-links", `{"upload_id":"up_x","project_name":%q}`, "project_name", 200},
		{"/v1/buy-links", `{"upload_id":"up_x","source_url":%q}`, "source_url", 2000},
	} {
		for _, beyond := range []int{0, 1} {
			text := strings.Repeat("1", tt.most+beyond)
			switch tt.field {
			case "email":
				text = text[:tt.most+beyond-len("@example.com")] + "@example.com"
			case "source_url":
				text = ("https://example.com/" + text)[:tt.most+beyond]
			}
			// Some that are not too long are commands that nobody answers here, so all wait at once.
			all.Go(func() {
				a := w.post(tt.path, fmt.Sprintf(tt.body, text))
				long := strings.Contains(string(a.body), `"field":"`+tt.field+`","problem":"too_long"`)
				if long != (beyond == 1) || long && a.status != 422 {
					t.Errorf("%s with %d characters in %s: %d %s, want 422 too_long: %v", tt.path, len(text), tt.field, a.status, a.body, beyond == 1)
				}
			})
		}
	}
	all.Wait()
}
