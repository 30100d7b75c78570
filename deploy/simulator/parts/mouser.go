package parts

import (
	"fmt"
	"net/http"
	"strings"
)

func (s *Server) mouserPartNumber(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Get("apiKey") != APIKey {
		mouserError(w, http.StatusOK, "Invalid", "Invalid unique identifier.")
		return
	}
	if _, wait, daily := s.admit(Mouser, s.cfg.Mouser); wait > 0 || s.take(r, FaultQuota) {
		message := "Maximum calls per minute exceeded"
		if daily || wait == 0 {
			message = "Maximum calls per day exceeded"
		}
		mouserError(w, http.StatusForbidden, "TooManyRequests", message)
		return
	}
	if s.spoil(w, r) {
		return
	}
	var in struct {
		SearchByPartRequest struct {
			Number  string `json:"mouserPartNumber"`
			Options string `json:"partSearchOptions"`
		}
	}
	if !decode(w, r, &in) {
		return
	}
	numbers := strings.Split(in.SearchByPartRequest.Number, "|")
	if len(numbers) > 10 {
		mouserError(w, http.StatusOK, "MaxLength", "Too many part numbers")
		return
	}
	euros, found := s.take(r, FaultCurrency), []any{}
	for _, n := range numbers {
		if len(n) < 3 || len(n) > 40 {
			mouserError(w, http.StatusOK, "InvalidCharacters", "A part number has 3 to 40 characters")
			return
		}
		s.ask(Mouser, n)
		p := s.Catalogue().Find(strings.TrimPrefix(n, "999-"))
		if p == nil || !p.IsSoldBy(Mouser) {
			continue
		}
		if !s.take(r, FaultRelatives) {
			found = append(found, s.mouserPart(r, p, euros))
		}
		found = append(found, s.mouserPart(r, s.relative(p), euros)) // exact searches give relatives, too
	}
	reply(w, http.StatusOK, map[string]any{"Errors": []any{}, "SearchResults": map[string]any{"NumberOfResult": len(found), "Parts": found}})
}

func mouserError(w http.ResponseWriter, status int, code, message string) {
	reply(w, status, map[string]any{
		"Errors":        []any{map[string]any{"Id": 0, "Code": code, "Message": message, "PropertyName": "API Key"}},
		"SearchResults": nil,
	})
}

var mouserStatus = map[string]any{"active": nil, "nrnd": "Not Recommended for New Designs", "eol": "End of Life", "obsolete": "Obsolete"}

func (s *Server) mouserPart(r *http.Request, p *Part, euros bool) map[string]any {
	sign := s.sign(r)
	var prices []any
	for _, b := range p.Breaks(Mouser, 1) {
		text, currency := fmt.Sprintf("$%.4f", float64(sign*b.Price)/1e6), "USD"
		if euros {
			text, currency = strings.Replace(fmt.Sprintf("%.4f €", float64(sign*b.Price)/1e6), ".", ",", 1), "EUR"
		}
		prices = append(prices, map[string]any{"Quantity": b.From, "Price": text, "Currency": currency})
	}
	stock := p.Stock(Mouser)
	availability := any(fmt.Sprint(stock, " In Stock"))
	if stock == 0 {
		availability = "None"
	}
	out := map[string]any{
		"MouserPartNumber": "999-" + p.MPN, "ManufacturerPartNumber": p.MPN, "Manufacturer": p.Manufacturer, "Description": p.Description, "Category": p.Category,
		"Availability": availability, "AvailabilityInStock": fmt.Sprint(stock), "LeadTime": fmt.Sprint(p.LeadWeeks()*7, " Days"),
		"LifecycleStatus": mouserStatus[p.Lifecycle], "IsDiscontinued": fmt.Sprint(p.Lifecycle == "obsolete"), "SuggestedReplacement": p.Replacement,
		"Min": "1", "Mult": "1", "PriceBreaks": prices, "ROHSStatus": "RoHS Compliant", "ProductDetailUrl": "https://distributor-b.example/" + p.MPN, "DataSheetUrl": p.Datasheet(),
		"ProductAttributes":  []any{map[string]any{"AttributeName": "Packaging", "AttributeValue": "Cut Tape"}},
		"ProductCompliance":  []any{map[string]any{"ComplianceName": "ECCN", "ComplianceValue": "EAR99"}, map[string]any{"ComplianceName": "USHTS", "ComplianceValue": "8542390001"}},
		"RestrictionMessage": "", "SalesMaximumOrderQty": nil,
	}
	return out
}
