package address_test

import (
	"testing"

	"boardorder/pkg/address"
	"boardorder/pkg/contract/shipments"
)

// TestFold: what a Japanese keyboard writes is read as what is meant; a dash between digits is
// a hyphen, and a long vowel stays one.
func TestFold(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"３０": "30", "１５０−０００２": "150-0002", "１５０ー０００２": "150-0002", "１５０－０００２": "150-0002", "150–0002": "150-0002", "150—0002": "150-0002", "150‐0002": "150-0002",
		"１－２－３": "1-2-3", "1ー2ー3": "1-2-3", "＋８１　３−１２３４−５６７８": "+81 3-1234-5678", "０３（１２３４）５６７８": "03(1234)5678",
		"taro＠example．co．jp": "taro@example.co.jp", "ｔａｒｏ＠ｅｘａｍｐｌｅ．ｃｏ．ｊｐ": "taro@example.co.jp", "Ｔ１２３４": "T1234", "ＤＥ": "DE",
		"ローマ": "ローマ", "1ーマ": "1ーマ", "ｺｰﾋｰ": "コーヒー", "ｶﾞ": "ガ", "DE-10115": "DE-10115", "": "", "　": "",
	} {
		if got := address.Fold(text); got != want {
			t.Errorf("Fold(%q) = %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string]string{"〒150-0002": "150-0002", "〒 １５０ー０００２": "150-0002", "〒": "", "10115": "10115", "SW1A 1AA": "SW1A 1AA"} {
		if got := address.FoldPostalCode(text); got != want {
			t.Errorf("FoldPostalCode(%q) = %q, want %q", text, got, want)
		}
	}
}

// TestFoldFields: what people read stays as they wrote it.
func TestFoldFields(t *testing.T) {
	t.Parallel()
	to := shipments.ShipTo{Name: "山田　太郎", Company: "（株）ＡＢＣ", Line1: "渋谷２丁目２１−１", Line2: "ｺｰﾎﾟ１０１", City: "渋谷区", State: "東京都", PostalCode: "〒１５０−０００２", Country: "ＪＰ", Email: "taro＠example.co.jp", Phone: "０３−１２３４−５６７８", TaxID: "Ｔ１２３４"}
	want := to
	want.PostalCode, want.Country, want.Email, want.Phone, want.TaxID = "150-0002", "JP", "taro@example.co.jp", "03-1234-5678", "T1234"
	if got := address.FoldFields(to); got != want {
		t.Errorf("FoldFields(%+v) = %+v, want %+v", to, got, want)
	}
}
