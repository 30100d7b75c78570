package designcheck

import (
	"archive/zip"
	"fmt"
	"io"
	"path"
	"slices"

	"boardorder/pkg/board/gerberout"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload"
	"boardorder/pkg/board/upload/classify"
)

// buildSources tells what a board is built from, where that is not the whole upload: artwork
// that is plotted of a board of a design tool's project, its own files where the upload
// holds several boards.
func (m *maker) buildSources(b *pcb.Board, p *pcb.Project) (plot bool, own []upload.File) {
	switch {
	case !artworkOf(b.Name, p.Files):
		return true, nil
	case len(p.Boards) > 1 || !m.answers.Empty():
		own = filesOf(b.Name, m.selectFiles(), p.Files)
	}
	return false, own
}

// packBoard makes the package of a board that has one of its own: of plotted artwork, or
// of its files.
func (m *maker) packBoard(name string, b *pcb.Board, plot bool, own []upload.File) error {
	if plot {
		var err error
		if own, err = plotFiles(b); err != nil {
			return fmt.Errorf("plot %s: %w", b.Name, err)
		}
	}
	if note := m.answers.Words(); note != "" {
		own = append(own, upload.File{Name: answersFile, Data: []byte(note)})
	}
	return m.pack(name, own)
}

// answersFile is what a package tells the fabricator in that the files leave open.
const answersFile = "READ-FIRST-about-these-files.txt"

// selectFiles are the files that the customer does not leave out.
func (m *maker) selectFiles() []upload.File {
	if m.answers == nil {
		return m.files
	}
	return slices.DeleteFunc(slices.Clone(m.files), func(f upload.File) bool { return slices.Contains(m.answers.LeaveOut, f.Name) })
}

// plotFiles makes the artwork of a board. It bears no date: the same files give
// the same package.
func plotFiles(b *pcb.Board) ([]upload.File, error) {
	plotted, err := gerberout.Files(b, gerberout.Options{Vendor: "boardorder", Application: "design-check", Version: Version})
	if err != nil {
		return nil, err
	}
	out := make([]upload.File, len(plotted))
	for i, f := range plotted {
		out[i] = upload.File(f)
	}
	return out, nil
}

// artworkOf reports whether a board was read from artwork or drill files, which can
// be built from as they are.
func artworkOf(name string, reports []pcb.FileReport) bool {
	for _, r := range reports {
		if r.Board == name && r.Used && (r.Format == classify.FormatGerber || r.Format == classify.FormatExcellon) {
			return true
		}
	}
	return false
}

// filesOf are the files that were read as one board's, and those of no board
// that lie with them or with no board at all: what was not understood, a readme
// or a drawing may be what the fabricator needs.
func filesOf(name string, files []upload.File, reports []pcb.FileReport) []upload.File {
	of := make(map[string]string, len(reports))
	homes := map[string]map[string]bool{}
	for _, r := range reports {
		of[r.Name] = r.Board
		if r.Board != "" {
			dir := path.Dir(r.Name)
			if homes[dir] == nil {
				homes[dir] = map[string]bool{}
			}
			homes[dir][r.Board] = true
		}
	}
	var own []upload.File
	for _, f := range files {
		if b := of[f.Name]; b == name || b == "" && goesWith(name, f.Name, homes) {
			own = append(own, f)
		}
	}
	return own
}

// goesWith reports whether a file of no board belongs to the named one's: the
// nearest folder above it that holds files of boards decides; without any it is
// everybody's.
func goesWith(name, file string, homes map[string]map[string]bool) bool {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if boards := homes[dir]; boards != nil {
			return boards[name]
		}
		if dir == "." || dir == "/" {
			return true
		}
	}
}

// pack puts files into one zip: what is built is what was priced, also when the
// upload itself has expired.
func (m *maker) pack(name string, files []upload.File) error {
	err := m.put(name, zipType, func(w io.Writer) error { return writeZip(w, files) })
	if err != nil {
		return fmt.Errorf("pack files: %w", err)
	}
	return nil
}

func writeZip(w io.Writer, files []upload.File) error {
	z := zip.NewWriter(w)
	for _, f := range files {
		member, err := z.Create(f.Name)
		if err != nil {
			return err
		}
		if _, err := member.Write(f.Data); err != nil {
			return err
		}
	}
	return z.Close()
}
