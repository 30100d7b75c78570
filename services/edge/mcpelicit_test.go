package edge_test

import (
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/secret"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestAgentLeadsToTheCheckout: a client that opens addresses is asked to open that of the
// checkout page, once and only on request; any other gets the result at once.
func TestAgentLeadsToTheCheckout(t *testing.T) {
	t.Parallel()
	w := start(t)
	quote := w.connect(t, w.key).callGranted("quote_boards", map[string]any{"upload_id": w.uploadID(), "quantity": 10})
	const open = `"open_checkout":true,`
	for name, tt := range map[string]struct {
		declared, argument, responses string
		asked                         bool
	}{
		"a client that opens addresses": {`{"elicitation":{"url":{}}}`, open, "", true},
		"one that follows tasks too":    {`{"elicitation":{"url":{}},"extensions":{"io.modelcontextprotocol/tasks":{}}}`, open, "", true},
		"once more, after its answer":   {`{"elicitation":{"url":{}}}`, open, `,"inputResponses":{"checkout":{"action":"accept"}}`, false},
		"without the argument":          {`{"elicitation":{"url":{}}}`, "", "", false},
		"a client that fills in forms":  {`{"elicitation":{"form":{}}}`, open, "", false},
		"a client that declares none":   {`{}`, open, "", false},
	} {
		body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_quote","arguments":{` + tt.argument + `"quote_id":"` + stringIn(quote, "quote_id") + `"}` + tt.responses +
			`,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":` + tt.declared + `}}}`
		status, _, reply := w.message(body, "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "get_quote")
		asked := strings.Contains(reply, `"resultType":"input_required"`) && strings.Contains(reply, `"mode":"url"`) && strings.Contains(reply, `"url":"`+stringIn(quote, "checkout_url")+`"`)
		if status != 200 || asked != tt.asked || asked == strings.Contains(reply, `"quote_ready"`) {
			t.Errorf("%s: %d %s; want it asked: %v, or else where the quote stands", name, status, reply, tt.asked)
		}
	}

	// What cannot be paid any more is not offered.
	w.advance(quotes.InstantTTL + time.Hour)
	declares := &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{URL: &mcp.URLElicitationCapabilities{}}}
	args := map[string]any{"quote_id": quote["quote_id"], "open_checkout": true}
	if reply := w.connectWith(t, w.key, declares).callGranted("get_quote", args); reply["status"] != "expired" {
		t.Errorf("of a quote that has expired: %v, want that it has", reply)
	}

	// Of another account's quote nobody is led anywhere.
	other := secret.NewAPIKey(true)
	w.putKey(other, "acc_other", accounts.DefaultScopes(), nil)
	if reply, failed := w.connectWith(t, other, declares).call("get_quote", args); !failed || reply["error"] != "not_found" {
		t.Errorf("of another account: %v, %v; want not_found", reply, failed)
	}
}
