package edge_test

import (
	"encoding/json"
	"strings"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
)

// TestShopTakesAnOrderFile: the form of a board begins with what the order file among its
// files states, and a visitor may choose otherwise, also that parts are not fitted.
func TestShopTakesAnOrderFile(t *testing.T) {
	t.Parallel()
	w := start(t, openShop(nil))
	page := w.sendToShop()
	ref := contract.SecretRef(strings.TrimPrefix(page, "/order/"))
	doc, err := w.docs.Get(t.Context(), string(contract.UploadAggregate), ref)
	if err != nil {
		t.Fatal(err)
	}
	var up uploads.Upload
	if err := json.Unmarshal(doc.Body, &up); err != nil {
		t.Fatal(err)
	}
	up.OrderFile = &uploads.OrderFile{Name: "board-order.json", Key: "k", Text: `{"board_order":1,"quantity":25,"assembly":true,"surface_finish":"enig","fab_options":{"panel_rows":3}}`}
	w.put(contract.UploadAggregate, ref, up)
	w.readBoard(page)
	for query, want := range map[string]quotes.Request{
		"":                              {Quantity: 25, Assembly: true},
		"?quantity=5":                   {Quantity: 5},
		"?quantity=7&assembly=yes":      {Quantity: 7, Assembly: true},
		"?quantity=25&assembly=yes&x=1": {Quantity: 25, Assembly: true},
	} {
		a := w.visit("GET", page+query, nil)
		sent := w.commandsOf(quotes.Price)
		var d quotes.PriceData
		if err := json.Unmarshal(sent[len(sent)-1].Data, &d); err != nil {
			t.Fatal(err)
		}
		if got := d.Request; got.Quantity != want.Quantity || got.Assembly != want.Assembly || got.SurfaceFinish == nil || *got.SurfaceFinish != "enig" || got.FabOptions["panel_rows"] == nil {
			t.Errorf("%q asks for %s; want %d boards, assembled %t, in ENIG with the file's rows", query, sent[len(sent)-1].Data, want.Quantity, want.Assembly)
		}
		if query == "" {
			hold(t, a, 200, `value="25"`, `<option value="enig" selected`)
		}
	}
}
