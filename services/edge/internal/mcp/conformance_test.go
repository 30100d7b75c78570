//lint:file-ignore SA1019 the suite asks for what the protocol leaves behind

package mcp

import (
	"context"
	"flag"
	"net"
	"testing"
	"time"

	"boardorder/services/edge/internal/mcp/mcptest"
	"boardorder/services/edge/internal/web"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/zap"
)

var packages = flag.String("packages", "", "the folder that deploy/compat/agents was installed in, to run the protocol's conformance suite")

// TestConformance runs the suite of those who write the protocol, whole, for both revisions,
// over the endpoint's handler with what the suite wants registered in it.
func TestConformance(t *testing.T) {
	if *packages == "" {
		t.Skip("needs the suite: make test-agents")
	}
	t.Parallel()
	for _, revision := range []string{"2026-07-28", "2025-11-25"} {
		t.Run(revision, func(t *testing.T) {
			t.Parallel()
			mcptest.RunSuite(t, *packages, serveFixtures(t), "--requirements", revision, "--expected-failures", "testdata/"+revision+".yaml")
		})
	}
}

// serveFixtures gives the address of an endpoint with the fixtures, for anybody.
func serveFixtures(t *testing.T) string {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + ln.Addr().String()
	e := &Endpoint{cfg: Config{PublicURL: url}}
	o := options(definitions{Instructions: "Fixtures."})
	o.CompletionHandler = func(context.Context, *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
		return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{}}}, nil
	}
	o.SubscribeHandler = func(context.Context, *mcp.SubscribeRequest) error { return nil }
	o.UnsubscribeHandler = func(context.Context, *mcp.UnsubscribeRequest) error { return nil }
	o.Capabilities.Logging, o.Capabilities.Prompts, o.Capabilities.Resources = &mcp.LoggingCapabilities{}, &mcp.PromptCapabilities{}, &mcp.ResourceCapabilities{}
	s := mcp.NewServer(&mcp.Implementation{Name: "fixtures", Version: "1"}, o)
	addFixtures(t, s)
	e.serve(s, false)
	server, err := web.New(web.Config{Log: zap.NewNop(), Now: time.Now}, e.Routes())
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- server.Run(ctx, ln, time.Second) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return url + path
}
