package reference

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Index is what llms.txt has: all endpoints of the server at publicURL in a line each, and
// where more is said, as Markdown for programs that read.
func Index(publicURL string) ([]byte, error) {
	d, err := load(publicURL)
	if err != nil {
		return nil, err
	}
	_, info := d.get(nil, d.root, "info")
	var out bytes.Buffer
	fmt.Fprintf(&out, "# %s\n\n> %s\n\n", text(info["title"]), text(info["summary"]))
	first, _, _ := strings.Cut(text(info["description"]), "\n\n")
	fmt.Fprintf(&out, "%s\n\n## Start\n\n", strings.TrimSpace(first))
	for _, l := range [][3]string{
		{"Your first quote", Root + "/first-quote", "three requests, in Shell, Python, TypeScript and Go"},
		{"Agents", Root + "/agents", "the same by the Model Context Protocol, at " + publicURL + "/mcp"},
		{"Skill", SkillPath, "how an agent orders boards, to keep as SKILL.md"},
		{"Command line", Root + "/board", "the program board, for terminals, pipelines and scripts"},
		{"KiCad", Root + "/kicad", "the plug-in: prices of the open board, findings marked on it"},
		{"Errors", Root + "/errors", "what each code means and what to do"},
		{"OpenAPI 3.1", "/openapi.json", "every field of every endpoint"},
	} {
		fmt.Fprintf(&out, "- [%s](%s%s): %s\n", l[0], publicURL, l[1], l[2])
	}
	for _, g := range d.groups(publicURL) {
		fmt.Fprintf(&out, "\n## %s\n\n", g.Name)
		for _, op := range g.Operations {
			fmt.Fprintf(&out, "- [%s %s](%s%s#%s): %s\n", op.Method, op.Path, publicURL, g.Path, op.ID, op.Summary)
		}
	}
	return out.Bytes(), nil
}

// CatalogType is the type of a catalog of APIs (RFC 9727).
const CatalogType = `application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`

// Catalog lists the interfaces of the server at publicURL, as RFC 9727 has it: the API, and the
// endpoint for agents.
func Catalog(publicURL string) ([]byte, error) {
	type link struct {
		Href string `json:"href"`
		Type string `json:"type"`
	}
	return json.Marshal(map[string]any{"linkset": []map[string]any{
		{
			"anchor":       publicURL + "/v1",
			"service-desc": []link{{publicURL + "/openapi.json", "application/json"}},
			"service-doc":  []link{{publicURL + Root, "text/html"}, {publicURL + "/llms.txt", "text/markdown"}},
			"status":       []link{{publicURL + "/v1/status", "application/json"}},
		},
		{
			"anchor":       publicURL + "/mcp",
			"service-doc":  []link{{publicURL + Root + "/agents", "text/html"}, {publicURL + SkillPath, "text/markdown"}},
			"service-meta": []link{{publicURL + "/.well-known/oauth-protected-resource/mcp", "application/json"}},
		},
	}})
}
