package mcp

import (
	"encoding/json"
	"slices"
	"strings"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// openCheckout is the argument by which a model has the client lead the user to the checkout
// page: the address then comes from us, and not by way of what the model writes.
const openCheckout = "open_checkout"

// payable are the states in which a quote can be paid.
var payable = []quotes.Status{quotes.Ready, quotes.SourcingQuoted, quotes.AwaitingPayment}

// elicitation is the request to open the checkout page that a result names, where the client
// declares that it opens addresses; nil where there is nothing to open, or the user was asked.
func (e *Endpoint) elicitation(req *mcp.CallToolRequest, r *mcp.CallToolResult) (*mcp.CallToolResult, error) {
	declared := req.ClientCapabilities()
	if r.IsError || len(req.Params.InputResponses) > 0 || declared == nil || declared.Elicitation == nil || declared.Elicitation.URL == nil {
		return nil, nil
	}
	text, _ := r.StructuredContent.(json.RawMessage)
	reply, err := decode(text)
	if err != nil {
		return nil, err
	}
	at, _ := reply["checkout_url"].(string)
	status, follows := reply["status"].(string)
	if !strings.HasPrefix(at, e.cfg.PublicURL+"/checkout/") || follows && !slices.Contains(payable, quotes.Status(status)) {
		return nil, nil
	}
	return &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{"checkout": &mcp.ElicitParams{
		Mode: "url", URL: at, ElicitationID: contract.DeriveID(at),
		Message: "On this page of Board Ordering you see the boards and their price, and can pay. Nothing is ordered before.",
	}}}, nil
}
