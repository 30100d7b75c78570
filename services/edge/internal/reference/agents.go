package reference

import (
	"bytes"
	"fmt"
	"strings"

	"boardorder/services/edge/internal/mcp"
)

// SkillPath is where the skill for agents is: its folder has its name.
const SkillPath = "/skills/order-boards/SKILL.md"

// toolsMark stands in the guide for the table of tools.
const toolsMark = "{{tools}}"

// writeAgentGuide is the guide for who connects an agent, as Markdown, with the tools as they are defined.
func writeAgentGuide(publicURL string) (string, error) {
	guide, err := files.ReadFile("guide/agents.md")
	if err != nil {
		return "", err
	}
	_, tools, err := mcp.Describe()
	if err != nil {
		return "", err
	}
	var table strings.Builder
	table.WriteString("| tool | what it does | the same as |\n|---|---|---|\n")
	for _, t := range tools {
		fmt.Fprintf(&table, "| `%s` | %s | `%s` |\n", t.Name, t.Does, strings.Join(t.Calls, "`, `"))
	}
	return strings.NewReplacer(sampleServer, publicURL, toolsMark, strings.TrimSpace(table.String())).Replace(string(guide)), nil
}

// Skill is a skill for agents (SKILL.md): when to order boards here and how, by the tools or, where an
// agent has none, by the API. It is written from what the tools say and from the guides.
func Skill(publicURL string) ([]byte, error) {
	guide, err := writeAgentGuide(publicURL)
	if err != nil {
		return nil, err
	}
	instructions, _, err := mcp.Describe()
	if err != nil {
		return nil, err
	}
	quote, err := files.ReadFile("guide/first-quote.sh")
	if err != nil {
		return nil, err
	}
	_, guide, _ = strings.Cut(guide, "\n## ") // what comes before is for who chooses among services
	guide = strings.ReplaceAll(guide, "](/", "]("+publicURL+"/")
	var out bytes.Buffer
	fmt.Fprintf(&out, `---
name: order-boards
description: Gets printed circuit boards (PCB), bare or assembled, checked, priced with duty and tax, and a payment link, from design files (Gerber, KiCad, ODB++, IPC-2581). Use when the user wants boards made, a price for them, a design checked before it is built, or to know whether its parts can be bought.
---

# Order printed circuit boards

%s

## %s

## Without the tools

The API does the same. %s%s lists every endpoint with the page that says more, %s%s the errors.

%s
`, strings.TrimSpace(instructions), strings.TrimSpace(guide), publicURL, "/llms.txt", publicURL, Root+"/errors", indent(string(quote)))
	return out.Bytes(), nil
}

// indent makes a block of code of text.
func indent(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n    ")
}
