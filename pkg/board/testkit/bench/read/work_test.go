package main

import (
	"encoding/json"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestOurWork(t *testing.T) {
	t.Parallel()
	dir, out := t.TempDir(), t.TempDir()
	u, err := layOut(dir, generate(50))
	if err != nil {
		t.Fatal(err)
	}
	if len(u.gerbers) != 3 || len(u.artwork) != 4 || len(u.boards) != 0 {
		t.Fatalf("laid out %d Gerbers, %d artwork files, %d boards; want 3, 4, 0", len(u.gerbers), len(u.artwork), len(u.boards))
	}
	tests := []struct {
		work, folder string
		objects      int
		pictures     []string
	}{
		{"facts", everything, 2*50 + 4, nil},
		{"layers", gerberFiles, 2*50 + 4, []string{"layers.png"}},
		{"svg", artFiles, 2*50 + 4, nil},
		{"sides", artFiles, 2*50 + 4, []string{"0top.png", "0bottom.png"}},
	}
	work, err := build(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		reported, err := exec.Command(work, "-out", out, tt.work, filepath.Join(dir, tt.folder)).Output()
		if err != nil {
			t.Fatalf("%s: %v", tt.work, err)
		}
		var d done
		if err := json.Unmarshal(reported, &d); err != nil || d.Boards != 1 || d.Objects != tt.objects {
			t.Errorf("%s: %+v, %v; want 1 board of %d objects", tt.work, d, err, tt.objects)
		}
		for _, name := range tt.pictures {
			f, err := os.Open(filepath.Join(out, name))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := png.Decode(f); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			f.Close()
		}
	}
	if err := exec.Command(work, "nothing", dir).Run(); err == nil {
		t.Error("unknown work is done")
	}
}
