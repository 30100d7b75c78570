package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/archive"
	"boardorder/pkg/board/gerber"
	"boardorder/pkg/board/reader"
)

// load gives the files of an upload, archives unpacked.
func load(dir string) ([]reader.File, error) {
	var out []reader.File
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		files, err := unpack(filepath.ToSlash(rel), data)
		out = append(out, files...)
		return err
	})
	return out, err
}

func unpack(name string, data []byte) ([]reader.File, error) {
	format, err := archive.Detect(name, bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	if format == archive.None {
		return []reader.File{{Name: name, Data: data}}, nil
	}
	var out []reader.File
	_, err = archive.Unpack(context.Background(), name, bytes.NewReader(data), int64(len(data)), archive.DefaultLimits(),
		func(m archive.Member, r io.Reader) error {
			content, err := io.ReadAll(r)
			out = append(out, reader.File{Name: name + "!/" + m.Name, Data: content})
			return err
		})
	if refused := (*archive.Error)(nil); errors.As(err, &refused) {
		return nil, nil // a damaged archive has nothing to time
	}
	return out, err
}

// patience is how long another program may take.
const patience = 5 * time.Minute

// others times the other programs on the same files.
func (m *times) others(files []reader.File, runs int) {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return
	}
	defer os.RemoveAll(dir)
	var gerbers []string
	project := ""
	for i, f := range files {
		pcb := strings.HasSuffix(f.Name, ".kicad_pcb")
		if !pcb && !isGerber(f.Data) {
			continue
		}
		path := filepath.Join(dir, strconv.Itoa(i)+filepath.Ext(f.Name))
		if err := os.WriteFile(path, f.Data, 0o600); err != nil {
			return
		}
		if pcb {
			project = path
			continue
		}
		gerbers = append(gerbers, path)
	}
	if len(gerbers) > 0 {
		args := append([]string{"-x", "png", "-D", "600", "-B", "0", "-o", filepath.Join(dir, "out.png")}, gerbers...)
		m.gerbv = timed(runs, "gerbv", args...)
	}
	if project != "" {
		m.load = timed(runs, "python3", "-c", "import sys, pcbnew; pcbnew.LoadBoard(sys.argv[1])", project)
	}
}

// isGerber tells whether data reads as a Gerber file that draws something.
func isGerber(data []byte) bool {
	if !bytes.Contains(data[:min(len(data), 64<<10)], []byte("%FS")) {
		return false
	}
	f := gerber.Read("", data, gerber.Options{})
	return len(f.Layer.Features) > 0 && f.Unknown <= f.Commands/100
}

// timed runs a program; 0 when it is not there or fails.
func timed(runs int, name string, args ...string) time.Duration {
	if _, err := exec.LookPath(name); err != nil {
		return 0
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	failed := false
	d := best(runs, func() {
		if !failed {
			failed = exec.CommandContext(ctx, name, args...).Run() != nil
		}
	})
	if failed {
		return 0
	}
	return d
}
