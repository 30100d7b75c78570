package upload_test

import (
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/uploads"
)

// TestOrderFilesDeclare: whichever order file declares, in whatever folder, archive and
// notation, nothing is taken in, and an upload that the files were for ends with them.
func TestOrderFilesDeclare(t *testing.T) {
	t.Parallel()
	yes := `{"board_order": 1, "itar": true}`
	for name, tt := range map[string]struct {
		files []sent
		want  bool
	}{
		"at the top":                {[]sent{{"board-order.json", yes}}, true},
		"below another":             {[]sent{{"board-order.json", `{"board_order": 1}`}, {"z/board-order.json", yes}}, true},
		"in other letters":          {[]sent{{"Board-Order.JSON", yes}}, true},
		"in an archive of a folder": {[]sent{{"inner.zip", zipFiles(t, sent{"hw/board-order.json", yes})}}, true},
		"said twice":                {[]sent{{"board-order.json", `{"itar": true, "itar": false}`}}, true},
		"cut off":                   {[]sent{{"board-order.json", `{"board_order": 1, "itar": tru`}}, true},
		"by another name":           {[]sent{{"board-order.json", `{"ITAR_controlled": "yes"}`}}, true},
		"no":                        {[]sent{{"board-order.json", `{"board_order": 1, "itar": false}`}}, false},
		"in notes":                  {[]sent{{"board-order.json", `{"board_order": 1, "special_notes": "itar: true is not meant"}`}}, false},
		"in another file":           {[]sent{{"order.json", yes}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := setup(t)
			if r := d.add(t, "first", false, sent{"a.zip", zipFiles(t, tt.files...)}); (r != nil && r.Code == contract.ITARNotSupported) != tt.want || r != nil && !tt.want {
				t.Errorf("a new upload of them: %+v, want it refused as declared %t", r, tt.want)
			}
			if r := d.add(t, "u", false, sent{"a.gbr", "G04*"}); r != nil {
				t.Fatal(r)
			}
			if r := d.add(t, "u", true, sent{"a.zip", zipFiles(t, tt.files...)}); (r != nil && r.Code == contract.ITARNotSupported) != tt.want {
				t.Errorf("added to an upload: %+v, want it refused as declared %t", r, tt.want)
			}
			if u := d.state(t, "u"); u.IsDeclaredFor("acc_1") != tt.want {
				t.Errorf("at once the upload is %s, closed to %v; want it closed %t", u.Status, u.DeclaredBy, tt.want)
			}
			d.Run(d.Now().Add(time.Minute))
			if u := d.state(t, "u"); (u.Status == uploads.ITARDeclared) != tt.want || tt.want && len(u.Files) > 0 {
				t.Errorf("the upload is %s with %d files, want it declared and empty %t", u.Status, len(u.Files), tt.want)
			}
			if keys := d.keys(t); tt.want && len(keys) > 0 {
				t.Errorf("%d files are left in the store: %v", len(keys), keys)
			}
		})
	}
}
