package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/itar"
	"boardorder/services/edge/internal/web"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxResource is how many bytes of a resource are sent.
const maxResource = 1 << 20

// Resources are named by what their replies are: a request for a quote, and the link to a
// report, which names no account, no file and no secret of an upload.
var (
	pictureURI = regexp.MustCompile(`^board://quote-requests/(req_[0-9A-Z]{26})/(top|bottom)\.png$`)
	reportURI  = regexp.MustCompile(`^board://design-checks/([A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*)/report\.json$`)
)

// addResources has a server read pictures and reports.
func (e *Endpoint) addResources(s *mcp.Server, d definitions) {
	for i := range d.Resources {
		s.AddResourceTemplate(&d.Resources[i], func(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			c, _ := ctx.Value(callKey{}).(*web.Call)
			contents, err := e.read(c, req.Params.URI)
			if err != nil {
				return nil, err
			}
			contents.URI = req.Params.URI
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{contents}}, nil
		})
	}
}

// read reads a resource by calls of the API, which admit and count who reads it.
func (e *Endpoint) read(c *web.Call, uri string) (*mcp.ResourceContents, error) {
	query := ""
	if message, err := c.Object(); err == nil && itar.DeclaresIn(message) {
		query = "?itar=true"
	}
	if m := pictureURI.FindStringSubmatch(uri); m != nil {
		return e.readPicture(c, uri, m[1], m[2], query)
	}
	if m := reportURI.FindStringSubmatch(uri); m != nil {
		return e.readReport(c, uri, m[1], query)
	}
	return nil, mcp.ResourceNotFoundError(uri)
}

func (e *Endpoint) readPicture(c *web.Call, uri, request, side, query string) (*mcp.ResourceContents, error) {
	body, err := e.get(c, uri, "/v1/quote-requests/"+request+query)
	if err != nil {
		return nil, err
	}
	var quote struct {
		Picture string `json:"board_image_url"`
	}
	if err := json.Unmarshal(body, &quote); err != nil {
		return nil, fmt.Errorf("%s: reply: %w", uri, err)
	}
	at, ours := strings.CutPrefix(quote.Picture, e.cfg.PublicURL)
	if !ours || at == "" {
		return nil, mcp.ResourceNotFoundError(uri)
	}
	picture, err := e.get(c, uri, at+"?small=1&side="+side)
	if err != nil {
		return nil, err
	}
	return &mcp.ResourceContents{MIMEType: "image/png", Blob: picture}, nil
}

func (e *Endpoint) readReport(c *web.Call, uri, token, query string) (*mcp.ResourceContents, error) {
	own, err := e.cfg.OwnsReport(c, token)
	switch {
	case err != nil:
		return nil, err
	case !own:
		return nil, mcp.ResourceNotFoundError(uri)
	case !c.Caller.May(accounts.ScopeChecks):
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: advices[contract.Forbidden]}
	}
	body, err := e.get(c, uri, "/design-checks/"+token+"/report.json"+query)
	if err != nil {
		return nil, err
	}
	reply, err := decode(web.Words.SetApart(body))
	if err != nil {
		return nil, fmt.Errorf("%s: reply: %w", uri, err)
	}
	if quotesOthers(reply) {
		reply["data_note"] = dataNote
	}
	text, err := json.Marshal(reply)
	return &mcp.ResourceContents{MIMEType: "application/json", Text: string(text)}, err
}

// get gives what the API replies to whoever made c. What they may not see there is not: others'
// resources are told apart from none by nobody.
func (e *Endpoint) get(c *web.Call, uri, target string) ([]byte, error) {
	status, body := e.cfg.Answer(c, web.Inner{Method: http.MethodGet, Target: target, Header: identity(c)})
	switch {
	case status == http.StatusNotFound || status == http.StatusGone || status == http.StatusAccepted:
		return nil, mcp.ResourceNotFoundError(uri)
	case status != http.StatusOK:
		var refusal struct{ Message string }
		_ = json.Unmarshal(body, &refusal) // which all replies of ours have
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: refusal.Message, Data: bytes.TrimSpace(body)}
	case len(body) > maxResource:
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "This is too large to be read here. Give the user the link of the tool's result."}
	}
	return body, nil
}

// links are the resources that a reply is about.
func (e *Endpoint) links(reply map[string]any) (out []mcp.Content) {
	text := func(name string) string { s, _ := reply[name].(string); return s }
	if request := text("request_id"); text("board_image_url") != "" {
		for _, side := range []string{"top", "bottom"} {
			uri := "board://quote-requests/" + request + "/" + side + ".png"
			if pictureURI.MatchString(uri) {
				out = append(out, &mcp.ResourceLink{URI: uri, Name: side + ".png", Title: "The board's " + side, MIMEType: "image/png"})
			}
		}
	}
	if token, ours := strings.CutPrefix(text("report_url"), e.cfg.PublicURL+"/design-checks/"); ours {
		uri := "board://design-checks/" + strings.TrimSuffix(token, ".html") + ".json"
		if reportURI.MatchString(uri) {
			out = append(out, &mcp.ResourceLink{URI: uri, Name: "report.json", Title: "All findings of the design", MIMEType: "application/json"})
		}
	}
	return out
}
