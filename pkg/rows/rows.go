// Package rows is what configurations have in common that are lists, of companies of which
// there may be any number: each row has a public name.
package rows

import (
	"fmt"
	"regexp"
	"slices"
)

// nameForm is a public name: it stands in JSON, metrics and sentences.
var nameForm = regexp.MustCompile(`^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$`)

// maxName is how long a public name may be.
const maxName = 40

// CheckNames refuses a row without a public name of its own; taken are names that stand for
// something else. The error names the variable, such as DISTRIBUTOR_1_NAME for the prefix
// DISTRIBUTOR.
func CheckNames(prefix string, names []string, taken ...string) error {
	for i, name := range names {
		switch {
		case !nameForm.MatchString(name) || len(name) > maxName:
			return fmt.Errorf("%s_%d_NAME is %q: a name is words of small letters and digits, joined by _, of %d characters at most", prefix, i, name, maxName)
		case slices.Contains(taken, name):
			return fmt.Errorf("%s_%d_NAME is %q, which stands for something else", prefix, i, name)
		}
		if first := slices.Index(names, name); first < i {
			return fmt.Errorf("%s_%d_NAME is %q, as %[1]s_%[4]d_NAME is", prefix, i, name, first)
		}
	}
	return nil
}
