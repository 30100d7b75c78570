package check_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/phrase"
	"boardorder/services/edge/internal/check"
	"boardorder/services/edge/internal/design"
	"boardorder/services/edge/internal/edgetest"
	"boardorder/services/edge/internal/wait"
	"boardorder/services/edge/internal/web"
)

// bench is where checks are asked for.
type bench struct {
	*edgetest.World
	links  *design.Links
	id     string // of the upload
	ref    string
	refuse *contract.Refusal
	check  designchecks.DesignCheck // what comes of a command
}

const digest = "d1"

// open serves design checks of an upload of one board.
func open(t testing.TB) *bench {
	t.Helper()
	b := &bench{World: edgetest.New(t)}
	b.links = design.NewLinks(&edgetest.Bucket{}, b.Now)
	k := &check.Checks{Client: b.Client, Blobs: b.Blobs, Links: b.links}
	b.Serve(
		web.Route{Method: "POST", Path: "/v1/design-checks", Handle: k.Create},
		web.Route{Method: "GET", Path: "/design-checks/{token}/report.html", Access: web.Public, Handle: k.ReportPage},
		web.Route{Method: "GET", Path: "/design-checks/{token}/report.json", Access: web.Public, Handle: k.ReportData},
		web.Route{Method: "GET", Path: "/design-checks/{token}/places.json", Access: web.Public, Handle: k.Places},
		web.Route{Method: "GET", Path: "/design-checks/{token}/search.json", Access: web.Public, Handle: k.Search},
		web.Route{Method: "GET", Path: "/design-checks/{token}/nets-{file}.json", Access: web.Public, Handle: k.Nets},
		web.Route{Method: "GET", Path: "/design-checks/{token}/{image}.png", Access: web.Public, Handle: k.Picture},
	)
	b.id = b.Secrets.NewUploadID()
	b.ref = contract.SecretRef(b.id)
	b.putUpload(uploads.Open)
	b.Put(contract.BoardAggregate, digest, boards.ReadFiles{Digest: digest, Reader: "1", ReadAt: edgetest.At, Boards: []boards.Board{{Name: "blinker"}}, Files: []boards.FileClass{{Name: "a.gbr"}}}, nil)
	b.check = makeCheck(designchecks.Warning)
	b.Answer = func(c contract.Command) *contract.Operation {
		switch {
		case c.Name == uploads.DeclareITAR:
			b.putUpload(uploads.ITARDeclared)
			b.Waiters.Wake(wait.Subject{Of: contract.UploadAggregate, ID: b.ref})
			return nil
		case c.Name != designchecks.Check:
			return nil
		case b.refuse != nil:
			return &contract.Operation{Account: edgetest.Account, Refusal: b.refuse}
		}
		b.Put(contract.DesignCheckAggregate, b.check.ID, b.check, nil)
		return &contract.Operation{Account: edgetest.Account, Aggregate: contract.DesignCheckAggregate, ID: b.check.ID}
	}
	return b
}

func (b *bench) putUpload(status uploads.Status) {
	b.Put(contract.UploadAggregate, b.ref, uploads.Upload{
		Ref: b.ref, Account: edgetest.Account, Status: status, ExpiresAt: edgetest.At.Add(6 * time.Hour), Files: []uploads.File{{Name: "a.gbr"}}, Content: "c", Digest: digest,
	}, nil)
}

// makeCheck is a check with one finding that has a picture and one that has none.
func makeCheck(status designchecks.Status) designchecks.DesignCheck {
	return designchecks.DesignCheck{
		ID: "checkcheckcheckcheckcheckc", Digest: digest, Board: "blinker", CopperOz: 1, ThicknessMM: 1.6, Status: status, StartedAt: edgetest.At, MoreFindings: 3,
		Findings: []designchecks.Finding{
			{Finding: contract.Finding{Level: "warning", Check: "track_width", What: "Narrow.", Image: "boards/d1/0.png"}},
			{Finding: contract.Finding{Level: "note", Check: "size", What: "Small."}},
		},
		Report: "boards/d1/report.html", ReportPolicy: "default-src 'none'; script-src 'sha256-x'",
	}
}

func (b *bench) post(fields string) edgetest.Reply {
	if fields != "" {
		fields = ", " + fields
	}
	return b.Do("POST", "/v1/design-checks", fmt.Sprintf(`{"upload_id": %q, "wait_s": 0%s}`, b.id, fields))
}

type report struct {
	Status      designchecks.Status
	CopperOz    float64 `json:"copper_oz"`
	ThicknessMM float64 `json:"thickness_mm"`
	Findings    []struct {
		Image    string
		ImageURL string `json:"image_url"`
	}
	MoreFindings int `json:"more_findings"`
	Fabricators  []any
	Files        []any
	Assumed      []string
	Notes        []string
	ReportURL    string `json:"report_url"`
	RetryAfterS  int    `json:"retry_after_s"`
	BoardCheck   *struct {
		State, Step string
		ElapsedS    int `json:"elapsed_s"`
	} `json:"board_check"`
	Parts      *partchecks.Report
	PartChecks *struct {
		MustFix  int `json:"must_fix"`
		Warnings int
	} `json:"part_checks"`
}

// TestRequestsAreChecked: each field of a design check within its bounds and outside of them.
func TestRequestsAreChecked(t *testing.T) {
	t.Parallel()
	b := open(t)
	for name, tt := range map[string]struct {
		body string
		want []string
	}{
		"no upload":         {`{}`, []string{"upload_id missing"}},
		"an empty upload":   {`{"upload_id": " "}`, []string{"upload_id missing"}},
		"a number":          {`{"upload_id": 1}`, []string{"upload_id wrong_type"}},
		"an upload of 65":   {fmt.Sprintf(`{"upload_id": %q}`, strings.Repeat("u", 65)), []string{"upload_id too_long"}},
		"no boards":         {`{"upload_id": "u", "boards": 0}`, []string{"boards out_of_range"}},
		"boards beyond":     {`{"upload_id": "u", "boards": 100001}`, []string{"boards out_of_range"}},
		"half a board":      {`{"upload_id": "u", "boards": 1.5}`, []string{"boards wrong_type"}},
		"thin copper":       {`{"upload_id": "u", "copper_oz": 0.49}`, []string{"copper_oz out_of_range"}},
		"thick copper":      {`{"upload_id": "u", "copper_oz": 6.01}`, []string{"copper_oz out_of_range"}},
		"a thin board":      {`{"upload_id": "u", "thickness_mm": 0.19}`, []string{"thickness_mm out_of_range"}},
		"a thick board":     {`{"upload_id": "u", "thickness_mm": 6.1}`, []string{"thickness_mm out_of_range"}},
		"a wait of 51 s":    {`{"upload_id": "u", "wait_s": 51}`, []string{"wait_s out_of_range"}},
		"a wait before now": {`{"upload_id": "u", "wait_s": -1}`, []string{"wait_s out_of_range"}},
		"a name of 256":     {fmt.Sprintf(`{"upload_id": "u", "board": %q}`, strings.Repeat("b", 256)), []string{"board too_long"}},
		"itar in words":     {`{"upload_id": "u", "itar": "perhaps"}`, []string{"itar wrong_type"}},
		"several at once":   {`{"boards": 0, "wait_s": 51}`, []string{"boards out_of_range", "upload_id missing", "wait_s out_of_range"}},
		"an unknown answer": {`{"upload_id": "u", "file_answers": {"colour": "red"}}`, []string{"file_answers.colour unknown_field"}},
	} {
		r := b.Do("POST", "/v1/design-checks", tt.body)
		if got := r.Fields(); !slices.Equal(got, tt.want) || r.Code() != contract.InvalidRequest {
			t.Errorf("%s: %s refused for %v (%d %s), want %v", name, tt.body, got, r.Status, r.Code(), tt.want)
		}
	}
	if n := len(b.Commands()); n != 0 {
		t.Errorf("%d commands were sent of refused requests, want none", n)
	}
	for _, fields := range []string{`"copper_oz": 0.5, "thickness_mm": 6`, `"copper_oz": 6, "thickness_mm": 0.2`, `"itar": false`, `"board": null`} {
		if r := b.post(fields); r.Status != 200 {
			t.Errorf("at the bounds: %s: %d %s, want 200", fields, r.Status, r.Body)
		}
	}
}

// TestReports: a check as its client reads it, with the addresses of what there is to see.
func TestReports(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.Put(contract.BoardAggregate, digest, boards.ReadFiles{Digest: digest, Gone: true}, nil)
	r := b.post(`"copper_oz": 0.5, "thickness_mm": 6, "boards": 100000, "colour": "red"`)
	got := edgetest.Decode[report](t, r)
	if r.Status != 200 || got.Status != designchecks.Warning || got.CopperOz != 0.5 || got.ThicknessMM != 6 || got.MoreFindings != 3 || len(got.Notes) != 1 {
		t.Fatalf("a check that ended: %d %s, want a warning with what was asked for and a note about colour", r.Status, r.Body)
	}
	if got.Fabricators == nil || got.Files == nil || got.Assumed == nil {
		t.Errorf("a check of which little is known: %s, want empty lists", r.Body)
	}
	base := strings.TrimSuffix(got.ReportURL, "report.html")
	if !strings.HasPrefix(base, "https://boards.test/design-checks/") || got.Findings[0].ImageURL != base+"0.png" || got.Findings[1].ImageURL != "" || got.Findings[0].Image != "" {
		t.Errorf("addresses %q, %+v; want a report, a picture of the first finding, and no key of the store", got.ReportURL, got.Findings)
	}
	if strings.Contains(string(r.Body), "boards/d1") {
		t.Errorf("the report holds a key of the store:\n%s", r.Body)
	}
	if len(got.Assumed) != 1 || got.RetryAfterS != 3 {
		t.Errorf("with boards and a list that is not read: assumed %v, again in %d s; want it said, and 3 s", got.Assumed, got.RetryAfterS)
	}
}

// TestRunningChecks: how far one is, and when asking again makes sense: each question
// counts against a limit.
func TestRunningChecks(t *testing.T) {
	t.Parallel()
	b := open(t)
	for name, tt := range map[string]struct {
		status  designchecks.Status
		step    string
		elapsed time.Duration
		retry   int
		state   string
	}{
		"just begun":                {designchecks.Running, "", 0, 3, "queued"},
		"measuring":                 {designchecks.Running, "Measuring.", 9 * time.Second, 3, "running"},
		"ten seconds":               {designchecks.Running, "Measuring.", 10 * time.Second, 10, "running"},
		"a minute":                  {designchecks.Running, "Measuring.", time.Minute, 20, "running"},
		"begun on a clock ahead":    {designchecks.Running, "Measuring.", -time.Minute, 3, "running"},
		"its files went: once more": {designchecks.Gone, "", 0, 3, "queued"},
	} {
		b.check = makeCheck(tt.status)
		b.check.Step, b.check.Report, b.check.StartedAt = tt.step, "", edgetest.At.Add(-tt.elapsed)
		r := b.post("")
		got := edgetest.Decode[report](t, r)
		if got.Status != designchecks.Running || got.BoardCheck == nil || got.RetryAfterS != tt.retry || r.Header.Get("Retry-After") != fmt.Sprint(tt.retry) {
			t.Errorf("%s: %s, again in %d s (%s); want %s and %d", name, got.Status, got.RetryAfterS, r.Header.Get("Retry-After"), designchecks.Running, tt.retry)
			continue
		}
		if got.BoardCheck.State != tt.state || got.BoardCheck.ElapsedS != max(int(tt.elapsed/time.Second), 0) || got.BoardCheck.Step == "" || got.ReportURL != "" {
			t.Errorf("%s: %+v, report %q; want %s since %s", name, *got.BoardCheck, got.ReportURL, tt.state, tt.elapsed)
		}
	}
}

// TestUploadsOfChecks: whose files may be checked, and what is answered of others'.
func TestUploadsOfChecks(t *testing.T) {
	t.Parallel()
	b := open(t)
	for name, tt := range map[string]struct {
		status  uploads.Status
		account string
		now     time.Time
		code    contract.Code
	}{
		"open":                   {uploads.Open, "", edgetest.At, ""},
		"another's who has it":   {uploads.Open, "acc_2", edgetest.At, ""},
		"a test key's":           {uploads.Open, contract.TestOwner(edgetest.Account), edgetest.At, contract.UploadNotFound},
		"expired":                {uploads.Expired, "", edgetest.At, contract.UploadExpired},
		"past its time":          {uploads.Open, "", edgetest.At.Add(6 * time.Hour), contract.UploadExpired},
		"a moment before that":   {uploads.Open, "", edgetest.At.Add(6*time.Hour - 1), ""},
		"declared":               {uploads.ITARDeclared, "", edgetest.At, contract.ITARNotSupported},
		"declared, of another's": {uploads.ITARDeclared, "acc_2", edgetest.At, contract.ITARNotSupported},
	} {
		b.putUpload(tt.status)
		b.Set(tt.now)
		r := b.Do("POST", "/v1/design-checks", fmt.Sprintf(`{"upload_id": %q, "wait_s": 0}`, b.id), edgetest.AccountHeader, tt.account)
		if r.Code() != tt.code {
			t.Errorf("%s: %d %s, want %q", name, r.Status, r.Body, tt.code)
		}
	}
}

// TestRefusedChecks: what the service behind refuses, and what is away.
func TestRefusedChecks(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.refuse = contract.Refuse(contract.NeedsDetails, "Which board?")
	if r := b.post(""); r.Code() != contract.NeedsDetails {
		t.Errorf("refused: %d %s, want %s", r.Status, r.Body, contract.NeedsDetails)
	}
	b.refuse = nil
	b.check.Refusal = contract.Refuse(contract.InvalidFile, "No outline.")
	if r := b.post(""); r.Code() != contract.InvalidFile || !strings.Contains(string(r.Body), "/report.html") {
		t.Errorf("a check that ended with a refusal: %d %s, want %s with its report", r.Status, r.Body, contract.InvalidFile)
	}
	b.Down = true
	if r := b.post(""); r.Status != 503 {
		t.Errorf("without a broker: %d %s, want 503", r.Status, r.Body)
	}
	b.Down = false
	sent := len(b.Commands())
	r := b.post(`"itar": true`)
	if r.Code() != contract.ITARNotSupported || len(b.Commands()) != sent+1 || b.Commands()[sent].Name != uploads.DeclareITAR {
		t.Errorf("declared: %d %s with %d commands, want %s and the declaration alone", r.Status, r.Code(), len(b.Commands())-sent, contract.ITARNotSupported)
	}
}

// TestPartsOfChecks: with boards, the parts of the list are in the report as far as they are
// known, and what does not fit makes the status worse.
func TestPartsOfChecks(t *testing.T) {
	t.Parallel()
	b := open(t)
	id, err := assemblies.ID(edgetest.Account, assemblies.AssembleData{Upload: b.ref, Digest: digest, Board: "blinker", Boards: 10})
	if err != nil {
		t.Fatal(err)
	}
	found := &partchecks.Report{Parts: []partchecks.Found{{Reference: "R1\n", Part: "RC\x000603", Verdict: "ok"}}, Phase: partchecks.Complete}
	for name, tt := range map[string]struct {
		state    assemblies.Assembly
		parts    int
		says     string
		retry    int
		status   designchecks.Status
		must     int
		warnings int
	}{
		"refused":          {assemblies.Assembly{Status: partchecks.Refused, Refusal: contract.Refuse(contract.NeedsPartNumbers, "No numbers.")}, 0, "were not checked: No numbers.", 0, designchecks.Warning, 0, 0},
		"still looked up":  {assemblies.Assembly{Status: partchecks.Running, Report: found}, 1, "", 3, designchecks.Warning, 0, 0},
		"all are had":      {assemblies.Assembly{Status: partchecks.Ended, Report: found, Price: &assemblies.Price{}}, 1, "", 0, designchecks.Warning, 0, 0},
		"one does not fit": {assemblies.Assembly{Status: partchecks.Ended, Report: found, Price: &assemblies.Price{Checks: []assemblies.Fit{{Level: "must_fix"}, {Level: "warning"}, {Level: "ok"}}}}, 1, "", 0, designchecks.MustFix, 1, 1},
	} {
		tt.state.ID, tt.state.StartedAt, tt.state.EndedAt = id, edgetest.At, edgetest.At
		b.Put(contract.AssemblyAggregate, id, tt.state, nil)
		r := b.post(`"boards": 10`)
		got := edgetest.Decode[report](t, r)
		parts := 0
		if got.Parts != nil {
			parts = len(got.Parts.Parts)
			if p := got.Parts.Parts[0]; p.Reference != "R1" || p.Part != "RC0603" {
				t.Errorf("%s: part %q %q, want the file's text as one clean line", name, p.Reference, p.Part)
			}
		}
		if parts != tt.parts || !strings.Contains(strings.Join(got.Assumed, " "), tt.says) || got.RetryAfterS != tt.retry || got.Status != tt.status {
			t.Errorf("%s: %d parts, assumed %v, again in %d s, %s; want %d, %q, %d, %s", name, parts, got.Assumed, got.RetryAfterS, got.Status, tt.parts, tt.says, tt.retry, tt.status)
		}
		if c := got.PartChecks; c != nil && (c.MustFix != tt.must || c.Warnings != tt.warnings) || c == nil && tt.must+tt.warnings > 0 {
			t.Errorf("%s: part checks %+v, want %d to mend and %d warnings", name, c, tt.must, tt.warnings)
		}
	}
}

// TestAllPlaces: the report as data has all places of its findings, which lie beside the check;
// the page, which is of no origin, may fetch them. A check without them has those it lists.
func TestAllPlaces(t *testing.T) {
	t.Parallel()
	b := open(t)
	all := `{"places":[[{"at_mm":[1,2]},{"at_mm":[3,4]},{"at_mm":[5,6],"layer":"the last"}]],"crops":{}}`
	b.check.Places = "boards/d1/places.json"
	page := strings.TrimPrefix(edgetest.Decode[report](t, b.post("")).ReportURL, "https://boards.test")
	base := strings.TrimSuffix(page, "report.html")
	if r := b.Get(base + "report.json"); r.Status != 200 || strings.Contains(string(r.Body), "the last") {
		t.Errorf("GET report.json without stored places: %d %.200s, want 200 with those of the check", r.Status, r.Body)
	}
	if r := b.Get(base + "places.json"); r.Status != 410 {
		t.Errorf("GET places.json without stored places: %d, want 410", r.Status)
	}
	if _, err := b.Blobs.Put(t.Context(), b.check.Places, strings.NewReader(all), int64(len(all)), "application/json"); err != nil {
		t.Fatal(err)
	}
	if r := b.Get(base + "report.json"); r.Status != 200 || !strings.Contains(string(r.Body), "the last") || strings.Contains(string(r.Body), "boards/d1") {
		t.Errorf("GET report.json: %d %.200s, want all places and no key of a blob", r.Status, r.Body)
	}
	if r := b.Get(base + "places.json"); r.Status != 200 || string(r.Body) != all || r.Header.Get("Access-Control-Allow-Origin") != "*" || r.Header.Get("Content-Type") != "application/json" {
		t.Errorf("GET places.json: %d %s %.80s, want 200, any origin, %s", r.Status, r.Header.Get("Access-Control-Allow-Origin"), r.Body, all)
	}
}

// TestReportInTheReadersLanguage: one stored page is sent in the language that a link, a cookie or the
// browser asks for, each with a tag of its own.
func TestReportInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	b := open(t)
	stored := `<html lang="en"><p>` + phrase.Mark("12 vias have a ring of copper narrower than 0.15 mm on outer layers: the narrowest is 0.08 mm.") + "<script>1</script>"
	if _, err := b.Blobs.Put(t.Context(), "boards/d1/report.html", strings.NewReader(stored), int64(len(stored)), "text/html"); err != nil {
		t.Fatal(err)
	}
	page := strings.TrimPrefix(edgetest.Decode[report](t, b.post("")).ReportURL, "https://boards.test")
	tags := map[string]bool{}
	for _, tt := range []struct {
		name, query, cookie, accept, lang, says string
	}{
		{"nothing asked", "", "", "", "en", "12 vias have a ring"},
		{"a link", "?lang=de", "lang=ja", "fr", "de", "12 Vias: Restring schmaler als 0,15 mm auf Außenlagen"},
		{"a choice before", "", "lang=ja", "fr", "ja", "外層でビア12個のランド残り幅"},
		{"the browser", "", "", "fr-CH,fr;q=0.9", "fr", "12 vias\u00a0: collerette de moins de 0,15"},
	} {
		r := b.Get(page+tt.query, "Cookie", tt.cookie, "Accept-Language", tt.accept)
		if body := string(r.Body); r.Status != 200 || !strings.Contains(body, `<html lang="`+tt.lang+`">`) || !strings.Contains(body, tt.says) || strings.ContainsAny(body, "\u2063\u2064") || r.Header.Get("Content-Language") != tt.lang {
			t.Errorf("%s: %d in %q: %s; want it in %s with %q", tt.name, r.Status, r.Header.Get("Content-Language"), r.Body, tt.lang, tt.says)
		}
		if vary := r.Header.Get("Vary"); !strings.Contains(vary, "Accept-Language") || !strings.Contains(vary, "Cookie") || !strings.Contains(vary, "Accept-Encoding") {
			t.Errorf("%s: the answer varies by %q", tt.name, vary)
		}
		if tag := r.Header.Get("ETag"); tag == "" || tags[tag] {
			t.Errorf("%s: the tag %q is another language's", tt.name, tag)
		} else if again := b.Get(page+tt.query, "Cookie", tt.cookie, "Accept-Language", tt.accept, "If-None-Match", tag); again.Status != 304 {
			t.Errorf("%s: with its tag %d, want 304", tt.name, again.Status)
		}
		tags[r.Header.Get("ETag")] = true
	}
}

// TestSearch: the names of nets and parts, and the copper of nets, lie beside the check; the page,
// which is of no origin, may fetch them.
func TestSearch(t *testing.T) {
	t.Parallel()
	b := open(t)
	page := strings.TrimPrefix(edgetest.Decode[report](t, b.post("")).ReportURL, "https://boards.test")
	base := strings.TrimSuffix(page, "report.html")
	if r := b.Get(base + "search.json"); r.Status != 410 {
		t.Errorf("GET search.json of a check without: %d, want 410", r.Status)
	}
	b.check.Search, b.check.NetFiles = "boards/d1/checks/c1/search.json", 2
	b.Put(contract.DesignCheckAggregate, b.check.ID, b.check, nil)
	for name, content := range map[string]string{"search.json": `{"nets":[]}`, "nets-0.json": `{"0":[]}`, "nets-1.json": `{"1":[]}`} {
		if _, err := b.Blobs.Put(t.Context(), "boards/d1/checks/c1/"+name, strings.NewReader(content), int64(len(content)), "application/json"); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{"search.json": `{"nets":[]}`, "nets-0.json": `{"0":[]}`, "nets-1.json": `{"1":[]}`} {
		if r := b.Get(base + path); r.Status != 200 || string(r.Body) != want || r.Header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("GET %s: %d %s %.80s, want 200, any origin, %s", path, r.Status, r.Header.Get("Access-Control-Allow-Origin"), r.Body, want)
		}
	}
	for _, path := range []string{"nets-2.json", "nets--1.json", "nets-01.json", "nets-x.json"} {
		if r := b.Get(base + path); r.Status != 404 {
			t.Errorf("GET %s: %d, want 404", path, r.Status)
		}
	}
}

// TestLinks: what was made of a check is seen by who has the link, for as long as the
// design may be shown.
func TestLinks(t *testing.T) {
	t.Parallel()
	b := open(t)
	for key, content := range map[string]string{"boards/d1/report.html": "<p>report", "boards/d1/0.png": "\x89PNG"} {
		if _, err := b.Blobs.Put(t.Context(), key, strings.NewReader(content), int64(len(content)), "text/plain"); err != nil {
			t.Fatal(err)
		}
	}
	page := strings.TrimPrefix(edgetest.Decode[report](t, b.post("")).ReportURL, "https://boards.test")
	base := strings.TrimSuffix(page, "report.html")
	for path, tt := range map[string]struct {
		status int
		body   string
	}{
		"report.html": {200, "<p>report"}, "report.json": {200, `"track_width"`}, "0.png": {200, "\x89PNG"},
		"1.png": {410, ""}, "2.png": {404, ""}, "-1.png": {404, ""}, "00.png": {404, ""}, "x.png": {404, ""},
	} {
		if r := b.Get(base + path); r.Status != tt.status || !strings.Contains(string(r.Body), tt.body) {
			t.Errorf("GET %s: %d %.100s, want %d with %q", path, r.Status, r.Body, tt.status, tt.body)
		}
	}
	r := b.Get(page)
	if again := b.Get(page, "If-None-Match", r.Header.Get("ETag")); again.Status != 304 || len(again.Body) != 0 {
		t.Errorf("GET report.html with its ETag %s: %d, want 304", r.Header.Get("ETag"), again.Status)
	}
	if csp := r.Header.Get("Content-Security-Policy"); !strings.Contains(csp, "sandbox") || !strings.Contains(csp, "'sha256-x'") {
		t.Errorf("the page is served under %q, want a sandbox and its own script", csp)
	}
	waiting := makeCheck(designchecks.Running)
	b.Put(contract.DesignCheckAggregate, waiting.ID, waiting, nil)
	if r := b.Get(page, "Accept-Language", "de"); r.Status != 202 || !strings.Contains(string(r.Body), "<h1>Die Designprüfung läuft</h1>") {
		t.Errorf("the page of a check that runs, for a German reader: %d %.200s", r.Status, r.Body)
	}
	if r := b.Get(page); r.Status != 202 || !strings.Contains(string(r.Body), "is running") {
		t.Errorf("the page of a check that runs: %d %.80s, want 202 and that it runs", r.Status, r.Body)
	}
	if r := b.Get(base + "report.json"); r.Status != 200 || r.Header.Get("Retry-After") == "" || r.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("the data of a check that runs: %d %v, want to be asked again", r.Status, r.Header)
	}
	ttl := 6*time.Hour + 7*24*time.Hour
	for _, tt := range []struct {
		name   string
		change func()
		path   string
		code   contract.Code
	}{
		{"altered", func() {}, strings.Replace(page, "/report", "x/report", 1), contract.LinkInvalid},
		{"expired", func() { b.Set(edgetest.At.Add(ttl)) }, page, contract.LinkExpired},
		{"a second earlier", func() { b.Set(edgetest.At.Add(ttl - time.Second)) }, page, ""},
		{"a check that went", func() { b.Put(contract.DesignCheckAggregate, b.check.ID, makeCheck(designchecks.Gone), nil) }, page, contract.LinkExpired},
		{"a design declared", func() { b.putUpload(uploads.ITARDeclared) }, page, contract.LinkExpired},
		{"as it was", func() {}, page, ""},
		{"revoked", func() { // for good: the last row
			if err := b.links.Revoke(t.Context(), b.ref); err != nil {
				t.Errorf("Revoke(%s): %v", b.ref, err)
			}
		}, page, contract.LinkExpired},
	} {
		b.Set(edgetest.At)
		b.putUpload(uploads.Open)
		b.Put(contract.DesignCheckAggregate, b.check.ID, b.check, nil)
		tt.change()
		if r := b.Get(tt.path); r.Code() != tt.code {
			t.Errorf("%s: GET %s: %d %s, want %q", tt.name, tt.path, r.Status, r.Code(), tt.code)
		}
	}
}

// TestReportsOfRefusals: a refused request has a link to what was read, and the check
// behind it is made once somebody opens it.
func TestReportsOfRefusals(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.refuse = contract.Refuse(contract.DesignFiles, "A short.")
	b.refuse.Report = &contract.ReportSubject{ID: b.check.ID, Check: contract.CheckDesignData{Upload: b.ref}, Until: edgetest.At.Add(time.Hour)}
	r := b.post("")
	got := edgetest.Decode[struct {
		ReportURL string `json:"report_url"`
		Report    any
	}](t, r)
	if r.Code() != contract.DesignFiles || got.ReportURL == "" || got.Report != nil {
		t.Fatalf("refused: %d %s, want the address of a report and nothing of ours", r.Status, r.Body)
	}
	data := strings.Replace(strings.TrimPrefix(got.ReportURL, "https://boards.test"), "report.html", "report.json", 1)
	b.refuse = nil
	before := len(b.Commands())
	for range 2 {
		if r := b.Get(data); r.Status != 200 || !strings.Contains(string(r.Body), "track_width") {
			t.Errorf("GET report.json of a refusal: %d %.200s, want the check's findings", r.Status, r.Body)
		}
	}
	if n := len(b.Commands()) - before; n != 1 {
		t.Errorf("opened twice: %d checks were begun, want one", n)
	}
	b.check.ID = "otherotherotherotherothero"
	b.Put(contract.DesignCheckAggregate, "checkcheckcheckcheckcheckc", makeCheck(designchecks.Gone), nil)
	if r := b.Get(data); r.Code() != contract.LinkExpired {
		t.Errorf("opened after other files arrived: %d %s, want %s", r.Status, r.Body, contract.LinkExpired)
	}
	b.refuse = contract.Refuse(contract.UploadExpired, "Gone.")
	if r := b.Get(data); r.Code() != contract.LinkExpired {
		t.Errorf("opened after the files went: %d %s, want %s", r.Status, r.Body, contract.LinkExpired)
	}
}
