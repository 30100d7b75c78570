package address

import (
	"errors"
	"fmt"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/shipments"
)

// Check judges the fields of an address in a country (ISO 3166-1 alpha-2),
// whatever its country field says. Fields that are empty are left to whoever
// needs them.
func Check(country string, to shipments.ShipTo) []contract.FieldProblem {
	var problems []contract.FieldProblem
	refuse := func(field, format string, args ...any) {
		problems = append(problems, contract.FieldProblem{Field: "ship_to." + field, Problem: "malformed", Message: fmt.Sprintf(format, args...)})
	}
	if form, known := PostalFormOf(country); known && to.PostalCode != "" && !form.fits(country, to.PostalCode) {
		refuse("postal_code", "This is no postal code of %s: one looks like %s.", countryInSentence(country), form.Example)
	}
	switch {
	case to.Line1 == "":
	case IsTooShort(to.Line1):
		refuse("line1", "This is too short for a street address: give the street and the house number.")
	case IsPostBox(to.Line1) && !deliveredByBox[country]:
		refuse("line1", "Couriers do not deliver to post office boxes: give a street and a number.")
	}
	if to.Email != "" && !IsEmail(to.Email) {
		refuse("email", "%s", NoEmail)
	}
	if to.Phone != "" && !IsPhone(to.Phone) {
		refuse("phone", "%s", NoPhone)
	}
	if to.TaxID != "" {
		if message := taxIDProblem(country, to.TaxID); message != "" {
			refuse("tax_id", "%s", message)
		}
	}
	return problems
}

func taxIDProblem(country, text string) string {
	if !KnowsTaxIDs(country) {
		return fmt.Sprintf("Tax numbers of %s are not known here: leave the tax number empty.", countryInSentence(country))
	}
	switch _, err := ParseTaxID(country, text); {
	case errors.Is(err, ErrTaxIDCheck):
		return fmt.Sprintf("The check digit of this tax number of %s is wrong: please check it for a typing error.", countryInSentence(country))
	case err != nil:
		return fmt.Sprintf("This is no tax number as %s gives them out.", countryInSentence(country))
	}
	return ""
}
