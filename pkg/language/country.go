package language

import (
	"strings"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// customary are the names of countries by language where that of the Unicode data is one
// that nobody writes on a parcel.
var customary = map[string]map[string]string{
	"HK": {"de": "Hongkong", "fr": "Hong Kong", "es": "Hong Kong", "it": "Hong Kong", "ja": "香港", "zh-Hans": "中国香港"},
	"MO": {"de": "Macau", "fr": "Macao", "es": "Macao", "it": "Macao", "ja": "マカオ", "zh-Hans": "中国澳门"},
}

// Country is what the language calls the country of an ISO 3166-1 code, or the code
// where it has no name for it.
func (p *Printer) Country(code string) string {
	if name := customary[code][p.Code]; name != "" {
		return name
	}
	region, err := language.ParseRegion(code)
	if err != nil {
		return code
	}
	if name := display.Regions(p.tag).Name(region); name != "" {
		return name
	}
	return code
}

// mainCountries are where most readers of a language live.
var mainCountries = map[string]string{"de": "DE", "fr": "FR", "es": "ES", "it": "IT", "ja": "JP", "zh-Hans": "CN"}

// EnglishName is what the language is called in English: "German".
func (p *Printer) EnglishName() string { return display.English.Languages().Name(p.tag) }

// HomeCountry guesses the country of a reader from the value of an Accept-Language header:
// that of the language's own tag, the language's main one, that of any tag, or "".
func (p *Printer) HomeCountry(header string) string {
	tags, _, _ := language.ParseAcceptLanguage(header) // of one that cannot be read there are none
	own, _ := p.tag.Base()
	anywhere := ""
	for _, tag := range tags {
		region, sure := tag.Region()
		if sure != language.Exact || !region.IsCountry() {
			continue
		}
		if base, _ := tag.Base(); base == own {
			return region.String()
		}
		if anywhere == "" {
			anywhere = region.String()
		}
	}
	if home := mainCountries[p.Code]; home != "" {
		return home
	}
	return anywhere
}

// Order compares names in the order in which the language's readers look for them. It is
// not safe for concurrent use.
func (p *Printer) Order() func(a, b string) int {
	c := collate.New(p.tag)
	if p.Code != "ja" {
		return c.CompareString
	}
	return func(a, b string) int { return c.CompareString(kana(a), kana(b)) }
}

// readings are how the names of countries that are not in kana begin when they are read.
var readings = strings.NewReplacer("南アフリカ", "ミナミアフリカ", "日本", "ニホン", "韓国", "カンコク", "香港", "ホンコン", "台湾", "タイワン", "中国", "チュウゴク")

// vowels are the kana that end on each vowel.
var vowels = map[rune]string{
	'ア': "アァカガサザタダナハバパマヤャラワ", 'イ': "イィキギシジチヂニヒビピミリ", 'ウ': "ウゥクグスズツヅヌフブプムユュルヴ",
	'エ': "エェケゲセゼテデネヘベペメレ", 'オ': "オォコゴソゾトドノホボポモヨョロヲ",
}

// kana is a Japanese name as it is sorted: in kana, and a long vowel written out, which
// the collation does not know.
func kana(name string) string {
	out := []rune(readings.Replace(name))
	for i := 1; i < len(out); i++ {
		if out[i] != 'ー' {
			continue
		}
		for vowel, kana := range vowels {
			if strings.ContainsRune(kana, out[i-1]) {
				out[i] = vowel
				break
			}
		}
	}
	return string(out)
}
