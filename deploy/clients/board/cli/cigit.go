package cli

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// maxBase is how much of the base branch is read, in bytes.
const maxBase = 1 << 30

// refName is a commit or the name of a branch; none begins with what git takes for an option.
var refName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_./-]{0,200}$`)

// checkOutBase writes into a folder what the paths are in another revision, and gives where they lie there.
func checkOutBase(ctx context.Context, ref string, paths []string, folder string) ([]string, error) {
	if !refName.MatchString(ref) || strings.Contains(ref, "..") {
		return nil, errors.New("the base is neither a commit nor a branch")
	}
	here, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	var inside []string
	for _, p := range paths {
		if filepath.IsAbs(p) {
			if p, err = filepath.Rel(here, p); err != nil {
				return nil, err
			}
		}
		if p = filepath.Clean(p); p == "" || !filepath.IsLocal(p) {
			return nil, errors.New("the files lie outside of the repository, so git has no earlier ones")
		}
		inside = append(inside, p)
	}
	if _, err := runGit(ctx, "cat-file", "-e", ref+"^{commit}"); err != nil {
		if _, err := runGit(ctx, "fetch", "--quiet", "--no-tags", "--depth=1", "origin", ref); err != nil {
			return nil, errors.New("git has no such base; check out with fetch-depth: 0")
		}
		ref = "FETCH_HEAD"
	}
	packed, err := runGit(ctx, "archive", "--format=tar", ref, "--", ".")
	if err != nil {
		return nil, errors.New("git cannot give the files of the base")
	}
	if err := unpack(packed, folder); err != nil {
		return nil, err
	}
	var out []string
	for _, p := range inside {
		full := filepath.Join(folder, p)
		if _, err := os.Stat(full); err == nil {
			out = append(out, full)
			continue
		}
		found, err := filepath.Glob(full)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	if len(out) == 0 {
		return nil, errors.New("the base has none of these files")
	}
	return out, nil
}

func runGit(ctx context.Context, args ...string) ([]byte, error) {
	var out bytes.Buffer
	c := exec.CommandContext(ctx, "git", args...)
	c.Stdout = &out
	if err := c.Run(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// unpack writes the plain files of an archive below a folder, and nothing elsewhere.
func unpack(packed []byte, folder string) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close() //nolint:errcheck // nothing is written by it
	left := int64(maxBase)
	for r := tar.NewReader(bytes.NewReader(packed)); ; {
		h, err := r.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("the base: %w", err)
		}
		name := filepath.FromSlash(h.Name)
		if h.Typeflag != tar.TypeReg || !filepath.IsLocal(name) {
			continue
		}
		if left -= h.Size; left < 0 {
			return errors.New("the base is too large to compare with")
		}
		if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		f, err := root.Create(name)
		if err != nil {
			return err
		}
		if _, err := io.Copy(f, r); err != nil { // #nosec G110 -- bounded above, and not packed
			return errors.Join(err, f.Close())
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
}
