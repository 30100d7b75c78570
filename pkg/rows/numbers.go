package rows

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// CheckNumbers refuses an environment in which a number of a list is left out, since the rows
// behind it would be lost: lists are the slices of rows of a configuration C, by their
// prefixes. Variables are names, or lines as those of os.Environ.
func CheckNumbers[C any](variables []string) error {
	for _, f := range reflect.VisibleFields(reflect.TypeFor[C]()) {
		list := f.Tag.Get("envPrefix")
		if list == "" || f.Type.Kind() != reflect.Slice {
			continue
		}
		var numbers []int
		for _, v := range variables {
			rest, of := strings.CutPrefix(v, list+"_")
			number, _, row := strings.Cut(rest, "_")
			if n, err := strconv.Atoi(number); of && row && err == nil {
				numbers = append(numbers, n)
			}
		}
		slices.Sort(numbers)
		for i, n := range slices.Compact(numbers) {
			if n != i {
				return fmt.Errorf("%s_%d_NAME is missing: rows are numbered from 0 without a gap, and there is a %[1]s_%[3]d", list, i, n)
			}
		}
	}
	return nil
}
