// Package kicadcli asks KiCad for its own opinion on a KiCad board, where its
// command line program is installed, and compares it with ours. Nothing depends on
// it being there.
package kicadcli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"time"

	"boardorder/pkg/board/upload"
)

// A Tool is KiCad's command line program. The zero Tool is none.
type Tool struct {
	Path string
	// Limit is how long a check may take; 0 means a minute.
	Limit time.Duration
}

// Find looks for the program on PATH.
func Find() Tool {
	p, err := exec.LookPath("kicad-cli")
	if err != nil {
		return Tool{}
	}
	return Tool{Path: p}
}

// ErrNoBoard says that the files hold no KiCad board, or several.
var ErrNoBoard = errors.New("the files do not hold exactly one KiCad board")

// Reads reports whether a check looks at a file of that name.
func Reads(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".kicad_pcb" || ext == ".kicad_pro" || ext == ".kicad_dru"
}

// Check lets KiCad check the board that the files hold, and returns its report,
// for [Parse]. The program sees nothing but a folder of its own, which is gone
// afterwards.
func (t Tool) Check(ctx context.Context, files []upload.File) ([]byte, error) {
	dir, err := os.MkdirTemp("", "kicad-check-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	pcb, err := lay(dir, files)
	if err != nil {
		return nil, err
	}
	out := filepath.Join(dir, "report.json")
	if err := t.run(ctx, dir, "pcb", "drc", "--format", "json", "--units", "mm", "--severity-all", "--output", out, pcb); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(out)
	if err != nil {
		return nil, fmt.Errorf("report of %s: %w", pcb, err)
	}
	return data, nil
}

// run runs the program in dir, which is its home as well.
func (t Tool) run(ctx context.Context, dir string, args ...string) error {
	limit := t.Limit
	if limit <= 0 {
		limit = time.Minute
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, t.Path, args...)
	cmd.Dir = dir
	cmd.Env = []string{"HOME=" + dir, "KICAD_CONFIG_HOME=" + dir, "TMPDIR=" + dir, "LANG=C.UTF-8", "PATH=" + os.Getenv("PATH")}
	cmd.WaitDelay = time.Second // for what it may have started
	output := &tail{}
	cmd.Stdout, cmd.Stderr = output, output
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		return fmt.Errorf("kicad-cli: %w: %s", err, strings.TrimSpace(string(output.data)))
	}
	return nil
}

// tail keeps the beginning of what a program says.
type tail struct{ data []byte }

func (t *tail) Write(p []byte) (int, error) {
	const most = 2000
	t.data = append(t.data, p[:min(len(p), most-len(t.data))]...)
	return len(p), nil
}

// lay puts the board, and its project and rules, into dir under plain names.
func lay(dir string, files []upload.File) (pcb string, err error) {
	var board *upload.File
	for i := range files {
		if strings.EqualFold(path.Ext(files[i].Name), ".kicad_pcb") {
			if board != nil {
				return "", ErrNoBoard
			}
			board = &files[i]
		}
	}
	if board == nil {
		return "", ErrNoBoard
	}
	base := strings.TrimSuffix(board.Name, path.Ext(board.Name))
	pcb = filepath.Join(dir, "board.kicad_pcb")
	if err := os.WriteFile(pcb, board.Data, 0o600); err != nil {
		return "", err
	}
	for _, f := range files {
		ext := strings.ToLower(path.Ext(f.Name))
		if ext != ".kicad_pro" && ext != ".kicad_dru" || strings.TrimSuffix(f.Name, path.Ext(f.Name)) != base {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, "board"+ext), f.Data, 0o600); err != nil {
			return "", err
		}
	}
	return pcb, nil
}
