package pricing_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
)

func mustFix(check string, settle ...answers.Answer) contract.Finding {
	return contract.Finding{Level: "must_fix", Check: check, What: check, Answers: settle}
}

// TestStops: what the customer can answer is asked, what not is refused, and either tells
// what was read and which way is open. People quote whatever they can read.
func TestStops(t *testing.T) {
	t.Parallel()
	open := mustFix("outline_open")
	holes, size := mustFix("drill_missing", answers.ZeroHoles()), mustFix("tool_size_missing", answers.ToolSize("a.drl", 1))
	skip := func(r *quotes.Request) { r.SkipBoardChecks = true }
	for name, c := range map[string]struct {
		found []contract.Finding
		ask   func(*quotes.Request)
		want  contract.Code // "" = an instant price
		asks  string
	}{
		"nothing":                             {},
		"a question":                          {[]contract.Finding{holes}, nil, contract.NeedsDetails, "file_answers.no_holes"},
		"a question, checks skipped":          {[]contract.Finding{holes}, skip, "", ""},
		"two questions":                       {[]contract.Finding{holes, size}, nil, contract.NeedsDetails, "file_answers.no_holes file_answers.tool_sizes"},
		"a size, checks skipped":              {[]contract.Finding{size, open}, skip, contract.NeedsDetails, "file_answers.tool_sizes"},
		"a fault":                             {[]contract.Finding{open}, nil, contract.DesignFiles, ""},
		"a fault, checks skipped":             {[]contract.Finding{open}, skip, "", ""},
		"a fault beside a question":           {[]contract.Finding{open, holes}, nil, contract.DesignFiles, "file_answers.no_holes"},
		"what cannot be read":                 {[]contract.Finding{mustFix("files_unreadable")}, skip, contract.DesignFiles, ""},
		"a file that may be left out":         {[]contract.Finding{mustFix("file_empty", answers.LeaveOut("a.gbr"))}, nil, contract.NeedsDetails, "file_answers.leave_out"},
		"holes that no file drills":           {[]contract.Finding{mustFix("drill_missing")}, skip, contract.DesignFiles, ""},
		"a layer that is not among the files": {[]contract.Finding{mustFix("layer_missing")}, skip, contract.DesignFiles, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := setup(t)
			b := twoLayers("a")
			b.Findings = c.found
			d.reads(t, b)
			_, refusal := d.do(t, quotes.Price, standard(c.ask))
			if c.want == "" {
				if refusal != nil {
					t.Fatalf("refused: %+v, want it granted", refusal)
				}
				return
			}
			if refusal == nil || refusal.Code != c.want || !strings.Contains(refusal.Next, "special_requirements: true") {
				t.Fatalf("refusal %+v, want %s", refusal, c.want)
			}
			if read := refusal.Known; fmt.Sprint(read["layers"], read["width_mm"], read["height_mm"]) != "2 50 30" {
				t.Errorf("was read: %+v, want 2 layers of 50 x 30 mm", read)
			}
			var asks []string
			for _, q := range refusal.Questions {
				asks = append(asks, q.Option)
			}
			if got := strings.Join(asks, " "); got != c.asks {
				t.Errorf("asks %q, want %q", got, c.asks)
			}
			request, refusal := d.do(t, quotes.Price, standard(func(r *quotes.Request) { r.SpecialRequirements = true }))
			if refusal != nil || d.quote(t, request).Mode != quotes.ModeReview {
				t.Errorf("with special requirements: %+v, want it granted, for %s", refusal, quotes.ModeReview)
			}
		})
	}
}

// TestFineFlexibleBoards: what goes beyond the limits of rigid boards stops one of FR-4, and goes to
// the team where the request or the files say that the board is flexible.
func TestFineFlexibleBoards(t *testing.T) {
	t.Parallel()
	polyimide, mask := "Polyimide", "Yellow"
	flex := func(r *quotes.Request) {
		r.Material, r.SolderMask, r.CopperOz, r.ThicknessMM = &polyimide, &mask, nil, nil
	}
	for name, c := range map[string]struct {
		width  int64
		facts  map[string]boards.Fact
		ask    func(*quotes.Request)
		refuse bool
		mode   string
	}{
		"rigid":                  {75_000, nil, nil, true, ""},
		"flexible, asked for":    {75_000, nil, flex, false, quotes.ModeReview},
		"flexible, of the files": {75_000, map[string]boards.Fact{"flex": {Value: true, Source: "a.gbrjob"}}, nil, false, quotes.ModeReview},
		"flexible and wide":      {300_000, nil, flex, false, quotes.ModeInstant},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := setup(t)
			b := twoLayers("a")
			b.Measures = []boards.Measure{{Check: "track_width", Value: c.width, Layer: "top"}}
			maps.Copy(b.Facts, c.facts)
			d.reads(t, b)
			request, refusal := d.do(t, quotes.Price, standard(c.ask))
			if (refusal != nil) != c.refuse {
				t.Fatalf("tracks of %d nm: refusal %+v, want one %v", c.width, refusal, c.refuse)
			}
			if refusal != nil {
				return
			}
			if q := d.quote(t, request); q.Mode != c.mode {
				t.Errorf("tracks of %d nm: %s, want %s", c.width, q.Mode, c.mode)
			}
		})
	}
}

// TestTheReasonComesFirst: where reading came to an end, that is why there is no board.
func TestTheReasonComesFirst(t *testing.T) {
	t.Parallel()
	const much = "the files expand to more than 6000000 objects"
	for name, tt := range map[string]struct {
		findings []contract.Finding
		want     string
	}{
		"nothing there": {nil, "No board was found"},
		"unread":        {[]contract.Finding{{Level: "must_fix", Check: "file_damaged", What: "damaged"}}, "No board was found"},
		"a note":        {[]contract.Finding{{Level: "note", Check: "too_complex", What: much}}, "No board was found"},
		"too much":      {[]contract.Finding{{Level: "must_fix", Check: "file_damaged", What: "damaged"}, {Level: "must_fix", Check: "too_complex", What: much}}, much},
		"of one file":   {[]contract.Finding{{Level: "must_fix", Check: "too_complex", What: much, File: "top.gbr"}}, `"top.gbr": ` + much},
	} {
		if got := boards.RefuseBoardless(tt.findings); !strings.HasPrefix(got.Message, tt.want) || len(got.Findings) != len(tt.findings) {
			t.Errorf("%s: %+v, want %q", name, got, tt.want)
		}
	}
}

// TestAnswersThatCannotBeTaken: the refusal says how to go on, also without them.
func TestAnswersThatCannotBeTaken(t *testing.T) {
	t.Parallel()
	d := setup(t)
	commit(t, d, contract.BoardAggregate, "d", boards.EventRead, boards.ReadFiles{
		Digest: "d", Reader: "test", Boards: []boards.Board{twoLayers("a")}, Files: []boards.FileClass{{Name: "a.gbr", Format: "gerber"}},
		Refused: []answers.Refused{{Field: "outline", Problem: "unknown", Message: "The upload holds no file of that name."}},
	})
	_, refusal := d.do(t, quotes.Price, standard(nil))
	if refusal == nil || len(refusal.Fields) != 1 || refusal.Fields[0].Field != "file_answers.outline" || !strings.Contains(refusal.Next, "without them and with special_requirements: true") || refusal.Known["layers"] == nil {
		t.Errorf("refused: %+v, want file_answers.outline refused, how to go on, and the layers known", refusal)
	}
}

// TestBoardless: people quote files in which no board was found, if there is anything in them to read.
func TestBoardless(t *testing.T) {
	t.Parallel()
	for format, legible := range map[string]bool{
		"cad design": true, "unknown": true, "": true, "gerber": true, "pdf": true, "text": true, "bom": true, "image": true, "mechanical model": true, "system leftover": false, "empty": false,
	} {
		d := setup(t)
		commit(t, d, contract.BoardAggregate, "d", boards.EventRead, boards.ReadFiles{
			Digest: "d", Reader: "test", Files: []boards.FileClass{{Name: "a", Format: format}}, Findings: []contract.Finding{mustFix("no_board")},
		})
		_, refusal := d.do(t, quotes.Price, standard(nil))
		if refusal == nil || refusal.Code != contract.DesignFiles || (refusal.Next != "") != legible {
			t.Errorf("%s: refused by %+v; want %s that says how to go on: %t", format, refusal, contract.DesignFiles, legible)
		}
		request, refusal := d.do(t, quotes.Price, standard(func(r *quotes.Request) { r.SpecialRequirements = true }))
		if legible != (refusal == nil) {
			t.Errorf("%s with special requirements: %+v, want it granted: %t", format, refusal, legible)
		}
		if q := d.quote(t, request); legible && (q.Mode != quotes.ModeReview || len(q.Reply.BoardFindings) > 0) {
			t.Errorf("%s with special requirements: %s, with %+v to acknowledge; want %s, nothing", format, q.Mode, q.Reply.BoardFindings, quotes.ModeReview)
		}
	}
}

// TestWhichBoardAndMore: the question which board is meant comes with what else is refused
// and asked, as far as that is so of each board.
func TestWhichBoardAndMore(t *testing.T) {
	t.Parallel()
	d := setup(t)
	d.reads(t, twoLayers("a"), twoLayers("b"))
	four, none := 4, "zz"
	ask := func(board *string) *contract.Refusal {
		_, refusal := d.do(t, quotes.Price, quotes.PriceData{Upload: "u", Request: quotes.Request{
			Quantity: 5, Layers: &four, Board: board, ShipTo: &shipments.ShipTo{Country: "US", State: "ZZ"},
		}})
		return refusal
	}
	fields := func(r *contract.Refusal) string {
		var out []string
		for _, f := range r.Fields {
			out = append(out, f.Field)
		}
		return strings.Join(out, " ")
	}
	if r := ask(nil); r == nil || fields(r) != "layers ship_to.state" || len(r.Questions) == 0 || r.Questions[0].Option != "board" || len(r.Questions[0].Choices) != 2 {
		t.Errorf("which board: %+v, want layers and ship_to.state, and which of two boards", r)
	}
	if r := ask(&none); r == nil || fields(r) != "board layers ship_to.state" {
		t.Errorf("no such board: %+v, want board, layers and ship_to.state", r)
	}
	_, r := d.do(t, quotes.Price, quotes.PriceData{Upload: "u", Request: quotes.Request{Quantity: 5}})
	if r == nil || r.Code != contract.NeedsDetails || len(r.Questions) < 3 {
		t.Errorf("which board, and which options: %+v, want %s with 3 questions at least", r, contract.NeedsDetails)
	}
}
