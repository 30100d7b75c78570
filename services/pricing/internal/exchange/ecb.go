package exchange

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"time"

	"github.com/shopspring/decimal"
)

// ParseECB reads the European Central Bank's daily file of reference rates. It
// refuses a file without a day, without the US dollar, or with a rate that is
// not a positive number.
func ParseECB(data []byte) (Rates, error) {
	var file struct {
		Days []struct {
			Time  string `xml:"time,attr"`
			Rates []struct {
				Currency string `xml:"currency,attr"`
				Rate     string `xml:"rate,attr"`
			} `xml:"Cube"`
		} `xml:"Cube>Cube"`
	}
	if err := xml.Unmarshal(data, &file); err != nil {
		return Rates{}, fmt.Errorf("read the reference rates: %w", err)
	}
	if len(file.Days) == 0 {
		return Rates{}, errors.New("read the reference rates: the file holds no day")
	}
	day := file.Days[0]
	if _, err := time.Parse(time.DateOnly, day.Time); err != nil {
		return Rates{}, fmt.Errorf("read the reference rates: their day: %w", err)
	}
	rates := Rates{Date: day.Time, PerEUR: map[string]string{}}
	for _, r := range day.Rates {
		d, err := decimal.NewFromString(r.Rate)
		if err != nil || !d.IsPositive() || len(r.Rate) > 20 || len(r.Currency) != 3 {
			return Rates{}, fmt.Errorf("read the reference rates: %.3q is %.20q", r.Currency, r.Rate)
		}
		rates.PerEUR[r.Currency] = r.Rate
	}
	if rates.PerEUR["USD"] == "" {
		return Rates{}, errors.New("read the reference rates: the US dollar is missing")
	}
	var err error
	if rates.text, err = json.Marshal(bare(rates)); err != nil {
		return Rates{}, fmt.Errorf("write the reference rates: %w", err)
	}
	return rates, nil
}

// Age is how many days old the rates are.
func (r Rates) Age(now time.Time) int {
	day, err := time.Parse(time.DateOnly, r.Date)
	if err != nil {
		return 1 << 30
	}
	return int(now.UTC().Sub(day) / (24 * time.Hour))
}
