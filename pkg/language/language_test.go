package language

import (
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestChoose(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		wishes []string
		want   string
	}{
		{nil, "en"},
		{[]string{""}, "en"},
		{[]string{"", "", "de-CH, de;q=0.9, en;q=0.5"}, "de"},
		{[]string{"fr", "de", "ja"}, "fr"},
		{[]string{"klingon", "", "pt-BR, es;q=0.4"}, "es"},
		{[]string{"zh-CN"}, "zh-Hans"},
		{[]string{"zh"}, "zh-Hans"},
		{[]string{"zh-TW, en;q=0.5"}, "en"},
		{[]string{"sv, nl"}, "en"},
		{[]string{"'\";<script>", "it"}, "it"},
		{[]string{"en-US, de;q=0.9"}, "en"},
	} {
		if got := Choose(c.wishes...).Code; got != c.want {
			t.Errorf("Choose(%q) = %s, want %s", c.wishes, got, c.want)
		}
	}
}

func TestPrinterWritesAsItsLanguageDoes(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 12, 4, 9, 5, 0, 0, time.UTC)
	for _, c := range []struct{ code, amount, yen, refund, day, moment, one, many string }{
		{"en", "$1,234.50", "JPY 1,234", "−$0.50", "4 December 2026", "4 December 2026, 09:05 UTC", "1 board", "1,200 boards"},
		{"de", "1.234,50 $", "1.234 JPY", "−0,50 $", "4. Dezember 2026", "4. Dezember 2026, 09:05 Uhr UTC", "1 Platine", "1.200 Platinen"},
		{"fr", "1 234,50 $", "1 234 JPY", "−0,50 $", "4 décembre 2026", "4 décembre 2026 à 09:05 UTC", "1 carte", ""},
		{"es", "1.234,50 $", "1.234 JPY", "−0,50 $", "4 de diciembre de 2026", "4 de diciembre de 2026, 09:05 UTC", "1 placa", ""},
		{"it", "1.234,50 $", "1.234 JPY", "−0,50 $", "4 dicembre 2026", "4 dicembre 2026, ore 09:05 UTC", "1 scheda", ""},
		{"ja", "$1,234.50", "1,234円", "−$0.50", "2026年12月4日", "2026年12月4日 18:05（日本時間）", "基板1枚", "基板1,200枚"},
		{"zh-Hans", "$1,234.50", "JPY 1,234", "−$0.50", "2026年12月4日", "2026年12月4日 09:05(UTC)", "1 块板", "1,200 块板"},
	} {
		p := Find(c.code)
		for i, got := range []string{p.Amount(123450, ""), p.Money(1234, 0, "JPY"), p.Amount(-50, "USD"), p.Day(at), p.Moment(at), p.Boards(1), p.Boards(1200)} {
			want := []string{c.amount, c.yen, c.refund, c.day, c.moment, c.one, c.many}[i]
			if got := strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(got); want != "" && got != want {
				t.Errorf("%s, %d: %q, want %q", c.code, i, got, want)
			}
		}
	}
}

func TestArgumentsAreEscaped(t *testing.T) {
	t.Parallel()
	if got, want := string(Find("de").HTML("<b>%s</b>", "<i>x</i>")), "<b>&lt;i&gt;x&lt;/i&gt;</b>"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

var verb = regexp.MustCompile(`%(\[\d+\])?[-+# 0-9.]*[a-zA-Z%]`)

// verbs lists what a text takes, in the order of the arguments.
func verbs(text string) []string {
	var out []string
	for i, v := range verb.FindAllString(text, -1) {
		if !strings.Contains(v, "[") {
			v = "%[" + string(rune('1'+i)) + "]" + v[1:]
		}
		out = append(out, v)
	}
	slices.Sort(out)
	return out
}

// TestCatalogIsWhole holds that each text stands once in each language, and takes what
// the English one takes.
func TestCatalogIsWhole(t *testing.T) {
	t.Parallel()
	areas, err := fs.Glob(catalogFiles, "catalog/*/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	keys := map[string]map[string]string{} // by language: the area that a key stands in
	for _, name := range areas {
		code := path.Base(path.Dir(name))
		if keys[code] == nil {
			keys[code] = map[string]string{}
		}
		translations, err := readTexts(catalogFiles, name)
		if err != nil {
			t.Fatal(err)
		}
		for key, tr := range translations {
			if other := keys[code][key]; other != "" {
				t.Errorf("%s and %s both have %q", other, name, key)
			}
			keys[code][key] = name
			for _, text := range append(slices.Collect(maps.Values(tr.cases)), tr.text) {
				if text != "" && tr.cases == nil && !slices.Equal(verbs(text), verbs(key)) {
					t.Errorf("%s: %q takes %v, %q takes %v", name, key, verbs(key), text, verbs(text))
				}
			}
			if tr.text == "" && tr.cases["other"] == "" {
				t.Errorf("%s: %q has no text", name, key)
			}
		}
	}
	for _, p := range printers[1:] {
		for _, other := range printers[1:] {
			for key, name := range keys[other.Code] {
				if keys[p.Code][key] == "" {
					t.Errorf("%s has no text for %q of %s", p.Code, key, name)
				}
			}
		}
	}
}

func TestDecimalsKeepTheirDigits(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{"en": "0.860400", "de": "0,860400", "fr": "0,860400", "ja": "0.860400", "zh-Hans": "0.860400"} {
		if got := Find(code).Decimal("0.860400"); got != want {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
	}
}

// TestListsAndSizes: what stands between things, and how long they are.
func TestListsAndSizes(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{"en": "R1, R2 50.8 × 30.48 mm", "de": "R1, R2 50,8 × 30,48 mm", "ja": "R1、R2 50.8 × 30.48 mm", "zh-Hans": "R1、R2 50.8 × 30.48 mm"} {
		p := Find(code)
		if got := p.List([]string{"R1", "R2"}) + " " + p.Size(50.80000000000001, 30.4799999); got != want {
			t.Errorf("%s: %s, want %s", code, got, want)
		}
	}
}
