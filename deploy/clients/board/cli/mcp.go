package cli

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"
)

func (s *session) mcpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "mcp", Short: "Tools for agents that start a program (MCP by the standard input and output)", Args: cobra.NoArgs,
		Long: "Passes on the tools of the service, and what there is to read for agents, at /mcp to an agent that knows the Model Context Protocol by standard input and output alone. The key stays here.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			a, err := s.findService()
			if err != nil {
				return err
			}
			if _, err := s.connect(); err != nil { // the address is one that a key may be sent to
				return err
			}
			return contextEnded(cmd.Context(), bridge(cmd.Context(), a, s.In, s.Out.(*cleanWriter).w))
		},
	}
}

// bridge serves the tools of a service over in and out.
func bridge(ctx context.Context, a address, in io.Reader, out io.Writer) error {
	base, err := url.Parse(a.url)
	if err != nil {
		return err
	}
	about := &mcp.Implementation{Name: "board", Version: "1"}
	remote, err := mcp.NewClient(about, nil).Connect(ctx, &mcp.StreamableClientTransport{
		Endpoint: strings.TrimRight(a.url, "/") + "/mcp", DisableStandaloneSSE: true,
		HTTPClient: &http.Client{
			Transport:     bearer{a.key, base.Host, http.DefaultTransport},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}, nil)
	if err != nil {
		return err
	}
	defer remote.Close()
	server := mcp.NewServer(about, &mcp.ServerOptions{Instructions: remote.InitializeResult().Instructions})
	for tool, err := range remote.Tools(ctx, nil) {
		if err != nil {
			return err
		}
		server.AddTool(tool, func(ctx context.Context, call *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return remote.CallTool(ctx, &mcp.CallToolParams{Name: call.Params.Name, Arguments: call.Params.Arguments})
		})
	}
	if err := addResources(ctx, server, remote); err != nil {
		return err
	}
	return server.Run(ctx, &mcp.IOTransport{Reader: io.NopCloser(in), Writer: nopCloser{out}})
}

// addResources passes on what the service has for agents to read.
func addResources(ctx context.Context, server *mcp.Server, remote *mcp.ClientSession) error {
	if remote.InitializeResult().Capabilities.Resources == nil {
		return nil
	}
	read := func(ctx context.Context, call *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		return remote.ReadResource(ctx, &mcp.ReadResourceParams{URI: call.Params.URI})
	}
	for resource, err := range remote.Resources(ctx, nil) {
		if err != nil {
			return err
		}
		server.AddResource(resource, read)
	}
	for template, err := range remote.ResourceTemplates(ctx, nil) {
		if err != nil {
			return err
		}
		server.AddResourceTemplate(template, read)
	}
	return nil
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }
