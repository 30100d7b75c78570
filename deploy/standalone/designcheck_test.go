package standalone_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/testkit/faulty"
	"boardorder/pkg/board/upload"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/designchecks"
)

type designReport struct {
	Status      string
	Board       string
	Findings    []designFinding
	Fabricators []designchecks.FabVerdict
	Files       []boards.FileClass
	Assumed     []string
	ReportURL   string         `json:"report_url"`
	RetryAfterS int            `json:"retry_after_s"`
	BoardCheck  map[string]any `json:"board_check"`
	PartChecks  struct {
		MustFix  int `json:"must_fix"`
		Warnings int `json:"warnings"`
	} `json:"part_checks"`
}

type designFinding struct {
	designchecks.Finding
	ImageURL string `json:"image_url"`
}

func (r designReport) finding(name dfm.Name) *designFinding {
	i := slices.IndexFunc(r.Findings, func(f designFinding) bool { return f.Check == string(name) })
	if i < 0 {
		return nil
	}
	return &r.Findings[i]
}

// checkDesign asks until the report is whole.
func (s *system) checkDesign(t testing.TB, body string) (whole designReport) {
	t.Helper()
	bustest.WaitFor(t, "report", func() bool {
		whole = s.checkOnce(t, body)
		later := slices.ContainsFunc(whole.Assumed, func(a string) bool { return strings.Contains(a, "the same check sent again has them") })
		return whole.Status != "checking" && !later
	})
	return whole
}

func (s *system) checkOnce(t testing.TB, body string) (r designReport) {
	t.Helper()
	status, data := s.post(t, "/v1/design-checks", "application/json", strings.NewReader(body))
	if err := json.Unmarshal(data, &r); status != http.StatusOK || err != nil {
		t.Fatalf("check %s: %d %s, %v; want 200 and a report", body, status, data, err)
	}
	return r
}

func packFiles(t testing.TB, files []upload.File) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, f := range files {
		w, err := z.Create(f.Name)
		if err == nil {
			_, err = w.Write(f.Data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// faultyBoard draws the fault of that name outside of its limit, in a form.
func faultyBoard(t testing.TB, name dfm.Name, form faulty.Form) []byte {
	t.Helper()
	for _, f := range faulty.Faults() {
		if f.Check == name && f.AllowsForm(form) {
			sketch, _ := f.Board(true)
			return packFiles(t, form.Files(sketch))
		}
	}
	t.Fatalf("no fault %s in %s", name, form)
	return nil
}

// fetch gives what a link leads to.
func (s *system) fetch(t testing.TB, url string) (int, string, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, data := s.roundTrip(t, req)
	return resp.StatusCode, resp.Header.Get("Content-Type"), string(data)
}

// TestDesignCheck checks boards over HTTP: a sound one, one to look at and one
// that would be scrap, and quotes stop at the last.
func TestDesignCheck(t *testing.T) {
	t.Parallel()
	s := start(t, busy)
	// A project names parts, and what they need counts.
	for form, want := range map[faulty.Form]string{faulty.Gerber: "pass", faulty.KiCad: "warning"} {
		r := s.checkDesign(t, fmt.Sprintf(`{"upload_id":%q,"boards":10}`, s.upload(t, packFiles(t, form.Files(faulty.Base())))))
		if r.Status != want || r.PartChecks.Warnings > 0 != (want == "warning") || r.PartChecks.MustFix > 0 || len(r.Fabricators) < 9 || len(r.Files) == 0 || r.Board == "" {
			t.Errorf("sound board as %s: %s, findings %+v, part checks %+v, %d fabricators, %d files, board %q; want %s, warnings of parts only with it, nothing to fix, 9 at least, some, one", form, r.Status, r.Findings, r.PartChecks, len(r.Fabricators), len(r.Files), r.Board, want)
		}
		// Gerbers name no parts; a design tool's project does.
		if last := r.Assumed[len(r.Assumed)-1]; strings.Contains(last, "holds no bill of materials") != (form == faulty.Gerber) {
			t.Errorf("assumed of %s: %q, want at last that there is no bill of materials: %v", form, r.Assumed, form == faulty.Gerber)
		}
	}
	t.Run("short", func(t *testing.T) {
		t.Parallel()
		s.checkShort(t)
	})
	t.Run("checking", func(t *testing.T) {
		t.Parallel()
		s.large(t)
	})
}

func (s *system) checkShort(t *testing.T) {
	zip := faultyBoard(t, dfm.Short, faulty.KiCad)
	one, two := s.upload(t, zip), s.upload(t, zip)
	r := s.checkDesign(t, fmt.Sprintf(`{"upload_id":%q}`, one))
	f := r.finding(dfm.Short)
	if r.Status != "must_fix" || f == nil || f.Level != "must_fix" || f.Layer == "" || len(f.AtMM) != 2 || f.Count < 1 || len(f.Places) == 0 {
		t.Fatalf("short: %s %+v; want must_fix, and a finding %s with layer and places", r.Status, r.Findings, dfm.Short)
	}
	if status, kind, data := s.fetch(t, f.ImageURL); status != 200 || kind != "image/png" || !strings.HasPrefix(data, "\x89PNG") {
		t.Errorf("picture %s: %d %s, want 200 and a PNG", f.ImageURL, status, kind)
	}
	status, kind, page := s.fetch(t, r.ReportURL)
	if status != 200 || !strings.HasPrefix(kind, "text/html") || !strings.Contains(page, "Must fix") || strings.Contains(page, "src=\"http") {
		t.Errorf("page: %d %s of %d bytes, want 200, HTML that must fix something, without foreign pictures", status, kind, len(page))
	}
	quote := fmt.Sprintf(`{"upload_id":%q,"quantity":5,"standard_for_unstated":true}`, two)
	refused, data := s.post(t, "/v1/quotes?wait_s=60", "application/json", strings.NewReader(quote))
	var refusal contract.Refusal
	if err := json.Unmarshal(data, &refusal); err != nil || refused != 422 || refusal.Code != contract.DesignFiles {
		t.Fatalf("quote of a short: %d %s, want 422 %s", refused, data, contract.DesignFiles)
	}
	if len(refusal.Findings) == 0 || refusal.Findings[0].Check != string(dfm.Short) || len(refusal.Findings[0].AtMM) != 2 {
		t.Errorf("the short is not listed: %+v, want one of %s first, with its place", refusal.Findings, dfm.Short)
	}
	q := s.quote(t, strings.Replace(quote, "{", `{"skip_board_checks":true,`, 1), http.StatusCreated)
	if !slices.ContainsFunc(q.Notes, func(n string) bool { return strings.Contains(n, "built as designed") }) {
		t.Errorf("notes = %q, want one that says that it is built as designed", q.Notes)
	}
	// An upload of equal files is checked by itself: what is declared of one of
	// them takes nothing from the other.
	again := s.checkOnce(t, fmt.Sprintf(`{"upload_id":%q,"wait_s":50}`, two))
	if again.Status != "must_fix" || again.ReportURL == r.ReportURL {
		t.Errorf("the other upload: %s, %s, want must_fix, another than %s", again.Status, again.ReportURL, r.ReportURL)
	}
	if status, _ := s.post(t, "/v1/design-checks", "application/json", strings.NewReader(fmt.Sprintf(`{"upload_id":%q,"itar":true}`, one))); status != 422 {
		t.Errorf("declared ITAR: %d, want 422", status)
	}
	for _, url := range []string{r.ReportURL, f.ImageURL} {
		bustest.WaitFor(t, "no longer shown", func() bool { status, _, _ := s.fetch(t, url); return status == 410 })
	}
	if status, _, _ := s.fetch(t, again.ReportURL); status != http.StatusOK {
		t.Errorf("the report of the other upload, which nobody declared: %d, want 200", status)
	}
}

// large is a board that takes some seconds: who does not wait gets its progress.
func (s *system) large(t *testing.T) {
	body := fmt.Sprintf(`{"upload_id":%q,"wait_s":0}`, s.upload(t, packFiles(t, faulty.Series(60_000).KiCad())))
	r := s.checkOnce(t, body)
	if r.Status != "checking" || r.RetryAfterS == 0 || r.BoardCheck["step"] == "" || r.BoardCheck["state"] == nil || r.ReportURL != "" {
		t.Errorf("at once: %+v, want checking with its step and state, a time to come back, no report", r)
	}
	id := r.BoardCheck["id"]
	if again := s.checkOnce(t, body); again.Status == "checking" && again.BoardCheck["id"] != id {
		t.Errorf("asked again it is %v, want the check %v", again.BoardCheck, id)
	}
	whole := s.checkDesign(t, strings.Replace(body, `"wait_s":0`, `"wait_s":20`, 1))
	if whole.Status == "checking" || whole.ReportURL == "" || len(whole.Fabricators) == 0 {
		t.Errorf("at last: %+v, want a report, and fabricators", whole)
	}
}
