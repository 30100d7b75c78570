package mcp

import (
	"context"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"html"
	"net/url"
	"slices"
	"strings"

	"boardorder/services/edge/internal/web"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// viewExtension is what clients declare that can show a view beside a result.
	viewExtension = "io.modelcontextprotocol/ui"
	viewKind      = "text/html;profile=mcp-app"
	viewURI       = "ui://board-ordering/quote.html"
)

//go:embed view
var viewFiles embed.FS

// addView has a server give the view of a quote, to clients that declare to show such.
func (e *Endpoint) addView(s *mcp.Server) error {
	page, err := view(e.cfg.PublicURL)
	if err != nil {
		return err
	}
	about := mcp.Meta{"ui": map[string]any{"csp": map[string]any{}, "prefersBorder": true}}
	s.AddResource(&mcp.Resource{URI: viewURI, Name: "quote.html", Title: "A quote", Description: "Shows a result of quote_boards or get_quote.", MIMEType: viewKind, Meta: about},
		func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: viewURI, MIMEType: viewKind, Text: page, Meta: about}}}, nil
		})
	s.AddReceivingMiddleware(offerView)
	return nil
}

// view is the page of the view: whole, so that it fetches nothing, and with a policy that lets
// it do no more.
func view(publicURL string) (string, error) {
	var parts [3]string
	for i, name := range []string{"quote.html", "quote.css", "quote.js"} {
		text, err := viewFiles.ReadFile("view/" + name)
		if err != nil {
			return "", err
		}
		parts[i] = string(text)
	}
	digest := func(text string) string {
		sum := sha256.Sum256([]byte(text))
		return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
	}
	u, err := url.Parse(publicURL)
	if err != nil {
		return "", err
	}
	policy := "default-src 'none'; script-src " + digest(parts[2]) + "; style-src " + digest(parts[1]) + "; img-src data:; base-uri 'none'; form-action 'none'"
	return strings.NewReplacer("{{origin}}", html.EscapeString(u.Scheme+"://"+u.Host), "{{policy}}", policy, "{{style}}", parts[1], "{{script}}", parts[2]).Replace(parts[0]), nil
}

// viewed are the tools whose results the view shows.
var viewed = []string{"quote_boards", "get_quote"}

// viewSession is the session id of clients before 2026-07-28 that declare as they begin that
// they show views. They send it with each message, so that nothing need be kept of them.
const viewSession = "shows-views"

// sessionOf is the session id that the answer to a message gives; "" is none.
func sessionOf(message map[string]any) string {
	if message["method"] != "initialize" {
		return ""
	}
	var p mcp.InitializeParams
	text, err := json.Marshal(message["params"])
	if err != nil || json.Unmarshal(text, &p) != nil || !showsViews(p.Capabilities) {
		return ""
	}
	return viewSession
}

// offerView names the view in the list of tools, where the client declares that it can show
// it: others need not read of it.
func offerView(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, req)
		list, lists := result.(*mcp.ListToolsResult)
		call, ours := req.(*mcp.ListToolsRequest)
		c, _ := ctx.Value(callKey{}).(*web.Call)
		if err != nil || !lists || !ours || !showsViews(call.ClientCapabilities()) && c.Header(sessionHeader) != viewSession {
			return result, err
		}
		out := *list
		out.Tools = slices.Clone(list.Tools)
		for i, t := range out.Tools {
			if slices.Contains(viewed, t.Name) {
				with := *t
				with.Meta = mcp.Meta{"ui": map[string]any{"resourceUri": viewURI}}
				out.Tools[i] = &with
			}
		}
		return &out, nil
	}
}

func showsViews(c *mcp.ClientCapabilities) bool {
	if c == nil {
		return false
	}
	settings, _ := c.Extensions[viewExtension].(map[string]any)
	kinds, _ := settings["mimeTypes"].([]any)
	return slices.Contains(kinds, any(viewKind))
}
