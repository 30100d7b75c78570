package shop

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/catalog"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/language"
	"boardorder/services/edge/internal/problem"
)

// english stands in hardly a sentence of another language.
var english = regexp.MustCompile(`(?i)\b(?:the|and|your|with|from|please|board|boards|of|you|not|what|this|is|are)\b`)

// holdOwn holds a text to a language, and to having words at all.
func holdOwn(t *testing.T, p voice, about, text string) {
	t.Helper()
	if strings.TrimSpace(text) == "" || !p.isEnglish() && english.MatchString(text) || strings.Contains(text, "%!") {
		t.Errorf("%s, %s: %q, want a sentence in that language", p.Code, about, text)
	}
}

// voices are those of the pages in each language.
func voices() []voice {
	var out []voice
	for _, l := range language.List() {
		out = append(out, newVoice(l))
	}
	return out
}

// TestRefusalsInEachLanguage: whatever is refused has a heading and says what to do in the page's
// language; the service's sentence stands below it in English, where it says more.
func TestRefusalsInEachLanguage(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 12, 4, 9, 5, 0, 0, time.UTC)
	const message = "The thing is not as it should be."
	for _, p := range voices() {
		for _, code := range contract.Codes() {
			r := contract.Refusal{Code: code, Message: message, RetryAfterS: 60}
			if code == contract.InvalidRequest {
				r.Fields = []contract.FieldProblem{{Field: "solder_mask", Problem: "not_offered", Message: message}}
			}
			v := p.refusal(r, now)
			about := "a price refused with " + string(code)
			if !p.isEnglish() {
				holdOwn(t, p, about, v.Heading)
				holdOwn(t, p, about, v.Text)
			}
			h, known := headings[code]
			if says := known && h.text == "" && code != contract.RateLimited || !known; !p.isEnglish() && says != (v.Detail == message) {
				t.Errorf("%s, %s: in English %q, want the service's sentence: %v", p.Code, about, v.Detail, says)
			}
			if p.isEnglish() && (v.Heading == "" || v.Text == "" || v.Detail != "") {
				t.Errorf("English, %s: %+v, want a heading, a text and nothing besides", about, v)
			}
			failure := problem.Find(&r)
			text, _ := p.uploadWords(failure, now)
			page := p.failure(failure, now, "req_1")
			for _, words := range []string{text, page.Heading, page.Text} {
				if !p.isEnglish() {
					holdOwn(t, p, "files refused with "+string(code), words)
				}
			}
		}
	}
}

// TestFieldsAndFilesInEachLanguage: each thing that can be wrong with a field or a file has words.
func TestFieldsAndFilesInEachLanguage(t *testing.T) {
	t.Parallel()
	for _, p := range voices()[1:] {
		for _, wrong := range contract.FieldProblems() {
			one := contract.FieldProblem{Field: "thickness_mm", Problem: wrong, Message: "thickness_mm is wrong."}
			text, detail := p.fieldWords([]contract.FieldProblem{one})
			holdOwn(t, p, wrong, text)
			if detail != "The thickness is wrong." {
				t.Errorf("%s, %s: in English %q, want the service's sentence", p.Code, wrong, detail)
			}
			one.Field = "a.zip!/top.gbr"
			text, detail = p.fileWords([]contract.FieldProblem{one})
			holdOwn(t, p, wrong, text)
			if says := archiveAdvice[wrong] != ""; says && detail != "" {
				t.Errorf("%s, %s: %q and in English %q, want it once", p.Code, wrong, text, detail)
			}
			if !strings.Contains(text, "a.zip") || !strings.Contains(text, "top.gbr") {
				t.Errorf("%s, %s: %q, want both names", p.Code, wrong, text)
			}
		}
		if text, detail := p.fieldWords([]contract.FieldProblem{{Field: "quantity", Message: "x"}}); detail != "" {
			t.Errorf("%s: %q and %q, want the quantity's rule alone", p.Code, text, detail)
		}
		for _, words := range []string{
			"This page was open for more than an hour. Please choose your files again and send them.", "This form was sent from another site.",
			"That was too quick for a person: please wait 5 seconds, choose your files again and send them.",
		} {
			text, detail := p.uploadWords(problem.Find(contract.Refuse(contract.Forbidden, "%s", words)), time.Now())
			if holdOwn(t, p, words, text); detail != "" {
				t.Errorf("%s: %q has %q in English, want nothing", p.Code, text, detail)
			}
		}
	}
	if slowWait != 5*time.Second {
		t.Errorf("a form waits %s, and the refusal says 5 seconds", slowWait)
	}
}

// TestQuestionsInEachLanguage: what is asked, and what can be answered, is in the page's language;
// the service's own sentence about the files stands below it.
func TestQuestionsInEachLanguage(t *testing.T) {
	t.Parallel()
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	s := &Shop{Config: Config{Catalog: cat}}
	const says = "There is no drill file, and the pads are not drilled."
	var questions []contract.Question
	for _, option := range []string{"layers", "thickness_mm", "copper_oz", "inner_copper_oz", "surface_finish", "solder_mask", "material", "via_process"} {
		var values []any
		for _, v := range cat.IDsOf(option) {
			values = append(values, v)
		}
		questions = append(questions, contract.Question{Option: option, Question: says, Choices: append(values, 2.5)})
	}
	for _, a := range [][]answers.Answer{
		{answers.ZeroHoles()}, {answers.ZeroMoreHoles(1)}, {answers.ZeroMoreHoles(7)}, {answers.Outline("e.gbr")}, {answers.Outline("")}, {answers.LayerOrder()},
		{answers.ToolSize("d.drl", 1)}, {answers.ToolUnit("d.drl", map[string]float64{"T01": 1}, "inches")}, {answers.LeaveOut("x.gbr")},
		{answers.PlacementsByPads("turned by 90 degrees"), answers.PlacementsAsListed()}, {answers.PlacementsOfOne(4)},
	} {
		questions = append(questions, contract.Question{Option: a[0].Field, Question: says, Answers: a})
	}
	for _, extra := range []string{"fab_options.gold_fingers", "fab_options.castellated_sides", "fab_options.panel_by"} {
		questions = append(questions, contract.Question{Option: extra, Question: says, Choices: []any{"none", "plain", "bevelled", "customer"}})
	}
	for _, p := range voices()[1:] {
		for _, v := range s.questionViews(p, choices{}, contract.Refusal{Questions: questions}, boards.ReadFiles{}) {
			holdOwn(t, p, v.Name, v.Text)
			if about := strings.HasPrefix(v.Name, answerPrefix) && v.Detail == says || v.Detail == ""; !about {
				t.Errorf("%s, %s: %q below the question, want the service's sentence or nothing", p.Code, v.Name, v.Detail)
			}
			for _, c := range v.Choices {
				if holdOwn(t, p, v.Name, c.Label); c.English {
					t.Errorf("%s, %s: %q is said to be English", p.Code, v.Name, c.Label)
				}
			}
			for _, in := range v.Inputs {
				holdOwn(t, p, v.Name, in.Label)
			}
		}
	}
}

// TestCatalogNamesAreTranslated, but for laminates that are called by their makers' names.
func TestCatalogNamesAreTranslated(t *testing.T) {
	t.Parallel()
	cat, err := catalog.Load()
	if err != nil {
		t.Fatal(err)
	}
	names := cat.IDsOf("solder_mask")
	for _, c := range slices.Concat(cat.SurfaceFinishes, cat.ViaProcesses) {
		names = append(names, c.Name)
	}
	for _, name := range names {
		if !catalogNames[name] {
			t.Errorf("%q has no names in other languages", name)
		}
	}
}

// TestFilesOfNoLayerHaveNames: the board and the parts list are not "something else".
func TestFilesOfNoLayerHaveNames(t *testing.T) {
	t.Parallel()
	p := newVoice(language.Find("ja"))
	for _, c := range []struct{ role, name, format, want string }{
		{"other", "a/b.kicad_pcb", "kicad", "基板ファイル"}, {"other", "parts.csv", "bom", "部品表"}, {"other", "b.kicad_sch", "kicad", "その他"}, {"copper", "b.gtl", "gerber", "銅箔"},
	} {
		if got := p.role(boards.FileClass{Role: c.role, Name: c.name, Format: c.format}); got != c.want {
			t.Errorf("%s %s of format %s: %q, want %q", c.role, c.name, c.format, got, c.want)
		}
	}
}

// TestFindingsInEachLanguage: what was found in files is in the page's language, unless it names what
// only a request to the API has.
func TestFindingsInEachLanguage(t *testing.T) {
	t.Parallel()
	for _, p := range []voice{newVoice(language.Find("de")), newVoice(language.Find("ja")), newVoice(language.Find("fr"))} {
		found := p.say("12 vias have a ring of copper narrower than 0.15 mm on outer layers: the narrowest is 0.08 mm.")
		if found.English || strings.Contains(found.Text, "ring of copper") {
			t.Errorf("%s: a finding is %+v, want it in the page's language", p.Code, found)
		}
		asks := p.say("several orders of the inner layers fit; say with file_answers.layer_order which is right")
		if !asks.English && strings.Contains(asks.Text, "layer_order") {
			t.Errorf("%s: %+v names a field that no shopper can fill in", p.Code, asks)
		}
	}
}
