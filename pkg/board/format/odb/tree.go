package odb

import (
	"path"
	"slices"
	"strings"
)

// File is one file of an upload.
type File struct {
	Name string // path within the upload
	Data []byte
}

// maxUnpacked bounds what one compressed member unpacks to.
const maxUnpacked = 512 << 20

// Roots gives the folders, as prefixes of the names, that hold an ODB++ job: each
// has a matrix/matrix in it. "" is the upload itself.
func Roots(names []string) []string {
	var roots []string
	for _, n := range names {
		low := strings.TrimSuffix(strings.ToLower(n), ".z")
		if low == "matrix/matrix" || strings.HasSuffix(low, "/matrix/matrix") {
			roots = append(roots, n[:len(low)-len("matrix/matrix")])
		}
	}
	slices.Sort(roots)
	return slices.Compact(roots)
}

// A tree is the files of one job, by lower-case path below its root.
type tree struct {
	root  string
	files map[string]File
	paths []string // sorted
}

// newTree takes the files below root that belong to no deeper root.
func newTree(root string, files []File, roots []string) *tree {
	t := &tree{root: root, files: map[string]File{}}
	for _, f := range files {
		if !strings.HasPrefix(f.Name, root) || deeper(f.Name, root, roots) {
			continue
		}
		p := strings.ToLower(f.Name[len(root):])
		if _, ok := t.files[p]; !ok {
			t.files[p] = f
			t.paths = append(t.paths, p)
		}
	}
	slices.Sort(t.paths)
	return t
}

func deeper(name, root string, roots []string) bool {
	for _, r := range roots {
		if len(r) > len(root) && strings.HasPrefix(name, r) {
			return true
		}
	}
	return false
}

// open gives a file by its path below the root, unpacked; ok is false where there
// is none, and fault says what was wrong with its packing.
func (t *tree) open(p string) (f File, fault error, ok bool) {
	p = strings.ToLower(p)
	if f, ok = t.files[p]; ok {
		return f, nil, true
	}
	if f, ok = t.files[p+".z"]; ok {
		f.Data, fault = uncompress(f.Data, maxUnpacked)
		return f, fault, true
	}
	return File{}, nil, false
}

// folders gives the names of the folders directly in dir.
func (t *tree) folders(dir string) []string {
	dir = strings.ToLower(dir) + "/"
	var out []string
	i, _ := slices.BinarySearch(t.paths, dir)
	for _, p := range t.paths[i:] {
		rest, ok := strings.CutPrefix(p, dir)
		if !ok {
			break
		}
		if name, _, isDir := strings.Cut(rest, "/"); isDir && (len(out) == 0 || out[len(out)-1] != name) {
			out = append(out, name)
		}
	}
	return out
}

// name is what the job is called: the last folder of its root, or the archive.
func (t *tree) name() string {
	root := strings.TrimSuffix(t.root, "/")
	root = strings.TrimSuffix(root, "!")
	if root == "" {
		return "odb"
	}
	base := path.Base(root)
	if strings.EqualFold(base, "odb") && strings.Contains(root, "!") {
		archive, _, _ := strings.Cut(root, "!")
		base = path.Base(archive)
	}
	for _, e := range []string{".zip", ".tgz", ".tar.gz", ".tar", ".gz"} {
		base = strings.TrimSuffix(base, e)
	}
	return base
}
