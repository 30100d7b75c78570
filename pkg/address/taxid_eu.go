package address

import "strings"

// VAT numbers of the members of the EU. Forms: European Commission, "VAT
// identification numbers: structure" (VIES, question 11). Check digits: each
// country's register; held against the stdnum library, version 1.18. Both as of
// 2026-11-22.
var european = map[string][]scheme{
	"AT": {{"U99999999", austrian, business}},
	"BE": {{"0999999999|1999999999", belgian, business}},
	"BG": {{"999999999", bulgarian, business}, {"9999999999", bulgarianPerson, either}},
	"CY": {{"99999999@", cypriot, business}},
	"CZ": {{"99999999", czech, business}, {"999999999|9999999999", czechPerson, either}},
	"DE": {{"999999999", german, business}},
	"DK": {{"99999999", danish, business}},
	"EE": {{"999999999", func(s string) bool { return weigh(s, 3, 7, 1, 3, 7, 1, 3, 7, 1)%10 == 0 }, business}},
	"ES": {{"@9999999#", spanishCompany, business}, {"99999999@|@9999999@", spanishPerson, either}},
	"FI": {{"99999999", eleven(7, 9, 10, 5, 8, 4, 2, 1), business}},
	"FR": {{"##999999999", french, business}},
	"GR": {{"999999999", greek, either}},
	"HR": {{"99999999999", mod1110, either}},
	"HU": {{"99999999", func(s string) bool { return weigh(s, 9, 7, 3, 1, 9, 7, 3, 1)%10 == 0 }, business}},
	"IE": {{"9999999@|9999999@@", irish, either}, {"9@99999@", irishOld, business}},
	"IT": {{"99999999999", italian, business}, {"@@@@@@##@##@###@", codiceFiscale, person}},
	"LT": {{"999999999|999999999999", lithuanian, business}},
	"LU": {{"99999999", func(s string) bool { return number(s[:6])%89 == number(s[6:]) }, business}},
	"LV": {{"99999999999", latvian, either}},
	"MT": {{"99999999", func(s string) bool { return weigh(s, 3, 4, 6, 7, 8, 9)%37+number(s[6:]) == 37 && s[0] != '0' }, business}},
	"NL": {{"999999999B99", dutch, business}},
	"PL": {{"9999999999", func(s string) bool { return weigh(s, 6, 5, 7, 2, 3, 4, 5, 6, 7)%11 == finalDigit(s) }, either}},
	"PT": {{"999999999", portuguese, either}},
	"RO": {{"99|999|9999|99999|999999|9999999|99999999|999999999|9999999999", romanian, business}},
	"SE": {{"999999999901", func(s string) bool { return luhn(s[:10]) }, either}},
	"SI": {{"99999999", slovenian, either}},
	"SK": {{"9999999999", slovak, either}},
}

// schemes are all kinds of tax numbers, by country.
var schemes = func() map[string][]scheme {
	all := map[string][]scheme{}
	for _, part := range []map[string][]scheme{european, elsewhere} {
		for country, s := range part {
			all[country] = s
		}
	}
	return all
}()

func austrian(s string) bool {
	sum := 4
	for i := range 7 {
		d := digit(s, i+1)
		if i%2 == 1 {
			d = d*2/10 + d*2%10
		}
		sum += d
	}
	return (10-sum%10)%10 == finalDigit(s)
}

func belgian(s string) bool { return 97-number(s[:8])%97 == number(s[8:]) }

func bulgarian(s string) bool {
	check := weigh(s, 1, 2, 3, 4, 5, 6, 7, 8) % 11
	if check == 10 {
		check = weigh(s, 3, 4, 5, 6, 7, 8, 9, 10) % 11
	}
	return check%10 == finalDigit(s)
}

// bulgarianPerson: of a citizen, a foreigner, or another.
func bulgarianPerson(s string) bool {
	citizen := weigh(s, 2, 4, 8, 5, 10, 9, 7, 3, 6) % 11 % 10
	foreigner := weigh(s, 21, 19, 17, 13, 11, 9, 7, 3, 1) % 10
	other := (11 - weigh(s, 4, 3, 2, 7, 6, 5, 4, 3, 2)%11) % 11
	return citizen == finalDigit(s) || foreigner == finalDigit(s) || other == finalDigit(s)
}

func cypriot(s string) bool {
	odd := [10]int{1, 0, 5, 7, 9, 13, 15, 17, 19, 21}
	sum := 0
	for i := range 8 {
		if i%2 == 0 {
			sum += odd[digit(s, i)]
		} else {
			sum += digit(s, i)
		}
	}
	return s[:2] != "12" && int(s[8]-'A') == sum%26
}

func czech(s string) bool {
	check := (11 - weigh(s, 8, 7, 6, 5, 4, 3, 2)%11) % 11
	if check == 0 {
		check = 1
	}
	return s[0] != '9' && check%10 == finalDigit(s)
}

// czechPerson: a birth number, which before 1954 had no check digit, or a
// number of those without one.
func czechPerson(s string) bool {
	switch {
	case len(s) == 9 && s[0] == '6':
		return (weigh(s[1:], 8, 7, 6, 5, 4, 3, 2)%11+8)%10 == finalDigit(s)
	case len(s) == 9:
		return birth(s)
	}
	return birth(s) && number(s[:9])%11%10 == finalDigit(s)
}

func birth(s string) bool {
	month, day := number(s[2:4]), number(s[4:6])
	return month%50%20 >= 1 && month%50%20 <= 12 && day >= 1 && day <= 31
}

func danish(s string) bool { return s[0] != '0' && eleven(2, 7, 6, 5, 4, 3, 2, 1)(s) }

func german(s string) bool { return s[0] != '0' && mod1110(s) }

const spanishLetters = "TRWAGMYFPDXBNJZSQVHLCKE"

func spanishPerson(s string) bool {
	digits := s[:8]
	switch s[0] {
	case 'X', 'Y', 'Z':
		digits = string(rune('0'+s[0]-'X')) + s[1:8]
	case 'K', 'L', 'M':
		digits = "0" + s[1:8]
	}
	return fits("99999999", digits) && spanishLetters[number(digits)%23] == s[8]
}

func spanishCompany(s string) bool {
	if strings.IndexByte("ABCDEFGHJNPQRSUVW", s[0]) < 0 {
		return false
	}
	sum := 0
	for i := 1; i < 8; i++ {
		d := digit(s, i)
		if i%2 == 1 {
			d = d*2/10 + d*2%10
		}
		sum += d
	}
	check := (10 - sum%10) % 10
	if strings.IndexByte("PQSNRW", s[0]) >= 0 { // public bodies and foreigners carry a letter
		return s[8] == "JABCDEFGHI"[check]
	}
	return s[8] == byte('0'+check) || strings.IndexByte("ABEH", s[0]) < 0 && s[8] == "JABCDEFGHI"[check]
}

func french(s string) bool {
	if s[2:5] != "000" && !luhn(s[2:]) { // Monaco's numbers begin with 000
		return false
	}
	if fits("99", s[:2]) {
		return remainder(s[2:]+"12", 97) == number(s[:2])
	}
	const letters = "0123456789ABCDEFGHJKLMNPQRSTUVWXYZ" // no I, no O
	first, second := strings.IndexByte(letters, s[0]), strings.IndexByte(letters, s[1])
	if first < 0 || second < 0 {
		return false
	}
	check := first*34 + second - 100
	if first < 10 {
		check = first*24 + second - 10
	}
	return (remainder(s[2:], 11)+1+check/11)%11 == check%11
}

func greek(s string) bool { return weigh(s, 256, 128, 64, 32, 16, 8, 4, 2)%11%10 == finalDigit(s) }

const irishLetters = "WABCDEFGHIJKLMNOPQRSTUV"

func irish(s string) bool {
	sum := weigh(s, 8, 7, 6, 5, 4, 3, 2)
	if len(s) == 9 && s[8] != 'W' {
		if s[8] > 'I' {
			return false
		}
		sum += 9 * int(s[8]-'A'+1)
	}
	return irishLetters[sum%23] == s[7]
}

// irishOld are numbers from before 2013: a sign or letter stands second.
func irishOld(s string) bool {
	return irishLetters[(weigh(s[2:], 7, 6, 5, 4, 3)+2*digit(s, 0))%23] == s[7]
}

func italian(s string) bool {
	province := number(s[7:10])
	office := province >= 1 && province <= 100 || province == 120 || province == 121 || province == 888 || province == 999
	return s[:7] != "0000000" && office && luhn(s)
}

// codiceFiscale is a person's number; its last letter is the check.
func codiceFiscale(s string) bool {
	odd := [26]int{1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23}
	sum := 0
	for i := range 15 {
		v := int(s[i] - 'A')
		if s[i] <= '9' {
			v = int(s[i] - '0')
		}
		if i%2 == 0 {
			v = odd[v]
		}
		sum += v
	}
	return int(s[15]-'A') == sum%26
}

func lithuanian(s string) bool {
	n := len(s) - 1
	check := func(start int) int {
		sum := 0
		for i := range n {
			sum += digit(s, i) * ((i+start)%9 + 1)
		}
		return sum % 11
	}
	c := check(0)
	if c == 10 {
		c = check(2)
	}
	return s[n-1] == '1' && c%10 == finalDigit(s)
}

func latvian(s string) bool {
	if s[0] > '3' {
		return weigh(s, 9, 1, 4, 8, 3, 10, 2, 5, 7, 6, 1)%11 == 3
	}
	if strings.HasPrefix(s, "32") { // persons' numbers since 2017 hold no birthday and no check
		return true
	}
	return (1+weigh(s, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9))%11%10 == finalDigit(s)
}

// dutch numbers of companies hold the number of the register; those of sole
// traders, since 2020, are checked as a whole.
func dutch(s string) bool {
	return weigh(s, 9, 8, 7, 6, 5, 4, 3, 2, -1)%11 == 0 && s[:9] != "000000000" && s[10:] != "00" ||
		remainder("2321"+s[:9]+"11"+s[10:], 97) == 1
}

func portuguese(s string) bool {
	return s[0] != '0' && (11-weigh(s, 9, 8, 7, 6, 5, 4, 3, 2)%11)%11%10 == finalDigit(s)
}

func romanian(s string) bool {
	padded := strings.Repeat("0", 10-len(s)) + s
	return s[0] != '0' && weigh(padded, 7, 5, 3, 2, 1, 7, 5, 3, 2)*10%11%10 == finalDigit(s)
}

func slovenian(s string) bool {
	check := 11 - weigh(s, 8, 7, 6, 5, 4, 3, 2)%11
	return s[0] != '0' && check != 11 && check%10 == finalDigit(s)
}

func slovak(s string) bool {
	return remainder(s, 11) == 0 && (s[0] != '0' && strings.IndexByte("234789", s[2]) >= 0 || birth(s))
}
