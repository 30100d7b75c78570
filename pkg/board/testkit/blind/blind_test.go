package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"boardorder/pkg/board/testkit/blind/truth"
	"boardorder/pkg/board/testkit/faulty"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// writeSketch writes a sketch as an upload and gives its folder.
func writeSketch(t *testing.T, s *faulty.Sketch) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range s.Gerber() {
		require.NoError(t, os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o600))
	}
	return dir
}

// base is what is true of [faulty.Base].
func base() *truth.Design {
	return &truth.Design{Layers: 4, Width: 40, Height: 30, Files: []truth.File{
		{Name: "demo-F_Cu.gbr", Role: "copper", Side: "top"}, {Name: "demo-In1_Cu.gbr", Role: "copper", Side: "inner"}, {Name: "demo-B_Cu.gbr", Role: "copper", Side: "bottom"},
		{Name: "demo-B_Mask.gbr", Role: "mask", Side: "bottom"}, {Name: "demo-Edge_Cuts.gbr", Role: "outline", Side: ""}, {Name: "demo-PTH.drl", Role: "drill", Side: "plated"},
	}}
}

func TestMeasure(t *testing.T) {
	t.Parallel()
	unbounded := faulty.Base()
	unbounded.Drop = map[string]bool{"demo-Edge_Cuts.gbr": true, "demo-job.gbrjob": true}
	for _, c := range []struct {
		name         string
		sketch       *faulty.Sketch
		truth        func(*truth.Design)
		layers, size outcome
		silent       int // files
	}{
		{name: "right", layers: right, size: right},
		{name: "layers wrong", truth: func(t *truth.Design) { t.Layers = 6 }, layers: silent, size: right},
		{name: "size wrong", truth: func(t *truth.Design) { t.Height = 31 }, layers: right, size: silent},
		{name: "size within half a pen", truth: func(t *truth.Design) { t.Height = 30.1 }, layers: right, size: right},
		{name: "nothing known", truth: func(t *truth.Design) { t.Layers, t.Width, t.Height = 0, 0, 0 }, layers: unknown, size: unknown},
		{name: "role wrong", truth: func(t *truth.Design) { t.Files[3].Role = "copper" }, layers: right, size: right, silent: 1},
		{name: "side wrong", truth: func(t *truth.Design) { t.Files[0].Side = "bottom" }, layers: right, size: right, silent: 1},
		{name: "plating wrong", truth: func(t *truth.Design) { t.Files[5].Side = "nonplated" }, layers: right, size: right, silent: 1},
		{name: "a drawing read as copper", truth: func(t *truth.Design) { t.Files[1].Role = "none" }, layers: right, size: right, silent: 1},
		{name: "no outline", sketch: unbounded, truth: func(t *truth.Design) { t.Files = nil }, layers: right, size: asked},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			sketch, known := faulty.Base(), base()
			if c.sketch != nil {
				sketch = c.sketch
			}
			if c.truth != nil {
				c.truth(known)
			}
			m, err := measure(writeSketch(t, sketch), known)
			require.NoError(t, err)
			assert.Equal(t, c.layers.String(), m.layers.String(), "layers")
			assert.Equal(t, c.size.String(), m.size.String(), "size: %v by %v", m.gotW, m.gotH)
			assert.Equal(t, c.silent, m.roles[silent], "roles: %+v", m.misses)
			assert.Equal(t, len(known.Files)-c.silent, m.roles[right])
		})
	}
}

func TestMeasureWithoutBoard(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "readme.txt"), []byte("to be sent later"), 0o600))
	m, err := measure(dir, base())
	require.NoError(t, err)
	assert.Equal(t, asked, m.layers)
	assert.Equal(t, asked, m.size)
	assert.Equal(t, "no board", m.status)
	assert.NotEmpty(t, m.mustFix)
}

func TestTable(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	require.NoError(t, os.Rename(writeSketch(t, faulty.Base()), filepath.Join(folder, "sound")))
	require.NoError(t, os.Rename(writeSketch(t, faulty.Base()), filepath.Join(folder, "other")))
	require.NoError(t, os.Mkdir(filepath.Join(folder, "of-which-nothing-is-known"), 0o700))
	other := base()
	other.Layers = 2
	var out strings.Builder
	require.NoError(t, run(&out, map[string]*truth.Design{"sound": base(), "other": other}, folder, nil, false))
	assert.Contains(t, out.String(), "2 designs\n")
	assert.Contains(t, out.String(), "layers       right 1 of 2, asked 0, wrong but said 0, wrong silently 1\n")
	assert.Contains(t, out.String(), "file roles   right 12 of 12, ")
	assert.Contains(t, out.String(), "designs with anything wrong silently: 1\n")
}
