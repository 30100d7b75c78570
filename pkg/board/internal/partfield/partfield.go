// Package partfield knows by which names design tools and their users call the
// properties of parts: manufacturer, part number, do not populate.
package partfield

import (
	"strings"

	"boardorder/pkg/board/pcb"
)

// Set files a named field of a part where the model has a place for it.
func Set(c *pcb.Component, name, value string) {
	value = strings.TrimSpace(value)
	if value == "" || value == "~" {
		return
	}
	switch plain(name) {
	case "mpn", "manufacturerpartnumber", "mfrpartnumber", "mfrpart", "mfgpartnumber", "mfgpart", "mfpn", "mfrpn", "mfgpn",
		"partnumber", "manufacturerpn", "manufacturerpart", "manfpartnumber", "manfpn", "mfrno", "mfrpartno", "mpn1",
		"manufacturerpartno", "partno", "manufpartnumber", "manfno", "manfpartno", "mfrnum", "manpartno", "mfpartnumber",
		"manufacturerpartnumber1", "mp":
		if c.MPN == "" {
			c.MPN = value
			return
		}
	case "manufacturer", "mfr", "mf", "mfg", "manf", "mfgname", "mfrname", "manufacturername", "manufacturer1", "manuf", "vendorname":
		if c.Manufacturer == "" {
			c.Manufacturer = value
			return
		}
	case "description":
		c.Description = value
		return
	case "dnp", "donotpopulate", "dnf", "donotfit", "dni":
		if MarksDNP(value) {
			c.DNP = true
		}
	}
	if c.Fields == nil {
		c.Fields = map[string]string{}
	}
	if _, ok := c.Fields[name]; !ok {
		c.Fields[name] = value
	}
}

// MarksDNP tells whether the value of a field named DNP means what it says.
func MarksDNP(value string) bool {
	switch strings.ToLower(strings.TrimSpace(value)) {
	case "", "0", "no", "n", "false", "fit", "fitted", "populate":
		return false
	}
	return true
}

// plain keeps letters and digits of a field's name, in lower case.
func plain(name string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c >= 'A' && c <= 'Z':
			return c + 'a' - 'A'
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9':
			return c
		}
		return -1
	}, name)
}
