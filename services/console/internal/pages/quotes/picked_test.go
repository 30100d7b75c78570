package quotes

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"

	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/partlist"
)

// pack makes a package of files, by name and content.
func pack(t *testing.T, files ...string) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for i := 0; i < len(files); i += 2 {
		w, err := z.Create(files[i])
		if err == nil {
			_, err = io.WriteString(w, files[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestListIsReplaced: the list names what the team chose, all else stays.
func TestListIsReplaced(t *testing.T) {
	t.Parallel()
	parts := []assemblies.Part{{PickedBy: "pia", Found: partchecks.Found{Reference: "J1", MPN: "NEW-1"}}}
	out, err := replaceList(pack(t, "placements.csv", "J1,1,2", partlist.Name, "J1,OLD-1"), parts)
	if err != nil {
		t.Fatal(err)
	}
	in, err := zip.NewReader(bytes.NewReader(out), int64(len(out)))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, f := range in.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		got[f.Name] += string(text)
	}
	if list := got[partlist.Name]; len(got) != 2 || got["placements.csv"] != "J1,1,2" || !strings.Contains(list, "NEW-1") || strings.Contains(list, "OLD-1") {
		t.Errorf("the package holds %q, want the placements and a list with NEW-1 alone", got)
	}
	if _, err := replaceList([]byte("no package"), parts); err == nil {
		t.Error("what is no package is replaced")
	}
}

func TestHasPicks(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		parts []assemblies.Part
		want  bool
	}{{nil, false}, {[]assemblies.Part{{}}, false}, {[]assemblies.Part{{}, {PickedBy: "pia"}}, true}} {
		if got := hasPicks(tt.parts); got != tt.want {
			t.Errorf("hasPicks(%+v) = %v, want %v", tt.parts, got, tt.want)
		}
	}
}
