package parts

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

func (s *Server) digikeyToken(w http.ResponseWriter, r *http.Request) {
	if r.FormValue("client_id") != ClientID || r.FormValue("client_secret") != ClientSecret || r.FormValue("grant_type") != "client_credentials" {
		reply(w, http.StatusUnauthorized, map[string]any{"ErrorMessage": "invalid client", "StatusCode": 401})
		return
	}
	reply(w, http.StatusOK, map[string]any{
		"access_token": s.token("dk", s.cfg.TokenTTL), "expires_in": int(s.cfg.TokenTTL / time.Second), "token_type": "Bearer",
	})
}

// problem is how the fourth version of the API reports errors.
func problem(w http.ResponseWriter, status int, title, detail string) {
	reply(w, status, map[string]any{"title": title, "status": status, "detail": detail})
}

// digikey checks what all calls have in common.
func (s *Server) digikey(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-DIGIKEY-Client-Id") != ClientID || !s.isAuthorised(r) || s.take(r, FaultToken) {
			problem(w, http.StatusUnauthorized, "Unauthorized", "Bearer token is not valid")
			return
		}
		remaining, wait, daily := s.admit(DigiKey, s.cfg.DigiKey)
		w.Header().Set("X-RateLimit-Limit", strconv.Itoa(s.cfg.DigiKey.Day))
		w.Header().Set("X-RateLimit-Remaining", strconv.Itoa(remaining))
		if wait > 0 || s.take(r, FaultQuota) {
			w.Header().Set("Retry-After", strconv.Itoa(int(wait/time.Second)+1))
			detail := "Rate limit exceeded"
			if daily {
				detail = "Daily Ratelimit exceeded"
			}
			problem(w, http.StatusTooManyRequests, "Too Many Requests", detail)
			return
		}
		if !s.spoil(w, r) {
			next(w, r)
		}
	}
}

func (s *Server) digikeySearch(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Keywords string
		Limit    int
		Offset   int
	}
	if !decode(w, r, &in) {
		return
	}
	if in.Keywords == "" || in.Limit < 1 || in.Limit > 50 {
		problem(w, http.StatusBadRequest, "Bad Request", "Keywords or Limit")
		return
	}
	s.ask(DigiKey, in.Keywords)
	exact, products := []any{}, []any{}
	if p := s.Catalogue().Find(in.Keywords); p != nil && p.IsSoldBy(DigiKey) {
		if s.take(r, FaultRelatives) {
			p = s.relative(p)
		} else {
			exact = append(exact, s.digikeyProduct(r, p))
		}
		products = append(products, s.digikeyProduct(r, s.relative(p)))
	}
	currency := "USD"
	if s.take(r, FaultCurrency) {
		currency = "EUR"
	}
	reply(w, http.StatusOK, map[string]any{
		"Products": products, "ProductsCount": len(products), "ExactMatches": exact,
		"SearchLocaleUsed": map[string]any{"Site": "US", "Language": "en", "Currency": currency},
	})
}

// digikeyFind knows a part by its number or by the distributor's.
func (s *Server) digikeyFind(number string) *Part {
	p := s.Catalogue().Find(strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(number, "-ND"), "CT"), "TR"))
	if p == nil || !p.IsSoldBy(DigiKey) {
		return nil
	}
	return p
}

func (s *Server) digikeyDetails(w http.ResponseWriter, r *http.Request) {
	number := r.PathValue("number")
	s.ask(DigiKey, number)
	p := s.digikeyFind(number)
	if p == nil {
		problem(w, http.StatusNotFound, "Not Found", "Product not found")
		return
	}
	reply(w, http.StatusOK, map[string]any{"Product": s.digikeyProduct(r, p), "SearchLocaleUsed": map[string]any{"Site": "US", "Language": "en", "Currency": "USD"}})
}

func (s *Server) digikeySubstitutions(w http.ResponseWriter, r *http.Request) {
	p := s.digikeyFind(r.PathValue("number"))
	if p == nil {
		problem(w, http.StatusNotFound, "Not Found", "Product not found")
		return
	}
	list := []any{}
	if n := s.Catalogue().Find(p.Replacement); n != nil {
		list = append(list, map[string]any{
			"SubstituteType": "Direct", "ManufacturerProductNumber": n.MPN, "Manufacturer": map[string]any{"Id": 1, "Name": n.Manufacturer},
			"DigiKeyProductNumber": n.MPN + "-ND", "QuantityAvailable": n.Stock(DigiKey),
		})
	}
	reply(w, http.StatusOK, map[string]any{"ProductSubstitutesCount": len(list), "ProductSubstitutes": list})
}

func (s *Server) digikeyProduct(r *http.Request, p *Part) map[string]any {
	sign := s.sign(r)
	stock := p.Stock(DigiKey)
	variation := func(suffix, packaging string, minimum int64) map[string]any {
		var prices []any
		for _, b := range p.Breaks(DigiKey, minimum) {
			unit := float64(sign*b.Price) / 1e6
			prices = append(prices, map[string]any{"BreakQuantity": b.From, "UnitPrice": unit, "TotalPrice": unit * float64(b.From)})
		}
		return map[string]any{
			"DigiKeyProductNumber": p.MPN + suffix + "-ND", "PackageType": map[string]any{"Id": 1, "Name": packaging}, "StandardPricing": prices, "MyPricing": []any{},
			"MarketPlace": false, "TariffActive": false, "QuantityAvailableforPackageType": stock / minimum * minimum, "MaxQuantityForDistribution": 0,
			"MinimumOrderQuantity": minimum, "StandardPackage": p.Reel(), "DigiReelFee": 0,
		}
	}
	variations := []any{variation("", "Tube", 1)}
	if p.IsTaped() {
		reeled := variation("CT", "Digi-Reel®", 1)
		reeled["DigiReelFee"] = 7.0
		variations = []any{variation("TR", "Tape & Reel (TR)", p.Reel()), variation("CT", "Cut Tape (CT)", 1), reeled}
	}
	shown := []any{
		map[string]any{"ParameterId": 16, "ParameterText": "Package / Case", "ValueText": p.Package},
		map[string]any{"ParameterId": 1291, "ParameterText": "Supplier Device Package", "ValueText": p.Package},
	}
	for _, x := range p.parameters() {
		shown = append(shown, map[string]any{"ParameterId": x.id, "ParameterText": x.name, "ValueText": x.value})
	}
	return map[string]any{
		"ManufacturerProductNumber": p.MPN, "Manufacturer": map[string]any{"Id": 1, "Name": p.Manufacturer},
		"Description":           map[string]any{"ProductDescription": p.Description, "DetailedDescription": p.Description},
		"QuantityAvailable":     stock,
		"ProductUrl":            "https://distributor-a.example/" + p.MPN,
		"DatasheetUrl":          strings.TrimPrefix(p.Datasheet(), "https:"), // without the scheme, as the real one writes many
		"ProductStatus":         map[string]any{"Id": 0, "Status": status[p.Lifecycle]},
		"Discontinued":          p.Lifecycle == "obsolete",
		"EndOfLife":             p.Lifecycle == "eol",
		"ManufacturerLeadWeeks": strconv.Itoa(p.LeadWeeks()),
		"ProductVariations":     variations,
		"Category":              map[string]any{"CategoryId": 1, "Name": p.Category},
		"Parameters":            shown,
		"Classifications":       map[string]any{"RohsStatus": "ROHS3 Compliant", "ExportControlClassNumber": "EAR99", "HtsusCode": "8542.39.0001"},
	}
}
