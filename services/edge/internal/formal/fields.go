package formal

import (
	"errors"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/address"
	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/itar"
	"boardorder/pkg/language"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// fields are those of the form that are no files.
var fields = []string{
	"name", "qty", "board_layers", "services", "production_spec", "board_origin", "target_date", "itar", "customer_po", "notes", "request_id", "email", "language",
}

// Bounds of the fields, in characters.
const (
	maxName      = 200
	maxQty       = 100_000
	maxLayers    = 64
	maxWord      = 100
	maxText      = 5000
	maxRequestID = 200
	maxEmail     = 254

	maxUnknown = 20 // names of fields that are repeated
)

// noteUnknown notes a field that the service does not know.
func (f *form) noteUnknown(name string) {
	if name = echo(name); len(f.unknown) < maxUnknown && !slices.Contains(f.unknown, name) {
		f.unknown = append(f.unknown, name)
	}
}

// submission makes a command's data of a form. named is whether the client gave the
// request_id. That a design may not be taken for its origin is said first, whatever
// else is wrong.
func (f *form) submission(c *web.Call) (data formal.SubmitData, named bool, err error) {
	f.readITAR(&data)
	data.BoardOrigin = f.origin()
	if data.ITAR && data.BoardOrigin != formal.USOrigin {
		return data, false, data.Refusal(func(string) bool { return true })
	}
	f.readFields(&data)
	data.RequestID, named = f.line("request_id", maxRequestID), true
	if data.RequestID == "" {
		data.RequestID, named = c.ID, false
	}
	if len(f.problems) > 0 {
		return data, named, refuse(f.problems...)
	}
	has := func(role string) bool {
		return slices.ContainsFunc(f.files, func(file formal.File) bool { return file.Role == role })
	}
	f.usualServices(&data, has)
	if r := data.Refusal(has); r != nil {
		return data, named, r
	}
	data.Order, data.Files = formal.Key(c.Caller.Account, data.RequestID), f.files
	return data, named, nil
}

// readITAR reads the declaration. What is neither yes nor no is refused, unless
// another spelling of it says yes.
func (f *form) readITAR(data *formal.SubmitData) {
	data.ITAR = f.declared
	for _, name := range slices.Sorted(maps.Keys(f.text)) {
		text := strings.TrimSpace(f.text[name])
		if itar.Name(name) && !itar.Yes(text) && !itar.SaysNo(text) {
			f.refuse(body(name), "bool_parsing", "Input should be a valid boolean, unable to interpret input", echo(text), nil)
		}
	}
}

func (f *form) readFields(data *formal.SubmitData) {
	switch name, given := f.text["name"]; {
	case !given:
		f.problems = append(f.problems, missing(body("name")))
	case untrusted.CleanLine(name) == "": // also of what nobody sees
		f.refuse(body("name"), "string_too_short", "String should have at least 1 character", "", map[string]any{"min_length": 1})
	default:
		data.Name = f.line("name", maxName)
	}
	if _, given := f.text["qty"]; !given {
		f.problems = append(f.problems, missing(body("qty")))
	} else if n := f.number("qty", 1, maxQty); n != nil {
		data.Qty = *n
	}
	data.BoardLayers = f.number("board_layers", 1, maxLayers)
	data.TargetDate = f.targetDate()
	data.CustomerPO = f.line("customer_po", maxName)
	data.ProductionSpec, data.Notes = f.block("production_spec"), f.block("notes")
	data.Email, data.Language = f.email(), f.language()
	f.services(&data.Services)
}

// origin reads where boards are to be made: a country of ISO 3166, eu, or any.
func (f *form) origin() string {
	text := strings.ToLower(f.line("board_origin", maxWord))
	switch {
	case text == "any":
		return ""
	case text == "", text == "eu", address.IsCountry(strings.ToUpper(text)):
		return text
	}
	f.refuse(body("board_origin"), "value_error", "Value error, a country of two letters as in us is expected, eu, or any", echo(text), nil)
	return text
}

// targetDate reads the day by which boards are wanted, in words of any kind. What
// is written as a date must not have been: the last place on Earth where a day goes
// on is twelve hours behind UTC.
func (f *form) targetDate() string {
	text := f.line("target_date", maxWord)
	for _, layout := range []string{time.DateOnly, time.RFC3339} {
		at, err := time.Parse(layout, text)
		if err != nil {
			continue
		}
		if at.UTC().Format(time.DateOnly) < f.orders.Now().UTC().Add(-12*time.Hour).Format(time.DateOnly) {
			f.refuse(body("target_date"), "date_future", "Date should be in the future", echo(text), nil)
		}
		return text
	}
	if impossible.MatchString(text) {
		f.refuse(body("target_date"), "date_from_datetime_parsing", "Input should be a valid date or datetime, there is no such day", echo(text), nil)
	}
	return text
}

// impossible is the form of a date, of a text that is none.
var impossible = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)

// number reads a number that is given; nil if it is not, or refused.
func (f *form) number(name string, least, most int) *int {
	text := f.text[name]
	if strings.TrimSpace(text) == "" && name != "qty" {
		return nil
	}
	n, wrong := integer(body(name), text, least, most)
	if wrong != nil {
		f.problems = append(f.problems, *wrong)
		return nil
	}
	return &n
}

func (f *form) line(name string, most int) string {
	return f.checkText(name, untrusted.CleanLine(f.text[name]), most)
}

func (f *form) block(name string) string {
	return f.checkText(name, untrusted.Clean(f.text[name]), maxText)
}

func (f *form) checkText(name, text string, most int) string {
	if d := checkLength(body(name), text, most); d != nil {
		f.problems = append(f.problems, *d)
		return ""
	}
	return text
}

func (f *form) email() string {
	text := address.Fold(f.line("email", maxEmail))
	if text == "" {
		return ""
	}
	if !address.IsEmail(text) {
		f.refuse(body("email"), "value_error", "value is not a valid email address", echo(text), nil)
	}
	return text
}

// language reads the language of quotes and e-mails, which is English unless another is
// given.
func (f *form) language() string {
	text := f.line("language", maxWord)
	p := language.Find(text)
	if text != "" && p.Code != text {
		f.refuse(body("language"), "enum", "Input should be one of the languages that are offered", echo(text), nil)
	}
	return p.Code
}

// services reads which work is wanted; the field holds JSON.
func (f *form) services(s *formal.Services) {
	text := strings.TrimSpace(f.text["services"])
	if text == "" {
		return
	}
	object, err := jsonbody.Parse([]byte(text))
	if errors.Is(err, jsonbody.ErrNoObject) {
		f.refuse(body("services"), "dict_type", "Input should be a valid dictionary", echo(text), nil)
		return
	}
	if err != nil {
		f.refuse(body("services"), "json_invalid", "Invalid JSON: an object with boolean members is expected", echo(text), map[string]any{"error": problem.Find(err).Refusal.Message})
		return
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		at, known := map[string]*bool{"fabrication": &s.Fabrication, "part_procurement": &s.PartProcurement, "assembly": &s.Assembly}[name]
		value, isBool := object[name].(bool)
		switch {
		case !known:
			f.refuse(body("services", echo(name)), "extra_forbidden", "Extra inputs are not permitted", echoValue(object[name]), nil)
		case !isBool:
			f.refuse(body("services", name), "bool_type", "Input should be a valid boolean", echoValue(object[name]), nil)
		default:
			*at = value
		}
	}
	if len(f.problems) == 0 && *s == (formal.Services{}) {
		f.refuse(body("services"), "value_error", "Value error, at least one service is expected to be true", echo(text), nil)
	}
}

// usualServices are those that the files are for, where the field is left out.
func (f *form) usualServices(data *formal.SubmitData, has func(string) bool) {
	if strings.TrimSpace(f.text["services"]) != "" {
		return
	}
	data.Services = formal.Services{
		Fabrication: has(formal.Gerbers), PartProcurement: has(formal.BOM),
		Assembly: has(formal.Gerbers) && has(formal.BOM) && has(formal.CPL),
	}
}
