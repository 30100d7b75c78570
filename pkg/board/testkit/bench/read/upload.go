package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"boardorder/pkg/board/format/gerber"
	"boardorder/pkg/board/testkit/corpus"
	"boardorder/pkg/board/upload/classify"
)

// design is an upload laid out on disk, unpacked, in folders by who can read what.
type design struct {
	dir     string
	bytes   int64
	gerbers []string // paths below dir, as all following
	artwork []string // Gerbers and drill files
	boards  []string // .kicad_pcb
}

// Folders of an upload.
const (
	everything  = "all"
	gerberFiles = "gerbers"
	artFiles    = "artwork"
	pcbFiles    = "kicad"
	pictures    = "pictures"
)

// layOut writes the files of a design below dir.
func layOut(dir string, files []corpus.File) (*design, error) {
	u := &design{dir: dir}
	formats := classify.Classify(corpus.ConvertFiles[classify.File](files)).Results
	for i, f := range files {
		u.bytes += int64(len(f.Data))
		if err := u.put(everything, f, nil); err != nil {
			return nil, err
		}
		isGerber, err := isGerber(f.Data), error(nil)
		if isGerber {
			err = u.put(gerberFiles, f, &u.gerbers)
		}
		if err == nil && (isGerber || formats[i].Format == classify.FormatExcellon) {
			err = u.put(artFiles, f, &u.artwork)
		}
		if err == nil && strings.HasSuffix(f.Name, ".kicad_pcb") {
			err = u.put(pcbFiles, f, &u.boards)
		}
		if err != nil {
			return nil, err
		}
	}
	return u, os.MkdirAll(filepath.Join(dir, pictures), 0o700)
}

// put writes a file into one of the folders and notes its path.
func (u *design) put(folder string, f corpus.File, paths *[]string) error {
	if !filepath.IsLocal(filepath.FromSlash(f.Name)) {
		return nil
	}
	path := filepath.Join(u.dir, folder, filepath.FromSlash(f.Name))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("lay out the design: %w", err)
	}
	if err := os.WriteFile(path, f.Data, 0o600); err != nil {
		return fmt.Errorf("lay out the design: %w", err)
	}
	if paths != nil {
		*paths = append(*paths, path)
	}
	return nil
}

// isGerber tells whether data reads as a Gerber file that draws something.
func isGerber(data []byte) bool {
	if !bytes.Contains(data[:min(len(data), 64<<10)], []byte("%FS")) {
		return false
	}
	f := gerber.Read(context.Background(), "", data, gerber.Options{})
	return len(f.Layer.Features) > 0 && f.Unknown <= f.Commands/100
}
