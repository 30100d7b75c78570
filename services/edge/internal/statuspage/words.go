package statuspage

import (
	"boardorder/pkg/language"
	"boardorder/pkg/status"
)

// headings say how the service does as a whole.
var headings = map[status.State]string{
	status.Works:       language.Key("The service works"),
	status.Slow:        language.Key("The service works, but not all of it as it should"),
	status.Away:        language.Key("The service is not reached in part"),
	status.NotMeasured: language.Key("How the service does has not been measured yet"),
}

// partNames are what parts are called; of those with a name of their own it follows.
var partNames = map[status.Kind]string{
	status.Service:       language.Key("This service"),
	status.Fabricator:    language.Key("Fabricator: %s"),
	status.Supplier:      language.Key("Supplier of parts: %s"),
	status.CardPayments:  language.Key("Card payments"),
	status.Email:         language.Key("E-mails"),
	status.ExchangeRates: language.Key("Exchange rates"),
}

// kindNames are what incidents are about.
var kindNames = map[status.Kind]string{
	status.Service: partNames[status.Service], status.Fabricator: language.Key("Fabricators"), status.Supplier: language.Key("Suppliers of parts"),
	status.CardPayments: partNames[status.CardPayments], status.Email: partNames[status.Email], status.ExchangeRates: partNames[status.ExchangeRates],
}

// stateNames are the states in a word or two.
var stateNames = map[status.State]string{
	status.Works:       language.Key("works"),
	status.Slow:        language.Key("slow"),
	status.QuotaUsed:   language.Key("quota used up"),
	status.Away:        language.Key("not reached"),
	status.NotMeasured: language.Key("not measured"),
}

var stageNames = map[status.Stage]string{
	status.Investigating: language.Key("We are looking into it"),
	status.Identified:    language.Key("The cause is found"),
	status.Monitoring:    language.Key("It works again, and we watch it"),
	status.Resolved:      language.Key("It is over"),
}

// effects say what it means for customers that a part is away, by its kind.
var effects = map[status.Kind]string{
	status.Service:       language.Key("Requests may fail. Please try again in some minutes; nothing that was confirmed is lost."),
	status.Fabricator:    language.Key("Its boards get no price now, or another fabricator builds them. Orders that were paid wait and go on by themselves."),
	status.Supplier:      language.Key("Results for parts are there in part: what this supplier has is missing."),
	status.CardPayments:  language.Key("Payments wait. Nobody is charged twice."),
	status.Email:         language.Key("E-mails arrive later. All that they say is on the pages."),
	status.ExchangeRates: language.Key("The last rates are used for some days."),
}

var (
	worksAll   = language.Key("Nothing is wrong with it.")
	slowText   = language.Key("Answers take longer than usual.")
	quotaText  = language.Key("All calls that we may make of it are used up for now. Results for parts are there in part.")
	unmeasured = language.Key("Nobody has needed it lately, so nothing is known.")
)

// says is the sentence about a part.
func says(kind status.Kind, state status.State) string {
	switch state {
	case status.Works:
		return worksAll
	case status.Slow:
		return slowText
	case status.QuotaUsed:
		return quotaText
	case status.Away:
		return effects[kind]
	}
	return unmeasured
}

// nameOf is what a part is called in a language.
func nameOf(l *language.Printer, p status.Part) string {
	if p.Name == "" {
		return l.Text(partNames[p.Kind])
	}
	return l.Text(partNames[p.Kind], p.Name)
}
