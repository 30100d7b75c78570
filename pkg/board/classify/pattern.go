package classify

import (
	"regexp"
	"sync"
)

// pattern compiles an expression when it is first asked for: most uploads need
// few of them.
func pattern(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
