package cards

import (
	"slices"
	"strings"
)

// expand writes out the references in doc that the paths name, such as
// payment_intent.latest_charge or data.customer.
func (s *Server) expand(doc map[string]any, paths []string, t *tx) *apiError {
	for _, path := range paths {
		if strings.Count(path, ".") > 4 {
			return invalid("expand", "You cannot expand more than 4 levels of a property: %s", path)
		}
		if bad := s.expandPath(doc, strings.Split(path, "."), t); bad != nil {
			return bad
		}
	}
	return nil
}

func (s *Server) expandPath(doc map[string]any, path []string, t *tx) *apiError {
	if len(path) == 0 {
		return nil
	}
	if path[0] == "line_items" && doc["object"] == "checkout.session" {
		doc["line_items"] = s.items(s.state.sessions.byID[doc["id"].(string)])
		return nil
	}
	value, ok := doc[path[0]]
	if !ok {
		return invalid("expand", "This property cannot be expanded (%s).", path[0])
	}
	switch v := value.(type) {
	case string:
		full := s.lookUp(v, t)
		if full == nil {
			return invalid("expand", "This property cannot be expanded (%s).", path[0])
		}
		doc[path[0]] = full
		return s.expandPath(full, path[1:], t)
	case map[string]any:
		return s.expandPath(v, path[1:], t)
	case []map[string]any:
		for _, element := range v {
			if bad := s.expandPath(element, path[1:], t); bad != nil {
				return bad
			}
		}
	}
	return nil // null stays null
}

// lookUp finds an object of any kind by its id, as step t leaves it; t may be nil.
func (s *Server) lookUp(id string, t *tx) map[string]any {
	var staged entry
	if t != nil {
		staged = t.entry
	}
	kind, _, _ := strings.Cut(id, "_")
	switch kind {
	case "pi":
		return find(id, staged.Intents, &s.state.intents, func(v Intent) string { return v.ID }, s.viewIntent)
	case "ch":
		return find(id, staged.Charges, &s.state.charges, func(v Charge) string { return v.ID }, viewCharge)
	case "cus":
		return find(id, staged.Customers, &s.state.customers, func(v Customer) string { return v.ID }, viewCustomer)
	case "pm":
		return find(id, staged.Methods, &s.state.methods, func(v Method) string { return v.ID }, viewMethod)
	default:
		return nil
	}
}

// find prefers what the step has staged last to what the table holds.
func find[T any](id string, staged []T, t *table[T], idOf func(T) string, view func(T) map[string]any) map[string]any {
	for _, v := range slices.Backward(staged) {
		if idOf(v) == id {
			return view(v)
		}
	}
	if v, ok := t.byID[id]; ok {
		return view(v)
	}
	return nil
}
