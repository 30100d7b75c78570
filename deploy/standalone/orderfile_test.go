package standalone_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
)

// orderReply is a quote with what is said of its order file.
type orderReply struct {
	quotes.Reply
	BoardOrder map[string]any      `json:"board_order"`
	OrderFile  *quotes.OrderSource `json:"order_file"`
}

func (s *system) orderOf(t testing.TB, body map[string]any) orderReply {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	status, data := s.post(t, "/v1/quotes?wait_s=150", "application/json", strings.NewReader(string(text)))
	var q orderReply
	if err := json.Unmarshal(data, &q); err != nil || status != http.StatusCreated {
		t.Fatalf("quote %s: %d %s, %v; want 201", text, status, data, err)
	}
	return q
}

// TestOrderFileAsksNothing: what a quote gives back as board-order.json, uploaded beside the
// same files, asks nothing and costs the same, to the cent.
func TestOrderFileAsksNothing(t *testing.T) {
	t.Parallel()
	s := start(t, map[string]string{"DEMO_REQUESTS_PER_MINUTE": "1000000"})
	home := map[string]any{"country": "DE"}
	for name, tt := range map[string]struct {
		files map[string]string
		asked map[string]any
	}{
		"bare": {nil, map[string]any{
			"quantity": 12, "surface_finish": "enig", "solder_mask": "Purple", "thickness_mm": 1.2, "copper_oz": 2, "material": "FR-4 / TG155",
			"via_process": "plugged", "fab_options": map[string]any{"gold_thickness_uin": "2"}, "project_name": "Lamp",
		}},
		"standard": {nil, map[string]any{"quantity": 10, "standard_for_unstated": true}},
		"faster":   {nil, map[string]any{"quantity": 10, "standard_for_unstated": true, "build_time_hours": 24}},
		"assembled": {map[string]string{"bom.csv": partsList, "cpl.csv": partsPlace}, map[string]any{
			"quantity": 9, "assembly": true, "standard_for_unstated": true, "do_not_fit_refs": []string{"FID1"},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body := maps.Clone(tt.asked)
			body["upload_id"], body["ship_to"] = s.uploadWithFiles(t, tt.files), home
			was := s.orderOf(t, body)
			text, err := json.Marshal(was.BoardOrder)
			if err != nil {
				t.Fatal(err)
			}
			files := map[string]string{"board-order.json": string(text)}
			maps.Copy(files, tt.files)
			now := s.orderOf(t, map[string]any{"upload_id": s.uploadWithFiles(t, files), "ship_to": home})
			if *now.TotalCents != *was.TotalCents || *now.LeadTime != *was.LeadTime || !reflect.DeepEqual(now.BoardDetails, was.BoardDetails) || !reflect.DeepEqual(now.BoardOrder, was.BoardOrder) {
				t.Errorf("by the file: %d, %s, %+v, %v; want %d, %s, %+v, %v", *now.TotalCents, *now.LeadTime, now.BoardDetails, now.BoardOrder, *was.TotalCents, *was.LeadTime, was.BoardDetails, was.BoardOrder)
			}
			if now.BoardDetailsFrom["surface_finish"] != "file:board-order.json" || now.OrderFile == nil || !slices.Contains(now.OrderFile.States, "quantity") {
				t.Errorf("the finish is of %q and the file states %+v; want it of the file, which states the quantity too", now.BoardDetailsFrom["surface_finish"], now.OrderFile)
			}
			for _, private := range []string{"ship_to", "upload_id", "itar"} {
				if v, ok := was.BoardOrder[private]; ok {
					t.Errorf("the file has %s: %v", private, v)
				}
			}
		})
	}
}

// TestOrderFileIsOneWord: the request's word counts before the file's, and a file that cannot
// be read, or says what cannot be built, is refused by its name.
func TestOrderFileIsOneWord(t *testing.T) {
	t.Parallel()
	s := start(t, map[string]string{"DEMO_REQUESTS_PER_MINUTE": "1000000"})
	full := map[string]any{"standard_for_unstated": true, "quantity": 10}
	for name, tt := range map[string]struct {
		file   string
		asked  map[string]any
		status int
		field  string // that is refused
		check  func(orderReply) bool
	}{
		"the request's quantity":   {`{"board_order":1,"quantity":50,"surface_finish":"enig"}`, full, http.StatusCreated, "", func(q orderReply) bool { return q.Quantity == 10 && q.BoardDetails.SurfaceFinish == "enig" }},
		"the request's empty list": {`{"board_order":1,"do_not_fit_refs":["R1"]}`, map[string]any{"standard_for_unstated": true, "quantity": 10, "do_not_fit_refs": []string{}}, http.StatusCreated, "", func(q orderReply) bool { return q.BoardOrder["do_not_fit_refs"] == nil }},
		"null is no word":          {`{"board_order":1,"solder_mask":"Blue"}`, map[string]any{"standard_for_unstated": true, "quantity": 10, "solder_mask": nil}, http.StatusCreated, "", func(q orderReply) bool { return q.BoardDetails.SolderMask == "Blue" }},
		"a destination is not taken": {`{"board_order":1,"ship_to":{"name":"M. Allory","email":"m@example.com","country":"FR"},"upload_id":"up_x","wait_s":0}`, full, http.StatusCreated, "", func(q orderReply) bool {
			return q.OrderFile != nil && len(q.OrderFile.States) == 0 && !*q.DeliverySaved
		}},
		"a byte-order mark":          {"\ufeff" + `{"board_order":1,"quantity":20,"standard_for_unstated":true}`, map[string]any{}, http.StatusCreated, "", func(q orderReply) bool { return q.Quantity == 20 }},
		"no quantity in either":      {`{"board_order":1,"standard_for_unstated":true}`, map[string]any{}, http.StatusUnprocessableEntity, "quantity", nil},
		"a finish that there is not": {`{"board_order":1,"surface_finish":"chocolate"}`, full, http.StatusUnprocessableEntity, "board-order.json.surface_finish", nil},
		"no JSON":                    {`{"board_order":1,`, full, http.StatusUnprocessableEntity, "board-order.json", nil},
		"a name that stands twice":   {`{"board_order":1,"quantity":1,"quantity":1000}`, map[string]any{}, http.StatusUnprocessableEntity, "board-order.json", nil},
		"another form":               {`{"board_order":2,"quantity":10}`, full, http.StatusUnprocessableEntity, "board-order.json", nil},
		"no form":                    {`{"quantity":10}`, full, http.StatusUnprocessableEntity, "board-order.json", nil},
		"too long":                   {`{"board_order":1,"special_notes":"` + strings.Repeat("x", 40<<10) + `"}`, full, http.StatusUnprocessableEntity, "board-order.json", nil},
		"no UTF-8":                   {"{\"board_order\":1,\"project_name\":\"\xff\"}", full, http.StatusUnprocessableEntity, "board-order.json", nil},
		"a list":                     {`[1]`, full, http.StatusUnprocessableEntity, "board-order.json", nil},
		"what the service does not know": {`{"board_order":1,"colour":"red"}`, full, http.StatusCreated, "", func(q orderReply) bool {
			return slices.ContainsFunc(q.Notes, func(n string) bool { return strings.Contains(n, "colour") })
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			body := maps.Clone(tt.asked)
			body["upload_id"] = s.uploadWithFiles(t, map[string]string{"board-order.json": tt.file})
			text, err := json.Marshal(body)
			if err != nil {
				t.Fatal(err)
			}
			status, data := s.post(t, "/v1/quotes?wait_s=150", "application/json", strings.NewReader(string(text)))
			var q orderReply
			var refused contract.Refusal
			if err := json.Unmarshal(data, &q); err != nil {
				t.Fatalf("%s: %v", data, err)
			}
			_ = json.Unmarshal(data, &refused)
			names := []string{}
			for _, f := range refused.Fields {
				names = append(names, f.Field)
			}
			if status != tt.status || tt.field != "" && !slices.Contains(names, tt.field) || tt.check != nil && !tt.check(q) {
				t.Errorf("%s with %s: %d %s; want %d, refused field %q", tt.file, text, status, data, tt.status, tt.field)
			}
		})
	}
}

// TestOrderFileDeclares: files with an order file that declares the design ITAR-controlled are
// refused when they are sent, and so is everything of an upload that they were added to,
// whatever a request says.
func TestOrderFileDeclares(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	declared := []byte(`{"board_order":1,"quantity":10,"standard_for_unstated":true,"itar":true}`)
	send := func(path string) {
		kind, form := fileForm(t, "board-order.json", declared)
		if status, data := s.post(t, path, kind, form); status != http.StatusUnprocessableEntity || !strings.Contains(string(data), string(contract.ITARNotSupported)) {
			t.Errorf("files sent to %s: %d %s; want 422 %s", path, status, data, contract.ITARNotSupported)
		}
	}
	send("/v1/uploads")
	kind, form := boardForm(t, s.sample(t))
	var up struct {
		UploadID  string `json:"upload_id"`
		UploadURL string `json:"upload_url"`
	}
	if status, data := s.post(t, "/v1/uploads", kind, form); status != http.StatusCreated || json.Unmarshal(data, &up) != nil {
		t.Fatalf("upload: %d %s; want 201", status, data)
	}
	address, err := url.Parse(up.UploadURL)
	if err != nil {
		t.Fatal(err)
	}
	send(address.Path)
	id := up.UploadID
	body := `{"upload_id":"` + id + `","itar":false,"quantity":5,"standard_for_unstated":true}`
	if status, data := s.post(t, "/v1/quotes", "application/json", strings.NewReader(body)); status != http.StatusUnprocessableEntity || !strings.Contains(string(data), string(contract.ITARNotSupported)) {
		t.Errorf("quote %s: %d %s; want 422 %s", body, status, data, contract.ITARNotSupported)
	}
}

// TestOrderFileInTablesAndLinks: price tables and buy links take the file's word as quotes do.
func TestOrderFileInTablesAndLinks(t *testing.T) {
	t.Parallel()
	s := start(t, map[string]string{"DEMO_REQUESTS_PER_MINUTE": "1000000"})
	id := s.uploadWithFiles(t, map[string]string{"hardware/board-order.json": `{"board_order":1,"quantity":10,"build_time_hours":24,"standard_for_unstated":true,"surface_finish":"enig","solder_mask":"Purple"}`})
	status, data := s.post(t, "/v1/price-tables?wait_s=150", "application/json", strings.NewReader(`{"upload_id":"`+id+`","quantities":[5,10],"ship_to":{"country":"DE"}}`))
	if status != http.StatusCreated || !strings.Contains(string(data), `"surface_finish":"enig"`) || strings.Contains(string(data), "does not know") {
		t.Errorf("price table: %d %s; want 201 in ENIG, and no word of properties that are not known", status, data)
	}
	table := data
	status, data = s.post(t, "/v1/buy-links", "application/json", strings.NewReader(`{"upload_id":"`+id+`","project_name":"Lamp"}`))
	if status != http.StatusCreated {
		t.Errorf("buy link: %d %s; want 201", status, data)
	}
	s.holdCellsToQuotes(t, id, table)
	beyond := s.uploadWithFiles(t, map[string]string{"board-order.json": `{"board_order":1,"fab_options":{"gold_fingers":"plain"},"do_not_fit_refs":["C1"],"impedance_controlled":false,"via_process":"tented"}`})
	status, data = s.post(t, "/v1/buy-links", "application/json", strings.NewReader(`{"upload_id":"`+beyond+`"}`))
	for _, field := range []string{"board-order.json.fab_options", "board-order.json.do_not_fit_refs"} {
		if status != http.StatusUnprocessableEntity || !strings.Contains(string(data), field) || strings.Contains(string(data), "impedance_controlled") || strings.Contains(string(data), "via_process") {
			t.Errorf("a link of boards that it cannot sell: %d %s; want 422 of %s, and not of what it can", status, data, field)
		}
	}
	wrong := s.uploadWithFiles(t, map[string]string{"board-order.json": `{"board_order":1,"solder_mask":"Plaid"}`})
	for path, body := range map[string]string{
		"/v1/price-tables": `{"upload_id":"` + wrong + `","quantities":[5],"ship_to":{"country":"DE"}}`,
		"/v1/buy-links":    `{"upload_id":"` + wrong + `"}`,
	} {
		if status, data := s.post(t, path, "application/json", strings.NewReader(body)); status != http.StatusUnprocessableEntity || !strings.Contains(string(data), "board-order.json.solder_mask") {
			t.Errorf("%s of a file with a colour that there is not: %d %s; want 422 of board-order.json.solder_mask", path, status, data)
		}
	}
}

// holdCellsToQuotes makes each cell of a table a quote, whose total is the cell's to the cent.
func (s *system) holdCellsToQuotes(t *testing.T, upload string, table []byte) {
	t.Helper()
	var of struct {
		Cells []struct {
			TotalCents   int64          `json:"total_cents"`
			QuoteRequest map[string]any `json:"quote_request"`
		} `json:"cells"`
	}
	if err := json.Unmarshal(table, &of); err != nil || len(of.Cells) < 4 {
		t.Fatalf("the table %s: %v; want four cells or more", table, err)
	}
	for _, cell := range of.Cells {
		if cell.QuoteRequest == nil {
			continue
		}
		cell.QuoteRequest["upload_id"] = upload
		body, err := json.Marshal(cell.QuoteRequest)
		if err != nil {
			t.Fatal(err)
		}
		status, data := s.post(t, "/v1/quotes?wait_s=150", "application/json", strings.NewReader(string(body)))
		var quote struct {
			TotalCents int64 `json:"total_cents"`
		}
		if err := json.Unmarshal(data, &quote); err != nil || status != http.StatusCreated || quote.TotalCents != cell.TotalCents {
			t.Errorf("the quote of a cell, %s: %d with %d cents, %v; want 201 with %d", body, status, quote.TotalCents, err, cell.TotalCents)
		}
	}
}
