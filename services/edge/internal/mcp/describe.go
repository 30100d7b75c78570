package mcp

import "strings"

// A Description is what a tool does, in a sentence, and the calls of the API that it is.
type Description struct {
	Name, Does string
	Calls      []string
}

// Describe gives what models are told before they call any tool, and the tools: what people read
// of them is written from it.
func Describe() (instructions string, tools []Description, err error) {
	d, err := readDefinitions()
	for _, t := range d.Tools {
		does, _, _ := strings.Cut(t.Description, ". ")
		out := Description{Name: t.Name, Does: does + "."}
		for _, way := range routes[t.Name] {
			out.Calls = append(out.Calls, way.method+" "+way.path)
		}
		tools = append(tools, out)
	}
	return d.Instructions, tools, err
}
