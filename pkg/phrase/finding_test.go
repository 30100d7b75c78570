package phrase_test

import (
	"strings"
	"testing"

	"boardorder/pkg/language"
	"boardorder/pkg/phrase"
)

func TestFinding(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, code, want string }{
		{"12 plated holes have a ring of copper narrower than 0.15 mm on outer layers: the narrowest is 0.082 mm. A drill that wanders cuts the connection.", "de",
			"12 metallisierte Bohrungen: Restring schmaler als 0,15 mm auf Außenlagen (am schmalsten 0,082 mm). Ein verlaufender Bohrer trennt die Verbindung."},
		{"1 via has a ring of copper narrower than 0.1 mm on inner layers: the narrowest is 0.05 mm.", "ja", "内層でビア1個のランド残り幅（アニュラリング）が0.1 mm未満です（最小0.05 mm）。"},
		{"The solder mask between two pads of different nets is narrower than 0.10 mm (down to 0.05 mm): it may not hold, and solder may bridge the pads.", "zh-Hans",
			"不同网络焊盘之间（两个焊盘）的阻焊桥窄于 0.1 mm（最窄 0.05 mm）：可能无法保持，焊锡可能桥连。"},
		{"2 shorts: copper joins GND and VCC (F.Cu, at 10.50, 3.25 mm); \"odd, net\" and GND (B.Cu, at 1.00, 2.00 mm).", "de",
			"2 Kurzschlüsse: Kupfer verbindet GND und VCC (F.Cu, bei 10,5; 3,25 mm); \"odd, net\" und GND (B.Cu, bei 1; 2 mm)."},
		{"1 missing connection: the copper leaves 1 net in pieces: SDA (pad R1-1 to pad U2-3).", "es", "1 conexión que falta: el cobre deja 1 red en partes: SDA (pad R1-1 a pad U2-3)."},
		{"there is no drill file, though the drill report \"a.txt\" counts 12 holes: upload it too (such as .drl, .xln or .txt); without it no holes would be made", "it",
			"non c’è un file di foratura, ma il rapporto di foratura \"a.txt\" conta 12 fori: caricate anche quello (.drl, .xln o .txt); senza, non verrebbe forato nulla"},
		{"x.gbr: the file is empty: what it should draw is missing.", "fr", "x.gbr : le fichier est vide : ce qu’il devrait dessiner manque."},
		{"Annular rings: the time was up.", "de", "Restringe: die Zeit war um."},
		{"3 to fix, 1 warning, 2 notes, 5 more", "ja", "要修正3件、警告1件、注記2件、ほか5件"},
		{"shorts (2 places), open nets (1 place), 1 more.", "de", "Kurzschlüsse (2 Stellen), Offene Netze (1 Stelle), 1 weitere."},
		{"track of GND", "fr", "piste de GND"},
		{"nothing was taken from \"README.txt\", \"a.pdf\" and 3 more: no fabrication words that we know were read there; if anything there is to be built, say it in the request", "de",
			"aus \"README.txt\", \"a.pdf\" und 3 weiteren wurde nichts übernommen: wir haben dort keine uns bekannten Fertigungsangaben gelesen; wenn etwas davon gebaut werden soll, schreiben Sie es uns bei der Anfrage dazu"},
		{"Line 12 of notes.txt speaks of how the board is made and was not understood, or not taken for an order: nothing is built by it: \"use good: copper\"", "ja",
			"12行目（notes.txt）は基板の製造方法に触れていますが、理解できなかったか、指示とは見なされませんでした。製造には反映されません：\"use good: copper\""},
	} {
		own, known := phrase.Finding(language.Find(c.code), c.text)
		if got := strings.ReplaceAll(own, "\u00a0", " "); got != c.want || !known {
			t.Errorf("%s: %q = %q, %v; want %q", c.code, c.text, got, known, c.want)
		}
	}
	for _, text := range []string{
		"The rule that nobody knows is broken in a way.", "12 plated holes have a ring of copper narrower than 0.15 mm on outer layers: the narrowest is 0.1 mm. Something that is new follows.",
		"pad of a kind that nobody has seen before", "", "R1",
	} {
		if own, known := phrase.Finding(language.Find("de"), text); known || own != text {
			t.Errorf("%q = %q, %v; want it as it is", text, own, known)
		}
	}
}

func TestTranslatePage(t *testing.T) {
	t.Parallel()
	page := `<html lang="en"><title>` + phrase.Mark("Findings") + `</title><b title="` + phrase.Mark("Hide rule: track widths") + `">` + phrase.Mark("track of A&B \u2063<") + `</b>` +
		"stray \u2063mark" + `<script type="application/json" id="texts">["All places","pad of {1}","Nobody says this."]</script><script>"\u2063Findings\u2064"</script>`
	page = strings.Replace(page, "A&B <", "A&amp;B &lt;", 1)
	got := string(phrase.TranslatePage(language.Find("de"), []byte(page)))
	want := `<html lang="de"><title>Befunde</title><b title="Regel ausblenden: Leiterbahnbreiten">Leiterbahn von A&amp;B &lt;</b>` +
		"stray mark" + `<script type="application/json" id="texts">{"All places":"Alle Stellen","pad of {1}":"Pad von {1}"}</script><script>"\u2063Findings\u2064"</script>`
	if got != want {
		t.Errorf("in German:\n%s\nwant\n%s", got, want)
	}
	if got := string(phrase.TranslatePage(language.Find("en"), []byte(page))); !strings.Contains(got, `<title>Findings</title>`) || !strings.Contains(got, `id="texts">{}`) || strings.Contains(strings.Split(got, "<script")[0], "\u2063") {
		t.Errorf("in English: %s", got)
	}
	if got := string(phrase.TranslatePage(language.Find("de"), []byte("<html lang=\"en\">Findings"))); got != "<html lang=\"en\">Findings" {
		t.Errorf("a page without marks becomes %s", got)
	}
}

func BenchmarkFinding(b *testing.B) {
	p := language.Find("de")
	for b.Loop() {
		phrase.Finding(p, "12 plated holes have a ring of copper narrower than 0.15 mm on outer layers: the narrowest is 0.082 mm. A drill that wanders cuts the connection.")
	}
}
