package parts

import (
	"fmt"
	"net/http"
	"strings"
	"time"
)

func (s *Server) nexarToken(w http.ResponseWriter, r *http.Request) {
	if r.FormValue("client_id") != ClientID || r.FormValue("client_secret") != ClientSecret || r.FormValue("scope") != "supply.domain" {
		reply(w, http.StatusBadRequest, map[string]any{"error": "invalid_client"})
		return
	}
	reply(w, http.StatusOK, map[string]any{"access_token": s.token("nx", 24*time.Hour), "expires_in": 86400, "token_type": "Bearer", "scope": "supply.domain"})
}

// nexarQuery is one part that is looked for.
type nexarQuery struct {
	Reference    string `json:"reference"`
	MPN          string `json:"mpn"`
	Manufacturer string `json:"manufacturer"`
	Limit        int    `json:"limit"`
}

func (s *Server) nexarGraphQL(w http.ResponseWriter, r *http.Request) {
	if !s.isAuthorised(r) || s.take(r, FaultToken) {
		reply(w, http.StatusUnauthorized, map[string]any{"errors": []any{map[string]any{"message": "The current user is not authorized to access this resource."}}})
		return
	}
	s.mu.Lock()
	s.calls["nexar"] = append(s.calls["nexar"], s.cfg.Now())
	s.mu.Unlock()
	if s.spoil(w, r) {
		return
	}
	var in struct {
		Query     string `json:"query"`
		Variables struct {
			Queries  []nexarQuery `json:"queries"`
			Currency string       `json:"currency"`
		} `json:"variables"`
	}
	if !decode(w, r, &in) {
		return
	}
	if !strings.Contains(in.Query, "supMultiMatch") || len(in.Variables.Queries) > 20 {
		reply(w, http.StatusBadRequest, map[string]any{"errors": []any{map[string]any{"message": "the query is not known here"}}})
		return
	}
	currency := in.Variables.Currency
	if s.take(r, FaultCurrency) {
		currency = "EUR"
	}
	var matches []any
	given := 0
	for _, q := range in.Variables.Queries {
		s.ask("nexar", q.MPN)
		parts := []any{}
		if p := s.Catalogue().Find(q.MPN); p != nil {
			if s.take(r, FaultRelatives) {
				p = s.relative(p)
			}
			parts = append(parts, s.nexarPart(r, p, currency))
		}
		given += len(parts)
		matches = append(matches, map[string]any{"reference": q.Reference, "hits": len(parts), "parts": parts})
	}
	if !s.bill(given) || s.take(r, FaultQuota) {
		reply(w, http.StatusInternalServerError, map[string]any{"errors": []any{map[string]any{
			"message": fmt.Sprintf("You have exceeded your part limit of %d.", s.cfg.NexarParts)}}})
		return
	}
	reply(w, http.StatusOK, map[string]any{"data": map[string]any{"supMultiMatch": matches}})
}

// bill counts the parts that are given.
func (s *Server) bill(n int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.parts+n > s.cfg.NexarParts {
		return false
	}
	s.parts += n
	return true
}

var nexarStatus = map[string]string{"active": "Production", "nrnd": "NRND", "eol": "EOL", "obsolete": "Obsolete"}

func (s *Server) nexarPart(r *http.Request, p *Part, currency string) map[string]any {
	sign := s.sign(r)
	var sellers []any
	total := int64(0)
	for _, seller := range []string{Arrow, DigiKey, Mouser} {
		if !p.IsSoldBy(seller) {
			continue
		}
		var prices []any
		for _, b := range p.Breaks(seller, 1) {
			unit := float64(sign*b.Price) / 1e6
			prices = append(prices, map[string]any{"quantity": b.From, "price": unit, "currency": currency, "convertedPrice": unit, "convertedCurrency": currency})
		}
		total += p.Stock(seller)
		sellers = append(sellers, map[string]any{
			"company": map[string]any{"name": strings.ToUpper(seller[:1]) + seller[1:]}, "isAuthorized": true,
			"offers": []any{map[string]any{
				"sku": strings.ToUpper(seller[:2]) + "-" + p.MPN, "inventoryLevel": p.Stock(seller), "moq": 1, "orderMultiple": 1, "packaging": "Cut Tape",
				"factoryLeadDays": p.LeadWeeks() * 7, "updated": s.cfg.Now().UTC().Format(time.RFC3339), "clickUrl": "https://aggregator.example/" + p.MPN, "prices": prices,
			}},
		})
	}
	similar := []any{}
	if n := s.Catalogue().Find(p.Replacement); n != nil {
		similar = append(similar, map[string]any{"mpn": n.MPN, "manufacturer": map[string]any{"name": n.Manufacturer}})
	}
	return map[string]any{
		"mpn": p.MPN, "manufacturer": map[string]any{"name": p.Manufacturer}, "shortDescription": p.Description, "totalAvail": total,
		"bestDatasheet":            map[string]any{"url": p.Datasheet()},
		"estimatedFactoryLeadDays": p.LeadWeeks() * 7, "similarParts": similar, "sellers": sellers,
		"specs": []any{
			map[string]any{"attribute": map[string]any{"shortname": "lifecyclestatus"}, "displayValue": nexarStatus[p.Lifecycle]},
			map[string]any{"attribute": map[string]any{"shortname": "case_package"}, "displayValue": p.Package},
		},
	}
}
