package pricing_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/exportcontrol"
)

// elsewhere are the fields that pricing has no say in, and who has.
var elsewhere = map[string]string{
	"upload_id":    "the edge turns it into the upload's reference",
	"itar":         "the edge refuses it before anything is read",
	"order_file":   "where the rest comes from: board_details_from names it",
	"project_name": "a name for people: it is kept with the quote, and pages and letters show it",
}

// Every field of a request is used, refused, or named in the notes: an answer is
// another with it than without.
func TestEveryFieldOfARequestMatters(t *testing.T) {
	t.Parallel()
	sent := map[string]string{
		"quantity": "20", "ship_to": `{"country":"US","state":"CA"}`, "assembly": "true", "layers": "4", "thickness_mm": "1.0", "copper_oz": "2",
		"inner_copper_oz": "1", "surface_finish": `"enig"`, "solder_mask": `"Red"`, "material": `"FR-4 / TG155"`, "via_process": `"plugged"`,
		"fab_options": `{"electrical_test":"sample"}`, "impedance_controlled": "true", "fab_stackup": `"X-1"`, "file_stackup": "true",
		"separate_boards": "true", "special_requirements": "true", "special_notes": `"mind the gap"`, "standard_for_unstated": "false", "board": `"second"`,
		"skip_board_checks": "true", "file_answers": `{"leave_out":["notes.txt"]}`, "board_context": `"a lamp"`, "customer_supplied_refs": `["U1"]`, "do_not_fit_refs": `["R1"]`,
		"substitutions": `[{"reference":"R1","original_mpn":"a","replacement_mpn":"b"}]`, "staff_picks_parts": "true", "build_time_hours": "24",
	}
	plain := answerTo(t, `{"quantity":10,"standard_for_unstated":true,"board":"first"}`)
	for field := range reflect.TypeFor[quotes.Request]().Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		value, ok := sent[name]
		switch {
		case elsewhere[name] != "":
		case !ok:
			t.Errorf("nobody says what becomes of %s", name)
		case answerTo(t, requestWith(t, name, value)) == plain:
			t.Errorf("%s: %s changes nothing, and nothing is said of it", name, value)
		}
	}
}

func requestWith(t *testing.T, name, value string) string {
	t.Helper()
	request := map[string]json.RawMessage{"quantity": json.RawMessage("10"), "standard_for_unstated": json.RawMessage("true"), "board": json.RawMessage(`"first"`)}
	request[name] = json.RawMessage(value)
	text, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// answerTo is the reply or the refusal to a request, and what the fabricator was
// asked for.
func answerTo(t *testing.T, request string) string {
	t.Helper()
	d := setup(t)
	d.reads(t, twoLayers("first"), twoLayers("second"))
	var r quotes.Request
	if err := json.Unmarshal([]byte(request), &r); err != nil {
		t.Fatal(err)
	}
	id, refusal := d.do(t, quotes.Price, quotes.PriceData{Upload: "u", Request: r})
	var q quotes.Quote
	if refusal == nil {
		q = d.quote(t, id)
	}
	text, err := json.Marshal([]any{refusal, q.Board, q.Reply, d.fab.requests})
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestExportControlIsShownFirst, be it in the files or in the request, whatever an
// equal request without such words was offered before.
func TestExportControlIsShownFirst(t *testing.T) {
	t.Parallel()
	d := setup(t)
	b := twoLayers("a")
	b.Findings = []contract.Finding{{Level: "warning", Check: "notes_differ", What: "the notes say black"}}
	d.reads(t, b)
	for _, tt := range []struct {
		project string
		want    bool
	}{{"guitar", false}, {"radar, ITAR controlled", true}, {"not ITAR controlled", false}} {
		id, refusal := d.do(t, quotes.Price, standard(func(r *quotes.Request) { r.ProjectName = &tt.project }))
		if refusal != nil {
			t.Fatalf("refused: %+v, want it granted", refusal)
		}
		if got := d.quote(t, id).Reply.BoardFindings; len(got) == 0 || (got[0].Check == exportcontrol.Check) != tt.want {
			t.Errorf("%s: findings %+v; want one, of export control: %t", tt.project, got, tt.want)
		}
	}
}

func TestContradictingNotesAreNamed(t *testing.T) {
	t.Parallel()
	d := setup(t)
	b := twoLayers("a")
	b.Findings = []contract.Finding{{Level: "warning", Check: "notes_differ", What: "the notes say black"}}
	d.reads(t, b)
	id, refusal := d.do(t, quotes.Price, standard(nil))
	if refusal != nil {
		t.Fatalf("refused: %+v, want it granted", refusal)
	}
	if notes := strings.Join(d.quote(t, id).Reply.Notes, " "); !strings.Contains(notes, "The fabrication notes in the files differ") {
		t.Errorf("notes %q, want that the fabrication notes in the files differ", notes)
	}
}
