package address

// weigh is the sum of the digits, each times its weight. There are at least as
// many digits as weights.
func weigh(digits string, weights ...int) int {
	sum := 0
	for i, w := range weights {
		sum += w * digit(digits, i)
	}
	return sum
}

func digit(s string, i int) int { return int(s[i] - '0') }

func finalDigit(s string) int { return digit(s, len(s)-1) }

// number is the value of a few digits.
func number(digits string) int {
	n := 0
	for i := range len(digits) {
		n = n*10 + digit(digits, i)
	}
	return n
}

// remainder is that of a number of any length.
func remainder(digits string, modulus int) int {
	r := 0
	for i := range len(digits) {
		r = (r*10 + digit(digits, i)) % modulus
	}
	return r
}

// luhn is the check of ISO/IEC 7812: from the right every second digit doubled,
// cast to one digit.
func luhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		d := digit(digits, len(digits)-1-i)
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// mod1110 is the check of ISO 7064, MOD 11,10.
func mod1110(digits string) bool {
	check := 10
	for i := range len(digits) - 1 {
		check = (check + digit(digits, i)) % 10
		if check == 0 {
			check = 10
		}
		check = check * 2 % 11
	}
	return (check+finalDigit(digits))%10 == 1
}

// eleven is the usual check digit modulo 11: the weights of all digits, the last
// one's included, make a multiple of 11.
func eleven(weights ...int) func(string) bool {
	return func(s string) bool { return weigh(s, weights...)%11 == 0 }
}

func acceptAll(string) bool { return true }
