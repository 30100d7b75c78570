// Package pattern compiles regular expressions when they are first needed: most
// uploads need few of those that their readers know.
package pattern

import (
	"regexp"
	"sync"
)

// Lazy gives the compiled expression whenever it is called. It panics then if expr
// is no expression.
func Lazy(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
