package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/google/licensecheck"
)

// allowed are the licences that may be shipped, by their SPDX identifiers: all of them let
// the programs be given on as binaries, with their notices.
var allowed = []string{"Apache-2.0", "MIT", "BSD-3-Clause", "BSD-2-Clause", "ISC", "MPL-2.0", "Unlicense", "CC0-1.0", "OFL-1.1", "Zlib"}

// minCovered is how much of a file its licences make up at least, in percent of the words:
// one that holds much more may add terms of its own.
const minCovered = 70

// reviewed are files that people have read, by the SHA-256 of their text: when
// the text changes it is to be read again.
var reviewed = map[string]string{
	"f597097efe3d97021f89170746bd3a0fb9a8b6fb26b82043ed68a4e0283bee6c": "modernc.org/libc: notices of Go, musl and others, all MIT or BSD",
	"4194f8e7119be72babd499db4f6f1f7547e36e8a7bffcb2b9c8df241b8f1576a": "modernc.org/sqlite: notices of what is linked in, all MIT, BSD or public domain",
	"8438c9c89b849131ead81d5435cb97fcf052df5b0b286dda8a2d4c29e6cb3fd0": "modernc.org/sqlite: SQLite is in the public domain",
	"5ae5bee3072a841376451b48d8cfcec7188e10543926d5870828d36c8a750dc5": "modernc.org/memory: where its logo comes from, which is not shipped",
}

var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|unlicense)([.-].*)?$`)

func checkLicences(out io.Writer, cache string, list []module) error {
	var wrong []error
	for _, m := range list {
		found, err := licencesOf(filepath.Join(cache, escapePath(m.Path)+"@"+escapePath(m.Version)))
		fmt.Fprintf(out, "%s %s: %s\n", m.Path, m.Version, strings.Join(found, ", "))
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s %s: %w", m.Path, m.Version, err))
		}
	}
	return errors.Join(wrong...)
}

// licencesOf gives the licences of a module. It is an error unless each of its
// licence files is known and allowed.
func licencesOf(dir string) (found []string, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.IsDir() || !licenceFile.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		if _, ok := reviewed[fmt.Sprintf("%x", sha256.Sum256(text))]; ok {
			continue
		}
		ids, err := classify(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name(), err)
		}
		found = append(found, ids...)
	}
	if len(found) == 0 {
		return nil, errors.New("it has no licence")
	}
	slices.Sort(found)
	return slices.Compact(found), nil
}

// classify names the licences of a text. It is an error unless all of them are allowed and
// they make up most of it.
func classify(text []byte) (ids []string, err error) {
	covered := licensecheck.Scan(text)
	for _, m := range covered.Match {
		if m.IsURL {
			continue // a link beside the text
		}
		if !slices.Contains(allowed, m.ID) {
			return nil, fmt.Errorf("it is under %s, which is not allowed", m.ID)
		}
		ids = append(ids, m.ID)
	}
	switch {
	case len(ids) == 0:
		return nil, errors.New("no licence that is known")
	case covered.Percent < minCovered:
		return ids, fmt.Errorf("%.0f %% of it are the licences that are known, want %d: somebody must read the rest", covered.Percent, minCovered)
	}
	return ids, nil
}

// escapePath is a path as the module cache spells it: capitals after an
// exclamation mark.
func escapePath(path string) string {
	var out strings.Builder
	for _, r := range path {
		if unicode.IsUpper(r) {
			out.WriteByte('!')
			r = unicode.ToLower(r)
		}
		out.WriteRune(r)
	}
	return out.String()
}
