package check_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
	"boardorder/services/edge/internal/edgetest"

	"github.com/google/go-cmp/cmp"
)

// TestOrderFileStatesTheBoard: the board is checked as the order file beside it has it
// ordered, the request's word counts before the file's, and what cannot be read or built is
// refused by its name before a check is begun.
func TestOrderFileStatesTheBoard(t *testing.T) {
	t.Parallel()
	heavy := `{"board_order": 1, "copper_oz": 2, "thickness_mm": 0.8, "quantity": 10, "surface_finish": "enig"}`
	for name, tt := range map[string]struct {
		file, fields string
		copper, mm   float64
		states       []string
		refused      []string
	}{
		"the file's board":        {heavy, ``, 2, 0.8, []string{"copper_oz", "thickness_mm"}, nil},
		"the request's copper":    {heavy, `"copper_oz": 3`, 3, 0.8, []string{"thickness_mm"}, nil},
		"the request's null":      {heavy, `"copper_oz": null`, 2, 0.8, []string{"copper_oz", "thickness_mm"}, nil},
		"nothing of the board":    {`{"board_order": 1, "quantity": 10}`, ``, 1, 1.6, []string{}, nil},
		"copper beyond the check": {`{"board_order": 1, "copper_oz": 7}`, ``, 0, 0, nil, []string{"board-order.json.copper_oz out_of_range"}},
		"a board of no text":      {`{"board_order": 1, "board": 7}`, ``, 0, 0, nil, []string{"board-order.json.board wrong_type"}},
		"no JSON":                 {`{"board_order": 1`, ``, 0, 0, nil, []string{"board-order.json malformed"}},
		"another form":            {`{"board_order": 2}`, ``, 0, 0, nil, []string{"board-order.json unsupported"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := open(t)
			b.putOrderFile(tt.file)
			a := b.post(tt.fields)
			if tt.refused != nil {
				if fields := a.Fields(); a.Status != http.StatusUnprocessableEntity || !slices.Equal(fields, tt.refused) || len(b.Commands()) > 0 {
					t.Errorf("%d %s, commands %v; want 422, %v refused and no command", a.Status, a.Body, b.Commands(), tt.refused)
				}
				return
			}
			if a.Status != http.StatusOK {
				t.Fatalf("%d %s; want 200", a.Status, a.Body)
			}
			got := edgetest.Decode[struct {
				report
				OrderFile *quotes.OrderSource `json:"order_file"`
			}](t, a)
			var sent contract.CheckDesignData
			if err := json.Unmarshal(b.Commands()[0].Data, &sent); err != nil {
				t.Fatal(err)
			}
			if sent.CopperOz != tt.copper || sent.ThicknessMM != tt.mm || got.CopperOz != tt.copper || got.ThicknessMM != tt.mm {
				t.Errorf("checked at %v oz and %v mm, answered %v and %v; want %v and %v", sent.CopperOz, sent.ThicknessMM, got.CopperOz, got.ThicknessMM, tt.copper, tt.mm)
			}
			if diff := cmp.Diff(&quotes.OrderSource{Name: "hw/board-order.json", States: tt.states}, got.OrderFile); diff != "" {
				t.Errorf("the reply's order file (-want +got):\n%s", diff)
			}
		})
	}
}

// TestOrderFileDeclares: a declaration in the file deletes as one in the request does.
func TestOrderFileDeclares(t *testing.T) {
	t.Parallel()
	b := open(t)
	b.putOrderFile(`{"board_order": 1, "itar": true}`)
	a := b.post("")
	var names []contract.CommandName
	for _, c := range b.Commands() {
		names = append(names, c.Name)
	}
	if a.Status != http.StatusUnprocessableEntity || a.Code() != contract.ITARNotSupported || !slices.Contains(names, uploads.DeclareITAR) || slices.Contains(names, designchecks.Check) {
		t.Errorf("%d %s after the commands %v; want 422 %s, the upload declared and no check", a.Status, a.Body, names, contract.ITARNotSupported)
	}
}

func (b *bench) putOrderFile(text string) {
	b.Put(contract.UploadAggregate, b.ref, uploads.Upload{
		Ref: b.ref, Account: edgetest.Account, Status: uploads.Open, ExpiresAt: edgetest.At.Add(6 * time.Hour), Files: []uploads.File{{Name: "a.gbr"}},
		Content: "c", Digest: digest, OrderFile: &uploads.OrderFile{Name: "hw/board-order.json", Text: text},
	}, nil)
}
