package formdata

import (
	"mime"
	"path"
	"strings"
	"unicode/utf8"

	"boardorder/pkg/board/untrusted"
)

const maxName = 255 // bytes

// A Part is what a part of a form says about itself.
type Part struct {
	Field string
	File  bool   // it carries a filename, even an empty one
	Name  string // of the file, cleaned; no folders
}

// Describe reads a part's Content-Disposition. Folders in front of a name are
// the sender's own and are dropped, whichever way its slashes lean. known is
// false where it cannot be read.
func Describe(disposition string) (about Part, known bool) {
	kind, params, err := mime.ParseMediaType(disposition)
	if err != nil || kind != "form-data" {
		return Part{}, false
	}
	name, file := params["filename"]
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	name = untrusted.CleanLine(name)
	if name == "." || name == "/" || name == ".." {
		name = ""
	}
	return Part{Field: params["name"], File: file, Name: name}, true
}

// IsTooLong reports whether a file's name is longer than it may be.
func IsTooLong(name string) bool { return len(name) > maxName || !utf8.ValidString(name) }

// BoundaryOf gives what a form's parts are separated by; ok is false for what is no
// multipart form.
func BoundaryOf(contentType string) (boundary string, ok bool) {
	media, params, err := mime.ParseMediaType(contentType)
	return params["boundary"], err == nil && media == "multipart/form-data" && params["boundary"] != ""
}
