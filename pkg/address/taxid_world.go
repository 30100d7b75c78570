package address

import "strings"

// Tax numbers outside of the EU. Forms and check digits: each country's tax
// office, held against the stdnum library, version 1.18, where that knows them;
// as of 2026-11-22. Where an office publishes no check digit, or gave out numbers
// that break it (Mexico), the form alone is judged.
var elsewhere = map[string][]scheme{
	"AE": {{"100999999999999", acceptAll, business}},
	"AU": {{"99999999999", australian, business}},
	"BR": {{"############99", cnpj, business}, {"99999999999", cpf, person}},
	"CA": {{"999999999|999999999@@9999", canadian, business}},
	"CH": swiss,
	"CL": {{"9999999#|99999999#", chilean, either}},
	"GB": {
		{"999999999|999999999999", british, business}, {"GD999", func(s string) bool { return number(s[2:]) < 500 }, business},
		{"HA999", func(s string) bool { return number(s[2:]) >= 500 }, business},
	},
	"HK": {{"99999999", acceptAll, business}},
	"IL": {{"999999999", luhn, either}},
	"IN": {{"99@@@@@9999@#Z#", gstin, business}, {"@@@@@9999@", pan, either}, {"999999999999", verhoeff, person}, {"@9999999", acceptAll, person}},
	"IS": {{"99999|999999", acceptAll, business}, {"9999999999", icelandic, either}},
	"JP": {{"9999999999999|T9999999999999", japanese, business}},
	"KR": {{"9999999999", korean, business}, {"P999999999999", acceptAll, person}},
	"KW": {{"999999999999", eleven(2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2, 1), person}},
	"LI": append([]scheme{{"99999", acceptAll, business}}, swiss...),
	"MX": {{"@@@999999###", mexican, business}, {"@@@@999999###", mexican, person}},
	"MY": {
		{"@99999999999999|C9999999999|C99999999999", acceptAll, business},
		{"IG9999999999|IG99999999999|IG999999999|SG9999999999|SG99999999999|OG9999999999|OG99999999999|999999999999", acceptAll, person},
	},
	"NO": {{"999999999|999999999MVA", eleven(3, 2, 7, 6, 5, 4, 3, 2, 1), business}},
	"NZ": {{"99999999|999999999", newZealand, either}, {"9429999999999", gtin, business}},
	"QA": {{"5999999999", acceptAll, business}},
	"RS": {{"999999999", mod1110, business}},
	"SA": {{"399999999999993", acceptAll, business}},
	"SG": {{"99999999@", singaporeOld, business}, {"999999999@", singapore, business}, {"T99@@9999@|S99@@9999@|R99@@9999@", acceptAll, business}},
	"TH": {{"9999999999999", thai, either}},
	"TR": {{"9999999999", turkish, either}, {"99999999999", turkishPerson, person}},
	"TW": {{"99999999", taiwanese, business}, {"@999999999", taiwanesePerson, person}},
	"US": {{"999999999", ein, business}},
	"ZA": {{"4999999999", luhn, business}, {"9999999999999", luhn, person}, {"99999999", acceptAll, business}},
}

// Liechtenstein belongs to the Swiss customs territory and VAT area.
var swiss = []scheme{{"CHE999999999|CHE999999999MWST|CHE999999999TVA|CHE999999999IVA|CHE999999999HR", uid, business}}

func uid(s string) bool { return eleven(5, 4, 3, 2, 7, 6, 5, 4, 1)(s[3:]) }

func australian(s string) bool {
	return s[0] != '0' && (weigh(s, 10, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19)-10)%89 == 0
}

// cnpj: since July 2026 its first twelve places may be letters, which count as
// their distance from the character 0.
func cnpj(s string) bool {
	check := func(n int) int {
		sum := 0
		for i := range n {
			sum += int(s[i]-'0') * ((n-1-i)%8 + 2)
		}
		return (11 - sum%11) % 11 % 10
	}
	return !same(s) && check(12) == digit(s, 12) && check(13) == digit(s, 13)
}

func cpf(s string) bool {
	first := weigh(s, 10, 9, 8, 7, 6, 5, 4, 3, 2) * 10 % 11 % 10
	second := weigh(s, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2) * 10 % 11 % 10
	return !same(s) && first == digit(s, 9) && second == digit(s, 10)
}

// same tells whether all characters are one: such numbers pass the arithmetic
// and are given to nobody.
func same(s string) bool { return strings.Count(s, s[:1]) == len(s) }

func canadian(s string) bool {
	program := "RT"
	if len(s) > 9 {
		program = s[9:11]
	}
	return luhn(s[:9]) && strings.Contains("RC RM RP RT RR RZ", program)
}

func chilean(s string) bool {
	sum, n := 0, len(s)-1
	for i := range n {
		if s[i] > '9' {
			return false
		}
		sum += digit(s, i) * ((n-1-i)%6 + 2)
	}
	return "0K987654321"[sum%11] == s[n]
}

// british numbers use one of three checks modulo 97, those below 100 million only
// the oldest; branches have three more
// digits.
func british(s string) bool {
	r := weigh(s, 8, 7, 6, 5, 4, 3, 2, 10, 1) % 97
	return r == 0 || number(s[:3]) >= 100 && (r == 42 || r == 55)
}

// gstin holds a state, a PAN, a count and a check of base 36.
func gstin(s string) bool {
	const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	sum := 0
	for i := range 14 {
		v := strings.IndexByte(letters, s[i]) * (1 + i%2)
		sum += v/36 + v%36
	}
	return number(s[:2]) >= 1 && pan(s[2:12]) && s[12] != '0' && letters[(36-sum%36)%36] == s[14]
}

// pan: the fourth letter is the kind of holder; there is no public check.
func pan(s string) bool { return strings.IndexByte("ABCFGHJLPTK", s[3]) >= 0 && s[5:9] != "0000" }

// verhoeff is the check of India's Aadhaar: multiplication in the dihedral group
// of ten elements.
func verhoeff(s string) bool {
	if s[0] < '2' {
		return false
	}
	permuted := func(d, times int) int {
		for range times % 8 {
			d = [10]int{1, 5, 7, 6, 2, 8, 3, 0, 9, 4}[d]
		}
		return d
	}
	check := 0
	for i := range len(s) {
		check = dihedral(check, permuted(digit(s, len(s)-1-i), i))
	}
	return check == 0
}

// dihedral multiplies symmetries of a pentagon: 0 to 4 are turns, 5 to 9
// reflections.
func dihedral(a, b int) int {
	switch {
	case a < 5 && b < 5:
		return (a + b) % 5
	case a < 5:
		return (a+b-5)%5 + 5
	case b < 5:
		return (a-5-b+5)%5 + 5
	}
	return (a - b + 5) % 5
}

// icelandic numbers begin with a birthday, a company's with its day and 40.
func icelandic(s string) bool {
	day, month := number(s[:2])%40, number(s[2:4])
	return day >= 1 && day <= 31 && month >= 1 && month <= 12 && (11-weigh(s, 3, 2, 7, 6, 5, 4, 3, 2)%11)%11 == digit(s, 8)
}

func japanese(s string) bool {
	s = strings.TrimPrefix(s, "T")
	sum := 0
	for i := 1; i < 13; i++ {
		sum += digit(s, i) * (1 + i%2)
	}
	return 9-sum%9 == digit(s, 0)
}

func korean(s string) bool {
	sum := weigh(s, 1, 3, 7, 1, 3, 7, 1, 3, 5) + digit(s, 8)*5/10
	return number(s[:3]) > 100 && (10-sum%10)%10 == finalDigit(s)
}

// mexican numbers hold a date.
func mexican(s string) bool {
	at := len(s) - 9
	month, day := number(s[at+2:at+4]), number(s[at+4:at+6])
	return month >= 1 && month <= 12 && day >= 1 && day <= 31
}

func newZealand(s string) bool {
	padded := strings.Repeat("0", 9-len(s)) + s
	check := (11 - weigh(padded, 3, 2, 7, 6, 5, 4, 3, 2)%11) % 11
	if check == 10 {
		check = (11 - weigh(padded, 7, 4, 3, 2, 5, 2, 7, 6)%11) % 11
	}
	return number(s) >= 10_000_000 && number(s) <= 150_000_000 && check == finalDigit(s)
}

// gtin is the check of New Zealand's business numbers.
func gtin(s string) bool { return weigh(s, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1)%10 == 0 }

func singaporeOld(s string) bool {
	return "XMKECAWLJDB"[weigh(s, 10, 4, 9, 3, 8, 2, 7, 1)%11] == s[8]
}

func singapore(s string) bool {
	return "ZKCMDNERGWH"[weigh(s, 10, 8, 6, 4, 9, 7, 5, 3, 1)%11] == s[9]
}

func thai(s string) bool {
	return s[0] != '9' && (11-weigh(s, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2)%11)%10 == finalDigit(s)
}

func turkish(s string) bool {
	sum := 0
	for i := range 9 {
		c := (digit(s, i) + 9 - i) % 10
		if c != 0 {
			c = (c << (9 - i)) % 9
			if c == 0 {
				c = 9
			}
		}
		sum += c
	}
	return (10-sum%10)%10 == finalDigit(s)
}

func turkishPerson(s string) bool {
	odd := weigh(s, 1, 0, 1, 0, 1, 0, 1, 0, 1)
	even := weigh(s, 0, 1, 0, 1, 0, 1, 0, 1)
	tenth := ((odd*7-even)%10 + 10) % 10
	return s[0] != '0' && tenth == digit(s, 9) && (odd+even+tenth)%10 == digit(s, 10)
}

// taiwanese numbers are multiples of five since 2023; a seven in the seventh
// place counts as either of its two sums.
func taiwanese(s string) bool {
	sum := 0
	for i, w := range []int{1, 2, 1, 2, 1, 2, 4, 1} {
		p := w * digit(s, i)
		sum += p/10 + p%10
	}
	return s != "00000000" && (sum%5 == 0 || s[6] == '7' && (sum+1)%5 == 0)
}

func taiwanesePerson(s string) bool {
	n := strings.IndexByte("ABCDEFGHJKLMNPQRSTUVXYWZIO", s[0]) + 10
	return (n/10+n%10*9+weigh(s[1:], 8, 7, 6, 5, 4, 3, 2, 1, 1))%10 == 0
}

// ein: the first two digits are those of the campuses that give numbers out
// (Internal Revenue Service, "How EINs are assigned and valid EIN prefixes").
func ein(s string) bool {
	const never = " 00 07 08 09 17 18 19 28 29 49 69 70 78 79 89 96 97 "
	return !strings.Contains(never, " "+s[:2]+" ")
}
