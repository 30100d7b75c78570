package upload

import (
	"mime"
	"path"
	"strings"
	"unicode/utf8"

	"boardorder/services/edge/internal/jsonbody"
)

const maxName = 255 // bytes

// part is what a part of a form says about itself.
type part struct {
	field string
	file  bool   // it carries a filename, even an empty one
	name  string // of the file, cleaned; no folders
}

// describe reads a part's Content-Disposition. Folders in front of a name are
// the sender's own and are dropped, whichever way its slashes lean. known is
// false where it cannot be read.
func describe(disposition string) (about part, known bool) {
	kind, params, err := mime.ParseMediaType(disposition)
	if err != nil || kind != "form-data" {
		return part{}, false
	}
	name, file := params["filename"]
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	name = jsonbody.CleanLine(name)
	if name == "." || name == "/" || name == ".." {
		name = ""
	}
	return part{field: params["name"], file: file, name: name}, true
}

func tooLong(name string) bool { return len(name) > maxName || !utf8.ValidString(name) }
