// Package truth holds what is true of designs that the program was not made with,
// by sources other than the program, and how it did on them when it met them first.
// The designs are not here, since their licences vary: a row names the repository,
// the commit and the paths.
//
//   - setN.csv has a row for each design of a set, with the source of what is stated;
//   - setN-roles.csv what each file is for;
//   - setN-sold.csv what else is sold: a row for each property of a design;
//   - runs.csv, answers.csv and misses.csv the first run of each set.
package truth

import (
	"embed"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

//go:embed testdata/*.csv
var tables embed.FS

// Design is what is true of one design.
type Design struct {
	Layers        int     // copper; 0 is not known
	Width, Height float64 // mm; 0 is not known
	Panel         bool    // several boards in one outline
	Files         []File
	Sold          map[string]string // by property; see [Unstated]
}

// Unstated is the value of a property of which a design's files say nothing: whoever
// claims to have it from a file is wrong. A property without a row is not known.
const Unstated = "-"

// File is what one file is for. The role is that of [board.Role] in words, or "none"
// for a file that builds nothing, such as a drawing; the side is top, inner or bottom,
// of a drill file its plating; empty is not known.
type File struct{ Name, Role, Side string }

// Designs reads what is known of the designs of all sets, by name.
func Designs() (map[string]*Design, error) { return designs(tables) }

func designs(from fs.FS) (map[string]*Design, error) {
	all := map[string]*Design{}
	err := visitRows(from, "testdata/set*.csv", func(r map[string]string) error {
		if all[r["design"]] != nil {
			return errors.New("stated twice")
		}
		d, err := design(r)
		all[r["design"]] = d
		return err
	})
	if err != nil {
		return nil, err
	}
	err = visitRows(from, "testdata/set*-roles.csv", func(r map[string]string) error {
		d := all[r["design"]]
		if d == nil {
			return errors.New("in no set")
		}
		d.Files = append(d.Files, File{Name: r["file"], Role: r["role"], Side: r["side"]})
		return nil
	})
	if err != nil {
		return nil, err
	}
	return all, visitRows(from, "testdata/set*-sold.csv", func(r map[string]string) error {
		d := all[r["design"]]
		if d == nil {
			return errors.New("in no set")
		}
		d.Sold[r["property"]] = r["value"]
		return nil
	})
}

func design(r map[string]string) (*Design, error) {
	layers, err := number(r["layers"])
	width, wrong := number(r["width"])
	height, wrongToo := number(r["height"])
	return &Design{
		Layers: int(layers), Width: width, Height: height, Panel: r["panel"] == "yes", Sold: map[string]string{},
	}, errors.Join(err, wrong, wrongToo)
}

// number reads one; nothing is 0.
func number(s string) (float64, error) {
	if s == "" {
		return 0, nil
	}
	return strconv.ParseFloat(s, 64)
}

// visitRows calls f for every row of the tables of one pattern, by the names of their
// columns. The tables of designs are those without a second word in their name.
func visitRows(from fs.FS, pattern string, f func(map[string]string) error) error {
	names, err := fs.Glob(from, pattern)
	if err != nil {
		return err
	}
	for _, name := range names {
		if strings.Count(name, "-") != strings.Count(pattern, "-") {
			continue
		}
		rows, err := table(from, name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for _, r := range rows {
			if err := f(r); err != nil {
				return fmt.Errorf("%s: %s: %w", name, r["design"], err)
			}
		}
	}
	return nil
}

func table(from fs.FS, name string) ([]map[string]string, error) {
	f, err := from.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	var out []map[string]string
	for _, row := range all[min(1, len(all)):] {
		r := map[string]string{}
		for i, v := range row {
			r[all[0][i]] = v
		}
		out = append(out, r)
	}
	return out, nil
}
