package folder

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// A footer is the content type, padded with zeros, and the mark.
const (
	footerSize = 128
	mark       = "~blob.1\n"
	typeSize   = footerSize - len(mark)
)

var errFooter = errors.New("file does not end as a blob does")

func footer(contentType string) ([]byte, error) {
	for _, c := range []byte(contentType) {
		if c < ' ' || c > '~' || len(contentType) > typeSize {
			return nil, fmt.Errorf("content type %.200q is not up to %d printable ASCII characters", contentType, typeSize)
		}
	}
	foot := make([]byte, footerSize)
	copy(foot, contentType)
	copy(foot[typeSize:], mark)
	return foot, nil
}

// readFooter reads the content type and the content's size of a blob's file.
func readFooter(f *os.File) (contentType string, size int64, err error) {
	info, err := f.Stat()
	if err != nil {
		return "", 0, err
	}
	size = info.Size() - footerSize
	if size < 0 {
		return "", 0, errFooter
	}
	foot := make([]byte, footerSize)
	if _, err := f.ReadAt(foot, size); err != nil && err != io.EOF {
		return "", 0, err
	}
	kind, ok := bytes.CutSuffix(foot, []byte(mark))
	if !ok {
		return "", 0, errFooter
	}
	return string(bytes.TrimRight(kind, "\x00")), size, nil
}
