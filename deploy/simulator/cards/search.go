package cards

import (
	"regexp"
	"strings"
)

var clause = regexp.MustCompile(`^\s*(metadata\["([^"]{1,40})"\]|metadata\['([^']{1,40})'\]|status|customer|currency|amount)\s*:\s*["']?([^"']*)["']?\s*$`)

// searchIntents answers the part of the search language that finds payments:
// metadata["name"]:"value", status, customer, currency and amount, with AND.
func (s *Server) searchIntents(_ string, f form) (map[string]any, *apiError) {
	if bad := f.require("query"); bad != nil {
		return nil, bad
	}
	var wants []func(Intent) bool
	for _, part := range strings.Split(f.Get("query"), " AND ") {
		m := clause.FindStringSubmatch(part)
		if m == nil {
			return nil, invalid("query", "We were unable to parse your search query: %s", part)
		}
		wants = append(wants, intentHas(m[1], m[2]+m[3], m[4]))
	}
	docs := newest(&s.state.intents, form{}, nil, func(v Intent) map[string]any {
		for _, want := range wants {
			if !want(v) {
				return nil
			}
		}
		return s.viewIntent(v)
	})
	found := []map[string]any{}
	for _, doc := range docs {
		if doc != nil {
			found = append(found, doc)
		}
	}
	if f.Get("page") != "" {
		f.Set("starting_after", f.Get("page"))
	}
	list, bad := paginate("/v1/payment_intents/search", found, f)
	if bad != nil {
		return nil, bad
	}
	list["object"], list["next_page"] = "search_result", nil
	if data := list["data"].([]map[string]any); list["has_more"] == true {
		list["next_page"] = data[len(data)-1]["id"]
	}
	return list, nil
}

func intentHas(field, name, value string) func(Intent) bool {
	return func(v Intent) bool {
		switch {
		case name != "":
			return v.Metadata[name] == value
		case field == "status":
			return v.Status == value
		case field == "customer":
			return v.Customer == value
		case field == "currency":
			return v.Currency == value
		default:
			return itoa(v.Amount) == value
		}
	}
}
