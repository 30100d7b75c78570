//lint:file-ignore SA1019 the suite asks for what the protocol leaves behind

package mcp

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// What the protocol's conformance suite asks for by name: tools, resources and prompts of
// every kind, behind the endpoint's own handler. Nothing that ships has them.

type toolResult = mcp.CallToolResult

func textResult(text string) *toolResult {
	return &toolResult{Content: []mcp.Content{&mcp.TextContent{Text: text}}}
}

func dot(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// silence is a WAV file without samples.
var silence, _ = base64.StdEncoding.DecodeString("UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=")

func resourceContent(uri string) *mcp.EmbeddedResource {
	return &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: uri, MIMEType: "text/plain", Text: "This is an embedded resource."}}
}

func elicit(property, kind string) *mcp.ElicitParams {
	return &mcp.ElicitParams{Message: "Please say " + property + ".", RequestedSchema: map[string]any{
		"type": "object", "properties": map[string]any{property: map[string]any{"type": kind}}, "required": []string{property},
	}}
}

var (
	complete = &mcp.CreateMessageParams{MaxTokens: 50, Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: "Greet me."}}}}
	roots    = &mcp.ListRootsParams{}
)

// answer is what somebody accepted to say, by name; nil if nobody did.
func answer(of mcp.InputResponseMap, key string) map[string]any {
	if r, ok := of[key].(*mcp.ElicitResult); ok && r.Action == "accept" {
		return r.Content
	}
	return nil
}

// inputTools ask for something in the course of a call.
var inputTools = map[string]func(req *mcp.CallToolRequest) (*toolResult, error){
	"elicitation": func(req *mcp.CallToolRequest) (*toolResult, error) {
		if name, _ := answer(req.Params.InputResponses, "user_name")["name"].(string); name != "" {
			return textResult("Hello, " + name + "!"), nil
		}
		return &toolResult{InputRequests: mcp.InputRequestMap{"user_name": elicit("name", "string")}}, nil
	},
	"sampling": func(req *mcp.CallToolRequest) (*toolResult, error) {
		if req.Params.InputResponses["capital_question"] != nil {
			return textResult("Thank you."), nil
		}
		return &toolResult{InputRequests: mcp.InputRequestMap{"capital_question": complete}}, nil
	},
	"list_roots": func(req *mcp.CallToolRequest) (*toolResult, error) {
		if req.Params.InputResponses["client_roots"] != nil {
			return textResult("Thank you."), nil
		}
		return &toolResult{InputRequests: mcp.InputRequestMap{"client_roots": roots}}, nil
	},
	"request_state":  confirm,
	"tampered_state": confirm,
	"multiple_inputs": func(req *mcp.CallToolRequest) (*toolResult, error) {
		if len(req.Params.InputResponses) == 3 {
			return textResult("Thank you."), nil
		}
		return &toolResult{InputRequests: mcp.InputRequestMap{"user_name": elicit("name", "string"), "greeting": complete, "client_roots": roots}, RequestState: "s"}, nil
	},
	"multi_round": func(req *mcp.CallToolRequest) (*toolResult, error) {
		switch req.Params.RequestState {
		case "":
			return &toolResult{InputRequests: mcp.InputRequestMap{"step1": elicit("name", "string")}, RequestState: "1"}, nil
		case "1":
			return &toolResult{InputRequests: mcp.InputRequestMap{"step2": elicit("color", "string")}, RequestState: "2"}, nil
		}
		return textResult("Thank you."), nil
	},
	"capabilities": func(req *mcp.CallToolRequest) (*toolResult, error) {
		wanted, has := mcp.InputRequestMap{}, req.ClientCapabilities()
		if has != nil && has.Elicitation != nil {
			wanted["user_name"] = elicit("name", "string")
		}
		if has != nil && has.Sampling != nil {
			wanted["greeting"] = complete
		}
		if len(req.Params.InputResponses) > 0 || len(wanted) == 0 {
			return textResult("Thank you."), nil
		}
		return &toolResult{InputRequests: wanted}, nil
	},
}

// confirm asks for a confirmation, and knows the state that it gave.
func confirm(req *mcp.CallToolRequest) (*toolResult, error) {
	const state = "signed"
	switch given := req.Params.RequestState; {
	case given != "" && given != state:
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "The state was altered."}
	case given == state && answer(req.Params.InputResponses, "confirm") != nil:
		return textResult("state-ok"), nil
	}
	return &toolResult{InputRequests: mcp.InputRequestMap{"confirm": elicit("ok", "boolean")}, RequestState: state}, nil
}

func addFixtures(t *testing.T, s *mcp.Server) {
	add := func(name, schema string, f func(ctx context.Context, req *mcp.CallToolRequest) (*toolResult, error)) {
		s.AddTool(&mcp.Tool{Name: name, Description: "A fixture.", InputSchema: json.RawMessage(schema)}, f)
	}
	const nothing = `{"type":"object"}`
	picture := &mcp.ImageContent{Data: dot(t), MIMEType: "image/png"}
	for name, r := range map[string]*toolResult{
		"test_simple_text":            textResult("This is a simple text response for testing."),
		"test_image_content":          {Content: []mcp.Content{picture}},
		"test_audio_content":          {Content: []mcp.Content{&mcp.AudioContent{Data: silence, MIMEType: "audio/wav"}}},
		"test_embedded_resource":      {Content: []mcp.Content{resourceContent("test://embedded-resource")}},
		"test_multiple_content_types": {Content: []mcp.Content{&mcp.TextContent{Text: "Text."}, picture, resourceContent("test://mixed-content-resource")}},
		"test_streaming_elicitation":  textResult("No request was sent."),
		"test_logging_tool":           textResult("Nothing was logged."),
		"test_error_handling":         {IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "This tool intentionally returns an error for testing"}}},
	} {
		add(name, nothing, func(context.Context, *mcp.CallToolRequest) (*toolResult, error) { return r, nil })
	}
	add("json_schema_2020_12_tool", schema2020, func(context.Context, *mcp.CallToolRequest) (*toolResult, error) { return textResult("Taken."), nil })
	add("test_x_mcp_header", `{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}`,
		func(context.Context, *mcp.CallToolRequest) (*toolResult, error) { return textResult("Taken."), nil })
	add("test_missing_capability", nothing, func(_ context.Context, req *mcp.CallToolRequest) (*toolResult, error) {
		if has := req.ClientCapabilities(); has != nil && has.Sampling != nil {
			return textResult("Declared."), nil
		}
		data, err := json.Marshal(mcp.MissingRequiredClientCapabilityData{RequiredCapabilities: &mcp.ClientCapabilities{Sampling: &mcp.SamplingCapabilities{}}})
		if err != nil {
			return nil, err
		}
		return nil, &jsonrpc.Error{Code: mcp.CodeMissingRequiredClientCapabilities, Message: "This needs sampling.", Data: data}
	})
	add("test_tool_with_progress", nothing, func(ctx context.Context, req *mcp.CallToolRequest) (*toolResult, error) {
		token := req.Params.GetProgressToken()
		for _, done := range []float64{0, 50, 100} {
			if err := req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: done, Total: 100}); err != nil {
				return nil, err
			}
		}
		return textResult(fmt.Sprint(token)), nil
	})
	add("test_tool_with_logging", nothing, func(ctx context.Context, req *mcp.CallToolRequest) (*toolResult, error) {
		for _, text := range []string{"begun", "working", "done"} {
			if err := req.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "info", Data: text}); err != nil {
				return nil, err
			}
		}
		return textResult("Logged."), nil
	})
	for name, f := range inputTools {
		add("test_input_required_result_"+name, nothing, func(_ context.Context, req *mcp.CallToolRequest) (*toolResult, error) { return f(req) })
	}

	for uri, c := range map[string]mcp.ResourceContents{
		"test://static-text":   {MIMEType: "text/plain", Text: "This is the content of the static text resource."},
		"test://static-binary": {MIMEType: "image/png", Blob: dot(t)},
	} {
		c.URI = uri
		s.AddResource(&mcp.Resource{URI: uri, Name: uri, Description: "A fixture.", MIMEType: c.MIMEType}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{&c}}, nil
		})
	}
	s.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "test://template/{id}/data", Name: "template", MIMEType: "application/json"}, func(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		id := strings.TrimSuffix(strings.TrimPrefix(req.Params.URI, "test://template/"), "/data")
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, MIMEType: "application/json", Text: fmt.Sprintf(`{"id":%q}`, id)}}}, nil
	})

	user := func(c ...mcp.Content) *mcp.GetPromptResult {
		r := &mcp.GetPromptResult{}
		for _, one := range c {
			r.Messages = append(r.Messages, &mcp.PromptMessage{Role: "user", Content: one})
		}
		return r
	}
	for name, p := range map[string]struct {
		arguments []string
		get       func(args map[string]string) []mcp.Content
	}{
		"test_simple_prompt": {nil, func(map[string]string) []mcp.Content {
			return []mcp.Content{&mcp.TextContent{Text: "This is a simple prompt for testing."}}
		}},
		"test_prompt_with_arguments": {[]string{"arg1", "arg2"}, func(a map[string]string) []mcp.Content {
			return []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", a["arg1"], a["arg2"])}}
		}},
		"test_prompt_with_embedded_resource": {[]string{"resourceUri"}, func(a map[string]string) []mcp.Content {
			return []mcp.Content{resourceContent(a["resourceUri"]), &mcp.TextContent{Text: "Read it."}}
		}},
		"test_prompt_with_image": {nil, func(map[string]string) []mcp.Content {
			return []mcp.Content{picture, &mcp.TextContent{Text: "Look at it."}}
		}},
	} {
		prompt := &mcp.Prompt{Name: name, Description: "A fixture."}
		for _, a := range p.arguments {
			prompt.Arguments = append(prompt.Arguments, &mcp.PromptArgument{Name: a, Required: true})
		}
		s.AddPrompt(prompt, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return user(p.get(req.Params.Arguments)...), nil
		})
	}
	s.AddPrompt(&mcp.Prompt{Name: "test_input_required_result_prompt", Description: "A fixture."}, func(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		if a := answer(req.Params.InputResponses, "user_context"); a != nil {
			return user(&mcp.TextContent{Text: fmt.Sprint(a["context"])}), nil
		}
		return &mcp.GetPromptResult{InputRequests: mcp.InputRequestMap{"user_context": elicit("context", "string")}}, nil
	})
}

const schema2020 = `{
	"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "additionalProperties": false,
	"$defs": {"address": {"$anchor": "addressDef", "type": "object", "properties": {"street": {"type": "string"}, "city": {"type": "string"}}}},
	"properties": {
		"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}, "contactMethod": {"type": "string", "enum": ["phone", "email"]},
		"phone": {"type": "string"}, "email": {"type": "string"}
	},
	"allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
	"if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]}, "then": {"required": ["phone"]}, "else": {"required": ["email"]}
}`
