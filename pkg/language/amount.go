package language

import (
	"math"
	"strconv"
	"strings"

	"boardorder/pkg/money"
)

// space keeps a figure and its currency on one line.
var space = strings.NewReplacer("-", "−", " ", "\u00a0")

// signs are the currencies whose sign is read in one way everywhere; ¥ is two currencies'.
var signs = map[string]string{"USD": "$", "EUR": "€", "GBP": "£"}

// units are what the readers of a language write behind the figures of their own currency.
var units = map[string]string{"jaJPY": "円", "zh-HansCNY": "元"}

// Amount writes cents of a currency, of dollars where it is "": "$1,234.56",
// "1.234,56 $".
func (p *Printer) Amount(cents int64, code string) string { return p.Money(cents, 2, code) }

// Money writes an amount of minor units, of which so many digits stand after the
// point: Money(1234, 0, "JPY") is "JPY 1,234", "1.234 JPY".
func (p *Printer) Money(minor int64, digits int, code string) string {
	if code == "" {
		code = "USD"
	}
	if p.Code == English {
		return space.Replace(money.Format(minor, digits, code))
	}
	// A float holds every amount below 90 trillion exactly to the cent.
	figure := p.locale.FmtNumber(math.Abs(float64(minor))/math.Pow10(digits), uint64(digits)) // #nosec G115 -- zero to three digits
	sign, ok := signs[code]
	switch {
	case units[p.Code+code] != "":
		figure += units[p.Code+code]
	case !ok && p.signFirst:
		figure = code + " " + figure
	case !ok:
		figure += " " + code
	case p.signFirst:
		figure = sign + figure
	default:
		figure += " " + sign
	}
	if minor < 0 {
		figure = "-" + figure
	}
	return space.Replace(figure)
}

// Decimal writes a number that comes as text, such as an exchange rate, with all its digits:
// "0.8604", "0,8604".
func (p *Printer) Decimal(text string) string {
	return strings.ReplaceAll(text, ".", strings.Trim(p.locale.FmtNumber(0.5, 1), "05"))
}

// decimals is how many digits a number has after its point.
func decimals(v float64) uint64 {
	_, after, _ := strings.Cut(strconv.FormatFloat(v, 'f', -1, 64), ".")
	return uint64(len(after))
}
