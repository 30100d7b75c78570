package cards

import (
	"strings"
	"time"
)

// An authRule says when a card's bank wants to see its customer.
type authRule int

const (
	authNever     authRule = iota
	authUnlessSet          // until the card was set up for off-session use
	authOneTime            // on the page; off-session use was agreed beforehand
	authAlways
)

// A testCard is one of the processor's documented test numbers.
type testCard struct {
	number     string
	token      string // its ready-made payment method, such as pm_card_visa
	brand      string
	decline    *Decline // every charge is refused
	auth       authRule
	afterAuth  *Decline // refused even after the customer was seen
	offSession *Decline // refused when the customer is not there
}

func declineOf(reason string) *Decline {
	return &Decline{Code: "card_declined", DeclineCode: reason, Message: declineMessage(reason)}
}

func declineMessage(reason string) string {
	switch reason {
	case "insufficient_funds":
		return "Your card has insufficient funds."
	case "test_mode_live_card":
		return "Your card was declined: only test card numbers pay here."
	default:
		return "Your card was declined."
	}
}

func newDecline(code, message string) *Decline { return &Decline{Code: code, Message: message} }

// testCards are the numbers that this processor knows, by the name under which
// a saved card remembers what it is.
var testCards = map[string]testCard{
	"visa":                 {number: "4242424242424242", token: "pm_card_visa", brand: "visa"},
	"visa_debit":           {number: "4000056655665556", token: "pm_card_visa_debit", brand: "visa"},
	"mastercard":           {number: "5555555555554444", token: "pm_card_mastercard", brand: "mastercard"},
	"mastercard_debit":     {number: "5200828282828210", token: "pm_card_mastercard_debit", brand: "mastercard"},
	"mastercard_prepaid":   {number: "5105105105105100", token: "pm_card_mastercard_prepaid", brand: "mastercard"},
	"amex":                 {number: "378282246310005", token: "pm_card_amex", brand: "amex"},
	"discover":             {number: "6011111111111117", token: "pm_card_discover", brand: "discover"},
	"diners":               {number: "3056930009020004", token: "pm_card_diners", brand: "diners"},
	"jcb":                  {number: "3566002020360505", token: "pm_card_jcb", brand: "jcb"},
	"unionpay":             {number: "6200000000000005", token: "pm_card_unionpay", brand: "unionpay"},
	"declined":             {number: "4000000000000002", token: "pm_card_visa_chargeDeclined", brand: "visa", decline: declineOf("generic_decline")},
	"insufficient_funds":   {number: "4000000000009995", token: "pm_card_visa_chargeDeclinedInsufficientFunds", brand: "visa", decline: declineOf("insufficient_funds")},
	"lost":                 {number: "4000000000009987", token: "pm_card_visa_chargeDeclinedLostCard", brand: "visa", decline: declineOf("lost_card")},
	"stolen":               {number: "4000000000009979", token: "pm_card_visa_chargeDeclinedStolenCard", brand: "visa", decline: declineOf("stolen_card")},
	"velocity":             {number: "4000000000006975", token: "pm_card_visa_chargeDeclinedVelocityLimitExceeded", brand: "visa", decline: declineOf("card_velocity_exceeded")},
	"fraudulent":           {number: "4100000000000019", token: "pm_card_radarBlock", brand: "visa", decline: declineOf("fraudulent")},
	"expired":              {number: "4000000000000069", token: "pm_card_chargeDeclinedExpiredCard", brand: "visa", decline: newDecline("expired_card", "Your card has expired.")},
	"incorrect_cvc":        {number: "4000000000000127", token: "pm_card_chargeDeclinedIncorrectCvc", brand: "visa", decline: newDecline("incorrect_cvc", "Your card's security code is incorrect.")},
	"processing_error":     {number: "4000000000000119", token: "pm_card_chargeDeclinedProcessingError", brand: "visa", decline: newDecline("processing_error", "An error occurred while processing your card. Try again in a little bit.")},
	"attach_only":          {number: "4000000000000341", token: "pm_card_chargeCustomerFail", brand: "visa", offSession: declineOf("generic_decline")},
	"auth_unless_saved":    {number: "4000002500003155", token: "pm_card_authenticationRequiredOnSetup", brand: "visa", auth: authUnlessSet},
	"auth_always":          {number: "4000002760003184", token: "pm_card_authenticationRequired", brand: "visa", auth: authAlways},
	"auth_one_time":        {number: "4000003800000446", token: "pm_card_authenticationRequiredSetupForOffSession", brand: "visa", auth: authOneTime},
	"auth_then_funds":      {number: "4000008260003178", token: "pm_card_authenticationRequiredChargeDeclinedInsufficientFunds", brand: "visa", auth: authOneTime, afterAuth: declineOf("insufficient_funds"), offSession: declineOf("insufficient_funds")},
	"three_d_secure":       {number: "4000000000003220", token: "pm_card_threeDSecure2Required", brand: "visa", auth: authAlways},
	"three_d_secure_fails": {number: "4000008400001629", token: "pm_card_threeDSecureRequiredChargeDeclined", brand: "visa", auth: authAlways, afterAuth: declineOf("generic_decline")},
}

// cardByNumber finds the test card with these digits.
func cardByNumber(number string) (name string, ok bool) {
	for name, c := range testCards {
		if c.number == number {
			return name, true
		}
	}
	return "", false
}

func cardByToken(token string) (name string, ok bool) {
	for name, c := range testCards {
		if c.token == token {
			return name, true
		}
	}
	return "", false
}

// entered is a card as somebody typed it.
type entered struct {
	Number, Expiry, CVC string
	Email, Name         string
	Save                bool
}

// method checks the typed card as a terminal does, before any bank is asked.
func (e entered) method(now time.Time) (Method, *Decline) {
	digits := strings.Map(keepDigit, e.Number)
	if len(digits) < 12 || len(digits) > 19 || !luhn(digits) {
		return Method{}, newDecline("incorrect_number", "Your card number is incorrect.")
	}
	month, year, ok := expiry(e.Expiry)
	if !ok {
		return Method{}, newDecline("invalid_expiry_month", "Enter the expiry as MM / YY.")
	}
	if year < now.Year() || year == now.Year() && month < int(now.Month()) {
		return Method{}, newDecline("invalid_expiry_year", "Your card's expiry date is in the past.")
	}
	if year > now.Year()+50 {
		return Method{}, newDecline("invalid_expiry_year", "Your card's expiry year is invalid.")
	}
	if cvc := strings.Map(keepDigit, e.CVC); len(cvc) != len(strings.TrimSpace(e.CVC)) || len(cvc) < 3 || len(cvc) > 4 {
		return Method{}, newDecline("invalid_cvc", "Your card's security code is invalid.")
	}
	name, ok := cardByNumber(digits)
	if !ok {
		return Method{}, declineOf("test_mode_live_card")
	}
	return Method{
		Test: name, Last4: digits[len(digits)-4:], ExpMonth: month, ExpYear: year,
		Email: e.Email, Name: e.Name,
	}, nil
}

func keepDigit(r rune) rune {
	if r >= '0' && r <= '9' {
		return r
	}
	return -1
}

// luhn checks the number's last digit.
func luhn(digits string) bool {
	sum := 0
	for i := range len(digits) {
		d := int(digits[len(digits)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// expiry reads "12/34", "12 / 2034" and "1234".
func expiry(text string) (month, year int, ok bool) {
	digits := strings.Map(keepDigit, text)
	if len(digits) != 4 && len(digits) != 6 {
		return 0, 0, false
	}
	for _, r := range digits[:2] {
		month = month*10 + int(r-'0')
	}
	for _, r := range digits[2:] {
		year = year*10 + int(r-'0')
	}
	if len(digits) == 4 {
		year += 2000
	}
	return month, year, month >= 1 && month <= 12
}
