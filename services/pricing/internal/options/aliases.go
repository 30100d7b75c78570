package options

import (
	"embed"
	"fmt"
	"strings"
	"unicode"

	"boardorder/services/pricing/internal/dated"
)

//go:embed aliases.csv
var files embed.FS

// A reading is what the words of a file mean.
type reading struct {
	value  string // id of the catalogue; "" says nothing
	unable string // in our words, what an instant quote does not build
}

// aliases maps an option and folded words to their meaning.
type aliases map[string]map[string]reading

func readAliases() (aliases, error) {
	f, err := files.Open("aliases.csv")
	if err != nil {
		return nil, fmt.Errorf("open aliases.csv: %w", err)
	}
	defer f.Close()
	t, err := dated.ReadPlain("aliases.csv", f, "option", "written", "value")
	if err != nil {
		return nil, err
	}
	a := aliases{}
	for _, r := range t.Rows {
		option, written := r.OneOf("option", "surface_finish", "solder_mask", "material", "via_process"), fold(r.Required("written"))
		if a[option] == nil {
			a[option] = map[string]reading{}
		}
		if _, twice := a[option][written]; twice {
			r.Fail("written", "stands twice")
		}
		value, unable := r.Text("value"), ""
		if strings.HasPrefix(value, "!") {
			value, unable = "", value[1:]
		}
		a[option][written] = reading{value, unable}
	}
	return a, t.Err()
}

// read turns a file's words into an option. Words that nobody listed are
// something, but nothing that can be built unseen.
func (a aliases) read(option, written string) reading {
	if fold(written) == "" {
		return reading{}
	}
	if r, ok := a[option][fold(written)]; ok {
		return r
	}
	return reading{unable: "a value that we do not know"}
}

func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}
