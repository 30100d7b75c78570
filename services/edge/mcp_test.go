package edge_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/secret"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// bearer sends a key with each request.
type bearer struct{ key string }

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.key)
	return http.DefaultTransport.RoundTrip(r)
}

// An agent is the SDK's own client at an edge.
type agent struct {
	t       *testing.T
	session *mcp.ClientSession
	outputs map[string]*jsonschema.Schema
}

func (w *world) connect(t *testing.T, key secret.APIKey) *agent {
	t.Helper()
	return w.connectWith(t, key, nil)
}

// connectWith is connect of a client that declares capabilities; nil: the usual ones.
func (w *world) connectWith(t *testing.T, key secret.APIKey, declares *mcp.ClientCapabilities) *agent {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{Capabilities: declares})
	s, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: w.url + "/mcp", HTTPClient: &http.Client{Transport: bearer{key.Text}}, DisableStandaloneSSE: true}, nil)
	if err != nil {
		t.Fatalf("connect: %v", err)
	}
	t.Cleanup(func() { _ = s.Close() })
	a := &agent{t, s, map[string]*jsonschema.Schema{}}
	tools, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatalf("list tools: %v", err)
	}
	for _, tool := range tools.Tools {
		c := jsonschema.NewCompiler()
		if err := c.AddResource(tool.Name, tool.OutputSchema); err != nil {
			t.Fatal(err)
		}
		a.outputs[tool.Name] = c.MustCompile(tool.Name)
	}
	return a
}

// call calls a tool, holds its result against the schema that the tool promises, and gives it.
func (a *agent) call(tool string, args any) (reply map[string]any, failed bool) {
	a.t.Helper()
	r, err := a.session.CallTool(a.t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		a.t.Fatalf("%s(%v): %v", tool, args, err)
	}
	if err := a.outputs[tool].Validate(r.StructuredContent); err != nil {
		a.t.Errorf("%s(%v): %v, which its schema does not promise: %v", tool, args, r.StructuredContent, err)
	}
	reply, _ = r.StructuredContent.(map[string]any)
	var text map[string]any
	if stringIn(reply, "next_step") == "" {
		a.t.Errorf("%s(%v): %v, want a next_step", tool, args, reply)
	}
	if err := json.Unmarshal([]byte(r.Content[0].(*mcp.TextContent).Text), &text); err != nil || len(text) != len(reply) {
		a.t.Errorf("%s(%v): the text is %v, %v; want the data, %v", tool, args, text, err, reply)
	}
	return reply, r.IsError
}

// callGranted calls a tool that must not be refused.
func (a *agent) callGranted(tool string, args any) map[string]any {
	a.t.Helper()
	reply, failed := a.call(tool, args)
	if failed {
		a.t.Fatalf("%s(%v): %v, want it granted", tool, args, reply)
	}
	return reply
}

func stringIn(m map[string]any, name string) string {
	s, _ := m[name].(string)
	return s
}

// TestAgentGetsFromFilesToALinkToPay goes the whole way, with the tools alone but for the
// upload, which goes by the link that a tool gave.
func TestAgentGetsFromFilesToALinkToPay(t *testing.T) {
	t.Parallel()
	w := start(t)
	a := w.connect(t, w.key)
	if v := a.session.InitializeResult(); v != nil && v.ServerInfo.Name != "board-ordering" {
		t.Errorf("server = %+v", v.ServerInfo)
	}
	up := a.callGranted("create_upload_link", nil)
	id := stringIn(up, "upload_id")
	if !strings.Contains(stringIn(up, "command"), stringIn(up, "upload_url")) || !strings.Contains(stringIn(up, "next_step"), "get_upload") {
		t.Errorf("create_upload_link = %v, want a command with the link, then get_upload", up)
	}
	if got := a.callGranted("get_upload", map[string]any{"upload_id": id}); !strings.Contains(stringIn(got, "next_step"), "No file has arrived") {
		t.Errorf("get_upload of nothing = %v, want to be told that no file has arrived", got)
	}
	body, kind := form(t, file{"board.gbr", "G04*"})
	if r := w.do("POST", stringIn(up, "upload_url"), body, "Content-Type", kind, "X-API-Key", ""); r.status != 200 {
		t.Fatalf("upload by the link: %d %s", r.status, r.body)
	}
	if got := a.callGranted("get_upload", map[string]any{"upload_id": id}); !strings.Contains(stringIn(got, "next_step"), "quote_boards") || stringIn(got, "data_note") == "" {
		t.Errorf("get_upload = %v, want quote_boards next, and that names of files are data", got)
	}

	w.set(func() { w.check = aCheck(designchecks.Warning) })
	if got := a.callGranted("check_design", map[string]any{"upload_id": id, "wait_s": 5}); got["status"] != "warning" || stringIn(got, "report_url") == "" {
		t.Errorf("check_design = %v, want a warning and its report", got)
	}

	question := contract.Refuse(contract.NeedsDetails, "One option is open.")
	question.Questions = []contract.Question{{Option: "thickness_mm", Question: "How thick?", Choices: []any{1.0, 1.6}, Usual: 1.6}}
	w.set(func() { w.refuse = question })
	ask := map[string]any{"upload_id": id, "quantity": 10, "ship_to": map[string]any{"country": "DE"}}
	asked, failed := a.call("quote_boards", ask)
	if failed || asked["error"] != "needs_details" || len(asked["questions"].([]any)) != 1 || !strings.Contains(stringIn(asked, "next_step"), "to the user") {
		t.Fatalf("quote_boards = %v, %v; want a question for the user, which is no failure", asked, failed)
	}
	w.set(func() { w.refuse = nil })
	ask["thickness_mm"] = 1.6
	priced := a.callGranted("quote_boards", ask)
	if priced["total_cents"] != 12345.0 || !strings.HasPrefix(stringIn(priced, "checkout_url"), w.url+"/checkout/") || !strings.Contains(stringIn(priced, "next_step"), "checkout_url") {
		t.Errorf("quote_boards = %v, want 12345 cents and where to pay", priced)
	}
	if got := a.callGranted("get_quote", map[string]any{"quote_id": priced["quote_id"]}); got["status"] != "quote_ready" || got["request_id"] != priced["request_id"] {
		t.Errorf("get_quote = %v, want it ready", got)
	}
	if got := a.callGranted("get_quote", map[string]any{"request_id": priced["request_id"]}); got["quote_id"] != priced["quote_id"] {
		t.Errorf("get_quote by request = %v, want the same quote", got)
	}
	if n := len(w.commandsOf(quotes.Price)); n != 2 {
		t.Errorf("%d prices were asked for, want 2", n)
	}
}

// TestAgentGoesOnWithLongWork: a price that takes longer than the client waits is got by its handle.
func TestAgentGoesOnWithLongWork(t *testing.T) {
	t.Parallel()
	w := start(t)
	a := w.connect(t, w.key)
	hold := make(chan struct{})
	w.set(func() { w.hold = hold })
	pending := a.callGranted("quote_boards", map[string]any{"upload_id": w.uploadID(), "quantity": 5, "wait_s": 0})
	if pending["status"] != "pending" || !strings.Contains(stringIn(pending, "next_step"), "get_quote") {
		t.Fatalf("quote_boards = %v, want pending, then get_quote", pending)
	}
	close(hold)
	if got := a.callGranted("get_quote", map[string]any{"request_id": pending["request_id"], "wait_s": 20}); got["total_cents"] != 12345.0 {
		t.Errorf("get_quote = %v, want the price", got)
	}
}

func TestAgentsOtherTools(t *testing.T) {
	t.Parallel()
	w := start(t)
	a := w.connect(t, w.key)
	all := a.callGranted("get_capabilities", nil)
	some := a.callGranted("get_capabilities", map[string]any{"parts": []string{"materials"}})
	if all["surface_finishes"] == nil || some["materials"] == nil || some["surface_finishes"] != nil {
		t.Errorf("get_capabilities = %v, and of materials %v; want all, and those", all, some)
	}
	id := w.uploadID()
	if got := a.callGranted("create_buy_link", map[string]any{"upload_id": id}); !strings.HasPrefix(stringIn(got, "buy_url"), w.url) {
		t.Errorf("create_buy_link = %v, want a link", got)
	}
	if got := a.callGranted("list_events", map[string]any{"after": "now"}); stringIn(got, "next_cursor") == "" {
		t.Errorf("list_events = %v, want a cursor", got)
	}
	if got := a.callGranted("check_parts", map[string]any{"boards": 3, "parts": []any{map[string]any{"mpn": "LM358DR"}}, "wait_s": 0}); len(got["parts"].([]any)) != 1 {
		t.Errorf("check_parts = %v, want one line", got)
	}
	if got := a.callGranted("price_table", map[string]any{"upload_id": id, "quantities": []int{5, 10}}); stringIn(got, "price_table_id") == "" {
		t.Errorf("price_table = %v, want a table", got)
	}
}

// TestAgentsRefusals: what the API refuses a tool refuses, with what to do next and without the key.
func TestAgentsRefusals(t *testing.T) {
	t.Parallel()
	w := start(t)
	a := w.connect(t, w.key)
	id := w.uploadID()
	for name, tt := range map[string]struct {
		tool string
		args any
		code string
		next string
	}{
		"a field that is out of range": {"quote_boards", map[string]any{"upload_id": id, "quantity": 0}, "invalid_request", "fields"},
		"no such upload":               {"quote_boards", map[string]any{"upload_id": "up_nonexistent", "quantity": 1}, "upload_not_found", "create_upload_link"},
		"an id cut short":              {"get_upload", map[string]any{"upload_id": "up_"}, "invalid_request", "again"},
		"an id that is a path":         {"get_upload", map[string]any{"upload_id": "../key-events"}, "invalid_request", "again"},
		"an id with a query":           {"get_quote", map[string]any{"quote_id": "aaaaaaaaaa?x=1"}, "invalid_request", "again"},
		"no id":                        {"get_quote", nil, "invalid_request", "again"},
		"a key for an id":              {"get_upload", map[string]any{"upload_id": w.key.Text}, "invalid_request", "again"},
		"a key for a cursor":           {"list_events", map[string]any{"after": w.key.Text}, "invalid_request", "again"},
		"a list for arguments":         {"get_upload", []int{1}, "invalid_request", "again"},
		"a wait that is too long":      {"quote_boards", map[string]any{"upload_id": id, "quantity": 1, "wait_s": 51}, "invalid_request", "again"},
		"a header for a key":           {"quote_boards", map[string]any{"upload_id": id, "quantity": 1, "idempotency_key": "a\r\nX-API-Key: b"}, "invalid_request", "again"},
		"no such part of the list":     {"check_parts", map[string]any{"boards": 1}, "invalid_request", "again"},
	} {
		reply, failed := a.call(tt.tool, tt.args)
		all, _ := json.Marshal(reply)
		if !failed || reply["error"] != tt.code || !strings.Contains(stringIn(reply, "next_step"), tt.next) || strings.Contains(string(all), w.key.Text) {
			t.Errorf("%s: %s(%v) = %s, %v; want %s as an error, with %q next and no key", name, tt.tool, tt.args, all, failed, tt.code, tt.next)
		}
	}
	if n := len(w.commandsOf(quotes.Price)); n != 0 {
		t.Errorf("%d prices were asked for, want none", n)
	}
	if _, err := a.session.CallTool(t.Context(), &mcp.CallToolParams{Name: "pay"}); err == nil {
		t.Error("a tool that there is not: no error")
	}
}

// TestAgentsKeysAreTheAPIs: scopes, modes, quotas and Idempotency-Keys hold for tools as for the API.
func TestAgentsKeysAreTheAPIs(t *testing.T) {
	t.Parallel()
	w := start(t)
	reads, test, few := secret.NewAPIKey(true), secret.NewAPIKey(false), secret.NewAPIKey(true)
	w.putKey(reads, account, []string{accounts.ScopeChecks}, nil)
	w.putKey(test, account, accounts.DefaultScopes(), nil)
	w.putKey(few, "acc_few", accounts.DefaultScopes(), map[string]int{"quotes-day": 1, "requests": 4})
	id := w.uploadID()

	if reply, failed := w.connect(t, reads).call("quote_boards", map[string]any{"upload_id": id, "quantity": 1}); !failed || reply["error"] != "forbidden" || !strings.Contains(stringIn(reply, "next_step"), "scope") {
		t.Errorf("quote_boards without its scope = %v, %v; want forbidden", reply, failed)
	}
	tester := w.connect(t, test)
	for _, tool := range []string{"create_upload_link", "get_capabilities", "get_quote"} { // one is refused
		if reply, _ := tester.call(tool, nil); !strings.Contains(stringIn(reply, "test_note"), "test key") {
			t.Errorf("%s with a test key = %v, want it said", tool, reply)
		}
	}
	if reply, failed := tester.call("get_upload", map[string]any{"upload_id": id}); !failed || reply["error"] != "upload_not_found" {
		t.Errorf("a live upload with a test key = %v, %v; want it not found", reply, failed)
	}
	live := w.connect(t, w.key)
	one, two := live.callGranted("create_upload_link", map[string]any{"idempotency_key": "k-1"}), live.callGranted("create_upload_link", map[string]any{"idempotency_key": "k-1"})
	if one["upload_id"] != two["upload_id"] || one["test_note"] != nil || len(w.commandsOf(uploads.Create)) != 2 { // one of them the tester's
		t.Errorf("two calls of one idempotency_key = %v, %v; want one upload, and no test", one["upload_id"], two["upload_id"])
	}

	poor := w.connect(t, few)
	args := map[string]any{"upload_id": stringIn(poor.callGranted("create_upload_link", nil), "upload_id"), "quantity": 1}
	_, _ = poor.call("quote_boards", args)
	if reply, failed := poor.call("quote_boards", args); !failed || reply["error"] != "rate_limited" || !strings.Contains(stringIn(reply, "message"), "quotes-day") || reply["retry_after_s"] == nil {
		t.Errorf("above the quota of a day = %v, %v; want rate_limited", reply, failed)
	}
	if reply, failed := poor.call("get_capabilities", nil); failed {
		t.Errorf("the last request of the minute = %v, want it granted: messages are not counted beside", reply)
	}
	if reply, failed := poor.call("get_capabilities", nil); !failed || reply["error"] != "rate_limited" {
		t.Errorf("one request more = %v, %v; want rate_limited", reply, failed)
	}
}

// TestAgentDeclaresITAR: a declaration holds wherever in a message it stands, and deletes.
func TestAgentDeclaresITAR(t *testing.T) {
	t.Parallel()
	w := start(t)
	a := w.connect(t, w.key)
	for name, declare := range map[string]func(id string) *mcp.CallToolParams{
		"in the body": func(id string) *mcp.CallToolParams {
			return &mcp.CallToolParams{Name: "quote_boards", Arguments: map[string]any{"upload_id": id, "quantity": 1, "itar": true}}
		},
		"of a call that reads": func(id string) *mcp.CallToolParams {
			return &mcp.CallToolParams{Name: "get_upload", Arguments: map[string]any{"upload_id": id, "itar": "yes"}}
		},
		"beside the arguments": func(id string) *mcp.CallToolParams {
			return &mcp.CallToolParams{Meta: mcp.Meta{"itar": true}, Name: "quote_boards", Arguments: map[string]any{"upload_id": id, "quantity": 1}}
		},
	} {
		id := w.uploadID()
		r, err := a.session.CallTool(t.Context(), declare(id))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if reply, _ := r.StructuredContent.(map[string]any); !r.IsError || reply["error"] != "itar_not_supported" {
			t.Errorf("%s: %v, want itar_not_supported", name, reply)
		}
		marked := func(c contract.Command) bool { return strings.Contains(string(c.Data), contract.SecretRef(id)) }
		if !slices.ContainsFunc(w.commandsOf(uploads.DeclareITAR), marked) {
			t.Errorf("%s: the upload was not marked", name)
		}
	}
}

const listTools = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`

// message sends one message as clients of the protocol before 2026-07-28 do.
func (w *world) message(body string, headers ...string) (status int, header http.Header, reply string) {
	w.t.Helper()
	r, err := http.NewRequestWithContext(context.Background(), "POST", w.url+"/mcp", strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	for name, value := range map[string]string{"Authorization": "Bearer " + w.key.Text, "Content-Type": "application/json", "Accept": "application/json, text/event-stream"} {
		r.Header.Set(name, value)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return w.send(r)
}

// TestHostileMessages: what is no message, or comes from elsewhere, ends before any tool.
func TestHostileMessages(t *testing.T) {
	t.Parallel()
	w := start(t)
	const listen = `{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	for name, tt := range map[string]struct {
		body    string
		headers []string
		status  int
	}{
		"a list of tools":       {listTools, nil, 200},
		"from our own page":     {listTools, []string{"Origin", w.url}, 200},
		"from another site":     {listTools, []string{"Origin", "https://evil.example"}, 403},
		"from a page of a file": {listTools, []string{"Origin", "null"}, 403},
		"without a key":         {listTools, []string{"Authorization", ""}, 401},
		"with a wrong key":      {listTools, []string{"Authorization", "Bearer bo_live_wrong"}, 401},
		"nothing":               {``, nil, 400},
		"no JSON":               {`{"jsonrpc`, nil, 400},
		"a batch":               {`[` + listTools + `]`, nil, 400},
		"not a message":         {`{"a":1}`, nil, 400},
		"too large":             {`{"a":"` + strings.Repeat("x", 1<<20) + `"}`, nil, 413},
		"text":                  {listTools, []string{"Content-Type", "text/plain"}, 415},
		"an unknown version":    {listTools, []string{"MCP-Protocol-Version", "2020-01-01"}, 400},
		"a stream of changes":   {listen, []string{"MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "subscriptions/listen"}, 200},
	} {
		status, header, reply := w.message(tt.body, tt.headers...)
		if status != tt.status || strings.Contains(reply, w.key.Text) {
			t.Errorf("%s: %d %s, want %d", name, status, reply, tt.status)
		}
		if want := w.url + "/.well-known/oauth-protected-resource/mcp"; status == 401 && !strings.Contains(header.Get("WWW-Authenticate"), want) {
			t.Errorf("%s: WWW-Authenticate is %q, want it to name %s", name, header.Get("WWW-Authenticate"), want)
		}
		if name == "a stream of changes" && !strings.Contains(reply, `"resultType":"complete"`) {
			t.Errorf("%s: %s, want it to end at once: nothing changes", name, reply)
		}
	}
	for _, at := range []string{"", "/mcp"} {
		r, _ := http.NewRequestWithContext(t.Context(), "GET", w.url+"/.well-known/oauth-protected-resource"+at, nil)
		if status, _, reply := w.send(r); status != 200 || !strings.Contains(reply, `"resource":"`+w.url+`/mcp"`) {
			t.Errorf("metadata at %q: %d %s, want the endpoint", at, status, reply)
		}
	}
	r, _ := http.NewRequestWithContext(t.Context(), "GET", w.url+"/mcp", nil)
	if status, _, _ := w.send(r); status != 405 {
		t.Errorf("GET /mcp: %d, want 405", status)
	}
}

// TestBothRevisionsAreServed: the same endpoint speaks to clients that begin with initialize.
func TestBothRevisionsAreServed(t *testing.T) {
	t.Parallel()
	w := start(t)
	_, _, old := w.message(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`)
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	_, _, now := w.message(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{`+meta+`}}`, "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "server/discover")
	if !strings.Contains(old, `"protocolVersion":"2025-11-25"`) || !strings.Contains(old, `"instructions"`) {
		t.Errorf("initialize = %s, want 2025-11-25", old)
	}
	if !strings.Contains(now, `"2026-07-28"`) || !strings.Contains(now, `"2025-11-25"`) || !strings.Contains(now, `"ttlMs":300000`) {
		t.Errorf("server/discover = %s, want both revisions, kept for five minutes", now)
	}
	_, _, call := w.message(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"create_upload_link","arguments":{},`+meta+`}}`, "MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", "create_upload_link")
	for _, method := range []string{"prompts/list", "completion/complete", "logging/setLevel"} {
		_, _, reply := w.message(`{"jsonrpc":"2.0","id":3,"method":"`+method+`","params":{"level":"info","ref":{"type":"ref/prompt","name":"x"},"argument":{"name":"a","value":"b"}}}`, "MCP-Protocol-Version", "2025-11-25")
		if !strings.Contains(reply, "-32601") {
			t.Errorf("%s = %s, want that there is no such method", method, reply)
		}
	}
	if !strings.Contains(call, `"resultType":"complete"`) || !strings.Contains(call, `"upload_url"`) {
		t.Errorf("tools/call = %s, want an upload", call)
	}
}

func (w *world) send(r *http.Request) (status int, header http.Header, reply string) {
	w.t.Helper()
	resp, err := clients.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close()
	var out strings.Builder
	if _, err := io.Copy(&out, resp.Body); err != nil {
		w.t.Fatal(err)
	}
	return resp.StatusCode, resp.Header, out.String()
}
