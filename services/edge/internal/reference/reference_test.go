package reference_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/services/edge/internal/openapi"
	"boardorder/services/edge/internal/reference"
)

const server = "https://api.example.com"

func pages(t *testing.T) map[string]string {
	t.Helper()
	all, err := reference.Pages(server)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, p := range all {
		out[p.Path] = string(p.HTML)
	}
	return out
}

// Every endpoint stands on one page, with its parameters, a command, its replies
// and its errors.
func TestEveryEndpointIsThere(t *testing.T) {
	t.Parallel()
	served, err := openapi.JSON(server)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Paths map[string]map[string]struct {
			OperationID string
			Tags        []string
			Responses   map[string]any
			Parameters  []struct {
				Name string
				Ref  string `json:"$ref"`
			}
		}
		Components struct {
			Parameters map[string]struct{ Name string }
		}
	}
	if err := json.Unmarshal(served, &doc); err != nil {
		t.Fatal(err)
	}
	all, n := pages(t), 0
	for path, methods := range doc.Paths {
		for method, op := range methods {
			if op.OperationID == "" || strings.HasPrefix(path, "/central/") {
				continue
			}
			n++
			page := all["/docs/"+strings.ToLower(strings.ReplaceAll(op.Tags[0], " ", "-"))]
			_, section, ok := strings.Cut(page, `aria-labelledby="`+op.OperationID+`"`)
			section, _, _ = strings.Cut(section, "</section>")
			if !ok {
				t.Errorf("%s %s is not there", method, path)
				continue
			}
			want := []string{"<code>" + path + "</code>", "curl -s"}
			for status := range op.Responses {
				want = append(want, ">"+status+" ")
			}
			for _, p := range op.Parameters {
				if p.Ref != "" {
					p.Name = doc.Components.Parameters[p.Ref[strings.LastIndexByte(p.Ref, '/')+1:]].Name
				}
				want = append(want, "<code>"+p.Name+"</code>")
			}
			for _, w := range want {
				if !strings.Contains(section, w) {
					t.Errorf("%s %s lacks %q", method, path, w)
				}
			}
		}
	}
	if n < 30 {
		t.Errorf("%d endpoints, want 30 at least", n)
	}
}

// Every link leads somewhere, every code of the closed list is explained, and each
// page is small.
func TestPagesHoldTogether(t *testing.T) {
	t.Parallel()
	all := pages(t)
	link := regexp.MustCompile(`href="(/docs[^"#]*)?(?:#([^"]*))?"`)
	for path, page := range all {
		for _, m := range link.FindAllStringSubmatch(page, -1) {
			to := all[path]
			if m[1] != "" {
				to = all[m[1]]
			}
			if to == "" || m[2] != "" && strings.Count(to, `id="`+m[2]+`"`) != 1 {
				t.Errorf("%s leads to %s, which is not there once", path, m[0])
			}
		}
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		if _, err := z.Write([]byte(page)); err != nil || z.Close() != nil {
			t.Fatal(err)
		}
		if packed.Len() > 60_000 {
			t.Errorf("%s is %d bytes, packed, want 60000 at most", path, packed.Len())
		}
		if strings.Contains(page, "style=") || strings.Contains(page, "<script>") {
			t.Errorf("%s needs inline code", path)
		}
	}
	for _, c := range contract.Codes() {
		_, row, there := strings.Cut(all["/docs/errors"], `<tr id="`+string(c)+`">`)
		row, _, _ = strings.Cut(row, "</tr>")
		if cells := regexp.MustCompile(`<td><p>[^<]`).FindAllString(row, -1); !there || len(cells) < 1 || strings.Count(row, "<td>") != 2 || strings.Contains(row, "<td></td>") {
			t.Errorf("the code %s is not explained by a cause and a way out: %q", c, row)
		}
	}
}

// TestTablesAreTables, also those in descriptions.
func TestTablesAreTables(t *testing.T) {
	t.Parallel()
	for path, page := range pages(t) {
		if strings.Contains(page, "|---") {
			t.Errorf("%s shows a table as bars", path)
		}
	}
	if !strings.Contains(pages(t)["/docs"], "<td><code>test_review</code></td>") {
		t.Error("the words that test keys ask for answers with are in no table")
	}
}

// What people read stands as it was written: in that order, and commands as they
// can be pasted.
func TestAsWritten(t *testing.T) {
	t.Parallel()
	page := html.UnescapeString(pages(t)["/docs/quotes"])
	const command = `curl -s "https://api.example.com/v1/quotes" \
  -H "X-API-Key: $API_KEY" \
  -H "Content-Type: application/json" \
  -d '{
  "upload_id": "up_3kq7mzt5wcv2jx4h6n8p9rsduabyefgi",
  "quantity": 10,
  "standard_for_unstated": true,
`
	for _, want := range []string{command, "curl -s \"https://api.example.com/v1/quotes/$QUOTE_ID\" \\\n  -H \"X-API-Key: $API_KEY\"", "<code>quantity</code> <span class=\"needed\">required</span>", `"hasl_lead_free"`, "0 to 150", `For example <code>"Blinker rev B"</code>`} {
		if !strings.Contains(page, want) {
			t.Errorf("it lacks %s", want)
		}
	}
	var at []int
	for _, name := range []string{"upload_id", "quantity", "ship_to"} {
		at = append(at, strings.Index(page, "<th scope=\"row\"><code>"+name+"</code>"))
	}
	if at[0] < 0 || !slices.IsSorted(at) {
		t.Errorf("the fields stand at %v, want in the order of the request", at)
	}
	if upload := pages(t)["/docs/uploads"]; !strings.Contains(upload, "-F files=@board.zip") {
		t.Error("files are not sent as a form")
	}
}
