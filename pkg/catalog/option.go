package catalog

import "slices"

// An Option is one key of `fab_options`.
type Option struct {
	Key  string `json:"key"`
	Code string `json:"code,omitempty"` // the code the fabricator documents it under, for services

	Name  string `json:"name"`
	About string `json:"about"`
	Note  string `json:"note,omitempty"`
	Kind  Kind   `json:"kind"`

	Values  []Choice `json:"values,omitempty"` // of Pick
	Min     float64  `json:"min,omitempty"`    // of Integer and Number
	Max     float64  `json:"max,omitempty"`    // of Integer and Number; of Text and List, the length
	Fields  []Option `json:"fields,omitempty"` // of List, of each entry
	Default any      `json:"default,omitempty"`

	Required bool   `json:"required,omitempty"` // within a List's entry
	Review   string `json:"review,omitempty"`   // why choosing it at all is quoted by people

	Requires []string `json:"requires,omitempty"` // keys that must come with it when it is chosen

	// When it applies; an empty one does not restrict.
	Families    []string         `json:"families,omitempty"`
	MinLayers   int              `json:"min_layers,omitempty"`
	NeedsFinish []string         `json:"needs_finish,omitempty"`
	Needs       map[string][]any `json:"needs,omitempty"` // other options and the values that they must have
}

// A Kind is the JSON type of an option's value.
type Kind string

// The kinds of option.
const (
	Pick    Kind = "choice"  // string, one of Values
	Boolean Kind = "boolean" // true or false
	Integer Kind = "integer" // from Min to Max
	Number  Kind = "number"  // from Min to Max
	Text    Kind = "text"    // string of at most Max characters
	List    Kind = "list"    // at most Max objects of Fields
)

// Option returns the option of that key.
func (c *Catalog) Option(key string) (Option, bool) {
	o, ok := c.byKey[key]
	if !ok {
		return Option{}, false
	}
	return *o, true
}

// choices lists what a value of the option may be, for an error reply.
func (o *Option) choices() any {
	switch o.Kind {
	case Pick:
		return ids(o.Values)
	case Boolean:
		return []bool{true, false}
	case Integer, Number:
		return map[string]float64{"min": o.Min, "max": o.Max}
	default:
		return nil
	}
}

// IsChosen reports whether v selects something beyond the default.
func (o Option) IsChosen(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case string:
		return v != "" && v != "none" && v != o.Default
	case []any:
		return len(v) > 0
	}
	f, ok := number(v)
	d, _ := number(o.Default)
	return ok && f != d
}

func ids(cs []Choice) []string {
	out := make([]string, len(cs))
	for i, c := range cs {
		out[i] = c.ID
	}
	return out
}

func choice(cs []Choice, id string) (Choice, bool) {
	i := slices.IndexFunc(cs, func(c Choice) bool { return c.ID == id })
	if i < 0 {
		return Choice{}, false
	}
	return cs[i], true
}
