package shop

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/catalog"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/exportcontrol"
	"boardorder/pkg/language"

	"github.com/google/go-cmp/cmp"
)

// TestChoicesMakeARequest: what the form has becomes the body of a quote request, and nothing
// else gets into it.
func TestChoicesMakeARequest(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"quantity=10": `{"quantity":10}`,
		"quantity=３０&thickness_mm=１．６&country=JP&postal_code=〒１５０ー０００２": `{"quantity":30,"ship_to":{"country":"JP","postal_code":"150-0002"},"thickness_mm":1.6}`,
		"quantity=10&thickness_mm=0,8&copper_oz=2&layers=4":             `{"copper_oz":2,"layers":4,"quantity":10,"thickness_mm":0.8}`,
		"quantity=ten&inner_copper_oz=1e":                               `{"inner_copper_oz":"1e","quantity":"ten"}`,
		"quantity=1,000":                                                `{"quantity":1000}`, "quantity=1.000": `{"quantity":1000}`, "quantity=100 000": `{"quantity":100000}`, "quantity=1,234,567": `{"quantity":1234567}`,
		"quantity=1,5": `{"quantity":"1,5"}`, "quantity=1.5": `{"quantity":"1.5"}`, "quantity=1e3": `{"quantity":"1e3"}`, "quantity=1.0": `{"quantity":"1.0"}`, "quantity=-5": `{"quantity":-5}`, "quantity=007": `{"quantity":"007"}`,
		"quantity=1&say-file_answers.outline=&say-file_answers.outline=b":                              `{"file_answers":{"outline":"b"},"quantity":1}`,
		"quantity=1&solder_mask=&assembly=no":                                                          `{"quantity":1}`,
		"quantity=1&assembly=yes&staff_picks_parts=yes&skip_board_checks=yes&special_requirements=yes": `{"assembly":true,"quantity":1,"skip_board_checks":true,"special_requirements":true,"staff_picks_parts":true}`,
		"quantity=1&postal_code=1":                                                                     `{"quantity":1}`,
		"quantity=1&country=DE&postal_code=1":                                                          `{"quantity":1,"ship_to":{"country":"DE","postal_code":"1"}}`,
		"quantity=1&itar=true&upload_id=up_other&wait_s=1":                                             `{"quantity":1}`,
		`quantity=1&answer-a={"field":"quantity","value":2}`:                                           `{"quantity":1}`,
		`quantity=1&answer-a={"field":"file_answers","value":2}`:                                       `{"quantity":1}`,
		"quantity=1&answer-a=no+JSON":                                                                  `{"quantity":1}`,
		"quantity=1&say-upload_id=up_x":                                                                `{"quantity":1}`,
		"quantity=1&say-file_answers.outline=edge.gbr":                                                 `{"file_answers":{"outline":"edge.gbr"},"quantity":1}`,
		"quantity=1&say-file_answers.layer_order=a%0D%0A%0Ab":                                          `{"file_answers":{"layer_order":["a","b"]},"quantity":1}`,
		"quantity=1&say-fab_options.panel_rows=3&say-fab_options.note=x":                               `{"fab_options":{"note":"x","panel_rows":3},"quantity":1}`,
		"quantity=1&size-T01-a-b.drl=0.3&size-T02-a-b.drl=0,4&size-T01-c.drl=1":                        `{"file_answers":{"tool_sizes":{"a-b.drl":{"T01":0.3,"T02":0.4},"c.drl":{"T01":1}}},"quantity":1}`,
		"quantity=1&leave_off=R1,R2&leave_off=&leave_off=C3":                                           `{"do_not_fit_refs":["R1","R2","C3"],"quantity":1}`,
		`quantity=1&answer-a={"field":"fab_options.gold_fingers","value":"plain"}`:                     `{"fab_options":{"gold_fingers":"plain"},"quantity":1}`,
		`quantity=1&answer-a={"field":"file_answers.leave_out","value":["x"]}&answer-b={"field":"file_answers.no_holes","value":true}`: `{"file_answers":{"leave_out":["x"],"no_holes":true},"quantity":1}`,
	} {
		form, err := url.ParseQuery(query)
		if err != nil {
			t.Fatal(err)
		}
		body := choices(form).body("up_1")
		if body["upload_id"] != "up_1" || body["standard_for_unstated"] != true {
			t.Errorf("%s: %v, want the page's own upload, and the standard", query, body)
		}
		delete(body, "upload_id")
		delete(body, "standard_for_unstated")
		for _, name := range flags { // what is not chosen is said, but for a wish
			if said, ok := body[name]; ok != (name != impedanceField) && said != true {
				t.Errorf("%s: %s is %v", form, name, said)
			} else if said == false {
				delete(body, name)
			}
		}
		got, err := json.Marshal(body)
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v; want %s", query, got, err, want)
		}
	}
}

func TestMerge(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ old, more, want any }{
		{nil, 1, 1}, {1, 2, 2}, {[]any{"a"}, []any{"b"}, []any{"a", "b"}}, {"a", []any{"b"}, []any{"b"}},
		{map[string]any{"a": 1}, map[string]any{"b": 2}, map[string]any{"a": 1, "b": 2}}, {nil, map[string]any{"b": 2}, map[string]any{"b": 2}},
	} {
		if got := merge(tt.old, tt.more); !cmp.Equal(got, tt.want) {
			t.Errorf("merge(%v, %v) = %v, want %v", tt.old, tt.more, got, tt.want)
		}
	}
}

// TestWordsArePlain: what programs are told is told to people in the words of the page.
func TestWordsArePlain(t *testing.T) {
	t.Parallel()
	plain := plainFor(language.Find("en"))
	for said, want := range map[string]string{
		"The design files have problems that must be mended first: findings lists each. With skip_board_checks: true the board is built as designed, if that is what the customer wants; with special_requirements: true our team looks at it and quotes it.": "The design files have problems that must be mended first; each is listed below. If you tick “Build it exactly as designed” it is built as it is; if you tick “Something special: our team prices it” our team looks at it and quotes it.",
		"Please export them again and upload them anew, or send special_requirements: true for a quote by our team.":                                                                                                                                          "Please export them again and upload them anew, or tick “Something special: our team prices it” below.",
		"For a build with more than one, or with another, send special_requirements: true, which our team quotes.":                                                                                                                                            "For a build with more than one, or with another, tick “Something special: our team prices it” below.",
		"Upload corrected positions, or send their references in do_not_fit_refs if the customer says to leave them off.":                                                                                                                                     "Upload corrected positions, or tick to leave them off.",
		"An archive could not be unpacked; fields names it, its member and why.":                                                                                                                                                                              "An archive could not be unpacked.",
		"A board may be controlled: " + exportcontrol.Advice:                                                                                                                                                                                                  "A board may be controlled: a controlled design cannot be ordered here; please do not order it, and its files are deleted six hours after they arrived. If it is not controlled, our team looks at the order before it is built",
		"The outline is open at one corner.": "The outline is open at one corner.",
	} {
		if got := plain.Replace(said); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", said, got, want)
		}
	}
}

// TestQuestionsAreFields: each kind of question has something to answer it with.
func TestQuestionsAreFields(t *testing.T) {
	t.Parallel()
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	s, english := &Shop{Config: Config{Catalog: cat}}, newVoice(language.Find("en"))
	read := boards.ReadFiles{Files: []boards.FileClass{{Name: "b.gbr", Role: "copper", Layer: 2}, {Name: "a.gbr", Role: "copper", Layer: 1}, {Name: "m.gbr", Role: "mask"}}}
	for name, tt := range map[string]struct {
		question contract.Question
		chosen   string
		want     string // its fields, a line each
	}{
		"an option":        {contract.Question{Option: "surface_finish", Choices: []any{"enig", "hasl"}, Usual: "hasl"}, "", "surface_finish = enig\nsurface_finish = hasl *"},
		"an option chosen": {contract.Question{Option: "surface_finish", Choices: []any{"enig", "hasl"}, Usual: "hasl"}, "surface_finish=enig", "surface_finish = enig *\nsurface_finish = hasl"},
		"one value":        {contract.Question{Option: "layers", Choices: []any{4}}, "", "layers = 4\nlayers =  *"},
		"an extra":         {contract.Question{Option: "fab_options.gold_fingers", Choices: []any{"none", "plain"}}, "", `{"field":"fab_options.gold_fingers","value":"none"}` + "\n" + `{"field":"fab_options.gold_fingers","value":"plain"}`},
		"holes":            {contract.Question{Option: "x", Answers: []answers.Answer{answers.ZeroHoles(), answers.LeaveOut("x.gbr")}}, "", `{"field":"file_answers.no_holes","value":true}` + "\n" + `{"field":"file_answers.leave_out","value":["x.gbr"]}`},
		"an outline":       {contract.Question{Option: "x", Answers: []answers.Answer{answers.Outline("")}}, "say-file_answers.outline=e", "say-file_answers.outline: e"},
		"the layers":       {contract.Question{Option: "x", Answers: []answers.Answer{answers.LayerOrder()}}, "", "say-file_answers.layer_order: "},
		"a tool":           {contract.Question{Option: "x", Answers: []answers.Answer{answers.ToolSize("d.drl", 1)}}, "size-T01-d.drl=0.3", "size-T01-d.drl: 0.3"},
	} {
		form, err := url.ParseQuery(tt.chosen)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, v := range s.questionViews(english, choices(form), contract.Refusal{Questions: []contract.Question{tt.question}}, read) {
			for _, c := range v.Choices {
				line := v.Name + " = " + c.Value
				if strings.HasPrefix(v.Name, answerPrefix) {
					line = c.Value
				}
				if c.Chosen {
					line += " *"
				}
				got = append(got, line)
			}
			for _, in := range v.Inputs {
				got = append(got, in.Name+": "+strings.ReplaceAll(in.Value, "\n", " "))
			}
		}
		if strings.Join(got, "\n") != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", name, strings.Join(got, "\n"), tt.want)
		}
	}
}

// TestAnswersAreKept: what was answered and is not asked any more goes on with the form.
func TestAnswersAreKept(t *testing.T) {
	t.Parallel()
	f := choices{"answer-a": {"1"}, "say-b": {"2"}, "size-T1-x": {"3"}, "answer-c": {"4"}, "answer-d": {""}, "quantity": {"5"}}
	asked := []questionView{{Name: "answer-c"}, {Name: "answer-z", Inputs: []inputView{{Name: "say-b"}}}}
	want := []inputView{{Name: "answer-a", Value: "1"}, {Name: "size-T1-x", Value: "3"}}
	if got := listAnswers(f, asked); !cmp.Equal(got, want) {
		t.Errorf("listAnswers(%v) = %+v, want %+v", f, got, want)
	}
}

// TestFingersAreSaid: contacts at an edge whose price is not of gold are said beside it, in each
// language.
func TestFingersAreSaid(t *testing.T) {
	t.Parallel()
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	s := &Shop{Config: Config{Catalog: cat}}
	for _, tt := range []struct {
		finish string
		kind   any
		want   bool
	}{{"hasl", "plain", true}, {"hasl_lead_free", "bevelled", true}, {"enig", "plain", false}, {"hasl", "none", false}, {"hasl", nil, false}} {
		now := facts{details: &quotes.BoardDetails{SurfaceFinish: tt.finish, FabOptions: map[string]any{"gold_fingers": tt.kind}}}
		for _, p := range voices() {
			got := s.fingers(p, now)
			if (got != "") != tt.want {
				t.Errorf("%s, fingers %v, finish %s: %q, want words: %v", p.Code, tt.kind, tt.finish, got, tt.want)
			}
			if tt.want {
				holdOwn(t, p, tt.finish, got)
			}
		}
	}
	for _, p := range voices() {
		note := p.say("The files show gold fingers without saying more: fab_options.gold_fingers was priced as plain.")
		holdOwn(t, p, "the note", note.Text)
		if strings.Contains(note.Text, "fab_options") || note.English {
			t.Errorf("%s: %+v, want words for people", p.Code, note)
		}
		if label := p.phrase("Gold fingers: without bevel").Text; !p.isEnglish() && (strings.Contains(label, "bevel") || strings.Contains(label, "Gold fingers")) {
			t.Errorf("%s: the price line is called %q, want words of the language", p.Code, label)
		}
	}
}

// TestMaterialsGoWithTheLayers: a board of many layers is not offered a core of metal, nor as a
// flexible one.
func TestMaterialsGoWithTheLayers(t *testing.T) {
	t.Parallel()
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	s := &Shop{Config: Config{Catalog: cat}}
	for layers, want := range map[int]bool{0: true, 1: true, 14: false} {
		got := s.valuesOf("material", facts{layers: layers, material: "FR-4"})
		if slices.Contains(got, "Polyimide") != want || len(got) == 0 || layers != 1 && !slices.Contains(got, "FR-4") {
			t.Errorf("%d layers are offered %q, want Polyimide among them: %v", layers, got, want)
		}
	}
	if all := len(cat.MaterialIDs()); len(s.materialsFor(0)) != all || len(cat.MaterialIDs()) != all {
		t.Errorf("without layers there are %q, want all %d", s.materialsFor(0), all)
	}
}
