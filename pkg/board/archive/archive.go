// Package archive unpacks what customers upload.
//
// An archive is hostile until shown otherwise. It is told by its bytes, never
// by its name; every limit is measured on what really comes out, because
// headers lie; a member's name is checked as if it were to be created on a
// disk, though it never is; and what is wrong is an *Error that names the
// member. Archives in archives are unpacked as folders, documents that happen
// to be archives (a workbook, a design tool's project) are left whole.
package archive

import (
	"context"
	"io"
	"time"
)

// Limits bound what an archive may unpack to, all levels together.
type Limits struct {
	Members int   // files; folders are bounded by a multiple of it
	Bytes   int64 // of all files, and of the archives among them
	Ratio   int64 // unpacked bytes for each byte of an archive
	Slack   int64 // unpacked bytes up to which no ratio is too great
	Depth   int   // 1: archives in the archive are left out; 2: those in them
}

// DefaultLimits are those for uploads.
func DefaultLimits() Limits {
	return Limits{Members: 2000, Bytes: 500 << 20, Ratio: 100, Slack: 1 << 20, Depth: 2}
}

// A Member is one file in an archive.
type Member struct {
	// Name is its path with folders, slash-separated, local and clean, in
	// Unicode's composed form. The files of an archive in the archive lie in a
	// folder of that archive's name: "fab/gerbers.zip/top.gbr".
	Name     string
	Size     int64     // what its header says, or -1: not to be trusted
	Modified time.Time // what its header says, zero if nothing
}

// A Report tells what an archive held.
type Report struct {
	Format  Format
	Members int   // files that were emitted
	Bytes   int64 // that came out of all archives
	LeftOut []LeftOut
}

// LeftOut is a file that was not emitted.
type LeftOut struct {
	Name string // as a Member's
	Why  string // completes "it is …"
}

// Unpack calls emit for each file in the archive of the given name, which is
// size bytes of r, in the order in which they lie there. The reader that emit
// gets is valid until emit returns and need not be read to its end.
//
// What is wrong with the archive is an *Error, also when emit returned another
// error after reading; an error of emit alone is returned as it is. Files
// already emitted when an error is found are then to be thrown away. A file
// that Detect finds to be no archive is an *Error too.
func Unpack(ctx context.Context, name string, r io.ReaderAt, size int64, limits Limits, emit func(m Member, r io.Reader) error) (Report, error) {
	u := &unpacking{ctx: ctx, limits: limits, emit: emit, seen: map[string]string{}}
	top := &level{
		unpacking: u,
		name:      name,
		source:    &source{ctx: ctx, r: r},
		size:      size,
		depth:     1,
		meter:     &meter{limits: &u.limits, packed: size, total: &u.report.Bytes},
	}
	err := top.unpack()
	return u.report, err
}

// unpacking is what all levels of one Unpack share.
type unpacking struct {
	ctx     context.Context
	limits  Limits
	emit    func(m Member, r io.Reader) error
	seen    map[string]string // folded name: name
	entries int
	report  Report
}

// foldersPerMember bounds the entries that are not files.
const foldersPerMember = 10

// A level is one archive: the uploaded one, or one in it.
type level struct {
	*unpacking
	name   string // as the customer knows it
	folder string // what the names of its members begin with, "" or ending in "/"
	source *source
	size   int64
	depth  int
	meter  *meter
}

func (l *level) unpack() error {
	format, err := Detect(l.name, l.source, l.size)
	if err != nil {
		return l.fail("", err)
	}
	if l.depth == 1 {
		l.report.Format = format
	}
	if err := l.read(format); err != nil {
		return err
	}
	if l.depth == 1 && l.report.Members == 0 {
		return l.problem(Empty, "", "holds no files")
	}
	return nil
}

func (l *level) read(format Format) error {
	switch format {
	case Zip:
		return l.readZip()
	case Tar:
		return l.readTar(io.NewSectionReader(l.source, 0, l.size))
	case Gzip, Bzip2:
		return l.readCompressed(format)
	case Rar:
		return l.readRar()
	case SevenZip:
		return l.readSevenZip()
	}
	return l.problem(NotArchive, "", "is not an archive of a kind that can be read: use .zip, .tgz, .tar, .rar or .7z")
}
