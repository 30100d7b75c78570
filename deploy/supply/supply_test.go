package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

const mit = `MIT License

Copyright (c) 2026 Somebody

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
`

func moduleCache(t *testing.T, licences map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for at, text := range licences {
		file := filepath.Join(dir, at)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestLicences(t *testing.T) {
	t.Parallel()
	dir := moduleCache(t, map[string]string{
		"good.example/!a@v1.0.0/LICENSE.md":   mit,
		"quoted.example/g@v1.0.0/LICENSE":     "G is distributed under this licence:\n\n> " + strings.ReplaceAll(mit, "\n", "\n> "),
		"copyleft.example/b@v1.0.0/COPYING":   "GNU GENERAL PUBLIC LICENSE\nVersion 3, 29 June 2007\n\nThis program is free software: you can redistribute it and/or modify it under the terms of the GNU General Public License as published by the Free Software Foundation, either version 3 of the License, or (at your option) any later version.\n",
		"unknown.example/c@v1.0.0/LICENSE":    "You may look at it on Tuesdays.",
		"none.example/d@v1.0.0/README":        mit,
		"mostly.example/e@v1.0.0/LICENSE.txt": mit + strings.Repeat("You must also send us all that you earn with it, each year again. ", 40),
	})
	for path, want := range map[string]string{
		"good.example/A": "", "quoted.example/g": "", "copyleft.example/b": "GPL-3.0", "unknown.example/c": "no licence that is known", "none.example/d": "no licence",
		"mostly.example/e": "must read the rest", "missing.example/f": "no such file",
	} {
		var out bytes.Buffer
		err := checkLicences(&out, dir, []module{{Path: path, Version: "v1.0.0"}})
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
		if !strings.HasPrefix(out.String(), path+" v1.0.0: ") {
			t.Errorf("%s: printed %q, want the line of %s v1.0.0", path, out.String(), path)
		}
	}
}

// TestBill: the bill of this very program, twice the same.
func TestBill(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var first, second bytes.Buffer
	for _, out := range []*bytes.Buffer{&first, &second} {
		if err := run([]string{"sbom", program}, out); err != nil {
			t.Fatal(err)
		}
	}
	if first.String() != second.String() {
		t.Errorf("the bill is another one the second time:\n%s\nwas\n%s", &second, &first)
	}
	components, dependencies := readBill(t, &first)
	own := slices.IndexFunc(components, func(c cdx.Component) bool { return c.Name == "stdlib" })
	if own < 1 || components[own].Version == "" || len(dependencies) != 1 || len(*dependencies[0].Dependencies) != len(components)-1 {
		t.Errorf("components %+v, dependencies %+v: want the version of stdlib, and one program that uses all others", components, dependencies)
	}
}

// readBill reads a bill as whoever gets it does.
func readBill(t *testing.T, in io.Reader) ([]cdx.Component, []cdx.Dependency) {
	t.Helper()
	var b cdx.BOM
	if err := cdx.NewBOMDecoder(in, cdx.BOMFileFormatJSON).Decode(&b); err != nil {
		t.Fatal(err)
	}
	if b.Components == nil || b.Dependencies == nil || b.SerialNumber != "" || b.Metadata != nil {
		t.Fatalf("bill %+v, want components and dependencies, and nothing that changes", b)
	}
	return *b.Components, *b.Dependencies
}

// TestBillOfSeveral: a module of two programs stands there once, and both say
// that they use it.
func TestBillOfSeveral(t *testing.T) {
	t.Parallel()
	m := module{"a.example/b", "v1.2.3", "h1:AAAA"}
	var out bytes.Buffer
	if err := writeBill(&out, []program{{"one", "go1.26", []module{m}, nil}, {"two", "go1.26", []module{m}, nil}}); err != nil {
		t.Fatal(err)
	}
	components, dependencies := readBill(t, &out)
	if len(components) != 4 || components[2].PackageURL != "pkg:golang/a.example/b@v1.2.3" || (*components[2].Properties)[0].Value != "000000" {
		t.Fatalf("components %+v, want two programs, the module and stdlib", components)
	}
	for _, d := range dependencies {
		if uses := *d.Dependencies; len(uses) != 2 || uses[1] != components[2].BOMRef {
			t.Errorf("%s uses %v, want stdlib and %s", d.Ref, uses, components[2].BOMRef)
		}
	}
}

func TestUsage(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{nil, {"sbom"}, {"what", "x"}, {"sbom", filepath.Join(t.TempDir(), "none")}} {
		if err := run(args, &bytes.Buffer{}); err == nil {
			t.Errorf("run(%q) = nil, want an error", args)
		}
	}
}

// TestFonts: a font that a program holds stands in its bill, and its licence is one of
// those allowed. What it does not hold does not.
func TestFonts(t *testing.T) {
	t.Parallel()
	droid, err := os.ReadFile(filepath.Join(fontDir, "droid", "DroidSansFallbackFull.ttf.zst"))
	if err != nil {
		t.Fatal(err)
	}
	found, err := typefaces(fontDir, append([]byte("\x7fELF"), droid...))
	if err != nil || len(found) != 1 || found[0].name != "DroidSansFallbackFull" {
		t.Fatalf("typefaces in a program with Droid Sans: %+v, %v; want DroidSansFallbackFull", found, err)
	}
	var out bytes.Buffer
	if err := writeBill(&out, []program{{"one", "go1.26", nil, found}}); err != nil || strings.Count(out.String(), found[0].ref()) != 2 {
		t.Errorf("bill of a program: %v, want %s in it twice; got\n%s", err, found[0].ref(), &out)
	}
	var report bytes.Buffer
	if err := checkFonts(&report, found); err != nil || report.String() != "font DroidSansFallbackFull: Apache-2.0\n" {
		t.Errorf("checkFonts(%+v) = %v, says %q; want Apache-2.0", found, err, &report)
	}
	for _, dir := range []string{"noto", "nanum", "bizud"} {
		if ids, err := licencesOf(filepath.Join(fontDir, dir)); err != nil || len(ids) != 1 || ids[0] != "OFL-1.1" {
			t.Errorf("licences of %s: %v, %v; want OFL-1.1", dir, ids, err)
		}
	}
	if err := checkFonts(&report, []typeface{{"none", t.TempDir(), "0123456789abcdef"}}); err == nil {
		t.Error("a font without a licence passes")
	}
}
