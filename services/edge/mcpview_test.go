package edge_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/browsertest"

	"github.com/chromedp/chromedp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const viewKind = "text/html;profile=mcp-app"

// TestViewIsOfferedWhereDeclared: only a client that declares that it shows views is told of one.
func TestViewIsOfferedWhereDeclared(t *testing.T) {
	t.Parallel()
	w := start(t)
	for name, extensions := range map[string]map[string]any{
		"declared":     {"io.modelcontextprotocol/ui": map[string]any{"mimeTypes": []string{viewKind}}},
		"other kinds":  {"io.modelcontextprotocol/ui": map[string]any{"mimeTypes": []string{"text/uri-list"}}},
		"not declared": nil,
	} {
		a := w.connectWith(t, w.key, &mcp.ClientCapabilities{Extensions: extensions})
		tools, err := a.session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, tool := range tools.Tools {
			text, _ := json.Marshal(tool.Meta)
			offered, want := strings.Contains(string(text), "ui://board-ordering/quote.html"), name == "declared" && (tool.Name == "quote_boards" || tool.Name == "get_quote")
			if offered != want {
				t.Errorf("%s: %s has %s, want a view: %v", name, tool.Name, text, want)
			}
		}
	}
}

// TestViewIsOfferedBefore20260728: a client that declares as it begins is told of the view by
// messages after that, with nothing kept of it.
func TestViewIsOfferedBefore20260728(t *testing.T) {
	t.Parallel()
	w := start(t)
	for name, tt := range map[string]struct {
		declared string
		offered  bool
	}{
		"declared":     {`{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["` + viewKind + `"]}}}`, true},
		"not declared": {`{}`, false},
		"no object":    {`[1]`, false},
	} {
		_, header, _ := w.message(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":` + tt.declared + `,"clientInfo":{"name":"x","version":"1"}}}`)
		status, _, tools := w.message(listTools, "Mcp-Session-Id", header.Get("Mcp-Session-Id"), "MCP-Protocol-Version", "2025-11-25")
		if offered := strings.Contains(tools, "ui://board-ordering/quote.html"); status != 200 || offered != tt.offered {
			t.Errorf("%s: session %q, then %d, a view: %v; want %v", name, header.Get("Mcp-Session-Id"), status, offered, tt.offered)
		}
	}
	if status, _, _ := w.message(listTools, "Mcp-Session-Id", "made-up", "MCP-Protocol-Version", "2025-11-25"); status != 200 {
		t.Errorf("a session that nobody gave: %d, want 200: there are none", status)
	}
}

// TestViewOfAQuote: in the least host that there can be, a person sees the price, what it is made
// of, the board and the findings, and is led to the service's own page. Nobody's words become markup.
func TestViewOfAQuote(t *testing.T) {
	t.Parallel()
	w := start(t)
	a := w.connect(t, w.key)
	if _, err := w.blobs.Put(t.Context(), "pictures/board.png", bytes.NewReader(plate(t)), -1, "image/png"); err != nil {
		t.Fatal(err)
	}
	called, err := a.session.CallTool(t.Context(), &mcp.CallToolParams{Name: "quote_boards", Arguments: map[string]any{"upload_id": w.uploadID(), "quantity": 10}})
	if err != nil || called.IsError {
		t.Fatalf("quote_boards = %v, %v", called, err)
	}
	reply, _ := called.StructuredContent.(map[string]any)
	reply["board_findings"] = []any{map[string]any{"what": `In "<img src=x onerror=parent.pwned=1>.gbr" a track is narrow.`}}
	page, err := a.read("ui://board-ordering/quote.html")
	if err != nil || page.MIMEType != viewKind {
		t.Fatalf("the view = %v, %v; want %s", page, err, viewKind)
	}
	resources := map[string]*mcp.ReadResourceResult{}
	for _, c := range called.Content {
		if l, ok := c.(*mcp.ResourceLink); ok && l.Name == "top.png" {
			if resources[l.URI], err = a.session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: l.URI}); err != nil {
				t.Fatal(err)
			}
		}
	}
	checkout := stringIn(reply, "checkout_url")
	ctx, complaints := browsertest.Open(t)
	ctx, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	show := func(name string, width int64, context, capabilities map[string]any) {
		t.Helper()
		at := serveHost(t, map[string]any{"page": page.Text, "result": called, "resources": resources, "context": context, "capabilities": capabilities})
		if err := chromedp.Do(ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate(at), awaitTrue(`heard.some((m) => m.method === "ui/notifications/size-changed" && m.params.height > 300)`)); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		browsertest.Fits(t, ctx, name)
		browsertest.Keep(ctx, t, name)
	}
	all := map[string]any{"openLinks": map[string]any{}, "serverResources": map[string]any{}}
	for _, theme := range []string{"light", "dark"} {
		for _, width := range []int64{390, 1280} {
			show(fmt.Sprintf("view-%s-%d", theme, width), width, map[string]any{"theme": theme}, all)
		}
	}
	text := viewText(ctx, t)
	for _, want := range []string{"$123.45 for 10 boards", "Boards", "$123.45", "<img src=x onerror=parent.pwned=1>.gbr"} {
		if !strings.Contains(text, want) {
			t.Errorf("the view shows %q, want %q in it", text, want)
		}
	}
	if err := chromedp.Do(ctx, awaitTrue(`view().getElementById("pay").click() ?? true`), awaitTrue(`heard.some((m) => m.method === "ui/open-link")`)); err != nil {
		t.Fatal(err)
	}
	if got, err := chromedp.Run(ctx, chromedp.Evaluate[string](`heard.find((m) => m.method === "ui/open-link").params.url`)); err != nil || got != checkout {
		t.Errorf("Pay opens %q, %v; want %q", got, err, checkout)
	}
	if pwned, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`"pwned" in window`)); err != nil || pwned {
		t.Errorf("a file's name ran as a script: %v, %v", pwned, err)
	}

	reply["checkout_url"] = "https://evil.example/checkout/1"
	show("view-foreign", 390, nil, all)
	if text := viewText(ctx, t); strings.Contains(text, "pay") || strings.Contains(text, "evil") {
		t.Errorf("the view of a result with another site's address shows %q, want no way there", text)
	}
	if c := complaints(); len(c) > 0 {
		t.Errorf("the view complains: %v", c)
	}
}

// viewText is what the view that a host shows says, once its picture is there.
func viewText(ctx context.Context, t *testing.T) string {
	t.Helper()
	if err := chromedp.Do(ctx, awaitTrue(`view().querySelector("img")?.naturalWidth > 0`)); err != nil {
		t.Errorf("the board is not shown: %v", err)
	}
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](`view().body.innerText`))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// serveHost gives the address of a host that shows a view of a result.
func serveHost(t *testing.T, data map[string]any) string {
	t.Helper()
	host, err := os.ReadFile("testdata/mcpview/host.html")
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(data)
	if err != nil {
		t.Fatal(err)
	}
	whole := strings.Replace(string(host), "DATA", base64.StdEncoding.EncodeToString(text), 1)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte(whole))
	}))
	t.Cleanup(s.Close)
	return s.URL
}
