package parts_test

import (
	"fmt"
	"strings"
	"testing"

	"boardorder/pkg/board/upload"
)

// TestPartListsAgree: what bills of materials and placement files say of each other.
func TestPartListsAgree(t *testing.T) {
	t.Parallel()
	const head, places = "Designator,Value,Footprint,MPN\n", "Designator,Mid X,Mid Y,Rotation,Layer\nR1,1,1,0,Top\nR2,2,1,0,Top\n"
	for name, tt := range map[string]struct {
		files map[string]string
		want  string
	}{
		"all placed":              {map[string]string{"bom.csv": head + "R1,1k,0402,\nR2,1k,0402,\n", "cpl.csv": places}, ""},
		"not placed":              {map[string]string{"bom.csv": head + "R1,1k,0402,\nR2,1k,0402,\nR3,1k,0402,\n", "cpl.csv": places}, "placement_missing warning: no placement file places R3 of the bill of materials"},
		"holes and fiducials":     {map[string]string{"bom.csv": head + "R1,1k,0402,\nR2,1k,0402,\nH1,Hole,,\nFID2,Fiducial,,\nTP12,Pad,,\n", "cpl.csv": places}, ""},
		"gates of a part":         {map[string]string{"bom.csv": head + "\"R1A,R1B\",1k,0402,\nR2,1k,0402,\nR3A,1k,0402,\n", "cpl.csv": places}, "placement_missing warning: no placement file places R3A of the bill of materials"},
		"a list for each side":    {map[string]string{"bom_top.csv": head + "R1,1k,0402,\nC1,1u,0402,\n", "bom_bottom.csv": head + "R2,1k,0402,\nU1,,,LM358\n"}, "bom_several note: 2 files are bills of materials: they name different designators, so all of them hold"},
		"lists that share a part": {map[string]string{"bom_a.csv": head + "R1,1k,0402,\nC1,1u,0402,\n", "bom_b.csv": head + "R1,1k,0402,\nU1,,,LM358\n"}, "bom_several warning: 2 files are bills of materials: they name different parts"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var files []upload.File
			for name, text := range tt.files {
				files = append(files, upload.File{Name: name, Data: []byte(text)})
			}
			var got []string
			for _, f := range upload.Read(t.Context(), files, upload.Options{}).Findings {
				if strings.HasPrefix(f.Code, "placement_") || f.Code == "bom_several" {
					got = append(got, f.Code+" "+fmt.Sprint(f.Level)+": "+f.Message)
				}
			}
			if s := strings.Join(got, "\n"); s != tt.want {
				t.Errorf("%s, want %s", s, tt.want)
			}
		})
	}
}
