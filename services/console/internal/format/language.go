package format

import "boardorder/pkg/language"

// Language names the language of a code as operators and its speakers call it: German
// (Deutsch). A customer of whom none is known reads English.
func Language(code string) string {
	p := language.Find(code)
	if p.Code == language.English {
		return p.Name
	}
	return p.EnglishName() + " (" + p.Name + ")"
}
