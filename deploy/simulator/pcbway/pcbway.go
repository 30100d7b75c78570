// Package pcbway stands in for PCBWay's partner API, as far as its public help pages tell of
// prices (api-partner.pcbway.com/Help/Api/POST-api-Pcb-PcbQuotation). Its prices are made up.
package pcbway

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
)

// APIKey is the one that it takes.
const APIKey = "simulated-partner-key"

// asked is as much of a request as its prices follow from; lengths are millimetres.
type asked struct {
	CountryCode    string
	Length, Width  float64
	Layers, Qty    int
	FinishedCopper string
}

type build struct {
	BuildDays int
	BuildText string
	Express   bool
	Price     float64
	Standard  bool
}

type shipping struct {
	ShipCost float64
	ShipDays string
	Weight   float64
	IsRas    bool
}

type answer struct {
	Builds    []build   `json:"priceList"`
	Shipping  *shipping `json:"Shipping"`
	Status    string
	ErrorText string
	Code      int
}

// Handler serves prices of boards.
func Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /api/Pcb/PcbQuotation", quote)
	return mux
}

func quote(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("api-key") != APIKey {
		http.Error(w, "the key is not known", http.StatusUnauthorized)
		return
	}
	var in asked
	out := answer{Status: "ok"}
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&in)
	if err != nil || in.Length <= 0 || in.Width <= 0 || in.Layers < 1 || in.Qty < 5 || in.CountryCode == "" {
		out = answer{Status: "error", ErrorText: fmt.Sprintf("the request lacks something, or is none: %v", err), Code: 400}
	} else {
		out.Builds, out.Shipping = price(in)
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(out)
}

// price is made up: $5 and $60 a square metre and layer, more for haste, freight by weight.
func price(in asked) ([]build, *shipping) {
	m2 := in.Length * in.Width / 1e6 * float64(in.Qty)
	standard := round(5 + 60*m2*float64(in.Layers))
	weight := math.Ceil(m2*3500) + 100
	return []build{
		{BuildDays: 1, BuildText: "24 hours", Express: true, Price: round(standard*1.5 + 20)},
		{BuildDays: 4, BuildText: "3-4 days", Price: standard, Standard: true},
	}, &shipping{ShipCost: round(15 + weight/100), ShipDays: "3-5", Weight: weight}
}

func round(dollars float64) float64 { return math.Round(dollars*100) / 100 }
