package cards

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// A form is a request's parameters in the processor's bracketed notation:
// line_items[0][price_data][unit_amount]=500.
type form struct{ url.Values }

func (f form) flag(key string) bool { return f.Get(key) == "true" }

// integer reads a whole number; ok is false when the key is absent.
func (f form) integer(key string) (n int64, ok bool, bad *apiError) {
	text := f.Get(key)
	if text == "" {
		return 0, false, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return 0, false, invalidCode("parameter_invalid_integer", key, "Invalid integer: %s", text)
	}
	return n, true, nil
}

// metadata reads prefix[name]=value pairs.
func (f form) metadata(prefix string) (map[string]string, *apiError) {
	found := map[string]string{}
	for key := range f.Values {
		name, ok := strings.CutPrefix(key, prefix+"[")
		if !ok {
			continue
		}
		name = strings.TrimSuffix(name, "]")
		value := f.Get(key)
		if len(name) > 40 || len(value) > 500 {
			return nil, invalid(key, "Metadata names have at most 40 characters and values at most 500.")
		}
		found[name] = value
	}
	if len(found) > 50 {
		return nil, invalid(prefix, "You can specify at most 50 metadata keys.")
	}
	return found, nil
}

// refuseUnknown refuses parameters that the call does not know, so that a client's
// misspelling does not pass unseen.
func (f form) refuseUnknown(names ...string) *apiError {
	for key := range f.Values {
		name, _, _ := strings.Cut(key, "[")
		if name != "expand" && !slices.Contains(names, name) {
			return invalidCode("parameter_unknown", key, "Received unknown parameter: %s", key)
		}
	}
	return nil
}

// require names the first of the keys that is absent.
func (f form) require(keys ...string) *apiError {
	for _, key := range keys {
		if f.Get(key) == "" {
			return invalidCode("parameter_missing", key, "Missing required param: %s.", key)
		}
	}
	return nil
}

// expansions lists the references that the caller wants written out.
func (f form) expansions() []string {
	var paths []string
	for key, values := range f.Values {
		if key == "expand" || strings.HasPrefix(key, "expand[") {
			paths = append(paths, values...)
		}
	}
	slices.Sort(paths)
	return paths
}

// currency accepts a three-letter code in small letters.
func (f form) currency(key string) (string, *apiError) {
	code := strings.ToLower(f.Get(key))
	if len(code) != 3 || strings.Trim(code, "abcdefghijklmnopqrstuvwxyz") != "" {
		return "", invalid(key, "Invalid currency: %s.", f.Get(key))
	}
	return code, nil
}

// Bounds of a single payment in cents.
const (
	minCents = 50
	maxCents = 99_999_999
)

func checkAmount(param string, cents int64, currency string) *apiError {
	switch {
	case currency == "isk" && cents%100 != 0:
		return invalidCode("parameter_invalid_integer", param, "Amounts in ISK must be whole krónur, in hundredths.")
	case cents < minCents:
		return invalidCode("amount_too_small", param, "Amount must be at least 50 cents.")
	case cents > maxCents:
		return invalidCode("amount_too_large", param, "Amount must be no more than $999,999.99.")
	default:
		return nil
	}
}
