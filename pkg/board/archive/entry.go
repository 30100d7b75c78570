package archive

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"path"
	"time"
)

// An entry is what an archive's format tells of one member.
type entry struct {
	name      string // as it is written there
	mode      fs.FileMode
	encrypted bool
	size      int64
	modified  time.Time
	metered   bool // whether its bytes add to the meter when they are read
	solid     bool // whether what follows can only be reached through it
	open      func() (io.ReadCloser, error)
}

// admit checks an entry before anything of it is read. name is what it goes
// by; keep is false for folders and for what is left out.
func (l *level) admit(e entry) (name string, keep bool, err error) {
	l.entries++
	if l.entries > l.maxEntries() {
		return "", false, l.problem(TooLarge, "", "holds more than %d files and folders", l.maxEntries())
	}
	name, refused := cleanName(e.name)
	if refused != "" {
		return "", false, l.problem(RefusedName, e.name, "%s", refused)
	}
	switch kind := e.mode.Type(); {
	case kind == fs.ModeDir || name == ".":
		return name, false, nil
	case kind != 0:
		return "", false, l.problem(RefusedKind, name, "is %s, not a file", kindName(kind))
	case rubbish(name):
		l.leaveOut(name, "a file of the operating system, no design file")
		return name, false, nil
	case e.encrypted:
		return "", false, l.problem(Encrypted, name, "is protected by a password")
	}
	return name, true, l.enlist(name)
}

// maxEntries bounds files and folders of all levels together.
func (l *level) maxEntries() int { return l.limits.Members * (1 + foldersPerMember) }

func (l *level) leaveOut(name, why string) {
	l.report.LeftOut = append(l.report.LeftOut, LeftOut{Name: l.folder + name, Why: why})
}

func kindName(kind fs.FileMode) string {
	switch {
	case kind&fs.ModeSymlink != 0:
		return "a link"
	case kind&(fs.ModeDevice|fs.ModeCharDevice) != 0:
		return "a device"
	case kind&(fs.ModeNamedPipe|fs.ModeSocket) != 0:
		return "a pipe"
	}
	return "something special"
}

// enlist counts a file and holds its name against those before it.
func (l *level) enlist(name string) error {
	if len(l.seen) >= l.limits.Members {
		return l.problem(TooLarge, "", "holds more than %d files", l.limits.Members)
	}
	full := l.folder + name
	folded := fold(full)
	if other, twice := l.seen[folded]; twice {
		if other == full {
			return l.problem(Duplicate, name, "is there twice")
		}
		return l.problem(Duplicate, name, "differs from %q only in upper and lower case", other)
	}
	l.seen[folded] = full
	return nil
}

// extract emits an admitted entry, or what is in it if it is an archive.
func (l *level) extract(e entry, name string) error {
	r, err := guard(e.open)
	if err != nil {
		return l.fail(name, err)
	}
	defer release(r)
	content := &measured{level: l, member: name, r: r, metered: e.metered}
	buffered := bufio.NewReaderSize(content, HeadSize)
	head, err := buffered.Peek(HeadSize)
	if err != nil && err != io.EOF {
		return content.err
	}
	m := Member{Name: l.folder + name, Size: e.size, Modified: e.modified}
	if format := DetectHead(head); format != None {
		return l.unpackNested(m, name, format, content, buffered)
	}
	if why := Contradiction(name, head); why != "" {
		l.leaveOut(name, why)
		return content.finish()
	}
	return l.deliver(m, content, buffered)
}

// deliver emits a member whose content is r, which reads from content.
func (l *level) deliver(m Member, content *measured, r io.Reader) error {
	l.report.Members++
	emitted := l.emit(m, onlyReader{r})
	if content.err != nil {
		return content.err
	}
	if emitted != nil {
		return emitted
	}
	return content.finish()
}

// skip reads an entry that is left out where the format must unpack it to get
// at what follows.
func (l *level) skip(e entry, name string) error {
	r, err := guard(e.open)
	if err != nil {
		return l.fail(name, err)
	}
	defer release(r)
	return (&measured{level: l, member: name, r: r, metered: e.metered}).finish()
}

// release closes what a decoder opened. What it says then changes nothing.
func release(r io.Closer) {
	_, _ = guard(func() (struct{}, error) { return struct{}{}, r.Close() })
}

// unpackNested unpacks a member that is an archive into a folder of its name.
func (l *level) unpackNested(m Member, name string, format Format, content *measured, r io.Reader) error {
	if format == Gzip || format == Bzip2 {
		return l.unpackCompressed(m, name, content, r)
	}
	s, size, err := spool(r)
	if content.err != nil {
		return content.err
	}
	if err != nil {
		return fmt.Errorf("spool member %q of %q: %w", name, l.name, err)
	}
	return l.descend(m, name, content, s, size)
}

// unpackCompressed leaves a compressed file whole that is not a tar: within a
// folder tree it is part of the design, and its name means something.
func (l *level) unpackCompressed(m Member, name string, content *measured, r io.Reader) error {
	s, size, err := spool(r)
	if content.err != nil {
		return content.err
	}
	if err != nil {
		return fmt.Errorf("spool member %q of %q: %w", name, l.name, err)
	}
	if !isCompressedTar(s, size) {
		return l.deliver(m, content, io.NewSectionReader(s, 0, size))
	}
	return l.descend(m, name, content, s, size)
}

// descend unpacks the spooled archive, unless it is a document.
func (l *level) descend(m Member, name string, content *measured, s spooled, size int64) error {
	format, err := Detect(name, s, size)
	if err != nil {
		return fmt.Errorf("read member %q of %q: %w", name, l.name, err)
	}
	if format == None {
		return l.deliver(m, content, io.NewSectionReader(s, 0, size))
	}
	if l.depth >= l.limits.Depth {
		l.leaveOut(name, "archives are nested too deep: what is in an archive in the archive is read, what is in a further one is not")
		return content.finish()
	}
	inner := &level{
		unpacking: l.unpacking,
		name:      path.Join(l.name, name),
		folder:    m.Name + "/",
		source:    &source{ctx: l.ctx, r: s},
		size:      size,
		depth:     l.depth + 1,
		meter:     &meter{limits: l.meter.limits, packed: size, total: l.meter.total, parent: l.meter},
	}
	return inner.unpack()
}
