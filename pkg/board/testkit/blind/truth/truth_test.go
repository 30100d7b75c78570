package truth

import (
	"io"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestDesigns(t *testing.T) {
	t.Parallel()
	const head = "design,layers,width,height,panel\n"
	for _, c := range []struct{ name, designs, roles, sold, fault string }{
		{name: "known", designs: head + "a,2,10,20.5,yes\n", roles: "design,file,role,side\na,x.gbr,copper,top\n", sold: "design,property,value,source\na,solder_mask,Black,readme\na,material,-,\n"},
		{name: "no number", designs: head + "a,two,,,\n", fault: "set1.csv: a: "},
		{name: "twice", designs: head + "a,2,,,\na,2,,,\n", fault: "stated twice"},
		{name: "role of nothing", designs: head, roles: "design,file,role,side\na,x.gbr,copper,top\n", fault: "set1-roles.csv: a: in no set"},
		{name: "sold of nothing", designs: head, sold: "design,property,value,source\na,material,FR-4,\n", fault: "set1-sold.csv: a: in no set"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			all, err := designs(fstest.MapFS{
				"testdata/set1.csv": {Data: []byte(c.designs)}, "testdata/set1-roles.csv": {Data: []byte(c.roles)}, "testdata/set1-sold.csv": {Data: []byte(c.sold)},
			})
			if c.fault != "" {
				require.ErrorContains(t, err, c.fault)
				return
			}
			require.NoError(t, err)
			assert.Equal(t, &Design{
				Layers: 2, Width: 10, Height: 20.5, Panel: true, Files: []File{{"x.gbr", "copper", "top"}},
				Sold: map[string]string{"solder_mask": "Black", "material": Unstated},
			}, all["a"])
		})
	}
}

// Every design can be fetched again, and what is stated of it has a source.
func TestDesignsHaveAnOrigin(t *testing.T) {
	t.Parallel()
	n := 0
	require.NoError(t, visitRows(tables, "testdata/set*.csv", func(d map[string]string) error {
		n++
		assert.Regexp(t, `^[^/]+/[^/]+$`, d["repo"], d["design"])
		assert.Regexp(t, `^[0-9a-f]{40}$`, d["commit"], d["design"])
		assert.NotEmpty(t, d["paths"], d["design"])
		assert.NotEmpty(t, d["source"], d["design"])
		return nil
	}))
	assert.NotZero(t, n)
	_, err := Designs()
	require.NoError(t, err)
}

// Every miss has all that is said of it.
func TestMissesAreWhole(t *testing.T) {
	t.Parallel()
	require.NoError(t, Misses(io.Discard))
}

// The page shows the first runs as the tables have them.
func TestPageShowsTheRuns(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "ACCURACY.md"))
	require.NoError(t, err)
	runs, err := TablesOfFirstRuns()
	require.NoError(t, err)
	assert.Contains(t, string(page), runs)
}
