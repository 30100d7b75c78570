package apikey

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract/accounts"
)

// A Form is a request for an API key, as it was filled in.
type Form struct {
	Name    string
	Live    bool
	Scopes  []string
	Expires string // a day, or empty: never
	From    string // networks, or empty: everywhere
}

// FormOf is a form with what a key has.
func FormOf(k accounts.APIKey) Form {
	f := Form{Name: k.Name, Live: k.Live, Scopes: k.Scopes, From: strings.Join(k.Networks, ", ")}
	if k.ExpiresAt != nil {
		f.Expires = k.ExpiresAt.Add(-time.Second).UTC().Format(time.DateOnly) // its last day
	}
	return f
}

// ReadForm reads it.
func ReadForm(v url.Values) Form {
	return Form{
		Name: untrusted.Line(v.Get("name"), 80), Live: v.Get("mode") == "live",
		Scopes: v["scope"], Expires: v.Get("expires"), From: untrusted.Line(v.Get("networks"), 2000),
	}
}

// lastYear is the last that JSON has times of.
const lastYear = 9999

// Parse checks the form; problems are what is wrong, by field. A key ends with its last day, in UTC.
func (f Form) Parse(now time.Time) (expires *time.Time, networks []string, problems map[string]string) {
	problems = map[string]string{}
	if f.Name == "" {
		problems["name"] = "A key has a name, such as where it is used."
	}
	if len(f.Scopes) == 0 {
		problems["scope"] = "A key needs at least one scope."
	}
	for _, s := range f.Scopes {
		if !slices.Contains(accounts.DefaultScopes(), s) {
			problems["scope"] = "There is no such scope."
		}
	}
	networks, err := accounts.ParseNetworks(f.From)
	if err != nil {
		problems["networks"] = "These networks cannot be used: " + err.Error() + "."
	}
	if f.Expires == "" {
		return nil, networks, problems
	}
	day, err := time.Parse(time.DateOnly, f.Expires)
	end := day.Add(24 * time.Hour)
	if err != nil || !end.After(now) || end.Year() > lastYear {
		problems["expires"] = "A day from today on, like 2030-12-31."
	}
	return &end, networks, problems
}

// Has is for templates.
func (f Form) Has(scope string) bool { return slices.Contains(f.Scopes, scope) }
