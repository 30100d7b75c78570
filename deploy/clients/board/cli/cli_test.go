package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardorder/pkg/client"
)

// hostile is what a stranger may call a net or a file.
const hostile = "GND\x1b]0;owned\x07\x1b[2J\u009b31m\u202egpj.exe\u2066\r\n::error::x\u0000\x08"

// run carries out the command and gives what it printed.
func run(t *testing.T, env map[string]string, in string, asks bool, args ...string) (status int, out, failures string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status = Run(t.Context(), Env{
		In: strings.NewReader(in), Out: &stdout, Err: &stderr, Getenv: func(name string) string { return env[name] },
		Program: filepath.Join(t.TempDir(), "bin", "board"), Asks: asks,
	}, args)
	return status, stdout.String(), stderr.String()
}

func serve(t *testing.T, handler http.HandlerFunc) map[string]string {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return map[string]string{"BOARD_URL": server.URL, "BOARD_API_KEY": "bo_test_1"}
}

func answer(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	io.WriteString(w, body) //nolint:errcheck // a test's reply
}

func TestWhatIsPrintedSteersNoTerminal(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w := &cleanWriter{&out}
	if _, err := io.WriteString(w, hostile); err != nil {
		t.Fatal(err)
	}
	if want := "GND]0;owned[2J31mgpj.exe\n::error::x"; out.String() != want {
		t.Errorf("%q is printed as %q, want %q", hostile, out.String(), want)
	}
	if got := line(hostile); strings.ContainsAny(got, "\n\r\x1b") {
		t.Errorf("%q on a line is %q", hostile, got)
	}
	name, err := json.Marshal(hostile)
	if err != nil {
		t.Fatal(err)
	}
	env := serve(t, func(w http.ResponseWriter, r *http.Request) {
		answer(w, 422, `{"ok":false,"error":"needs_details","message":`+string(name)+`,"named":{"file 1":`+string(name)+`},"questions":[{"option":"board","question":`+string(name)+`,"choices":[`+string(name)+`],"answers":[{"field":"board","value":`+string(name)+`,"means":`+string(name)+`}]}],"findings":[{"level":"warning","check":"x","what":`+string(name)+`,"file":`+string(name)+`}]}`)
	})
	status, stdout, stderr := run(t, env, "", false, "quote", "--upload", "up_1")
	if status != 1 || strings.ContainsAny(stdout+stderr, "\x1b\x07\x08\u009b\u202e\r") || !strings.Contains(stdout, "gpj.exe") {
		t.Errorf("%d\n%q\n%q", status, stdout, stderr)
	}
}

func TestJSONOnATerminalIsTheSame(t *testing.T) {
	t.Parallel()
	body := "{\"a\":\"\u009b31m\u202e\U000e0041\u007fé\"}"
	shown := escape(body)
	var want, got map[string]string
	if err := errors.Join(json.Unmarshal([]byte(body), &want), json.Unmarshal([]byte(shown), &got)); err != nil || got["a"] != want["a"] || strings.ContainsAny(shown, "\u009b\u202e\u007f\U000e0041") {
		t.Errorf("%q is shown as %q: %q, %v; want the same value in letters that steer nothing", body, shown, got, err)
	}
}

func TestExitStatuses(t *testing.T) {
	t.Parallel()
	quote := `{"ok":true,"mode":"instant","quote_id":"q","checkout_url":"https://x/c","quantity":10,"currency":"USD","total_cents":9000,"total":"$90.00","in_your_currency":{"currency":"EUR","total":"EUR 80.01","total_minor":8001}}`
	for name, tt := range map[string]struct {
		args   []string
		status int
		body   string
		want   int
	}{
		"done":                    {[]string{"quote", "--upload", "u"}, 201, quote, 0},
		"not above":               {[]string{"quote", "--upload", "u", "--max-total", "90USD"}, 201, quote, 0},
		"above by a cent":         {[]string{"quote", "--upload", "u", "--max-total", "80EUR"}, 201, quote, 1},
		"another currency":        {[]string{"quote", "--upload", "u", "--max-total", "80CHF"}, 201, quote, 1},
		"no price to compare":     {[]string{"quote", "--upload", "u", "--max-total", "80EUR"}, 201, `{"ok":true,"mode":"review","quote_id":"q","checkout_url":"https://x/c","quantity":10}`, 1},
		"no amount":               {[]string{"quote", "--upload", "u", "--max-total", "80"}, 201, quote, 1},
		"questions and nobody":    {[]string{"quote", "--upload", "u"}, 422, `{"ok":false,"error":"needs_details","message":"m","questions":[{"option":"a","question":"A?","choices":[1]}]}`, 1},
		"the same as JSON":        {[]string{"quote", "--upload", "u", "--json"}, 422, `{"ok":false,"error":"needs_details","message":"m","questions":[]}`, 1},
		"no such key":             {[]string{"keys"}, 401, `{"ok":false,"error":"unauthorized","message":"m"}`, 4},
		"a key without the scope": {[]string{"keys"}, 403, `{"ok":false,"error":"forbidden","message":"m"}`, 1},
		"no such command":         {[]string{"levitate"}, 200, `{}`, 1},
		"a finding":               {[]string{"check", "--upload", "u"}, 200, `{"ok":true,"status":"must_fix","findings":[{"level":"must_fix","check":"short","what":"w"}]}`, 1},
		"a finding not so bad":    {[]string{"check", "--upload", "u"}, 200, `{"ok":true,"status":"warning","findings":[{"level":"warning","check":"short","what":"w"}]}`, 0},
		"one that fails it":       {[]string{"check", "--upload", "u", "--level", "warning"}, 200, `{"ok":true,"status":"warning","findings":[{"level":"warning","check":"short","what":"w"}]}`, 1},
		"a part that nobody has":  {[]string{"parts", "-"}, 200, `{"ok":true,"phase":"complete","boards":1,"parts":[{"reference":"U1","part":"x","verdict":"problem","quantity_per_board":1}],"summary":{}}`, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := serve(t, func(w http.ResponseWriter, _ *http.Request) { answer(w, tt.status, tt.body) })
			got, stdout, stderr := run(t, env, "", false, tt.args...)
			if got != tt.want {
				t.Errorf("%q ends with %d, want %d\n%s\n%s", tt.args, got, tt.want, stdout, stderr)
			}
			if strings.Contains(strings.Join(tt.args, " "), "--json") && strings.TrimSpace(stdout) != tt.body {
				t.Errorf("%q prints %s, want the body as it came", tt.args, stdout)
			}
		})
	}
	if got, _, stderr := run(t, nil, "", false, "keys"); got != statusFailed || !strings.Contains(stderr, "BOARD_URL") {
		t.Errorf("without a service: %d %s", got, stderr)
	}
	if got, _, stderr := run(t, map[string]string{"BOARD_URL": "https://api.example.com"}, "", false, "keys"); got != statusAuthentication {
		t.Errorf("without a key: %d %s", got, stderr)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if got := Run(ctx, Env{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard, Getenv: func(string) string { return "https://api.example.com" }}, []string{"keys"}); got != statusCancelled {
		t.Errorf("interrupted: %d, want %d", got, statusCancelled)
	}
}

func TestQuestionsAreAsked(t *testing.T) {
	t.Parallel()
	var last map[string]any
	handler := func(w http.ResponseWriter, r *http.Request) {
		last = nil
		if err := json.NewDecoder(r.Body).Decode(&last); err != nil || last["copper_oz"] == nil {
			answer(w, 422, `{"ok":false,"error":"needs_details","message":"m","questions":[{"option":"thickness_mm","question":"How thick?","choices":[0.8,1,1.6],"usual":1.6},{"option":"copper_oz","question":"Copper?","choices":[1,2],"usual":1},
				{"option":"file_answers.outline","question":"Outline?","choices":[],"answers":[{"field":"file_answers.outline","value":"a.gko","means":"It is a.gko."},{"field":"file_answers.no_holes","value":true,"means":"None."}]}]}`)
			return
		}
		answer(w, 201, `{"ok":true,"mode":"instant","quote_id":"q","checkout_url":"https://x/c","quantity":10,"currency":"USD","total_cents":9000}`)
	}
	status, stdout, stderr := run(t, serve(t, handler), "1\n\n1\n", true, "quote", "--upload", "u")
	if outline, _ := last["file_answers"].(map[string]any); status != 0 || last["thickness_mm"] != 1.0 || last["copper_oz"] != 1.0 || outline["outline"] != "a.gko" {
		t.Errorf("%d %v\n%s\n%s; want 1, 1 and a.gko", status, last, stdout, stderr)
	}
	if status, _, _ := run(t, serve(t, handler), "1.2\n", true, "quote", "--upload", "u"); status != statusCancelled {
		t.Errorf("whoever ends the input ends with %d, want %d", status, statusCancelled)
	}
}

func TestFindingsForPrograms(t *testing.T) {
	t.Parallel()
	report := &client.DesignCheckReport{Findings: []client.CheckFinding{
		{Level: "must_fix", Check: "short", What: "Nets " + hostile + " are joined.", File: "top, a:b.gtl", Line: 7},
		{Level: "warning", Check: "track_clearance", What: "100% narrow"}, {Level: "later", Check: "short", What: "x"},
	}}
	var out bytes.Buffer
	writeAnnotations(&out, report, "hard ware")
	want := "::error file=hard ware/top%2C a%3Ab.gtl,title=short,line=7::Nets GND]0;owned[2J31mgpj.exe ::error::x are joined.\n" +
		"::warning title=track clearance::100%25 narrow\n::notice title=short::x\n"
	if out.String() != want {
		t.Errorf("annotations are\n%q, want\n%q", out.String(), want)
	}
	out.Reset()
	if err := writeSARIF(&out, report, "hard ware"); err != nil {
		t.Fatal(err)
	}
	var log struct {
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct{ Rules []struct{ ID string } }
			}
			Results []struct {
				RuleID, Level string
				Locations     []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine int }
					}
				}
			}
		}
	}
	if err := json.Unmarshal(out.Bytes(), &log); err != nil || log.Version != "2.1.0" || len(log.Runs) != 1 || len(log.Runs[0].Results) != 3 || len(log.Runs[0].Tool.Driver.Rules) != 2 {
		t.Fatalf("SARIF is %s, %v", out.String(), err)
	}
	first := log.Runs[0].Results[0]
	if at := first.Locations[0].PhysicalLocation; first.RuleID != "short" || first.Level != "error" || at.ArtifactLocation.URI != "hard%20ware/top,%20a:b.gtl" || at.Region.StartLine != 7 {
		t.Errorf("the first finding is %+v", first)
	}
}

func TestLocalRunIsFound(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for _, dir := range []string{"bin", "data"} {
		if err := os.Mkdir(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "data", "ready.json"), []byte(`{"base_url":"http://127.0.0.1:1","api_key":"bo_live_local"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		env  map[string]string
		want address
		err  bool
	}{
		"neither is set":      {nil, address{"http://127.0.0.1:1", "bo_live_local"}, false},
		"a key of one's own":  {map[string]string{"BOARD_API_KEY": "k"}, address{"http://127.0.0.1:1", "k"}, false},
		"another service":     {map[string]string{"BOARD_URL": "https://x", "BOARD_API_KEY": "k"}, address{"https://x", "k"}, false},
		"its key stays local": {map[string]string{"BOARD_URL": "https://x"}, address{"https://x", ""}, true},
	} {
		s := &session{Env: Env{Getenv: func(n string) string { return tt.env[n] }, Program: filepath.Join(root, "bin", "board")}}
		if got, err := s.findService(); got != tt.want || (err != nil) != tt.err {
			t.Errorf("%s: %+v, %v; want %+v, an error: %v", name, got, err, tt.want, tt.err)
		}
	}
}

func TestLinksForBrowsers(t *testing.T) {
	t.Parallel()
	for link, fine := range map[string]bool{"https://x/c": true, "http://127.0.0.1:1/": true, "file:///etc/passwd": false, "javascript:alert(1)": false, "-h": false, "https://": false, "": false} {
		if err := checkLink(link); (err == nil) != fine {
			t.Errorf("%q: %v, want it taken: %v", link, err, fine)
		}
	}
}

func TestAHomeFolderIsNotSent(t *testing.T) {
	t.Parallel()
	env := serve(t, func(_ http.ResponseWriter, r *http.Request) { t.Errorf("%s was called", r.URL) })
	home, err := os.UserHomeDir()
	if err != nil {
		t.Skipf("skipped: there is no home folder: %v", err)
	}
	for _, folder := range []string{home, string(filepath.Separator)} {
		if status, _, stderr := run(t, env, "", false, "quote", folder); status != 1 || !strings.Contains(stderr, "more than a design") {
			t.Errorf("quote %s: %d %s, want it refused", folder, status, stderr)
		}
	}
}

// Where the files state the order, board sends no quantity of its own.
func TestQuantityOfTheFiles(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		files string
		args  []string
		want  any
	}{
		"nothing is stated":     {`["a.gtl"]`, nil, 10.0},
		"the files state it":    {`["a.gtl","hardware/board-order.json"]`, nil, nil},
		"the command states it": {`["a.gtl","board-order.json"]`, []string{"-n", "7"}, 7.0},
	} {
		var request map[string]any
		env := serve(t, func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/v1/quotes" {
				answer(w, 200, `{"ok":true,"upload_id":"up_1","status":"open","files":`+tt.files+`}`)
				return
			}
			if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
				t.Error(err)
			}
			answer(w, 201, `{"ok":true,"mode":"instant","quote_id":"q","checkout_url":"https://x/c","quantity":10,"currency":"USD","total_cents":9000}`)
		})
		folder := t.TempDir()
		if err := os.WriteFile(filepath.Join(folder, "a.gtl"), []byte("G04*"), 0o600); err != nil {
			t.Fatal(err)
		}
		if status, stdout, stderr := run(t, env, "", false, append([]string{"quote", folder}, tt.args...)...); status != 0 || request["quantity"] != tt.want {
			t.Errorf("%s: %d, sent %v; want the quantity %v\n%s%s", name, status, request, tt.want, stdout, stderr)
		}
	}
}

// TestOrderIsSaved: what a quote gives back lies beside the design afterwards, as it was given.
func TestOrderIsSaved(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		order string
		want  int
	}{
		"given": {`,"board_order":{"board_order":1,"quantity":10,"special_notes":"<&>"}`, 0},
		"none":  {``, 1},
	} {
		env := serve(t, func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 201, `{"ok":true,"mode":"instant","quote_id":"q","checkout_url":"https://x/c","quantity":10,"currency":"USD","total_cents":9000`+tt.order+`}`)
		})
		folder := t.TempDir()
		status, stdout, stderr := run(t, env, "", false, "quote", "--upload", "u", "--save", folder)
		text, err := os.ReadFile(filepath.Join(folder, "board-order.json"))
		var saved map[string]any
		if err == nil {
			err = json.Unmarshal(text, &saved)
		}
		if status != tt.want || tt.want == 0 && (err != nil || saved["special_notes"] != "<&>" || saved["board_order"] != 1.0) || tt.want != 0 && !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: %d, saved %s, %v; want %d\n%s%s", name, status, text, err, tt.want, stdout, stderr)
		}
	}
}
