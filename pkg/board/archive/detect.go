package archive

import (
	"archive/tar"
	"bytes"
	"errors"
	"io"
	"path"
	"slices"
	"strings"
)

// A Format is a kind of archive.
type Format string

const (
	None     Format = ""
	Zip      Format = "zip"
	Tar      Format = "tar"
	Gzip     Format = "gzip" // a compressed tar, or one compressed file
	Bzip2    Format = "bzip2"
	Rar      Format = "rar"
	SevenZip Format = "7z"
)

// HeadSize is how many bytes tell a format: a header of a tar.
const HeadSize = 512

// documents are zips that mean something only as a whole and carry no mark
// inside to tell them by.
var documents = []string{".fcstd", ".f3d", ".f3z", ".epro", ".epro2", ".elibz", ".jar", ".3mf", ".xlsx", ".xlsm", ".docx", ".pptx", ".ods", ".odt"}

// Detect tells what kind of archive a file is by its bytes. The name counts
// only for zips that are documents; they are None, as is all that is no
// archive. The error is one of r.
func Detect(name string, r io.ReaderAt, size int64) (Format, error) {
	head := make([]byte, min(size, HeadSize))
	if _, err := r.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return None, err
	}
	format := DetectHead(head)
	if format == Zip && document(name, r, size) {
		return None, nil
	}
	return format, nil
}

// DetectHead tells what kind of archive a file begins as, given its first
// HeadSize bytes, as far as there are. Only Detect tells documents apart.
func DetectHead(head []byte) Format {
	for _, magic := range []struct {
		bytes  string
		format Format
	}{
		{"PK\x03\x04", Zip},
		{"PK\x05\x06", Zip}, // an empty one
		{"PK\x07\x08", Zip}, // once cut in parts
		{"\x1f\x8b\x08", Gzip},
		{"Rar!\x1a\x07", Rar},
		{"7z\xbc\xaf\x27\x1c", SevenZip},
	} {
		if bytes.HasPrefix(head, []byte(magic.bytes)) {
			return magic.format
		}
	}
	switch {
	case len(head) > 10 && string(head[:3]) == "BZh" && string(head[4:10]) == "1AY&SY":
		return Bzip2
	case isTar(head):
		return Tar
	}
	return None
}

// isTar reads the header, whose checksum few other files match.
func isTar(head []byte) bool {
	if len(head) < HeadSize || !bytes.ContainsFunc(head, func(r rune) bool { return r != 0 }) {
		return false
	}
	_, err := tar.NewReader(bytes.NewReader(head)).Next()
	return err == nil || errors.Is(err, tar.ErrInsecurePath) || !errors.Is(err, tar.ErrHeader)
}

// document says whether a zip is an office document or a design tool's own
// file. One that cannot be read as a zip goes by its name.
func document(name string, r io.ReaderAt, size int64) bool {
	if slices.Contains(documents, strings.ToLower(path.Ext(name))) {
		return true
	}
	z, err := openZip(r, size)
	if err != nil {
		return false
	}
	for i, f := range z.File {
		if f.Name == "[Content_Types].xml" || i == 0 && f.Name == "mimetype" {
			return true
		}
	}
	return false
}
