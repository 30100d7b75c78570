package report_test

import (
	"strings"
	"testing"

	"boardorder/pkg/board/testkit/faulty"
	"boardorder/pkg/browsertest"
	"boardorder/pkg/language"
	"boardorder/pkg/phrase"

	"github.com/chromedp/chromedp"
)

// TestFaultsAreTold: whatever is found on boards with each kind of fault is told in every language,
// with what was assumed and what fabricators' limits say.
func TestFaultsAreTold(t *testing.T) {
	t.Parallel()
	german, told := language.Find("de"), map[string]bool{} // the catalog has all languages or none
	for _, f := range faulty.Faults() {
		if !f.AllowsForm(faulty.KiCad) || testing.Short() && len(told) > 60 {
			continue
		}
		s, _ := f.Board(true)
		_, d, _ := checkSketch(t.Context(), t, s)
		for _, one := range d.Findings {
			told[one.What] = true
		}
		for _, text := range d.Assumed {
			told[text] = true
		}
		for _, v := range d.Fabricators {
			for _, text := range v.Unchecked {
				told[text] = true
			}
			for _, b := range v.Broken {
				told[b.What] = true
			}
		}
		told[d.FabricatorsNote] = true
	}
	for text := range told {
		if _, known := phrase.Finding(german, text); !known && text != "" {
			t.Errorf("no translation tells %q", text)
		}
	}
}

// TestPageInEachLanguage: the page is in the language that is asked for, its script too, with the
// figures as they are written there, and nothing is wider than a phone.
func TestPageInEachLanguage(t *testing.T) {
	t.Parallel()
	ctx, complaints := browsertest.Open(t)
	b, found := gaps(3)
	for code, want := range map[string][3]string{
		"en": {"Findings", "Place 1 of 3, the worst · F.Cu · 0.08 mm, limit 0.1 mm", "Choose a point: it snaps to the edges of copper."},
		"de": {"Befunde", "Stelle 1 von 3, die schlechteste · F.Cu · 0,08 mm, Grenze 0,1 mm", "Wählen Sie einen Punkt: Er rastet an Kupferkanten ein."},
		"fr": {"Constats", "Emplacement 1 sur 3, le pire · F.Cu · 0,08 mm, limite 0,1 mm", "Choisissez un point : il s’accroche aux bords du cuivre."},
		"ja": {"指摘一覧", "場所 1/3（最悪） · F.Cu · 0.08 mm, 限界値0.1 mm", "点を選んでください。銅箔の縁に吸着します。"},
	} {
		pages := reportIn(t, language.Find(code), b, found)
		if err := chromedp.Do(ctx, chromedp.EmulateViewport(390, 844), chromedp.Navigate(serve(t, pages))); err != nil {
			t.Fatal(err)
		}
		title := eval[string](ctx, t, `document.getElementById("findings").textContent`)
		place := eval[string](ctx, t, `document.querySelector("[data-finding]").click(), document.getElementById("where").firstChild.textContent.replace(/ · $/, "")`)
		measure := eval[string](ctx, t, `document.getElementById("measure").click(), document.getElementById("measured").textContent.replaceAll("\u00a0", " ")`)
		if title != want[0] || place != want[1] || measure != want[2] {
			t.Errorf("%s: the page says %q, %q, %q; want %q", code, title, place, measure, want)
		}
		if lang := eval[string](ctx, t, `document.documentElement.lang + " " + document.querySelector("#languages [aria-current]").lang`); lang != code+" "+code {
			t.Errorf("the page in %s says that it and its link are in %q", code, lang)
		}
		if wide := eval[int](ctx, t, `document.documentElement.scrollWidth - innerWidth`); wide > 0 {
			t.Errorf("%s: the page is %d pixels too wide", code, wide)
		}
		if left := eval[bool](ctx, t, `/[\u2063\u2064]/.test(document.documentElement.outerHTML)`); left {
			t.Errorf("%s: marks are left in the page", code)
		}
		browsertest.Axe(t, ctx)
	}
	for _, c := range complaints() {
		if !strings.Contains(c, "favicon") {
			t.Errorf("the browser complains: %s", c)
		}
	}
}
