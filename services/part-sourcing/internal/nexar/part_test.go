package nexar

import (
	"encoding/json"
	"testing"

	"boardorder/services/part-sourcing/internal/part"
)

// FuzzPart: whatever a part says of itself, no offer of it has figures that cannot
// be true.
func FuzzPart(f *testing.F) {
	f.Add([]byte(`{"mpn":"A","sellers":[{"company":{"name":"S"},"isAuthorized":true,"offers":[{"sku":"1","inventoryLevel":-3,"moq":null,"orderMultiple":0,"prices":[{"quantity":1,"convertedPrice":0.1,"convertedCurrency":"USD"}]}]}]}`))
	f.Add([]byte(`{"sellers":[{"offers":[{"prices":[{"quantity":1,"convertedPrice":1,"convertedCurrency":"EUR"}]}]}],"estimatedFactoryLeadDays":-7}`))
	c, err := New(Config{URL: "https://a.example", IdentityURL: "https://b.example", ClientID: "a", ClientSecret: "b", Name: "aggregator"})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var p wirePart
		if json.Unmarshal(data, &p) != nil {
			return
		}
		offers, err := c.offers(&p)
		if err != nil {
			return
		}
		for _, o := range offers {
			if o.Stock < 0 || o.Minimum < 1 || o.Multiple < 1 || o.LeadDays < -1 || len(part.ValidBreaks(o.Breaks)) != len(o.Breaks) {
				t.Errorf("offer %+v, want amounts that can be, and prices in order", o)
			}
		}
	})
}
