package client

import (
	"archive/zip"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// errNoFiles says that a folder holds nothing to send.
var errNoFiles = errors.New("no files that could be of a board are in it")

// maxUpload is how much an upload takes, in bytes: one file, and all together.
const maxFile, maxUpload = 50 << 20, 100 << 20

// leftFolder and leftFile are names of what versions, tools and systems leave beside a design.
var (
	leftFolder = regexp.MustCompile(`(?i)^(\..*|node_modules|__MACOSX|__pycache__|__Previews|venv|History|Project Logs for .*|.*-backups)$`)
	leftFile   = regexp.MustCompile(`(?i)^(\..*|Thumbs\.db|desktop\.ini|fp-info-cache|_autosave-.*|~.*|#.*#|.*~|.*\.(bak|orig|swp|tmp|lck|kicad_(pcb|sch|pro)-bak|[bs]#\d))$`)
)

// A packed file is one of a folder that is sent.
type packedFile struct {
	name string // with forward slashes, below the folder
	size int64
}

// listFolder gives the files of a folder that are sent, in the order of their names'
// bytes. Symbolic links are not followed.
func listFolder(folder fs.FS) ([]packedFile, error) {
	var files []packedFile
	err := fs.WalkDir(folder, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && leftFolder.MatchString(path.Base(name)):
			return fs.SkipDir
		case !entry.Type().IsRegular() || leftFile.MatchString(path.Base(name)):
			return nil
		}
		info, err := entry.Info()
		if err == nil {
			files = append(files, packedFile{name, info.Size()})
		}
		return err
	})
	if err == nil && len(files) == 0 {
		err = errNoFiles
	}
	slices.SortFunc(files, func(a, b packedFile) int { return cmp.Compare(a.name, b.name) })
	return files, err
}

// packFolder makes a zip of a folder: the same files are the same bytes.
func packFolder(folder fs.FS) ([]byte, error) {
	files, err := listFolder(folder)
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	w := zip.NewWriter(&packed)
	for _, f := range files {
		if err := addFile(w, folder, f.name); err != nil {
			return nil, err
		}
		if packed.Len() > maxFile {
			return nil, fmt.Errorf("the folder is larger than %d MB when it is packed; give the folder of the board's files alone", maxFile>>20)
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

func addFile(w *zip.Writer, folder fs.FS, name string) error {
	in, err := folder.Open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	member, err := w.CreateHeader(&zip.FileHeader{Name: strings.ReplaceAll(name, `\`, "/"), Method: zip.Deflate})
	if err != nil {
		return err
	}
	if n, err := io.Copy(member, io.LimitReader(in, maxUpload+1)); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	} else if n > maxUpload {
		return fmt.Errorf("%s is larger than %d MB", name, maxUpload>>20)
	}
	return nil
}
