// Package mcp is the edge's endpoint for agents: the Model Context Protocol, without sessions.
// A tool is a call of the API that the same code answers, admitted, counted and refused as
// though it had come by itself. What is the API's is not decided here a second time.
package mcp

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/services/edge/internal/limit"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	path = "/mcp"
	// longest is how long one message may take: no tool waits for more than maxWait.
	longest = 2 * time.Minute
	// listTTL is how long clients may keep the list of tools, which changes with a release.
	listTTL = 5 * time.Minute
)

// Config is what the endpoint works with.
type Config struct {
	PublicURL string
	Docs      string // the address of the reference
	Version   string // of the interface
	// Answer answers a call of another route for whoever made c.
	Answer func(c *web.Call, in web.Inner) (status int, body []byte)
	// OwnsReport reports whether a link's report is of a design of whoever made c.
	OwnsReport func(c *web.Call, token string) (bool, error)
}

// Endpoint answers messages of the protocol.
type Endpoint struct {
	cfg     Config
	handler http.Handler
}

// New is an endpoint with all tools.
func New(cfg Config) (*Endpoint, error) {
	d, err := readDefinitions()
	if err != nil {
		return nil, err
	}
	e := &Endpoint{cfg: cfg}
	s := mcp.NewServer(&mcp.Implementation{Name: "board-ordering", Title: "Board Ordering", Version: cfg.Version, WebsiteURL: cfg.PublicURL}, options(d))
	if err := e.addTools(s, d); err != nil {
		return nil, err
	}
	e.addResources(s, d)
	if err := errors.Join(e.addView(s), e.addTasks(s)); err != nil {
		return nil, err
	}
	e.serve(s, true)
	return e, nil
}

// options are those of the SDK's server.
func options(d definitions) *mcp.ServerOptions {
	return &mcp.ServerOptions{
		Instructions: d.Instructions,
		Capabilities: &mcp.ServerCapabilities{
			Tools: &mcp.ToolCapabilities{}, Resources: &mcp.ResourceCapabilities{}, Extensions: map[string]any{viewExtension: map[string]any{}, taskExtension: map[string]any{}},
		},
		SetCacheable: func(_ context.Context, req mcp.Request, c *mcp.Cacheable) {
			c.TTLMs, c.CacheScope = int(listTTL.Milliseconds()), "public"
			switch req.(type) {
			case *mcp.ReadResourceRequest, *mcp.ListToolsRequest: // of an account, and by what a client declares
				c.CacheScope = "private"
			}
		},
	}
}

func (e *Endpoint) addTools(s *mcp.Server, d definitions) error {
	s.AddReceivingMiddleware(refuseUndeclared)
	for i := range d.Tools {
		tool, err := e.tool(&d.Tools[i])
		if err != nil {
			return err
		}
		s.AddTool(&d.Tools[i], tool)
	}
	return nil
}

// serve has a server answer, without sessions: whole in JSON, or else with what it says
// meanwhile before it.
func (e *Endpoint) serve(s *mcp.Server, whole bool) {
	e.handler = mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: whole})
}

// refuseUndeclared refuses the methods of what the endpoint does not say it has. The SDK
// answers them with empty lists.
func refuseUndeclared(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		switch of, _, _ := strings.Cut(method, "/"); of {
		case "prompts", "completion", "logging":
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: "This endpoint has tools and resources alone."}
		}
		return next(ctx, method, req)
	}
}

// Routes lists the endpoint, and what says how to be let in.
func (e *Endpoint) Routes() []web.Route {
	about := web.BuildStatic("application/json", "public, max-age=300", e.metadata)
	routes := []web.Route{{Method: http.MethodPost, Path: path, Limit: &limit.Messages, Carries: true, Challenge: e.challenge(), Handle: e.answer}}
	for _, p := range []string{metadataPath, metadataPath + path} {
		routes = append(routes, web.Route{Method: http.MethodGet, Path: p, Access: web.Public, Page: true, Handle: about.Serve})
	}
	return routes
}

// answer answers one message.
func (e *Endpoint) answer(c *web.Call) error {
	if origin := c.Header("Origin"); origin != "" && !isOrigin(origin, e.cfg.PublicURL) {
		return problem.New(contract.Forbidden, "This endpoint answers programs, not pages of other sites.")
	}
	message, err := c.Object()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithValue(c.Context(), callKey{}, c), longest)
	defer cancel()
	r, err := request(ctx, c)
	if err != nil {
		return err
	}
	w := &writer{header: http.Header{}, status: http.StatusOK}
	e.handler.ServeHTTP(w, r)
	for name, values := range w.header {
		for _, v := range values {
			c.Set(name, v)
		}
	}
	if id := sessionOf(message); id != "" {
		c.Set(sessionHeader, id)
	}
	return c.Bytes(w.status, w.header.Get("Content-Type"), w.body.Bytes())
}

type callKey struct{}

// isOrigin reports whether an origin is that of a URL.
func isOrigin(origin, of string) bool {
	u, err := url.Parse(of)
	return err == nil && origin == u.Scheme+"://"+u.Host
}
