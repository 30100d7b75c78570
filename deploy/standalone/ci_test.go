package standalone_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"go.yaml.in/yaml/v3"
)

// A commentHost stands in for the comments of a request on GitHub and GitLab.
type commentHost struct {
	mu       sync.Mutex
	comments []map[string]any
	writes   []string
}

func (h *commentHost) serve(rw http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	rw.Header().Set("Content-Type", "application/json")
	var in struct{ Body string }
	switch r.Method {
	case http.MethodGet:
		var out any = h.comments
		if strings.HasSuffix(r.URL.Path, "/user") {
			out = map[string]any{"id": 7}
		}
		json.NewEncoder(rw).Encode(out) //nolint:errcheck // a test's reply
	default:
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			rw.WriteHeader(http.StatusBadRequest)
			return
		}
		if h.writes = append(h.writes, r.Method); r.Method == http.MethodPost {
			h.comments = append(h.comments, map[string]any{"id": 11, "user": map[string]any{"login": "github-actions[bot]"}, "author": map[string]any{"id": 7}})
			rw.WriteHeader(http.StatusCreated)
		}
		h.comments[0]["body"] = in.Body
		io.WriteString(rw, "{}") //nolint:errcheck // a test's reply
	}
}

// A runner carries out the steps of a pipeline in a real shell.
type runner struct {
	t                  *testing.T
	repository, folder string
	base, head         string // commits
	host               *commentHost
	service, key       string
	server             string
}

func (r *runner) git(args ...string) string {
	r.t.Helper()
	c := exec.CommandContext(r.t.Context(), "git", append([]string{"-C", r.repository, "-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...)
	out, err := c.CombinedOutput()
	if err != nil {
		r.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// run carries out a script with these variables alone and gives its exit status and what it printed.
func (r *runner) run(script string, env map[string]string) (status int, log string) {
	r.t.Helper()
	c := exec.CommandContext(r.t.Context(), "bash", "-c", script)
	c.Dir = r.repository
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + r.folder}
	for name, value := range env {
		c.Env = append(c.Env, name+"="+value)
	}
	out, err := c.CombinedOutput()
	if err != nil && c.ProcessState == nil {
		r.t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), string(out)
}

// TestPipelines: the steps of the GitHub action and the script of the GitLab template, in a shell, over the whole system: a change of a
// board is checked, priced, compared with its base and told in one comment, which a second run changes.
func TestPipelines(t *testing.T) {
	t.Parallel()
	for _, program := range []string{"git", "bash", "go"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip("needs " + program)
		}
	}
	if testing.Short() {
		t.Skip("builds the command and prices eight boards")
	}
	s := start(t, nil)
	r := &runner{t: t, repository: t.TempDir(), folder: t.TempDir(), host: &commentHost{}, service: s.BaseURL, key: s.testKey(t)}
	host := httptest.NewServer(http.HandlerFunc(r.host.serve))
	defer host.Close()
	r.server = host.URL
	hardware := filepath.Join(r.repository, "hardware $(touch owned)")
	if err := os.CopyFS(hardware, os.DirFS(s.unpackSample(t))); err != nil {
		t.Fatal(err)
	}
	r.git("init", "--quiet", "--initial-branch=main")
	r.git("add", ".")
	r.git("commit", "--quiet", "--message=base")
	r.base = r.git("rev-parse", "HEAD")
	outline, err := filepath.Glob(filepath.Join(hardware, "*F_Silkscreen*"))
	if err != nil || len(outline) != 1 {
		t.Fatalf("the silkscreen of the sample: %v, %v", outline, err)
	}
	text, err := os.ReadFile(outline[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(outline[0], []byte(strings.Replace(string(text), "M02*", "X2000000Y2000000D03*\nM02*", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	r.git("checkout", "--quiet", "-b", "a;touch${IFS}owned")
	r.git("commit", "--quiet", "--all", "--message=change")
	r.head = r.git("rev-parse", "HEAD")
	program := filepath.Join(r.folder, "board")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, "boardorder/deploy/clients/board")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build board: %v\n%s", err, out)
	}
	for name, run := range map[string]func(program string) (int, string, string){"github": r.runGitHub, "gitlab": r.runGitLab} {
		r.host.comments, r.host.writes = nil, nil
		for i, method := range []string{http.MethodPost, http.MethodPatch} {
			if name == "gitlab" && i == 1 {
				method = http.MethodPut
			}
			status, log, sarif := run(program)
			if status != 0 || strings.Contains(log, r.key) && name == "gitlab" {
				t.Fatalf("%s: %d, want 0 and no key in the log\n%s", name, status, log)
			}
			if len(r.host.writes) != i+1 || r.host.writes[i] != method {
				t.Errorf("%s wrote %v, want %s last, one a run\n%s", name, r.host.writes, method, log)
			}
			body := fmt.Sprint(r.host.comments[0]["body"])
			for _, want := range []string{"$105.54", "Base branch", "the same", "Files that differ from the base branch: 1", "blinker-F_Silkscreen.gbr", "[report](" + r.service, "![This design](" + r.service, "what changed in copper"} {
				if !strings.Contains(body, want) {
					t.Errorf("%s: the comment lacks %q:\n%s\n%s", name, want, body, log)
				}
			}
			var found struct{ Version string }
			if text, err := os.ReadFile(sarif); err != nil || json.Unmarshal(text, &found) != nil || found.Version != "2.1.0" {
				t.Errorf("%s: SARIF %s, %v", name, text, err)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(r.repository, "owned")); err == nil {
		t.Error("the name of a folder or a branch was carried out by a shell")
	}
}

// expression is what GitHub puts into an action where it stands.
var expression = regexp.MustCompile(`\$\{\{\s*([\w.-]+)\s*\}\}`)

// runGitHub carries out the steps of action.yml for a pull request.
func (r *runner) runGitHub(program string) (status int, log, sarif string) {
	r.t.Helper()
	var action struct {
		Inputs map[string]struct{ Default string }
		Runs   struct {
			Steps []struct {
				ID, Shell, Run string
				Env            map[string]string
			}
		}
	}
	folder := filepath.Join("..", "clients", "ci")
	text, err := os.ReadFile(filepath.Join(folder, "action.yml"))
	if err == nil {
		err = yaml.Unmarshal(text, &action)
	}
	if err == nil {
		folder, err = filepath.Abs(folder)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	values := map[string]string{"github.token": "ghs_token", "github.action_path": folder, "github.event.pull_request.base.sha": r.base}
	for name, in := range action.Inputs {
		values["inputs."+name] = expression.ReplaceAllStringFunc(in.Default, func(e string) string { return values[expression.FindStringSubmatch(e)[1]] })
	}
	values["inputs.key"], values["inputs.url"], values["inputs.board"], values["inputs.path"], values["inputs.max-total"], values["inputs.to"] = r.key, r.service, program, "hardware $(touch owned)", "200USD", "DE"
	event := filepath.Join(r.folder, "event.json")
	if err := os.WriteFile(event, fmt.Appendf(nil, `{"repository":{"private":true},"pull_request":{"number":5,"head":{"sha":%q,"repo":{"full_name":"o/r"}}}}`, r.head), 0o600); err != nil {
		r.t.Fatal(err)
	}
	for _, step := range action.Runs.Steps {
		if strings.Contains(step.Run, "${{") {
			r.t.Errorf("a step has an expression in its script, which a value can break out of: %s", step.Run)
		}
		output := filepath.Join(r.folder, "output-"+step.ID)
		os.Remove(output) //nolint:errcheck // of the run before
		env := map[string]string{
			"GITHUB_ACTIONS": "true", "GITHUB_OUTPUT": output, "GITHUB_STEP_SUMMARY": filepath.Join(r.folder, "summary"), "GITHUB_EVENT_PATH": event,
			"GITHUB_REPOSITORY": "o/r", "GITHUB_API_URL": r.server, "RUNNER_TEMP": r.folder,
		}
		for name, value := range step.Env {
			env[name] = expression.ReplaceAllStringFunc(value, func(e string) string { return values[expression.FindStringSubmatch(e)[1]] })
		}
		if status, log = r.run(step.Run, env); status != 0 {
			return status, log, ""
		}
		written, err := os.ReadFile(output)
		if err != nil {
			r.t.Fatalf("step %s: %v\n%s", step.ID, err, log)
		}
		for line := range strings.Lines(string(written)) {
			name, value, _ := strings.Cut(strings.TrimSpace(line), "=")
			values["steps."+step.ID+".outputs."+name] = value
		}
	}
	if summary, err := os.ReadFile(filepath.Join(r.folder, "summary")); err != nil || !strings.Contains(string(summary), "$105.54") || values["steps.ci.outputs.total"] != "$105.54" {
		r.t.Errorf("summary %s, %v; outputs %v: want the price in both", summary, err, values)
	}
	return status, log, values["steps.board.outputs.sarif"]
}

// runGitLab carries out the script of the template for a merge request.
func (r *runner) runGitLab(program string) (status int, log, sarif string) {
	r.t.Helper()
	var template map[string]struct {
		Variables map[string]string
		Script    []string
	}
	text, err := os.ReadFile(filepath.Join("..", "clients", "ci", "board.gitlab-ci.yml"))
	if err == nil {
		err = yaml.Unmarshal(text, &template)
	}
	if err != nil {
		r.t.Fatal(err)
	}
	env := template["board"].Variables
	for name, value := range map[string]string{
		"BOARD_URL": r.service, "BOARD": program, "BOARD_API_KEY": r.key, "BOARD_GITLAB_TOKEN": "glpat", "BOARD_CI_PATH": "hardware $(touch owned)", "BOARD_CI_TO": "DE", "GITLAB_CI": "true",
		"CI_PROJECT_VISIBILITY": "private", "CI_API_V4_URL": r.server + "/api/v4", "CI_PROJECT_ID": "3", "CI_MERGE_REQUEST_IID": "5", "CI_MERGE_REQUEST_DIFF_BASE_SHA": r.base, "CI_COMMIT_SHA": r.head,
	} {
		env[name] = value
	}
	status, log = r.run(strings.Join(template["board"].Script, "\n"), env)
	return status, log, filepath.Join(r.repository, "board.sarif")
}
