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
)

// A licence is known by sentences that all have to stand in its text.
type licence struct {
	id        string
	size      int // of its text, about, in bytes
	sentences []string
}

// allowed are the licences that may be shipped: all of them let the programs be
// given on as binaries, with their notices.
var allowed = []licence{
	{"Apache-2.0", 11_400, []string{"apache license version 2.0, january 2004", "grant of patent license", "disclaimer of warranty"}},
	{"MIT", 1_100, []string{"permission is hereby granted, free of charge, to any person obtaining a copy", "to deal in the software without restriction", "the software is provided \"as is\""}},
	{"BSD-3-Clause", 1_500, []string{"redistribution and use in source and binary forms, with or without modification, are permitted", "neither the name", "this software is provided by the copyright"}},
	{"BSD-2-Clause", 1_300, []string{"redistribution and use in source and binary forms, with or without modification, are permitted", "redistributions in binary form must reproduce the above copyright notice", "this software is provided by the copyright"}},
	{"ISC", 800, []string{"permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted"}},
	{"MPL-2.0", 16_800, []string{"\"covered software\" means", "mozilla public license", "incompatible with secondary licenses"}},
	{"Unlicense", 1_200, []string{"this is free and unencumbered software released into the public domain"}},
	{"CC0-1.0", 7_000, []string{"cc0 1.0 universal", "affirmer hereby overtly, fully, permanently"}},
	{"OFL-1.1", 4_000, []string{"sil open font license version 1.1", "the font software is provided \"as is\"", "must be distributed entirely under this license"}},
	{"Zlib", 900, []string{"this notice may not be removed or altered from any source distribution", "must not be misrepresented"}},
}

// reviewed are files that people have read, by the SHA-256 of their text: when
// the text changes it is to be read again.
var reviewed = map[string]string{
	"f597097efe3d97021f89170746bd3a0fb9a8b6fb26b82043ed68a4e0283bee6c": "modernc.org/libc: notices of Go, musl and others, all MIT or BSD",
	"4194f8e7119be72babd499db4f6f1f7547e36e8a7bffcb2b9c8df241b8f1576a": "modernc.org/sqlite: notices of what is linked in, all MIT, BSD or public domain",
	"8438c9c89b849131ead81d5435cb97fcf052df5b0b286dda8a2d4c29e6cb3fd0": "modernc.org/sqlite: SQLite is in the public domain",
	"5ae5bee3072a841376451b48d8cfcec7188e10543926d5870828d36c8a750dc5": "modernc.org/memory: where its logo comes from, which is not shipped",
}

// refused are words of licences that may not be shipped this way.
var refused = []string{
	"gnu general public license", "gnu affero", "gnu lesser", "server side public license", "business source license", "commons clause", "elastic license",
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
		ids, err := classify(string(text))
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

// classify names the licences of a text. One that holds much more than they do
// may add terms of its own.
func classify(text string) (ids []string, err error) {
	plain := strings.Join(strings.Fields(strings.NewReplacer("“", `"`, "”", `"`, "//", " ", "*", " ", ">", " ").Replace(strings.ToLower(text))), " ")
	for _, words := range refused {
		if strings.Contains(plain, words) && !strings.Contains(plain, "mozilla public license") {
			return nil, fmt.Errorf("it speaks of the %s", words)
		}
	}
	size := 0
	for _, l := range allowed {
		if !slices.ContainsFunc(l.sentences, func(s string) bool { return !strings.Contains(plain, s) }) &&
			!(l.id == "BSD-2-Clause" && slices.Contains(ids, "BSD-3-Clause")) {
			ids, size = append(ids, l.id), size+l.size*max(strings.Count(plain, l.sentences[0]), 1)
		}
	}
	switch {
	case len(ids) == 0:
		return nil, errors.New("no licence that is known")
	case len(plain) > size*3/2+1500:
		return ids, errors.New("it holds more than the licences that are known")
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
