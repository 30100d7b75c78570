package address_test

import (
	"cmp"
	"strings"
	"testing"

	"boardorder/pkg/address"
	"boardorder/pkg/contract/shipments"
	"boardorder/pkg/language"
)

func TestLines(t *testing.T) {
	t.Parallel()
	for want, to := range map[string]shipments.ShipTo{
		"Ada|1 Main St|San Francisco, CA 94105|United States": {Name: "Ada", Line1: "1 Main St", City: "San Francisco", State: "CA", PostalCode: "94105", Country: "US"},
		"Ada|Hof 3|10115 Berlin|Germany":                      {Name: "Ada", Line1: "Hof 3", City: "Berlin", PostalCode: "10115", Country: "DE"},
		"12 St James's Square|London SW1Y 4JH|United Kingdom": {Line1: "12 St James's Square", City: "London", PostalCode: "SW1Y 4JH", Country: "GB"},
		"00100 Roma, RM|Italy":                                {City: "Roma", State: "RM", PostalCode: "00100", Country: "IT"},
		"94105|United States":                                 {PostalCode: "94105", Country: "US"},
		"RM|Italy":                                            {State: "RM", Country: "IT"},
		"12345 Springfield|??":                                {City: "Springfield", PostalCode: "12345", Country: "??"},
		"":                                                    {},
		"日本|〒150-0002|東京都渋谷区渋谷2丁目21-1|ヒカリエ5階|株式会社例|山田 太郎 様": {Name: "山田 太郎", Company: "株式会社例", Line1: "渋谷2丁目21-1", Line2: "ヒカリエ5階", City: "渋谷区", State: "東京都", PostalCode: "150-0002", Country: "JP"},
		"日本|東京都渋谷区渋谷2-21":                                    {Line1: "渋谷2-21", City: "東京都渋谷区", State: "東京都", Country: "JP"},
		"日本|〒150-0002|東京都渋谷区渋谷2-21|Ada 様":                    {Name: "Ada", Line1: "東京都渋谷区渋谷2-21", City: "東京都渋谷区", PostalCode: "150-0002", Country: "JP"},
		"山田 太郎|2-21-1 Shibuya|Shibuya-ku, Tokyo 150-0002|日本": {Name: "山田 太郎", Line1: "2-21-1 Shibuya", City: "Shibuya-ku", State: "Tokyo", PostalCode: "150-0002", Country: "JP"},
		"대한민국|04524|서울특별시 중구 세종대로 110|홍길동":                   {Name: "홍길동", Line1: "세종대로 110", City: "중구", State: "서울특별시", PostalCode: "04524", Country: "KR"},
		"台灣|100|臺北市中正區忠孝西路一段66號|王小明":                         {Name: "王小明", Line1: "忠孝西路一段66號", City: "中正區", State: "臺北市", PostalCode: "100", Country: "TW"},
		"中国|100000|北京市朝阳区建国路1号|李明":                           {Name: "李明", Line1: "建国路1号", City: "朝阳区", State: "北京市", PostalCode: "100000", Country: "CN"},
		"山田|東京通り1|10115 Berlin|Germany":                      {Name: "山田", Line1: "東京通り1", City: "Berlin", PostalCode: "10115", Country: "DE"},
	} {
		if got := strings.Join(address.Lines(to, countryName), "|"); got != want {
			t.Errorf("Lines(%+v) = %q, want %q", to, got, want)
		}
	}
}

// countryName is the English name of a country, or what it calls itself in its own script.
func countryName(code string) string {
	own := map[string]string{"JP": "日本", "KR": "대한민국", "TW": "台灣", "CN": "中国"}
	return cmp.Or(own[code], address.CountryName(code))
}

// TestLinesInALanguage: the reader's own word for the country stands last.
func TestLinesInALanguage(t *testing.T) {
	t.Parallel()
	got := strings.Join(address.Lines(shipments.ShipTo{Line1: "Hof 3", City: "Berlin", PostalCode: "10115", Country: "DE"}, language.Find("ja").Country), "|")
	if want := "Hof 3|10115 Berlin|ドイツ"; got != want {
		t.Errorf("Lines in Japanese = %q, want %q", got, want)
	}
}
