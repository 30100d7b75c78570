package accounts

import (
	"net/http"
	"slices"
	"time"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract/accounts"
)

// keyForm is a request for an API key, as it was filled in.
type keyForm struct {
	Name    string
	Live    bool
	Scopes  []string
	Expires string // a day, or empty: never
	From    string // networks, or empty: everywhere
}

func readKeyForm(r *http.Request) keyForm {
	_ = r.ParseForm() // was parsed before
	return keyForm{
		Name: untrusted.Line(r.PostFormValue("name"), 80), Live: r.PostFormValue("mode") == "live",
		Scopes: r.PostForm["scope"], Expires: r.PostFormValue("expires"), From: untrusted.Line(r.PostFormValue("networks"), 2000),
	}
}

// parse checks the form. A key ends with its last day, in UTC.
func (f keyForm) parse(now time.Time) (expires *time.Time, networks []string, problems map[string]string) {
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
		problems["networks"] = "This cannot be: " + err.Error() + "."
	}
	if f.Expires == "" {
		return nil, networks, problems
	}
	day, err := time.Parse(time.DateOnly, f.Expires)
	end := day.Add(24 * time.Hour)
	if err != nil || !end.After(now) {
		problems["expires"] = "A day from today on, like 2030-12-31."
	}
	return &end, networks, problems
}

// Has is for templates.
func (f keyForm) Has(scope string) bool { return slices.Contains(f.Scopes, scope) }
