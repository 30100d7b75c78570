package main

import (
	"cmp"
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// ours is the path that modules of this repository begin with.
const ours = "boardorder/"

// program is one built program and what it was built from.
type program struct {
	name, goVersion string
	modules         []module
	fonts           []typeface
}

// module is one dependency at the version that was built.
type module struct{ Path, Version, Sum string }

func read(paths []string) ([]program, error) {
	if len(paths) == 0 {
		return nil, errors.New(usage)
	}
	var out []program
	for _, p := range paths {
		info, err := buildinfo.ReadFile(p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p, err)
		}
		built := program{name: filepath.Base(p), goVersion: info.GoVersion}
		for _, d := range info.Deps {
			if d.Replace != nil {
				d = d.Replace
			}
			if !strings.HasPrefix(d.Path, ours) && !strings.HasPrefix(d.Path, ".") {
				built.modules = append(built.modules, module{d.Path, d.Version, d.Sum})
			}
		}
		code, err := os.ReadFile(p)
		if err != nil {
			return nil, err
		}
		if built.fonts, err = typefaces(fontDir, code); err != nil {
			return nil, err
		}
		out = append(out, built)
	}
	return out, nil
}

// modules are those of all programs, each version once, in order.
func modules(programs []program) []module {
	var all []module
	for _, p := range programs {
		all = append(all, p.modules...)
	}
	slices.SortFunc(all, func(a, b module) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Version, b.Version)) })
	return slices.Compact(all)
}
