package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"boardorder/pkg/board/testkit/faulty"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sent writes a sketch as an upload and gives its folder.
func sent(t *testing.T, s *faulty.Sketch) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range s.Gerber() {
		require.NoError(t, os.WriteFile(filepath.Join(dir, f.Name), f.Data, 0o600))
	}
	return dir
}

// base is what is true of [faulty.Base].
func base() *truth {
	return &truth{layers: 4, width: 40, height: 30, files: []fileTruth{
		{"demo-F_Cu.gbr", "copper", "top"}, {"demo-In1_Cu.gbr", "copper", "inner"}, {"demo-B_Cu.gbr", "copper", "bottom"},
		{"demo-B_Mask.gbr", "mask", "bottom"}, {"demo-Edge_Cuts.gbr", "outline", ""}, {"demo-PTH.drl", "drill", "plated"},
	}}
}

func TestMeasure(t *testing.T) {
	t.Parallel()
	unbounded := faulty.Base()
	unbounded.Drop = map[string]bool{"demo-Edge_Cuts.gbr": true, "demo-job.gbrjob": true}
	for _, c := range []struct {
		name         string
		sketch       *faulty.Sketch
		truth        func(*truth)
		layers, size outcome
		silent       int // files
	}{
		{name: "right", layers: right, size: right},
		{name: "layers wrong", truth: func(t *truth) { t.layers = 6 }, layers: silent, size: right},
		{name: "size wrong", truth: func(t *truth) { t.height = 31 }, layers: right, size: silent},
		{name: "size within half a pen", truth: func(t *truth) { t.height = 30.1 }, layers: right, size: right},
		{name: "nothing known", truth: func(t *truth) { t.layers, t.width, t.height = 0, 0, 0 }, layers: unknown, size: unknown},
		{name: "role wrong", truth: func(t *truth) { t.files[3].role = "copper" }, layers: right, size: right, silent: 1},
		{name: "side wrong", truth: func(t *truth) { t.files[0].side = "bottom" }, layers: right, size: right, silent: 1},
		{name: "plating wrong", truth: func(t *truth) { t.files[5].side = "nonplated" }, layers: right, size: right, silent: 1},
		{name: "a drawing read as copper", truth: func(t *truth) { t.files[1].role = "none" }, layers: right, size: right, silent: 1},
		{name: "no outline", sketch: unbounded, truth: func(t *truth) { t.files = nil }, layers: right, size: asked},
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
			m, err := measure(sent(t, sketch), known)
			require.NoError(t, err)
			assert.Equal(t, c.layers.String(), m.layers.String(), "layers")
			assert.Equal(t, c.size.String(), m.size.String(), "size: %v by %v", m.gotW, m.gotH)
			assert.Equal(t, c.silent, m.roles[silent], "roles: %+v", m.misses)
			assert.Equal(t, len(known.files)-c.silent, m.roles[right])
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
	require.NoError(t, os.Rename(sent(t, faulty.Base()), filepath.Join(folder, "sound")))
	require.NoError(t, os.Rename(sent(t, faulty.Base()), filepath.Join(folder, "other")))
	require.NoError(t, os.Mkdir(filepath.Join(folder, "of-which-nothing-is-known"), 0o700))
	other := base()
	other.layers = 2
	var out strings.Builder
	require.NoError(t, run(&out, map[string]*truth{"sound": base(), "other": other}, folder, nil, false))
	assert.Contains(t, out.String(), "2 designs\n")
	assert.Contains(t, out.String(), "layers       right 1 of 2, asked 0, wrong but said 0, wrong silently 1\n")
	assert.Contains(t, out.String(), "file roles   right 12 of 12, ")
	assert.Contains(t, out.String(), "designs with anything wrong silently: 1\n")
}

func TestReadTruth(t *testing.T) {
	t.Parallel()
	const head = "design,layers,width,height,panel\n"
	for _, c := range []struct{ name, designs, roles, fault string }{
		{name: "known", designs: head + "a,2,10,20.5,yes\n", roles: "design,file,role,side\na,x.gbr,copper,top\n"},
		{name: "no number", designs: head + "a,two,,,\n", fault: "truth of a"},
		{name: "twice", designs: head + "a,2,,,\na,2,,,\n", fault: "stated twice"},
		{name: "role of nothing", designs: head, roles: "design,file,role,side\na,x.gbr,copper,top\n", fault: "in no set"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			all, err := readTruth(fstest.MapFS{
				"testdata/set1.csv": {Data: []byte(c.designs)}, "testdata/set1-roles.csv": {Data: []byte(c.roles)},
			})
			if c.fault != "" {
				require.ErrorContains(t, err, c.fault)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, &truth{layers: 2, width: 10, height: 20.5, panel: true, files: []fileTruth{{"x.gbr", "copper", "top"}}}, all["a"])
		})
	}
}

// Every design can be fetched again, and what is stated of it has a source.
func TestTruthHasOrigin(t *testing.T) {
	t.Parallel()
	designs, err := rows(truths, "testdata/set?.csv")
	require.NoError(t, err)
	require.NotEmpty(t, designs)
	for _, d := range designs {
		assert.Regexp(t, `^[^/]+/[^/]+$`, d["repo"], d["design"])
		assert.Regexp(t, `^[0-9a-f]{40}$`, d["commit"], d["design"])
		assert.NotEmpty(t, d["paths"], d["design"])
		assert.NotEmpty(t, d["source"], d["design"])
	}
	_, err = readTruth(truths)
	require.NoError(t, err)
}
