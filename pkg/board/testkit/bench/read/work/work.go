package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"boardorder/pkg/board/format/gerber"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/render"
	"boardorder/pkg/board/upload"
	"boardorder/pkg/board/upload/classify"
)

// done is what a process of ours tells about its work.
type done struct {
	Boards, Objects int
	PeakKB          int64 // 0 where the system does not tell
}

// perform does our side of a comparison with the files of a folder.
func perform(w io.Writer, work, dir, out string) error {
	files, err := readFolder(dir)
	if err != nil {
		return fmt.Errorf("read the files: %w", err)
	}
	var d done
	switch work {
	case "facts":
		d.count(upload.Read(context.Background(), files, upload.Options{}).Boards...)
	case "layers":
		b := sheet(files)
		d.count(b)
		err = writeTo(filepath.Join(out, "layers.png"), func(w io.Writer) error {
			return render.StackPNG(context.Background(), w, b, render.Options{DPI: 600, Whole: true, MaxPixels: 1 << 30})
		})
	case "svg", "sides":
		p := upload.Read(context.Background(), files, upload.Options{})
		d.count(p.Boards...)
		err = writeSides(p, out, work == "sides")
	default:
		err = fmt.Errorf("unknown work %q", work)
	}
	if err != nil {
		return err
	}
	d.PeakKB = peak()
	return json.NewEncoder(w).Encode(d)
}

// count notes what was read.
func (d *done) count(boards ...*pcb.Board) {
	d.Boards = len(boards)
	for _, b := range boards {
		for _, l := range b.Layers {
			d.Objects += len(l.Features)
		}
	}
}

// readFolder reads a folder of plain files, several at once.
func readFolder(dir string) ([]upload.File, error) {
	var names []string
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, name)
		}
		return err
	})
	files, errs := make([]upload.File, len(names)), make([]error, len(names))
	var wg sync.WaitGroup
	for i, name := range names {
		wg.Go(func() {
			data, err := os.ReadFile(name)
			rel, relErr := filepath.Rel(dir, name)
			files[i], errs[i] = upload.File{Name: filepath.ToSlash(rel), Data: data}, errors.Join(err, relErr)
		})
	}
	wg.Wait()
	return files, errors.Join(err, errors.Join(errs...))
}

// sheet reads Gerber files, several at once, as the layers of one board, with the
// roles that their names and attributes tell: what gerbv does, no more.
func sheet(files []upload.File) *pcb.Board {
	b := pcb.NewBoard("")
	b.Layers = make([]*pcb.Layer, len(files))
	named := make([]classify.File, len(files))
	var wg sync.WaitGroup
	for i, f := range files {
		named[i] = classify.File(f)
		wg.Go(func() { b.Layers[i] = gerber.Read(context.Background(), f.Name, f.Data, gerber.Options{}).Layer })
	}
	roles := classify.Classify(named).Results
	wg.Wait()
	for i, l := range b.Layers {
		l.Role, l.Side, l.Order = roles[i].Role, roles[i].Side, roles[i].Layer
	}
	return b
}

// writeSides draws the finished top and bottom of every board as SVG and, if
// wanted, as PNG of the size that customers are shown.
func writeSides(p *pcb.Project, out string, pixels bool) error {
	var wg sync.WaitGroup
	errs := make([]error, 4*len(p.Boards))
	for i, b := range p.Boards {
		for j, side := range []pcb.Side{pcb.Top, pcb.Bottom} {
			name := filepath.Join(out, strconv.Itoa(i)+side.String())
			wg.Go(func() {
				errs[4*i+2*j] = writeTo(name+".svg", func(w io.Writer) error { return render.SVG(context.Background(), w, b, side, render.Options{}) })
				if pixels {
					errs[4*i+2*j+1] = writeTo(name+".png", func(w io.Writer) error {
						return render.SidePNG(context.Background(), w, b, side, render.Options{Width: 1200, Height: 1200})
					})
				}
			})
		}
	}
	wg.Wait()
	return errors.Join(errs...)
}

// writeTo writes a picture; one of nothing is left out.
func writeTo(name string, write func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("write a picture: %w", err)
	}
	err = write(f)
	if errors.Is(err, render.ErrNothing) {
		err = nil
	}
	return errors.Join(err, f.Close())
}

// peak is the most memory that this process ever had, in kB.
func peak() int64 {
	f, err := os.Open("/proc/self/status")
	if err != nil {
		return 0
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if rest, ok := strings.CutPrefix(s.Text(), "VmHWM:"); ok {
			kb, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kb
		}
	}
	return 0
}
