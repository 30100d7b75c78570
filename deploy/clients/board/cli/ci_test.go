package cli

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files")

// designWords is what a design may call a net, a part or a file to have a pipeline, a comment or a shell do something.
var designWords = "GND`</code><script>alert(1)</script> @everyone #1 $(reboot) ; rm -rf / \n/merge\n::set-output name=x::y\r\n##[add-mask]a | [x](javascript:y) ![i](https://evil.example/i.png) <!-- board ci:  --> https://evil.example \x1b[2J\u202e"

// A pipelineWorld is a service and a host of repositories, on one address.
type pipelineWorld struct {
	mu       sync.Mutex
	notes    []map[string]any
	written  []string // method and path of what changed notes
	readOnly bool
	gitlab   bool
	finding  string // its level
	words    string
	refused  bool
}

func (w *pipelineWorld) serve(rw http.ResponseWriter, r *http.Request) {
	w.mu.Lock()
	defer w.mu.Unlock()
	words, _ := json.Marshal(w.words)
	switch path := r.URL.Path; {
	case path == "/v1/design-checks":
		answer(rw, 200, fmt.Sprintf(`{"ok":true,"status":"x","report_url":"http://%s/report.html","findings":[{"level":%q,"check":"short","what":%s,"file":%s,"line":3},{"level":"note","check":"n","what":"seen"}]}`, r.Host, w.finding, words, words))
	case path == "/v1/quotes" && w.refused:
		answer(rw, 422, fmt.Sprintf(`{"ok":false,"error":"needs_details","message":%s,"questions":[{"option":"a","question":%s,"choices":[1]}]}`, words, words))
	case path == "/v1/quotes":
		answer(rw, 201, fmt.Sprintf(`{"ok":true,"mode":"instant","quote_id":"%064d","checkout_url":"http://%s/checkout/secret","board_image_url":"http://%s/image.png","board":%s,"quantity":10,"currency":"USD","total_cents":9000,"total":"$90.00","delivery":"7 days","in_your_currency":{"currency":"EUR","total":"EUR 80.01","total_minor":8001}}`, 1, r.Host, r.Host, words))
	case strings.HasSuffix(path, "/user"):
		answer(rw, 200, `{"id":7}`)
	case r.Method == http.MethodGet && (strings.HasSuffix(path, "/comments") || strings.HasSuffix(path, "/notes")):
		page := r.URL.Query().Get("page")
		from := map[string]int{"1": 0, "2": 100}[page]
		out, _ := json.Marshal(w.notes[min(from, len(w.notes)):min(from+100, len(w.notes))])
		answer(rw, 200, string(out))
	case w.readOnly:
		answer(rw, 403, `{}`)
	case r.Method == http.MethodPost || r.Method == http.MethodPatch || r.Method == http.MethodPut:
		var in struct{ Body string }
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			answer(rw, 400, `{}`)
			return
		}
		w.written = append(w.written, r.Method+" "+path+" "+r.Header.Get("Authorization")+r.Header.Get("PRIVATE-TOKEN"))
		for _, n := range w.notes {
			if strings.HasSuffix(path, fmt.Sprint("/", n["id"])) {
				n["body"] = in.Body
				answer(rw, 200, `{}`)
				return
			}
		}
		w.notes = append(w.notes, map[string]any{"id": 1000 + len(w.notes), "body": in.Body, "user": map[string]any{"login": "github-actions[bot]"}, "author": map[string]any{"id": 7}})
		answer(rw, 201, `{}`)
	default:
		answer(rw, 404, `{"ok":false,"error":"not_found","message":"m"}`)
	}
}

// github is the environment of a workflow of a pull request.
func (w *pipelineWorld) github(t *testing.T, private, fork bool) map[string]string {
	t.Helper()
	env := serve(t, w.serve)
	folder := t.TempDir()
	from := "owner/board"
	if fork {
		from = "someone/board"
	}
	event := fmt.Sprintf(`{"repository":{"private":%t},"pull_request":{"number":5,"title":"$(reboot)","head":{"sha":%q,"ref":"a\";reboot;\"","repo":{"full_name":%q}}}}`, private, strings.Repeat("ab", 20), from)
	if err := os.WriteFile(filepath.Join(folder, "event.json"), []byte(event), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{
		"GITHUB_ACTIONS": "true", "GITHUB_EVENT_PATH": filepath.Join(folder, "event.json"), "GITHUB_REPOSITORY": "owner/board", "GITHUB_API_URL": env["BOARD_URL"], "GITHUB_TOKEN": "ghs_token",
		"GITHUB_STEP_SUMMARY": filepath.Join(folder, "summary.md"), "GITHUB_OUTPUT": filepath.Join(folder, "output"), "BOARD_CI_UPLOAD": "up_1",
	} {
		env[name] = value
	}
	return env
}

func readText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestOneCommentIsKeptUpToDate: it is written once and changed from then on, past those of others that look alike, on both hosts.
func TestOneCommentIsKeptUpToDate(t *testing.T) {
	t.Parallel()
	for _, gitlab := range []bool{false, true} {
		w := &pipelineWorld{finding: "warning", words: "GND", gitlab: gitlab}
		for i := range 150 {
			w.notes = append(w.notes, map[string]any{"id": i, "body": marker("") + "\nforged", "user": map[string]any{"login": "mallory"}, "author": map[string]any{"id": 8}})
		}
		env := w.github(t, true, false)
		token, change := "Bearer ghs_token", "PATCH /repos/owner/board/issues/comments/1150"
		first := "POST /repos/owner/board/issues/5/comments"
		if gitlab {
			delete(env, "GITHUB_ACTIONS")
			for name, value := range map[string]string{"GITLAB_CI": "true", "BOARD_GITLAB_TOKEN": "glpat", "CI_API_V4_URL": env["BOARD_URL"] + "/api/v4", "CI_PROJECT_ID": "3", "CI_MERGE_REQUEST_IID": "5"} {
				env[name] = value
			}
			token, change, first = "glpat", "PUT /api/v4/projects/3/merge_requests/5/notes/1150", "POST /api/v4/projects/3/merge_requests/5/notes"
		}
		for range 3 {
			if status, out, failures := run(t, env, "", false, "ci"); status != 0 {
				t.Fatalf("board ci: %d\n%s\n%s", status, out, failures)
			}
		}
		want := []string{first + " " + token, change + " " + token, change + " " + token}
		if !slices.Equal(w.written, want) {
			t.Errorf("gitlab %t: written %q, want %q", gitlab, w.written, want)
		}
		if n := w.notes[3]["body"]; n != marker("")+"\nforged" {
			t.Errorf("another's comment is %q now", n)
		}
	}
}

// TestForksHaveTheSummary: a token that may not write fails nothing, and the summary says what the comment would.
func TestForksHaveTheSummary(t *testing.T) {
	t.Parallel()
	w := &pipelineWorld{finding: "warning", words: "GND", readOnly: true}
	env := w.github(t, false, true)
	status, _, failures := run(t, env, "", false, "ci")
	if status != 0 || !strings.Contains(failures, "fork") || !strings.Contains(readText(t, env["GITHUB_STEP_SUMMARY"]), "$90.00") {
		t.Errorf("%d, %q, summary %q; want it done, why there is no comment, and the price", status, failures, readText(t, env["GITHUB_STEP_SUMMARY"]))
	}
}

// TestPipelinesFail: by what was found, by the price, and not otherwise; in public nobody is shown where quotes are paid.
func TestPipelinesFail(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		finding string
		refused bool
		vars    map[string]string
		status  int
		has     string
	}{
		"nothing to fail for":    {"warning", false, nil, 0, "0 must be fixed, 1 warning, 1 note"},
		"must be fixed":          {"must_fix", false, nil, 1, "**Fails:**"},
		"must be fixed, allowed": {"must_fix", false, map[string]string{"BOARD_CI_LEVEL": "never"}, 0, "1 must be fixed"},
		"a warning":              {"warning", false, map[string]string{"BOARD_CI_LEVEL": "warning"}, 1, "**Fails:**"},
		"within":                 {"note", false, map[string]string{"BOARD_CI_MAX_TOTAL": "80.01EUR"}, 0, "EUR 80.01"},
		"above":                  {"note", false, map[string]string{"BOARD_CI_MAX_TOTAL": "80EUR"}, 1, "EUR 80.01 is more than EUR 80.00"},
		"no price":               {"note", true, nil, 1, "**No price:**"},
		"no such level":          {"note", false, map[string]string{"BOARD_CI_LEVEL": "x"}, 1, ""},
		"no such number":         {"note", false, map[string]string{"BOARD_CI_QUANTITY": "x"}, 1, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := &pipelineWorld{finding: tt.finding, words: "GND", refused: tt.refused}
			env := w.github(t, false, false)
			for k, v := range tt.vars {
				env[k] = v
			}
			status, out, failures := run(t, env, "", false, "ci")
			if status != tt.status {
				t.Errorf("%d, want %d\n%s\n%s", status, tt.status, out, failures)
			}
			if tt.has == "" {
				return
			}
			text, _ := w.notes[0]["body"].(string)
			if !strings.Contains(text, tt.has) || strings.Contains(text, "checkout") {
				t.Errorf("the comment lacks %q, or says where the quote is paid:\n%s", tt.has, text)
			}
			if summary := readText(t, env["GITHUB_STEP_SUMMARY"]); strings.TrimSpace(summary) != strings.TrimSpace(text) {
				t.Errorf("summary:\n%s\nwant the comment:\n%s", summary, text)
			}
		})
	}
}

// TestDesignsSteerNoPipeline: whatever a design calls its nets and files, no line of the log is a command, no comment has markup or
// a quick action of theirs, no output has a second line, and the key is hidden.
func TestDesignsSteerNoPipeline(t *testing.T) {
	t.Parallel()
	for _, refused := range []bool{false, true} {
		w := &pipelineWorld{finding: "must_fix", words: designWords, refused: refused}
		env := w.github(t, true, false)
		env["BOARD_CI_SARIF"] = filepath.Join(t.TempDir(), "board.sarif")
		env["BOARD_CI_NAME"] = designWords
		_, out, failures := run(t, env, "", false, "ci")
		first, rest, _ := strings.Cut(out, "\n")
		if first != "::add-mask::bo_test_1" {
			t.Errorf("the log begins with %q, want the key masked", first)
		}
		for l := range strings.Lines(rest + failures) {
			known := false
			for _, kind := range []string{"::error file=", "::notice title=n::seen"} {
				known = known || strings.HasPrefix(l, kind)
			}
			if strings.HasPrefix(strings.TrimSpace(l), "::") && !known || strings.Contains(l, "##[") || strings.ContainsAny(l, "\x1b\r\u202e") {
				t.Errorf("the log has the line %q, which a runner takes for a command or a terminal is steered by", l)
			}
		}
		text, _ := w.notes[0]["body"].(string)
		for l := range strings.Lines(text) {
			if strings.HasPrefix(strings.TrimSpace(l), "/") || strings.Contains(stripSpans(l), "evil") || strings.ContainsAny(stripSpans(l), "@;") || strings.Contains(stripSpans(l), "<script") || strings.Count(l, "`")%2 != 0 {
				t.Errorf("the comment has the line %q, in which words of the design are more than words", l)
			}
		}
		if n := strings.Count(readText(t, env["GITHUB_OUTPUT"]), "\n"); n > 5 || strings.Contains(readText(t, env["GITHUB_OUTPUT"]), "x::y") {
			t.Errorf("outputs: %q, want ours alone", readText(t, env["GITHUB_OUTPUT"]))
		}
		if strings.Contains(rest+failures+text+readText(t, env["GITHUB_OUTPUT"]), "bo_test_1") {
			t.Error("the key stands in what was written")
		}
		golden := filepath.Join("testdata", fmt.Sprintf("comment-refused-%t.md", refused))
		text = strings.ReplaceAll(text, env["BOARD_URL"], "http://service")
		if *update {
			if err := os.WriteFile(golden, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if want := readText(t, golden); text != want {
			t.Errorf("the comment is\n%s\nwant (go test -update writes it)\n%s", text, want)
		}
	}
}

// stripSpans gives a line of Markdown without what stands in code spans, and without our own marker.
func stripSpans(l string) string {
	var b strings.Builder
	for i, part := range strings.Split(l, "`") {
		if i%2 == 0 {
			b.WriteString(part)
		}
	}
	return b.String()
}

// FuzzCodeSpan: no text gets out of the span that it is put into.
func FuzzCodeSpan(f *testing.F) {
	f.Add(designWords)
	f.Fuzz(func(t *testing.T, text string) {
		got := codeSpan(text)
		if got != "" && (strings.Count(got, "`") != 2 || got[0] != '`' || got[len(got)-1] != '`' || strings.ContainsAny(got, "\n\r") || strings.Contains(got, "##[")) {
			t.Errorf("%q is quoted as %q, want one span on one line", text, got)
		}
		if m := marker(text); strings.Count(m, "-->") != 1 || strings.Contains(m, "\n") {
			t.Errorf("%q has the marker %q, want one comment", text, m)
		}
	})
}
