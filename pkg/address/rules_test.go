package address

import (
	"strconv"
	"strings"
	"testing"

	"boardorder/pkg/contract/shipments"
)

// TestForms: 9 is a digit, @ a letter and # either; anything else is itself, and forms that
// stand beside each other are any of them.
func TestForms(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		forms, text string
		want        bool
	}{
		{"999", "123", true}, {"999", "12", false}, {"999", "1234", false}, {"999", "12A", false}, {"999", "", false}, {"", "", true},
		{"@9", "A1", true}, {"@9", "a1", false}, {"@9", "1A", false}, {"@9", "Ä", false}, {"##", "A1", true}, {"##", "1A", true}, {"##", "a1", false}, {"##", "-1", false},
		{"GD999", "GD123", true}, {"GD999", "GE123", false}, {"99|9999", "12", true}, {"99|9999", "123", false}, {"99|9999", "1234", true}, {"999", "١٢٣", false},
	} {
		if got := fits(tt.forms, tt.text); got != tt.want {
			t.Errorf("fits(%q, %q) = %t, want %t", tt.forms, tt.text, got, tt.want)
		}
	}
	for text, want := range map[string]string{"de 136.695.976": "DE136695976", "12-3456789": "123456789", "a_b/c\u00a0d": "ABCD", "": "", "CHE-116.281.710 MWST": "CHE116281710MWST"} {
		if got := compact(text); got != want {
			t.Errorf("compact(%q) = %q, want %q", text, got, want)
		}
	}
}

// TestPostalCodes: blanks, hyphens and the country before a code do not count; its length and its
// letters do.
func TestPostalCodes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		country, code, bare string
		fits                bool
	}{
		{"DE", "10115", "10115", true}, {"DE", "D-10115", "10115", true}, {"DE", "DE 10115", "10115", true}, {"DE", "d10115", "10115", true}, {"DE", "1011", "1011", false}, {"DE", "101155", "101155", false}, {"DE", "A-10115", "A10115", false}, {"DE", "", "", false},
		{"AT", "A-1010", "1010", true}, {"CH", "CH-8001", "8001", true}, {"FR", "F-75001", "75001", true}, {"SE", "SE-111 22", "11122", true}, {"LV", "LV-1050", "1050", true}, {"PL", "00-950", "00950", true},
		{"US", "94107", "94107", true}, {"US", "94107-1234", "941071234", true}, {"US", "94107-12", "9410712", false}, {"US", "US 94107", "94107", true},
		{"CA", "k1a 0b1", "K1A0B1", true}, {"CA", "K1A 0B", "K1A0B", false}, {"CA", "11A 0B1", "11A0B1", false},
		{"GB", "sw1a 1aa", "SW1A1AA", true}, {"GB", "M1 1AE", "M11AE", true}, {"GB", "B33 8TH", "B338TH", true}, {"GB", "CR2 6XH", "CR26XH", true}, {"GB", "DN55 1PT", "DN551PT", true}, {"GB", "W1A 0AX", "W1A0AX", true}, {"GB", "SW1A", "SW1A", false},
		{"IE", "D02 AF30", "D02AF30", true}, {"IE", "D6W XY00", "D6WXY00", true}, {"IE", "D6X XY00", "D6XXY00", false},
		{"NL", "1012 AB", "1012AB", true}, {"NL", "1012", "1012", false}, {"JP", "100-0001", "1000001", true}, {"BR", "01310-100", "01310100", true}, {"TW", "100", "100", true}, {"TW", "10058", "10058", true}, {"TW", "1005", "1005", false},
		{"HK", "999077", "999077", false}, {"", "10115", "10115", false},
	} {
		form, known := PostalFormOf(tt.country)
		if bare, ok := BarePostalCode(tt.country, tt.code), known && form.fits(tt.country, tt.code); bare != tt.bare || ok != tt.fits {
			t.Errorf("%q of %q is %q, one of its forms %t; want %q, %t", tt.code, tt.country, bare, ok, tt.bare, tt.fits)
		}
	}
}

// TestCheckDigits: the checks against the examples of their definitions: ISO/IEC 7812 for Luhn's,
// ISO 7064 for MOD 11,10, and Verhoeff's own.
func TestCheckDigits(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		check  func(string) bool
		number string // right with this last digit, and with no other
	}{
		{"Luhn", luhn, "79927398713"}, {"Luhn", luhn, "18"}, {"MOD 11,10", mod1110, "07945"}, {"Verhoeff", verhoeff, "2363"}, {"Verhoeff", verhoeff, "758722"},
		{"modulo 11", eleven(10, 9, 8, 7, 6, 5, 4, 3, 2, 1), "0306406152"}, // as of a book
	} {
		for d := range 10 {
			number := tt.number[:len(tt.number)-1] + strconv.Itoa(d)
			if got := tt.check(number); got != (number == tt.number) {
				t.Errorf("%s: %s is right %t, want %t: the check digit is %s", tt.name, number, got, number == tt.number, tt.number[len(tt.number)-1:])
			}
		}
	}
	for digits, want := range map[string]int{"0": 0, "97": 0, "98": 1, "3214282912345698765432161182": 1} { // the last as of an account's
		if got := remainder(digits, 97); got != want {
			t.Errorf("%s leaves %d when divided by 97, want %d", digits, got, want)
		}
	}
	if got := weigh("1234", 1, 10, 100); got != 1+20+300 {
		t.Errorf("weigh(1234, 1, 10, 100) = %d, want 321", got)
	}
}

// TestOneCheckDigitIsRight: of numbers that differ in their last digit alone no more than one is
// right, in every country whose numbers end in a digit of check.
func TestOneCheckDigitIsRight(t *testing.T) {
	t.Parallel()
	without := map[string]bool{"AE": true, "HK": true, "QA": true, "SA": true, "US": true, "SE": true, "NL": true, "MY": true, "IS": true, "RO": true, "LV": true, "BG": true, "CZ": true, "CA": true, "GB": true, "NZ": true,
		"JP": true, "TW": true} // whose check is the first digit, and whose sum is a multiple of five
	for country, list := range schemes {
		if without[country] {
			continue
		}
		for _, s := range list {
			form, _, _ := strings.Cut(s.forms, "|")
			if !strings.HasSuffix(form, "9") || strings.ContainsAny(form, "@#") || s.check("1"+strings.Repeat("0", 30)) {
				continue
			}
			for _, seed := range []string{"1234567890123456", "2718281828459045", "4031415926535897"} {
				number, right := []byte(form), []string(nil)
				for i := range number {
					if number[i] == '9' {
						number[i] = seed[i]
					}
				}
				for d := range byte(10) {
					number[len(number)-1] = '0' + d
					if s.check(string(number)) {
						right = append(right, string(number))
					}
				}
				if len(right) > 1 {
					t.Errorf("%s: %q are right, want one of them at most", country, right)
				}
			}
		}
	}
}

// TestStreets: where couriers do not deliver, and what is too little to find a door by.
func TestStreets(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"P.O. Box 12": true, "PO Box 12": true, "p o box 12": true, "P.O.-Box 12": true, "GPO Box 12": true, "Post Office Box 12": true, "Post Box 12": true, "Private Bag X1": true, "Locked Bag 7": true,
		"Postfach 10 20 30": true, "Boîte postale 7": true, "Boite Postale 7": true, "B.P. 12": true, "BP 12": true, "Apartado 5": true, "Apartado de Correos 5": true, "Casilla 5": true, "Caixa Postal 5": true,
		"Casella postale 5": true, "Postbus 12": true, "Postboks 12": true, "Packstation 123": true, "Poste restante": true, "Skrytka pocztowa 5": true, "Unit 3, PO Box 12": true, "Poštovní přihrádka 5": true,
		"12 Box Hill Road": false, "Old Post Office Lane 3": false, "Postbusweg": false, "BP Garage": false, "Boxer Street 1": false, "Casilla Road": false, "Hauptstraße 1": false, "": false, "Expo Boxhall 1": false,
	} {
		if got := IsPostBox(line); got != want {
			t.Errorf("IsPostBox(%q) = %t, want %t", line, got, want)
		}
	}
	for line, want := range map[string]bool{"": true, "x": true, "12": true, "-- 1 --": true, "Å 1": true, "Å 12": false, "A 12": false, "中1": false, "中": true, "중구": false, "1st": false} {
		if got := IsTooShort(line); got != want {
			t.Errorf("IsTooShort(%q) = %t, want %t", line, got, want)
		}
	}
}

// TestReach: what an e-mail address and a telephone number have at least.
func TestReach(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"ada@example.com": true, "ada+boards@sub.example.com": true, "ada@home": false, "ada@[127.0.0.1]": false, "Ada <ada@example.com>": false, "ada@example.com ": false, "ada@@example.com": false, "@example.com": false, "ada": false, "": false, "ada@example.com\n": false, "a da@example.com": false,
	} {
		if got := IsEmail(text); got != want {
			t.Errorf("IsEmail(%q) = %t, want %t", text, got, want)
		}
	}
	for text, want := range map[string]bool{"+1 415 555 0100": true, "12345": true, "1234": false, "": false, "call me": false, "(030) 12-3": true, "٠١٢٣٤": true} {
		if got := IsPhone(text); got != want {
			t.Errorf("IsPhone(%q) = %t, want %t", text, got, want)
		}
	}
}

// TestPlaces: the postal code stands before the town or behind it, as the country writes it.
func TestPlaces(t *testing.T) {
	t.Parallel()
	for want, to := range map[string]shipments.ShipTo{
		"10115 Berlin": {City: "Berlin", PostalCode: "10115", Country: "DE"}, "00100 Roma, RM": {City: "Roma", State: "RM", PostalCode: "00100", Country: "IT"}, "San Francisco, CA 94105": {City: "San Francisco", State: "CA", PostalCode: "94105", Country: "US"},
		"CA 94105": {State: "CA", PostalCode: "94105", Country: "US"}, "London SW1Y 4JH": {City: "London", PostalCode: "SW1Y 4JH", Country: "GB"}, "Sydney, NSW 2000": {City: " Sydney ", State: "NSW", PostalCode: "2000", Country: "AU"}, "Hong Kong": {City: "Hong Kong", Country: "HK"},
	} {
		if got := Place(to); got != want {
			t.Errorf("Place(%+v) = %q, want %q", to, got, want)
		}
	}
	for code, want := range map[string]string{"DE": "Germany", "US": "the United States", "GB": "the United Kingdom", "NL": "the Netherlands", "PH": "the Philippines", "AE": "the United Arab Emirates", "FR": "France", "??": "??"} {
		if got := countryInSentence(code); got != want {
			t.Errorf("a sentence calls %s %q, want %q", code, got, want)
		}
	}
}

// TestTaxNumberSentences: each reason why a tax number is refused has its sentence.
func TestTaxNumberSentences(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ country, number, want string }{
		{"DE", "DE136695976", ""},
		{"DE", "DE136695977", "The check digit of this tax number of Germany is wrong: please check it for a typing error."},
		{"DE", "12", "This is no tax number as Germany gives them out."},
		{"NL", "12", "This is no tax number as the Netherlands gives them out."},
		{"AQ", "12", "Tax numbers of Antarctica are not known here: leave the tax number empty."},
	} {
		if got := taxIDProblem(tt.country, tt.number); got != tt.want {
			t.Errorf("the tax number %q of %s: %q, want %q", tt.number, tt.country, got, tt.want)
		}
	}
}
