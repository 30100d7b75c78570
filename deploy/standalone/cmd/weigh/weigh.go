package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// A pkg is one folder of Go files.
type pkg struct {
	dir         string // from the root
	code, tests int    // lines
	ships       bool
	program     bool
	imports     []string
}

func (p pkg) ratio() float64 { return float64(p.tests) / float64(max(p.code, 1)) }

// prefix is what the paths of the repository's own packages begin with.
const prefix = "boardorder/"

// apart are folders whose programs are there for tests, measurements and a first look.
var apart = []string{"deploy/apiserver", "deploy/compat", "deploy/manifests", "deploy/simulator", "deploy/standalone", "pkg/board/testkit"}

// weigh counts the lines of every package below root.
func weigh(root fs.FS) ([]pkg, error) {
	packages := map[string]*pkg{}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		switch base := path.Base(name); {
		case err != nil:
			return err
		case d.IsDir() && name != "." && (base == "testdata" || base == "data" || base[0] == '.' || base[0] == '_'):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(base, ".go"):
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		dir := path.Dir(name)
		if packages[dir] == nil {
			packages[dir] = &pkg{dir: dir}
		}
		return packages[dir].add(name, text)
	})
	if err != nil {
		return nil, err
	}
	for _, p := range packages {
		if p.program && !slices.ContainsFunc(apart, func(folder string) bool { return isBelow(p.dir, folder) }) {
			ship(packages, p)
		}
	}
	var all []pkg
	for _, dir := range slices.Sorted(maps.Keys(packages)) {
		all = append(all, *packages[dir])
	}
	return all, nil
}

func isBelow(dir, folder string) bool { return dir == folder || strings.HasPrefix(dir, folder+"/") }

// ship marks a package and whatever it imports.
func ship(packages map[string]*pkg, p *pkg) {
	if p == nil || p.ships {
		return
	}
	p.ships = true
	for _, name := range p.imports {
		if dir, ours := strings.CutPrefix(name, prefix); ours {
			ship(packages, packages[dir])
		}
	}
}

// add counts one file of the package.
func (p *pkg) add(name string, text []byte) error {
	file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		return err
	}
	count := 0
	if !ast.IsGenerated(file) {
		count = lines(text)
	}
	if strings.HasSuffix(name, "_test.go") {
		p.tests += count
		return nil
	}
	p.code += count
	p.program = p.program || file.Name.Name == "main"
	for _, i := range file.Imports {
		name, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			return err
		}
		p.imports = append(p.imports, name)
	}
	return nil
}

// lines counts the lines of a Go file that hold a token or a part of one.
func lines(text []byte) int {
	file := token.NewFileSet().AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(file, text, nil, 0)
	count, last := 0, 0
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return count
		}
		if tok == token.SEMICOLON && literal == "\n" {
			continue
		}
		first := file.Line(pos)
		end := first + bytes.Count([]byte(literal), []byte("\n"))
		count += end - max(first-1, last)
		last = end
	}
}
