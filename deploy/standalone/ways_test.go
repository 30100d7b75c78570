package standalone_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/testkit/faulty"
	"boardorder/pkg/board/upload"
	"boardorder/pkg/contract/quotes"
)

// A stopped upload holds files that stop a quote.
type stoppedUpload struct {
	change func(s *faulty.Sketch)
	files  func(files map[string]string)
	field  string // that the refusal asks for; "" where the advice is to skip the checks
	value  any    // of what only the customer knows
}

var stoppedUploads = map[string]stoppedUpload{
	"a board without holes": {
		change: func(s *faulty.Sketch) {
			s.Drop["demo-PTH.drl"], s.Drop["demo-NPTH.drl"] = true, true
			s.Layers, s.Vias, s.Zones = 2, nil, nil
			s.Pads = slices.DeleteFunc(s.Pads, func(p faulty.Pad) bool { return p.Drill > 0 })
			s.Tracks = slices.DeleteFunc(s.Tracks, func(t faulty.Track) bool { return t.Layer > 1 })
		},
		field: "file_answers.no_holes",
	},
	"a job file of another version": {
		files: func(files map[string]string) {
			files["demo-job.gbrjob"] = strings.Replace(files["demo-job.gbrjob"], `"LayerNumber": 4`, `"LayerNumber": 6`, 1)
		},
		field: "file_answers.leave_out",
	},
	"two files for the top": {
		files: func(files map[string]string) {
			files["demo-F_Cu_v2.gbr"] = strings.Replace(files["demo-F_Cu.gbr"], "M02*", "X1000000Y1000000D03*\nM02*", 1)
		},
		field: "file_answers.leave_out",
	},
	"a file that states to be layer 4 of two": {
		change: func(s *faulty.Sketch) {
			s.Drop["demo-In1_Cu.gbr"], s.Drop["demo-In2_Cu.gbr"], s.Drop["demo-job.gbrjob"] = true, true, true
		},
		field: "file_answers.layer_order", value: []string{"demo-F_Cu.gbr", "demo-B_Cu.gbr"},
	},
	"names against attributes": {
		files: func(files map[string]string) {
			files["demo-F_Cu.gbr"], files["demo-B_Cu.gbr"] = files["demo-B_Cu.gbr"], files["demo-F_Cu.gbr"]
		},
		field: "file_answers.layer_order", value: []string{"demo-B_Cu.gbr", "demo-In1_Cu.gbr", "demo-In2_Cu.gbr", "demo-F_Cu.gbr"},
	},
	"an open outline": {change: func(s *faulty.Sketch) { s.Outline[0] = s.Outline[0][:3] }},
}

func (c stoppedUpload) pack() []upload.File {
	sketch := faulty.Base()
	sketch.NoNets = true
	if c.change != nil {
		c.change(sketch)
	}
	files := map[string]string{}
	for _, f := range sketch.Gerber() {
		files[f.Name] = string(f.Data)
	}
	if c.files != nil {
		c.files(files)
	}
	var out []upload.File
	for _, name := range slices.Sorted(maps.Keys(files)) {
		out = append(out, upload.File{Name: name, Data: []byte(files[name])})
	}
	return out
}

// TestWaysOn: whatever stops a quote names one way on that leads to a price, which the design
// check and a buy link take as well; and with special requirements alone people quote it.
func TestWaysOn(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	for name, c := range stoppedUploads {
		t.Run(name, func(t *testing.T) {
			request := map[string]any{"upload_id": s.upload(t, packFiles(t, c.pack())), "quantity": 10, "standard_for_unstated": true}
			refusal := s.wantRefusal(t, text(t, request))
			if review := s.quote(t, text(t, requestWith(request, "special_requirements", true)), http.StatusCreated); review.Mode != quotes.ModeReview {
				t.Errorf("with special requirements: %s, want %s", review.Mode, quotes.ModeReview)
			}
			var way map[string]any
			for _, q := range refusal.Questions {
				if q.Option == c.field {
					value := q.Answers[0].Value
					if value == nil {
						value = c.value
					}
					way = requestWith(request, c.field, value)
				}
			}
			if c.field == "" && strings.Contains(refusal.Message, "skip_board_checks: true") {
				way = requestWith(request, "skip_board_checks", true)
			}
			if way == nil {
				t.Fatalf("no way on by %q: %s %+v", c.field, refusal.Message, refusal.Questions)
			}
			if q := s.quote(t, text(t, way), http.StatusCreated); q.Mode != quotes.ModeInstant {
				t.Errorf("with %v: %s, %q; want %s", way, q.Mode, q.CustomQuoteReasons, quotes.ModeInstant)
			}
			if c.field == "" {
				return
			}
			link := map[string]any{"upload_id": way["upload_id"], "project_name": "Lamp"}
			if r := s.call(t, "/v1/buy-links", text(t, link)); r.status != http.StatusUnprocessableEntity || !strings.Contains(r.text, c.field) {
				t.Errorf("a link without an answer: %d %s, want one that asks for %s", r.status, r.text, c.field)
			}
			link["file_answers"] = way["file_answers"]
			if r := s.call(t, "/v1/buy-links", text(t, link)); r.status != http.StatusCreated {
				t.Errorf("a link with %v: %d %s, want 201", way, r.status, r.text)
			} else if status, page := s.viewPage(t, r.str("buy_url")+"?quantity=5&country=US&postal_code=78701"); status != http.StatusOK || !buys.MatchString(page) {
				t.Errorf("the link's page with %v: %d, want 200 with prices: %s", way, status, page)
			}
			check := s.checkDesign(t, text(t, map[string]any{"upload_id": way["upload_id"], "file_answers": way["file_answers"]}))
			for _, f := range check.Findings {
				if f.Level == "must_fix" {
					t.Errorf("the check stops with %v: %+v", way, f.Finding)
				}
			}
		})
	}
}

// requestWith is a request with one more property, whose path may lead into an object.
func requestWith(request map[string]any, field string, value any) map[string]any {
	out := maps.Clone(request)
	if object, property, within := strings.Cut(field, "."); within {
		field, value = object, map[string]any{property: value}
	}
	out[field] = value
	return out
}

func text(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(fmt.Errorf("%v: %w", v, err))
	}
	return string(data)
}
