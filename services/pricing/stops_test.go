package pricing_test

import (
	"fmt"
	"strings"
	"testing"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/contract"
)

func mustFix(check string, settle ...answers.Answer) contract.Finding {
	return contract.Finding{Level: "must_fix", Check: check, What: check, Answers: settle}
}

// TestStops: what the customer can answer is asked, what not is refused, and either tells
// what was read and which way is open. People quote whatever they can read.
func TestStops(t *testing.T) {
	t.Parallel()
	open := mustFix("outline_open")
	holes, size := mustFix("drill_missing", answers.NoHoles()), mustFix("tool_size_missing", answers.ToolSize("a.drl", 1))
	skip := func(r *contract.QuoteRequest) { r.SkipBoardChecks = true }
	for name, c := range map[string]struct {
		found []contract.Finding
		ask   func(*contract.QuoteRequest)
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
		"a layer that is not among the files": {[]contract.Finding{mustFix("layer_missing")}, skip, contract.DesignFiles, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := setup(t)
			b := twoLayers("a")
			b.Findings = c.found
			d.reads(t, b)
			_, refusal := d.do(t, contract.PriceQuote, standard(c.ask))
			if c.want == "" {
				if refusal != nil {
					t.Fatal(refusal)
				}
				return
			}
			if refusal == nil || refusal.Code != c.want || !strings.Contains(refusal.Next, "special_requirements: true") {
				t.Fatalf("refusal %+v, want %s", refusal, c.want)
			}
			if read := refusal.Known; fmt.Sprint(read["layers"], read["width_mm"], read["height_mm"]) != "2 50 30" {
				t.Errorf("was read: %+v", read)
			}
			var asks []string
			for _, q := range refusal.Questions {
				asks = append(asks, q.Option)
			}
			if got := strings.Join(asks, " "); got != c.asks {
				t.Errorf("asks %q, want %q", got, c.asks)
			}
			request, refusal := d.do(t, contract.PriceQuote, standard(func(r *contract.QuoteRequest) { r.SpecialRequirements = true }))
			if refusal != nil || d.quote(t, request).Mode != contract.ModeReview {
				t.Errorf("with special requirements: %+v", refusal)
			}
		})
	}
}

// TestBoardless: people quote files in which no board was found, if one may be in them.
func TestBoardless(t *testing.T) {
	t.Parallel()
	for format, design := range map[string]bool{"cad design": true, "unknown": true, "": true, "gerber": true, "pdf": false, "text": false, "bom": false} {
		d := setup(t)
		commit(t, d, contract.BoardAggregate, "d", contract.BoardRead, contract.ReadFiles{
			Digest: "d", Reader: "test", Files: []contract.FileClass{{Name: "a", Format: format}}, Findings: []contract.Finding{mustFix("no_board")},
		})
		_, refusal := d.do(t, contract.PriceQuote, standard(nil))
		if refusal == nil || refusal.Code != contract.DesignFiles || (refusal.Next != "") != design {
			t.Errorf("%s: %+v", format, refusal)
		}
		request, refusal := d.do(t, contract.PriceQuote, standard(func(r *contract.QuoteRequest) { r.SpecialRequirements = true }))
		if design != (refusal == nil) || design && d.quote(t, request).Mode != contract.ModeReview {
			t.Errorf("%s with special requirements: %+v", format, refusal)
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
		_, refusal := d.do(t, contract.PriceQuote, contract.PriceQuoteData{Upload: "u", Request: contract.QuoteRequest{
			Quantity: 5, Layers: &four, Board: board, ShipTo: &contract.ShipTo{Country: "US", State: "ZZ"},
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
		t.Errorf("which board: %+v", r)
	}
	if r := ask(&none); r == nil || fields(r) != "board layers ship_to.state" {
		t.Errorf("no such board: %+v", r)
	}
	_, r := d.do(t, contract.PriceQuote, contract.PriceQuoteData{Upload: "u", Request: contract.QuoteRequest{Quantity: 5}})
	if r == nil || r.Code != contract.NeedsDetails || len(r.Questions) < 3 {
		t.Errorf("which board, and which options: %+v", r)
	}
}
