package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// fontDir is where fonts lie that programs embed, each beside its licence.
const fontDir = "../../pkg/document/internal/fonts"

// A typeface is a font that some program holds.
type typeface struct{ name, dir, sum string }

func (f typeface) ref() string { return "font:" + f.name + "@" + f.sum[:16] }

// typefaces are the fonts of a folder whose bytes stand in a program.
func typefaces(dir string, program []byte) ([]typeface, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*", "*.zst"))
	if err != nil {
		return nil, err
	}
	var out []typeface
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if bytes.Contains(program, data) {
			out = append(out, typeface{strings.TrimSuffix(filepath.Base(file), ".ttf.zst"), filepath.Dir(file), fmt.Sprintf("%x", sha256.Sum256(data))})
		}
	}
	return out, nil
}

// fonts are those of all programs, each once.
func fonts(programs []program) (out []typeface) {
	seen := map[typeface]bool{}
	for _, p := range programs {
		for _, f := range p.fonts {
			if !seen[f] {
				seen[f], out = true, append(out, f)
			}
		}
	}
	return out
}

func checkFonts(out io.Writer, list []typeface) error {
	var wrong []error
	for _, f := range list {
		found, err := licencesOf(f.dir)
		fmt.Fprintf(out, "font %s: %s\n", f.name, strings.Join(found, ", "))
		if err != nil {
			wrong = append(wrong, fmt.Errorf("font %s: %w", f.name, err))
		}
	}
	return errors.Join(wrong...)
}
