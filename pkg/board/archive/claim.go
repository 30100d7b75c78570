package archive

import (
	"bytes"
	"path"
	"strings"
)

// archives are the names that only archives bear.
var archives = []string{".zip", ".7z", ".rar", ".tar", ".tgz", ".tbz2"}

// IsArchiveName reports whether a file's name says that it is an archive, that
// is whether it can be nothing else. Detect goes by the bytes.
func IsArchiveName(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	for _, a := range archives {
		if ext == a {
			return true
		}
	}
	return false
}

// claims are what the content begins with of files whose names say that they
// are something that everybody knows.
var claims = map[string][]string{
	".png": {"\x89PNG\r\n\x1a\n"}, ".jpg": {"\xff\xd8\xff"}, ".jpeg": {"\xff\xd8\xff"}, ".gif": {"GIF8"},
	// A workbook or letter that is protected is another container.
	".xlsx": {"PK\x03\x04", "\xd0\xcf\x11\xe0"}, ".docx": {"PK\x03\x04", "\xd0\xcf\x11\xe0"}, ".pptx": {"PK\x03\x04", "\xd0\xcf\x11\xe0"},
}

// programs are what machine code begins with.
var programs = []string{"\x7fELF", "\xfe\xed\xfa\xce", "\xfe\xed\xfa\xcf", "\xce\xfa\xed\xfe", "\xcf\xfa\xed\xfe"}

// Contradiction says why a file that is no archive is not taken for what its
// name says, given its first bytes, 512 of them as far as there are; "" if
// nothing speaks against it. Design files are named in too many ways to be
// judged so.
func Contradiction(name string, head []byte) string {
	if program(head) {
		return "a program, no design file"
	}
	ext := strings.ToLower(path.Ext(name))
	if IsArchiveName(name) {
		return "named like an archive, but none"
	}
	if ext == ".pdf" && !bytes.Contains(head, []byte("%PDF-")) {
		return "not what its name says: no PDF"
	}
	begins, known := claims[ext]
	if !known {
		return ""
	}
	for _, b := range begins {
		if bytes.HasPrefix(head, []byte(b)) {
			return ""
		}
	}
	return "not what its name says: no " + strings.ToUpper(ext[1:])
}

func program(head []byte) bool {
	for _, p := range programs {
		if bytes.HasPrefix(head, []byte(p)) {
			return true
		}
	}
	// Text may begin with these letters; text holds no zero bytes.
	return bytes.HasPrefix(head, []byte("MZ")) && bytes.IndexByte(head, 0) > 0
}
