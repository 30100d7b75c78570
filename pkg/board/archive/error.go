package archive

import (
	"archive/tar"
	"archive/zip"
	"compress/bzip2"
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/bodgit/sevenzip"
	"github.com/nwaples/rardecode/v2"
)

// A Code says what is wrong with an archive.
type Code string

const (
	TooLarge    Code = "too_large"    // more members or bytes, or denser, than the limits allow
	RefusedName Code = "refused_name" // a name that leads elsewhere or cannot be shown
	RefusedKind Code = "refused_kind" // a link, device or the like
	Duplicate   Code = "duplicate"    // two names that some systems cannot tell apart
	Encrypted   Code = "encrypted"    // a password is needed
	Damaged     Code = "damaged"      // cut off, or a checksum does not match
	Unsupported Code = "unsupported"  // packed in a way that cannot be read
	NotArchive  Code = "not_archive"  // no archive at all
	Empty       Code = "empty"        // an archive of nothing
)

// An Error says what is wrong with an archive, in words for its sender.
type Error struct {
	Code    Code
	Archive string // the name given to Unpack, with that of an inner archive
	Member  string // the member's path in it, fit to be shown; "" for the archive as a whole
	Reason  string // completes "the member …" or "the archive …"
}

func (e *Error) Error() string {
	if e.Member == "" {
		return fmt.Sprintf("archive %q %s", e.Archive, e.Reason)
	}
	return fmt.Sprintf("member %q of archive %q %s", e.Member, e.Archive, e.Reason)
}

func (l *level) problem(code Code, member, reason string, args ...any) error {
	return &Error{Code: code, Archive: displayName(l.name), Member: displayName(member), Reason: fmt.Sprintf(reason, args...)}
}

// fail tells apart what is wrong with the archive, with reading it, and with
// the work as a whole.
func (l *level) fail(member string, err error) error {
	if _, ok := errors.AsType[*Error](err); ok || err == nil {
		return err
	}
	if l.ctx.Err() != nil {
		return fmt.Errorf("unpack %q: %w", l.name, l.ctx.Err())
	}
	if l.source.err != nil {
		return fmt.Errorf("read archive %q: %w", l.name, l.source.err)
	}
	code, reason := diagnose(err)
	return l.problem(code, member, "%s", reason)
}

// displayName is a name without what does not show, and not too long.
func displayName(name string) string {
	const most = 200
	var b strings.Builder
	for _, r := range name {
		if b.Len() >= most {
			return b.String() + "…"
		}
		if invisible(r) {
			r = utf8.RuneError
		}
		b.WriteRune(r)
	}
	return b.String()
}

func diagnose(err error) (Code, string) {
	if seven, ok := errors.AsType[*sevenzip.ReadError](err); ok && seven.Encrypted {
		return Encrypted, "is protected by a password"
	}
	for _, known := range []struct {
		code   Code
		reason string
		errs   []error
	}{
		{TooLarge, "lists far too many files", []error{errDirectory, errEntries}},
		{Unsupported, "takes too much memory to unpack: pack it as an ordinary .zip", []error{errMemory}},
		{Damaged, "is damaged: its list of files claims more than it holds", []error{errHeader}},
		{Encrypted, "is protected by a password", []error{
			rardecode.ErrArchiveEncrypted, rardecode.ErrArchivedFileEncrypted, rardecode.ErrBadPassword,
		}},
		{Unsupported, "is packed by a method that cannot be read: pack it as an ordinary .zip", []error{
			zip.ErrAlgorithm, rardecode.ErrUnknownDecoder, rardecode.ErrUnsupportedDecoder, rardecode.ErrUnknownVersion,
			rardecode.ErrMultipleDecoders, rardecode.ErrDictionaryTooLarge, rardecode.ErrUnknownEncryptMethod,
		}},
		{Unsupported, "is one part of an archive in several parts: pack it as one", []error{rardecode.ErrMultiVolume, rardecode.ErrFileNameRequired, rardecode.ErrBadVolumeNumber}},
		{Damaged, "is damaged: its checksum does not match", []error{
			errChecksum, zip.ErrChecksum, gzip.ErrChecksum, rardecode.ErrBadFileChecksum, rardecode.ErrBadHeaderCRC,
		}},
		{Damaged, "is cut off", []error{
			io.ErrUnexpectedEOF, rardecode.ErrUnexpectedArcEnd, rardecode.ErrShortFile, rardecode.ErrDecoderOutOfData,
		}},
		{Damaged, "is cut off or damaged: it cannot be read as what it begins as", []error{zip.ErrFormat, gzip.ErrHeader, tar.ErrHeader}},
	} {
		for _, e := range known.errs {
			if errors.Is(err, e) {
				return known.code, known.reason
			}
		}
	}
	return Damaged, "is damaged: " + detail(err)
}

// detail is the place of the damage where the decoder tells it, and nothing
// that only its authors understand.
func detail(err error) string {
	if at, ok := errors.AsType[flate.CorruptInputError](err); ok {
		return fmt.Sprintf("it cannot be unpacked beyond byte %d", int64(at))
	}
	if _, ok := errors.AsType[bzip2.StructuralError](err); ok {
		return "its blocks make no sense"
	}
	return "it cannot be unpacked"
}

// guard turns a panic of a decoder into an error: some were not written for
// hostile input.
func guard[T any](decode func() (T, error)) (result T, err error) {
	defer func() {
		if recover() != nil {
			err = errPanic
		}
	}()
	return decode()
}

var errChecksum = errors.New("checksum does not match")

var errPanic = errors.New("decoder gave up")

// source is the archive's bytes; it remembers that they could not be read,
// which is no fault of the archive.
type source struct {
	ctx context.Context
	r   io.ReaderAt
	err error
}

func (s *source) ReadAt(p []byte, at int64) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	if at < 0 {
		return 0, io.ErrUnexpectedEOF // where the archive itself points to
	}
	n, err := s.r.ReadAt(p, at)
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = err
	}
	return n, err
}
