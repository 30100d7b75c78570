package standalone_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"boardorder/pkg/board/testkit/faulty"
	"boardorder/pkg/board/upload"
)

// A stopReply is the reply to a quote or a design check that was refused.
type stopReply struct {
	Error     string
	ReportURL string         `json:"report_url"`
	Known     map[string]any // layers and size, where it is clear which board is meant
	Boards    []struct {
		Board    string
		Layers   int
		WidthMM  float64 `json:"width_mm"`
		HeightMM float64 `json:"height_mm"`
	}
}

// stopOf sends a request that shall be refused.
func (s *system) stopOf(t testing.TB, path, body string) (r stopReply) {
	t.Helper()
	status, data := s.post(t, path, "application/json", strings.NewReader(body))
	if err := json.Unmarshal(data, &r); err != nil || status != http.StatusUnprocessableEntity {
		t.Fatalf("%s %s: %d %s, want 422", path, body, status, data)
	}
	if strings.Contains(string(data), `"report":`) {
		t.Errorf("%s %s: the reply shows what is ours alone: %s", path, body, data)
	}
	return r
}

// TestRefusalsTellWhatWasRead: whatever stops a quote or a check, the reply has the layers and
// the size as far as they were read, and the address of a report.
func TestRefusalsTellWhatWasRead(t *testing.T) {
	t.Parallel()
	s := start(t, busy)
	shorted := faultyBoard(t, "short", faulty.KiCad)
	sound := packFiles(t, faulty.Gerber.Files(faulty.Base()))
	two := func() []byte {
		var files []upload.File
		for _, folder := range []string{"first/", "second/"} {
			sketch := faulty.Base()
			if folder == "second/" {
				sketch.Tracks = sketch.Tracks[1:] // equal boards are read once
			}
			for _, f := range faulty.Gerber.Files(sketch) {
				files = append(files, upload.File{Name: folder + f.Name, Data: f.Data})
			}
		}
		return packFiles(t, files)
	}()
	readme := packFiles(t, []upload.File{{Name: "readme.txt", Data: []byte("hello")}})
	for name, tt := range map[string]struct {
		files      []byte
		path, body string // beside upload_id and quantity
		code       string
		sized      bool
		boards     int
		words      string // of the report
	}{
		"a short":                        {files: shorted, path: "/v1/quotes", body: `,"standard_for_unstated":true`, code: "design_files", sized: true, words: "Must fix"},
		"a short by a buy link":          {files: shorted, path: "/v1/buy-links", code: "design_files", sized: true, words: "Must fix"},
		"open questions":                 {files: sound, path: "/v1/quotes", code: "needs_details", sized: true, words: "Fabricators"},
		"layers that the files lack":     {files: sound, path: "/v1/quotes", body: `,"standard_for_unstated":true,"layers":6`, code: "invalid_request", sized: true, words: "Fabricators"},
		"another state":                  {files: sound, path: "/v1/quotes", body: `,"standard_for_unstated":true,"ship_to":{"country":"US","state":"ZZ"}`, code: "invalid_request", sized: true, words: "Fabricators"},
		"an answer about no file":        {files: sound, path: "/v1/quotes", body: `,"standard_for_unstated":true,"file_answers":{"leave_out":["nothing.gbr"]}`, code: "invalid_request", sized: true, words: "Fabricators"},
		"two boards":                     {files: two, path: "/v1/quotes", code: "needs_details", boards: 2, words: "holds several boards"},
		"a board that nobody sent":       {files: two, path: "/v1/quotes", body: `,"board":"third"`, code: "invalid_request", boards: 2, words: "no board of that name"},
		"no board":                       {files: readme, path: "/v1/quotes", code: "design_files", words: "No board was found"},
		"two boards to check":            {files: two, path: "/v1/design-checks", code: "needs_details", boards: 2, words: "holds several boards"},
		"another board's name to check":  {files: sound, path: "/v1/design-checks", body: `,"board":"zz"`, code: "invalid_request", sized: true, words: "no board of that name"},
		"an answer to check, of no file": {files: sound, path: "/v1/design-checks", body: `,"file_answers":{"leave_out":["nothing.gbr"]}`, code: "invalid_request", words: "Fabricators"},
		"no board to check":              {files: readme, path: "/v1/design-checks", code: "design_files", words: "No board was found"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			quantity := `,"quantity":5`
			if tt.path != "/v1/quotes" {
				quantity = ""
			}
			r := s.stopOf(t, tt.path, fmt.Sprintf(`{"upload_id":%q%s%s}`, s.upload(t, tt.files), quantity, tt.body))
			if r.Error != tt.code || len(r.Boards) != tt.boards {
				t.Errorf("%s, boards %+v; want %s, %d boards", r.Error, r.Boards, tt.code, tt.boards)
			}
			width, _ := r.Known["width_mm"].(float64)
			height, _ := r.Known["height_mm"].(float64)
			layers, _ := r.Known["layers"].(float64)
			if sized := width > 0 && height > 0 && layers > 0; sized != tt.sized {
				t.Errorf("known %v; want layers and size: %v", r.Known, tt.sized)
			}
			for _, b := range r.Boards {
				if b.Board == "" || b.Layers != 4 || b.WidthMM <= 0 || b.HeightMM <= 0 {
					t.Errorf("board %+v, want a name, 4 layers and a size", b)
				}
			}
			status, kind, page := s.fetch(t, r.ReportURL)
			if status != http.StatusOK || !strings.HasPrefix(kind, "text/html") || !strings.Contains(page, tt.words) {
				t.Errorf("report %s: %d %s, want %q on it\n%.600s", r.ReportURL, status, kind, tt.words, page)
			}
		})
	}
}

// TestChecksTellTheSize: a design check's report has the layers and the size.
func TestChecksTellTheSize(t *testing.T) {
	t.Parallel()
	s := start(t, busy)
	var r struct{ Known map[string]any }
	id := s.upload(t, packFiles(t, faulty.Gerber.Files(faulty.Base())))
	s.checkDesign(t, fmt.Sprintf(`{"upload_id":%q}`, id))
	_, data := s.post(t, "/v1/design-checks", "application/json", strings.NewReader(fmt.Sprintf(`{"upload_id":%q}`, id)))
	if err := json.Unmarshal(data, &r); err != nil || r.Known["layers"] != 4.0 || r.Known["width_mm"] == nil || r.Known["height_mm"] == nil {
		t.Errorf("known %v, %v; want 4 layers, width and height", r.Known, err)
	}
}
