package fabricator

import (
	"math"
	"regexp"
	"slices"
	"strings"
)

// A way is one way of shipping a parcel.
type way struct {
	id, name string
	cents    int64
	from, to int // working days
}

// zones put countries together; whatever is in none of them is far.
var zones = map[string]string{
	"near":   "CN HK MO TW JP KR SG MY TH VN PH",
	"north":  "US CA MX",
	"europe": "AT BE BG CH CY CZ DE DK EE ES FI FR GB GR HR HU IE IS IT LI LT LU LV MC MT NL NO PL PT RO SE SI SK",
	"south":  "AU NZ",
	"none":   "CU IR KP SY",
}

var rates = map[string]struct{ express, kilo, post, postKilo int64 }{
	"near":   {1450, 350, 480, 420},
	"north":  {1980, 620, 620, 900},
	"europe": {1890, 580, 590, 860},
	"south":  {2050, 640, 690, 980},
	"far":    {2950, 1150, 980, 1500},
}

var countryForm = regexp.MustCompile(`^[A-Z]{2}$`)

func zoneOf(country string) string {
	for z, list := range zones {
		if slices.Contains(strings.Fields(list), country) {
			return z
		}
	}
	return "far"
}

// shipments are the ways to a country for so many grams.
func shipments(country string, grams float64) ([]way, error) {
	if !countryForm.MatchString(country) {
		return nil, refuse(2410)
	}
	zone := zoneOf(country)
	if zone == "none" {
		return nil, refuse(2301)
	}
	r := rates[zone]
	halves := int64(math.Ceil(grams / 500))
	ways := []way{
		{"DHL Express", "DHL Express Worldwide", r.express + halves*r.kilo/2, 2, 4},
		{"FedEx International Priority", "FedEx International Priority", r.express*95/100 + halves*r.kilo/2 + 60, 3, 5},
		{"UPS EXPRESS", "UPS Worldwide Express Saver", r.express*92/100 + halves*r.kilo*48/100, 3, 6},
	}
	if grams <= 3000 {
		ways = append(ways, way{"Global Standard Direct Line", "Global Standard Direct Line", r.post + halves*r.postKilo/2, 8, 12})
	}
	return ways, nil
}

func wayByID(country, id string, grams float64) (way, error) {
	ways, err := shipments(country, grams)
	if err != nil {
		return way{}, err
	}
	for _, w := range ways {
		if w.id == id {
			return w, nil
		}
	}
	if id == "Global Standard Direct Line" {
		return way{}, refuse(2302)
	}
	return way{}, refuse(2301)
}
