package standalone_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var packages = flag.String("packages", "", "the folder that deploy/compat/agents was installed in, to order with the clients there")

// outcome is what an agent found on its way from the files to the link.
type outcome struct {
	Questions int    `json:"questions"`
	Resources int    `json:"resources"` // that results linked, and that were read
	Total     string `json:"total"`
	Checkout  string `json:"checkout_url"`
	Check     string `json:"check"`
	Report    string `json:"report_url"`
	Buy       string `json:"buy_url"`
	Status    string `json:"status"`
}

// TestAgentsOrder: agents written with other people's clients get a board from its files to
// the link at which a person pays, over the whole system.
func TestAgentsOrder(t *testing.T) {
	if *packages == "" {
		t.Skip("needs the clients: make test-agents")
	}
	t.Parallel()
	s := start(t, nil)
	key, err := os.ReadFile(filepath.Join(s.dir, "demo-test.key"))
	if err != nil {
		t.Fatal(err)
	}
	folder, err := filepath.Abs(*packages)
	if err != nil {
		t.Fatal(err)
	}
	agents := clients{folder: folder, base: s.BaseURL, key: strings.TrimSpace(string(key)), board: filepath.Join(s.dir, "sample-board.zip")}
	for name, order := range map[string]func(t *testing.T) (outcome, error){
		"TypeScript, 2026-07-28":       agents.program("node", "agent.mjs", "@modelcontextprotocol/client"),
		"TypeScript, before that":      agents.program("node", "agent.mjs", "@modelcontextprotocol/sdk/client/index.js"),
		"Python":                       agents.program("python", "agent.py"),
		"Go":                           agents.orderInGo,
		"the Inspector's command line": agents.orderByInspector,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := order(t)
			isAt := func(url, path string) bool { return strings.HasPrefix(url, s.BaseURL+path) }
			if err != nil || got.Questions == 0 || got.Resources < 3 || !strings.HasPrefix(got.Total, "$") || got.Check != "pass" || got.Status != "quote_ready" ||
				!isAt(got.Checkout, "/checkout/") || !isAt(got.Report, "/design-checks/") || !isAt(got.Buy, "/buy/") {
				t.Errorf("%+v, %v; want a question, both sides and a report, a price, a check that passed and the links", got, err)
			}
		})
	}
}

// clients are those that deploy/compat/agents names, and whom they order for.
type clients struct{ folder, base, key, board string }

// program runs a program there, which prints what it found.
func (c clients) program(runtime, file string, args ...string) func(*testing.T) (outcome, error) {
	return func(t *testing.T) (out outcome, err error) {
		text, err := c.run(t, runtime, append([]string{filepath.Join(c.folder, file)}, args...)...)
		if err != nil {
			return out, err
		}
		return out, json.Unmarshal(text, &out)
	}
}

// run runs a program of the folder, and gives what it printed.
func (c clients) run(t *testing.T, name string, args ...string) ([]byte, error) {
	bin := filepath.Join(c.folder, "node_modules", ".bin")
	path := filepath.Join(bin, name)
	if name == "python" {
		path = filepath.Join(c.folder, "venv", "bin", name)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, args...)
	cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "HOME="+t.TempDir(), "BASE="+c.base, "KEY="+c.key, "BOARD="+c.board)
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %v: %w: %s%s", name, args, err, out, problems.Bytes())
	}
	return out, nil
}

func (c clients) orderByInspector(t *testing.T) (outcome, error) {
	inspect := func(into any, method string, args ...string) error {
		text, err := c.run(t, "node", append([]string{filepath.Join(c.folder, "node_modules", ".bin", "mcp-inspector"), "--cli", c.base + "/mcp", "--transport", "http", "--header", "Authorization: Bearer " + c.key, "--method", method}, args...)...)
		if err != nil {
			return err
		}
		return json.Unmarshal(text, into)
	}
	return c.order(t, func(tool string, args map[string]any) (*mcp.CallToolResult, error) {
		all := []string{"--tool-name", tool}
		for name, v := range args {
			text, err := json.Marshal(v)
			if err != nil {
				return nil, err
			}
			all = append(all, "--tool-arg", name+"="+strings.Trim(string(text), `"`))
		}
		var r mcp.CallToolResult
		return &r, inspect(&r, "tools/call", all...)
	}, func(uri string) (*mcp.ReadResourceResult, error) {
		var r mcp.ReadResourceResult
		return &r, inspect(&r, "resources/read", "--uri", uri)
	})
}

func (c clients) orderInGo(t *testing.T) (outcome, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: c.base + "/mcp", HTTPClient: &http.Client{Transport: bearer(c.key)}, DisableStandaloneSSE: true}, nil)
	if err != nil {
		return outcome{}, err
	}
	defer session.Close()
	return c.order(t, func(tool string, args map[string]any) (*mcp.CallToolResult, error) {
		return session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	}, func(uri string) (*mcp.ReadResourceResult, error) {
		return session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
	})
}

// bearer sends a key with each request.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// order goes the whole way by calls of tools.
func (c clients) order(t *testing.T, call func(tool string, args map[string]any) (*mcp.CallToolResult, error), read func(uri string) (*mcp.ReadResourceResult, error)) (out outcome, err error) {
	resources := map[string]bool{}
	do := func(tool string, args map[string]any) map[string]any {
		if err != nil {
			return nil
		}
		var r *mcp.CallToolResult
		if r, err = call(tool, args); err != nil {
			return nil
		}
		reply, _ := r.StructuredContent.(map[string]any)
		if r.IsError {
			err = fmt.Errorf("%s(%v): %v", tool, args, reply)
		}
		for _, content := range r.Content {
			if l, ok := content.(*mcp.ResourceLink); ok {
				got, e := read(l.URI)
				err = errors.Join(err, e)
				resources[l.URI] = e == nil && got.Contents[0].MIMEType == l.MIMEType
			}
		}
		return reply
	}
	text := func(m map[string]any, name string) string { s, _ := m[name].(string); return s }
	up := do("create_upload_link", map[string]any{})
	id := text(up, "upload_id")
	err = errors.Join(err, c.upload(t, text(up, "upload_url")))
	do("get_upload", map[string]any{"upload_id": id})
	ask := map[string]any{"upload_id": id, "quantity": 5, "ship_to": map[string]any{"country": "US", "state": "CA", "postal_code": "94103"}}
	quote := do("quote_boards", ask)
	for quote["error"] == "needs_details" && out.Questions < 5 {
		out.Questions++
		for _, q := range quote["questions"].([]any) {
			q := q.(map[string]any)
			ask[text(q, "option")] = q["usual"]
		}
		quote = do("quote_boards", ask)
	}
	check := do("check_design", map[string]any{"upload_id": id})
	link := do("create_buy_link", map[string]any{"upload_id": id, "thickness_mm": 1.6, "surface_finish": "hasl_lead_free"})
	state := do("get_quote", map[string]any{"quote_id": quote["quote_id"]})
	out.Total, out.Checkout, out.Buy, out.Status = text(quote, "total"), text(quote, "checkout_url"), text(link, "buy_url"), text(state, "status")
	for _, isRead := range resources {
		if isRead {
			out.Resources++
		}
	}
	out.Check, out.Report = text(check, "status"), text(check, "report_url")
	return out, err
}

// upload sends the board by the link that a tool gave.
func (c clients) upload(t *testing.T, to string) error {
	zip, err := os.ReadFile(c.board)
	if err != nil {
		return err
	}
	kind, form := boardForm(t, zip)
	r, err := http.Post(to, kind, form)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	if r.StatusCode != http.StatusOK {
		return fmt.Errorf("upload: %s", r.Status)
	}
	return nil
}
