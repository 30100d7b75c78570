package reference_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"boardorder/services/edge/internal/openapi"
	"boardorder/services/edge/internal/reference"
)

// TestIndexHasEveryEndpoint: each once, by a link to where it is described.
func TestIndexHasEveryEndpoint(t *testing.T) {
	t.Parallel()
	const server = "https://api.test"
	index, err := reference.Index(server)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(index), "# Board Ordering\n\n> ") {
		t.Errorf("the index begins with %.80q, want its title and a summary", index)
	}
	all := pages(t)
	for _, l := range regexp.MustCompile(`\]\(`+server+`([^)#]*)#?([^)]*)\)`).FindAllStringSubmatch(string(index), -1) {
		page, found := all[l[1]]
		if l[1] != "/openapi.json" && l[1] != reference.SkillPath && (!found || l[2] != "" && !strings.Contains(page, `id="`+l[2]+`"`)) {
			t.Errorf("the index leads to %s#%s, which is nowhere", l[1], l[2])
		}
	}
	text, err := openapi.JSON(server)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Paths map[string]map[string]any
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	for path, methods := range doc.Paths {
		for method := range methods {
			if strings.HasPrefix(path, "/central/") { // second addresses, which their first ones name
				continue
			}
			if line := "[" + strings.ToUpper(method) + " " + path + "]"; strings.Count(string(index), line) != 1 {
				t.Errorf("%s stands %d times in the index, want once", line, strings.Count(string(index), line))
			}
		}
	}
}

func TestCatalog(t *testing.T) {
	t.Parallel()
	text, err := reference.Catalog("https://api.test")
	if err != nil {
		t.Fatal(err)
	}
	var catalog struct {
		Linkset []map[string]any
	}
	if err := json.Unmarshal(text, &catalog); err != nil || len(catalog.Linkset) != 2 || catalog.Linkset[0]["anchor"] != "https://api.test/v1" || catalog.Linkset[1]["anchor"] != "https://api.test/mcp" {
		t.Errorf("catalog = %s, %v; want the API and the endpoint for agents", text, err)
	}
}
