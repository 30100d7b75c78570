package reference_test

import (
	"html"
	"regexp"
	"strings"
	"testing"

	"boardorder/services/edge/internal/mcp"
	"boardorder/services/edge/internal/reference"

	"go.yaml.in/yaml/v3"
)

// TestAgentsReadTheSameEverywhere: the skill, the page and the tools say one thing, since they are
// written from one source.
func TestAgentsReadTheSameEverywhere(t *testing.T) {
	t.Parallel()
	const server = "https://api.test"
	skill, err := reference.Skill(server)
	if err != nil {
		t.Fatal(err)
	}
	instructions, tools, err := mcp.Describe()
	if err != nil || len(tools) == 0 {
		t.Fatalf("%d tools, %v", len(tools), err)
	}
	page := html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(pages(t)[reference.Root+"/agents"], ""))
	for _, tool := range tools {
		for _, want := range append(tool.Calls, tool.Name, tool.Does) {
			if !strings.Contains(string(skill), want) {
				t.Errorf("the skill lacks %q", want)
			}
			if !strings.Contains(page, strings.ReplaceAll(want, "`", "")) {
				t.Errorf("the page for agents lacks %q", want)
			}
		}
	}
	if !strings.Contains(string(skill), strings.TrimSpace(instructions)) || strings.Contains(string(skill), "api.example.com") || strings.Contains(string(skill), "{{") || strings.Contains(string(skill), "](/") {
		t.Errorf("the skill is %s\nwant the instructions of the tools in it, and addresses of this server", skill)
	}
	var about struct{ Name, Description string }
	parts := strings.SplitN(string(skill), "---\n", 3)
	if len(parts) != 3 || parts[0] != "" {
		t.Fatalf("the skill begins with %.80q, want its name and description", skill)
	}
	if err := yaml.Unmarshal([]byte(parts[1]), &about); err != nil || !strings.HasSuffix(reference.SkillPath, "/"+about.Name+"/SKILL.md") || about.Description == "" || len(about.Description) > 1024 {
		t.Errorf("the skill is about %+v, %v; want the name of its folder, and a description of at most 1024 bytes", about, err)
	}
}
