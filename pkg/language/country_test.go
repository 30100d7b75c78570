package language

import (
	"slices"
	"strings"
	"testing"
)

// TestCountriesAreFoundWhereReadersLook: in Japanese by reading, long vowels and kanji as well.
func TestCountriesAreFoundWhereReadersLook(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"ja": "アイスランド イギリス インド オーストラリア オーストリア 韓国 サウジアラビア スウェーデン タイ 台湾 中国 デンマーク ドイツ 日本 ニュージーランド ノルウェー 香港 マレーシア 南アフリカ メキシコ ルーマニア ルクセンブルク",
		"de": "Belgien Dänemark Deutschland Österreich Portugal",
		"fr": "Belgique Émirats États Finlande",
	} {
		got := strings.Fields(want)
		slices.Reverse(got)
		slices.SortFunc(got, Find(code).Order())
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s:\n%s, want\n%s", code, s, want)
		}
	}
}

func TestCountriesHaveTheirCustomaryNames(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ code, country, want string }{
		{"ja", "HK", "香港"}, {"de", "HK", "Hongkong"}, {"zh-Hans", "MO", "中国澳门"}, {"it", "DE", "Germania"}, {"de", "??", "??"},
	} {
		if got := Find(c.code).Country(c.country); got != c.want {
			t.Errorf("%s, %s: %q, want %q", c.code, c.country, got, c.want)
		}
	}
	for _, p := range printers[1:] {
		for country := range customary {
			if customary[country][p.Code] == "" {
				t.Errorf("%s has no customary name for %s", p.Code, country)
			}
		}
	}
}

func TestHomeCountry(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ code, header, want string }{
		{"de", "de-DE, en;q=0.5", "DE"},
		{"de", "en-US, de-AT;q=0.5", "AT"},
		{"de", "de", "DE"},
		{"ja", "en-US, en;q=0.9", "JP"},
		{"ja", "ja-JP", "JP"},
		{"zh-Hans", "zh-SG", "SG"},
		{"zh-Hans", "", "CN"},
		{"en", "en-GB", "GB"},
		{"en", "de-DE, en;q=0.5", "DE"},
		{"en", "en", ""},
		{"en", "es-419, en", ""},
		{"en", "'\";<script>", ""},
	} {
		if got := Find(c.code).HomeCountry(c.header); got != c.want {
			t.Errorf("%s with %q: %q, want %q", c.code, c.header, got, c.want)
		}
	}
}
