package main

import (
	"embed"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
)

// truths are what is known of the designs of each set. The designs are not here:
// their licences vary. A row names the repository, the commit and the paths.
//
//go:embed testdata/*.csv
var truths embed.FS

// truth is what is true of one design, by sources other than this program.
type truth struct {
	layers        int     // copper; 0 is not known
	width, height float64 // mm; 0 is not known
	panel         bool    // several boards in one outline
	files         []fileTruth
}

// fileTruth is what one file is for. The role is that of [board.Role] in words, or
// "none" for a file that builds nothing, such as a drawing; the side is top, inner
// or bottom, of a drill file its plating; empty is not known.
type fileTruth struct{ name, role, side string }

// readTruth reads what is known of the designs of all sets, by name.
func readTruth(from fs.FS) (map[string]*truth, error) {
	all := map[string]*truth{}
	designs, err := rows(from, "testdata/set?.csv")
	if err != nil {
		return nil, err
	}
	for _, r := range designs {
		t, err := designTruth(r)
		if err != nil {
			return nil, fmt.Errorf("truth of %s: %w", r["design"], err)
		}
		if all[r["design"]] != nil {
			return nil, fmt.Errorf("truth of %s: stated twice", r["design"])
		}
		all[r["design"]] = t
	}
	roles, err := rows(from, "testdata/set?-roles.csv")
	if err != nil {
		return nil, err
	}
	for _, r := range roles {
		t := all[r["design"]]
		if t == nil {
			return nil, fmt.Errorf("a role of %s, which is in no set", r["design"])
		}
		t.files = append(t.files, fileTruth{name: r["file"], role: r["role"], side: r["side"]})
	}
	return all, nil
}

func designTruth(r map[string]string) (*truth, error) {
	t := &truth{panel: r["panel"] == "yes"}
	layers, err := optional(r["layers"])
	t.layers = int(layers)
	t.width, err = also(err, r["width"])
	t.height, err = also(err, r["height"])
	return t, err
}

func also(err error, s string) (float64, error) {
	v, failed := optional(s)
	return v, errors.Join(err, failed)
}

// optional reads a number; nothing is 0.
func optional(s string) (float64, error) {
	if s == "" {
		return 0, nil
	}
	return strconv.ParseFloat(s, 64)
}

// rows are those of all tables that match, by the names of their columns.
func rows(from fs.FS, pattern string) ([]map[string]string, error) {
	names, err := fs.Glob(from, pattern)
	if err != nil {
		return nil, err
	}
	var out []map[string]string
	for _, name := range names {
		f, err := from.Open(name)
		if err != nil {
			return nil, err
		}
		table, err := csv.NewReader(f).ReadAll()
		f.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, row := range table[min(1, len(table)):] {
			m := map[string]string{}
			for i, v := range row {
				m[table[0][i]] = v
			}
			out = append(out, m)
		}
	}
	return out, nil
}
