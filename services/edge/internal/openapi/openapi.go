// Package openapi serves the description of the interface: one YAML file, kept
// true by a test that holds it against the routes and their replies. What is
// the same everywhere is added here rather than written many times.
package openapi

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"boardorder/pkg/catalog"
	"boardorder/pkg/contract"
	"boardorder/services/edge/internal/web"

	"go.yaml.in/yaml/v3"
)

//go:embed openapi.yaml
var source []byte

// Document is the description for a server at publicURL, as JSON.
func Document(publicURL string) *web.Static {
	return web.BuildStatic("application/json", "public, max-age=300", func() ([]byte, error) { return JSON(publicURL) })
}

// Source is the description as it was written, in YAML, in an order for people.
func Source() []byte { return source }

// JSON is the text of the description.
func JSON(publicURL string) ([]byte, error) {
	var doc map[string]any
	if err := yaml.Unmarshal(source, &doc); err != nil {
		return nil, fmt.Errorf("openapi: %w", err)
	}
	doc["servers"] = []any{object{"url": publicURL}}
	if err := enumerate(descend(doc, "components", "schemas")); err != nil {
		return nil, fmt.Errorf("openapi: %w", err)
	}
	alias(descend(doc, "paths"))
	for _, path := range descend(doc, "paths") {
		for _, op := range path.(object) {
			if op, ok := op.(object); ok {
				complete(op)
			}
		}
	}
	for _, r := range descend(doc, "components", "responses") {
		addHeaders(r.(object))
	}
	body, err := json.Marshal(doc)
	if err != nil {
		return nil, fmt.Errorf("openapi: %w", err)
	}
	return body, nil
}

// enumerate fills in the values that are listed elsewhere.
func enumerate(schemas object) error {
	c, err := catalog.Load()
	if err != nil {
		return err
	}
	descend(schemas, "ErrorCode")["enum"] = contract.Codes()
	for _, option := range []struct {
		schema, property string
		ids              []string
	}{
		{"SurfaceFinish", "surface_finish", c.SurfaceFinishIDs()}, {"SolderMask", "solder_mask", c.SolderMaskIDs()},
		{"Laminate", "material", c.MaterialIDs()}, {"ViaProcess", "via_process", c.ViaProcessIDs()},
	} {
		descend(schemas, option.schema)["enum"] = option.ids
		// Other values are allowed here, for a review: an enum beside a string in one
		// schema is what some generators cannot make a type of.
		for _, body := range []string{"QuoteRequest", "ReorderRequest", "PriceTableRequest"} {
			descend(schemas, body, "properties", option.property)["x-extensible-enum"] = option.ids
		}
	}
	return nil
}

// alias describes the second address of formal orders: the same endpoints.
func alias(paths object) {
	for path, item := range maps.Clone(paths) {
		rest, ok := strings.CutPrefix(path, "/v1/orders")
		if !ok {
			continue
		}
		copied := object{}
		for method, op := range item.(object) {
			other := maps.Clone(op.(object))
			other["operationId"] = other["operationId"].(string) + "Alias"
			other["summary"] = other["summary"].(string) + " (alias of " + path + ")"
			other["responses"] = maps.Clone(descend(other, "responses"))
			copied[method] = other
		}
		paths["/central/orders"+rest] = copied
	}
}

type object = map[string]any

func descend(doc object, names ...string) object {
	for _, n := range names {
		doc, _ = doc[n].(object)
	}
	return doc
}

// keyed are the replies of every operation that takes a key.
var keyed = map[string]string{"400": "Malformed", "401": "Unauthorized", "403": "Forbidden", "429": "RateLimited", "503": "Unavailable"}

func complete(op object) {
	responses := descend(op, "responses")
	if _, public := op["security"]; !public {
		for status, name := range keyed {
			if responses[status] == nil {
				responses[status] = reference("responses", name)
			}
		}
		for status, r := range responses {
			if status[0] == '2' && r.(object)["$ref"] == nil {
				addHeader(r.(object), "RateLimit", "RateLimit-Policy")
			}
		}
	}
	if responses["422"] == nil {
		responses["422"] = reference("responses", "Declared")
	}
	responses["431"] = reference("responses", "HeadersTooLarge")
	responses["500"] = reference("responses", "Internal")
	for _, r := range responses {
		addHeaders(r.(object))
	}
}

func addHeaders(response object) { addHeader(response, "Request-Id", "API-Version") }

func addHeader(response object, names ...string) {
	if response["$ref"] != nil {
		return
	}
	headers, ok := response["headers"].(object)
	if !ok {
		headers = object{}
		response["headers"] = headers
	}
	for _, n := range names {
		headers[n] = reference("headers", n)
	}
}

func reference(kind, name string) object { return object{"$ref": "#/components/" + kind + "/" + name} }
