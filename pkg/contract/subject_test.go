package contract_test

import (
	"regexp"
	"strings"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/registry"
)

// A subject is read from left to right, and what a person asks the broker for by its
// beginning is found: words are lower case, and only the last tokens are ids.
func TestSubjectsReadWell(t *testing.T) {
	t.Parallel()
	const id = "tfhgwadxp7qtwh2rfkvpqrj2uk3z2ixs"
	word, number := `[a-z]+(-[a-z]+)*`, `(1[0-5]|[0-9])`
	forms := map[string]*regexp.Regexp{
		"evt":   regexp.MustCompile(`^evt\.` + word + `\.` + number + `\.` + id + `$`),
		"cmd":   regexp.MustCompile(`^cmd\.` + word + `\.` + number + `\.` + word + `$`),
		"req":   regexp.MustCompile(`^req\.` + word + `\.` + number + `\.` + word + `\.` + id + `$`),
		"dead":  regexp.MustCompile(`^dead\.` + word + `\.` + word + `$`),
		"timer": regexp.MustCompile(`^timer\.` + word + `\.` + id + `\.` + word + `(\.due)?$`),
		"wake":  regexp.MustCompile(`^wake\.` + word + `\.` + id + `$`),
	}
	subjects := []string{}
	for _, a := range contract.Aggregates() {
		subjects = append(subjects, contract.EventSubject(a, id), contract.WakeSubject(a, id), contract.TimerSubject(a, id, "expire"), contract.DueSubject(a, id, "expire"))
	}
	for _, row := range registry.Commands() {
		c := row.Name
		subjects = append(subjects, contract.CommandSubject(c, id), contract.RequestSubject(c, id), contract.DeadSubject(c.Service, c.Verb))
	}
	for _, subject := range subjects {
		plane, _, _ := strings.Cut(subject, ".")
		if form := forms[plane]; form == nil || !form.MatchString(subject) {
			t.Errorf("%s does not read as its plane's subjects do", subject)
		}
	}
	const least = 200
	if len(subjects) < least {
		t.Errorf("%d subjects, want %d at least", len(subjects), least)
	}
}
