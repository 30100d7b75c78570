package phrase_test

import (
	"strings"
	"testing"

	"boardorder/pkg/language"
	"boardorder/pkg/phrase"
)

func TestTranslate(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, code, want string }{
		{"2 layers, 100 x 80 mm, 1.6 mm thick, FR-4, 1 oz copper, lead-free HASL, green mask", "en", "2 layers, 100 x 80 mm, 1.6 mm thick, FR-4, 1 oz copper, lead-free HASL, green mask"},
		{"2 layers, 100 x 80.5 mm, 1.6 mm thick, FR-4, 1 oz copper, lead-free HASL, green mask", "de", "2 Lagen, 100 × 80,5 mm, 1,6 mm dick, FR-4, 1 oz Kupfer, HAL bleifrei, Lötstopplack grün"},
		{"1 layer, 12 x 8 mm, stackup SIM0416", "ja", "1層、12 × 8 mm、層構成SIM0416"},
		{"8 to 11 working days from payment, build included", "fr", "8 à 11 jours ouvrés à compter du paiement, fabrication comprise"},
		{"1 working day from payment, build included", "es", "1 día laborable desde el pago, fabricación incluida"},
		{"24 hours", "it", "24 ore"},
		{"Boards, 4 layers", "zh-Hans", "电路板，4 层"},
		{"Faster build: 3 working days", "de", "Schnellere Fertigung: 3 Arbeitstage"},
		{"Shipping: DHL Express Worldwide", "ja", "送料：DHL Express Worldwide"},
		{"VAT, Germany, 19 %", "it", "IVA, Germania, 19 %"},
		{"Sales tax, California, 8.98 %", "de", "Verkaufssteuer, California, 8,98 %"},
		{"Import duty, HS 8534.00: free", "es", "Arancel de importación, HS 8534.00: exento"},
		{"VAT, Germany, 19 %: $1,007.98. Source: UStG § 12, checked 2026-11-21; not confirmed, prudent rate held", "de", "MwSt., Deutschland, 19 %: 1.007,98 $. Quelle: UStG § 12, geprüft am 21. November 2026; nicht bestätigt, vorsichtiger Satz angesetzt"},
		{"R1, R2: 43045 in place of 1.5KE6.8A", "de", "R1, R2: 43045 statt 1.5KE6.8A"},
		{"50 boards for $73.07", "de", "50 Platinen für 73,07 $"},
		{"Visa ending in 4242", "ja", "Visa（末尾4242）"},
		{"No destination was given: this price, with its duty and tax, is an example for the United States. Choose the country to see its price.", "de", "Es wurde kein Ziel angegeben: Dieser Preis mit Zoll und Steuer ist ein Beispiel (Land: Vereinigte Staaten). Wählen Sie das Land, um seinen Preis zu sehen."},
		{"To Germany, 3 to 5 working days in transit, duty and import tax paid in advance.", "fr", "Destination : Allemagne, 3 à 5 jours ouvrés de transport, droits et taxe à l’importation payés d’avance."},
		{"This has at most 100 characters; please shorten it.", "ja", "100文字以内です。短くしてください。"},
		{"VAT, Germany, 19 %: $1.00. Source: UStG, checked 2026-11-21; not confirmed; the highest that it may be is in the price", "es", "IVA, Alemania, 19 %: 1,00 $. Fuente: UStG, comprobada el 21 de noviembre de 2026; sin confirmar; el precio incluye el importe más alto posible"},
		{"At U1 the part LM2904DR is fitted in place of LM358DR; whoever asked for this price said that you approved it.", "it", "In U1 viene montato il componente LM2904DR al posto di LM358DR; chi ha richiesto questo prezzo ha indicato che è stato approvato."},
		{"Section 301, China origin", "ja", "通商法301条、中国原産"},
		{"Some of the duty or tax rates were not confirmed when they were last checked; the price holds the prudent rate and does not rise if the true one is higher.", "es", "Algunos tipos de arancel o impuesto no estaban confirmados en la última comprobación; el precio incluye el tipo prudente y no sube si el real es más alto."},
		{"No destination was given: this price, with its duty and tax, is an example for Germany. Choose yours to see its price; checkout prices the real address before payment.", "ja", "お届け先が指定されていません。この価格（関税・税込み）は一例です（国：ドイツ）。国を選択すると、その国の価格が表示されます。お支払い前に、実際の住所で価格を計算します。"},
		{"Two nets touch here; please look, or move one", "ja", "Two nets touch here; please look, or move one"},
		{"Our own words: 100% cotton, and %d of it", "de", "Our own words: 100% cotton, and %d of it"},
		{"", "de", ""},
	} {
		got := strings.ReplaceAll(phrase.Translate(language.Find(c.code), c.text), "\u00a0", " ")
		if got != c.want {
			t.Errorf("%s: %q = %q, want %q", c.code, c.text, got, c.want)
		}
	}
}
