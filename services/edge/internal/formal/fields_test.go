package formal_test

import (
	"slices"
	"strings"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/formal"
	"boardorder/services/edge/internal/edgetest"

	"github.com/google/go-cmp/cmp"
)

// TestFieldsAreChecked: each field of the form within its bounds, and outside of them.
// What is refused leaves no file and no command.
func TestFieldsAreChecked(t *testing.T) {
	t.Parallel()
	d := open(t)
	long := func(n int) string { return strings.Repeat("x", n) }
	for name, tt := range map[string]struct {
		parts []edgetest.Part
		want  []string // details; none: taken
	}{
		"no fields":                         {[]edgetest.Part{gerbers}, []string{"body.name missing", "body.qty missing"}},
		"name of spaces":                    {usual(field("name", "  ")), []string{"body.name string_too_short"}},
		"name that nobody sees":             {usual(field("name", "\u200b\u2060")), []string{"body.name string_too_short"}},
		"longest name":                      {usual(field("name", long(200))), nil},
		"name that is too long":             {usual(field("name", long(201))), []string{"body.name string_too_long"}},
		"name of 200 characters of 3 bytes": {usual(field("name", strings.Repeat("漢", 200))), nil},
		"name twice":                        {usual(field("name", "a"), field("name", "b")), []string{"body.name value_error"}},
		"name that is no text":              {usual(field("name", "\xff\xfe")), []string{"body.name string_unicode", "body.name missing"}},
		"name as a file":                    {usual(edgetest.Part{Field: "name", Name: "name.txt", Content: "a"}), []string{"body.name string_type", "body.name missing"}},

		"one board":          {usual(field("qty", "1")), nil},
		"no board":           {usual(field("qty", "0")), []string{"body.qty greater_than_equal"}},
		"fewer than none":    {usual(field("qty", "-1")), []string{"body.qty greater_than_equal"}},
		"most boards":        {usual(field("qty", "100000")), nil},
		"too many boards":    {usual(field("qty", "100001")), []string{"body.qty less_than_equal"}},
		"boards of 30 zeros": {usual(field("qty", "1"+strings.Repeat("0", 30))), []string{"body.qty less_than_equal"}},
		"half a board":       {usual(field("qty", "1.5")), []string{"body.qty int_parsing"}},
		"boards in words":    {usual(field("qty", "ten")), []string{"body.qty int_parsing"}},
		"boards left empty":  {usual(field("qty", "")), []string{"body.qty int_parsing"}},
		"boards with spaces": {usual(field("qty", " 5 ")), nil},

		"most layers":     {usual(field("board_layers", "64")), nil},
		"too many layers": {usual(field("board_layers", "65")), []string{"body.board_layers less_than_equal"}},
		"no layer":        {usual(field("board_layers", "0")), []string{"body.board_layers greater_than_equal"}},

		"made anywhere":            {usual(field("board_origin", "any")), nil},
		"made in the US":           {usual(field("board_origin", "US")), nil},
		"made in the Union":        {usual(field("board_origin", "eu")), nil},
		"made in Germany":          {usual(field("board_origin", "de")), nil},
		"made in no country":       {usual(field("board_origin", "zz")), []string{"body.board_origin value_error"}},
		"made in a country's name": {usual(field("board_origin", "Germany")), []string{"body.board_origin value_error"}},

		"wanted in words":           {usual(field("target_date", "before Christmas")), nil},
		"wanted tomorrow":           {usual(field("target_date", "2026-11-22")), nil},
		"wanted today":              {usual(field("target_date", "2026-11-21")), nil},
		"wanted where it is still":  {usual(field("target_date", "2026-11-20")), nil}, // 10:00 UTC: the 20th goes on at UTC-12
		"wanted two days ago":       {usual(field("target_date", "2026-11-19")), []string{"body.target_date date_future"}},
		"wanted at an hour gone by": {usual(field("target_date", "2026-11-19T23:00:00Z")), []string{"body.target_date date_future"}},
		"wanted on no day":          {usual(field("target_date", "2026-02-30")), []string{"body.target_date date_from_datetime_parsing"}},
		"wanted at great length":    {usual(field("target_date", long(101))), []string{"body.target_date string_too_long"}},

		"a purchase order of 201": {usual(field("customer_po", long(201))), []string{"body.customer_po string_too_long"}},
		"notes of 5000":           {usual(field("notes", long(5000))), nil},
		"notes of 5001":           {usual(field("notes", long(5001))), []string{"body.notes string_too_long"}},
		"a specification of 5001": {usual(field("production_spec", long(5001))), []string{"body.production_spec string_too_long"}},
		"a request_id of 200":     {usual(field("request_id", long(200))), nil},
		"a request_id of 201":     {usual(field("request_id", long(201))), []string{"body.request_id string_too_long"}},

		"an address":         {usual(field("email", "ada@example.com")), nil},
		"no address":         {usual(field("email", "ada")), []string{"body.email value_error"}},
		"an address of 255":  {usual(field("email", long(243)+"@example.com")), []string{"body.email string_too_long"}},
		"an address of none": {usual(field("email", " ")), nil},

		"in Japanese":        {usual(field("language", "ja")), nil},
		"in no language":     {usual(field("language", "klingon")), []string{"body.language enum"}},
		"language left open": {usual(field("language", "")), nil},

		"itar in words":     {usual(field("itar", "perhaps")), []string{"body.itar bool_parsing"}},
		"itar denied":       {usual(field("itar", "false")), nil},
		"itar left empty":   {usual(field("itar", "")), nil},
		"an empty file":     {usual(edgetest.Part{Field: "bom", Name: "bom.csv"}), []string{"body.bom value_error"}},
		"the same file two": {usual(gerbers, gerbers), []string{"body.gerbers value_error"}},
		"a nameless file":   {usual(field("bom", "Designator")), []string{"body.bom value_error"}},
		"a nameless none":   {usual(field("bom", "")), nil},
		"a name of 255":     {usual(edgetest.Part{Field: "bom", Name: long(255), Content: "x"}), nil},
		"a name of 256":     {usual(edgetest.Part{Field: "bom", Name: long(256), Content: "x"}), []string{"body.bom string_too_long"}},
	} {
		sent, staged := len(d.Commands()), d.countStaged(t)
		r := d.submit(t, tt.parts)
		if got := r.Details(); tt.want == nil && r.Status != 201 || tt.want != nil && (r.Status != 422 || !slices.Equal(got, tt.want)) {
			t.Errorf("%s: %d %v, want refused for %v", name, r.Status, got, tt.want)
		}
		if tt.want != nil && (len(d.Commands()) != sent || d.countStaged(t) != staged) {
			t.Errorf("%s: refused with %d commands and %d files more, want none", name, len(d.Commands())-sent, d.countStaged(t)-staged)
		}
	}
}

// TestServicesAreRead: which work is wanted, as the field says it or as the files do.
func TestServicesAreRead(t *testing.T) {
	t.Parallel()
	d := open(t)
	for name, tt := range map[string]struct {
		value string
		files []edgetest.Part
		want  formal.Services
		wrong []string
	}{
		"Gerbers alone":            {"", []edgetest.Part{gerbers}, formal.Services{Fabrication: true}, nil},
		"parts alone":              {"", []edgetest.Part{bom}, formal.Services{PartProcurement: true}, nil},
		"Gerbers and parts":        {"", []edgetest.Part{gerbers, bom}, formal.Services{Fabrication: true, PartProcurement: true}, nil},
		"all files":                {"", []edgetest.Part{gerbers, bom, cpl}, formal.Services{Fabrication: true, PartProcurement: true, Assembly: true}, nil},
		"asked for":                {`{"assembly": true, "fabrication": false}`, []edgetest.Part{gerbers, bom, cpl}, formal.Services{Assembly: true}, nil},
		"none is asked for":        {`{"assembly": false}`, []edgetest.Part{gerbers}, formal.Services{}, []string{"body.services value_error"}},
		"an empty object":          {`{}`, []edgetest.Part{gerbers}, formal.Services{}, []string{"body.services value_error"}},
		"no object":                {`["assembly"]`, []edgetest.Part{gerbers}, formal.Services{}, []string{"body.services dict_type"}},
		"no JSON":                  {`assembly`, []edgetest.Part{gerbers}, formal.Services{}, []string{"body.services json_invalid"}},
		"a service that is none":   {`{"fabrication": true, "painting": true}`, []edgetest.Part{gerbers}, formal.Services{}, []string{"body.services.painting extra_forbidden"}},
		"a number for a yes":       {`{"fabrication": 1}`, []edgetest.Part{gerbers}, formal.Services{}, []string{"body.services.fabrication bool_type"}},
		"a text for a yes":         {`{"fabrication": "true"}`, []edgetest.Part{gerbers}, formal.Services{}, []string{"body.services.fabrication bool_type"}},
		"nothing for a yes":        {`{"fabrication": null}`, []edgetest.Part{gerbers}, formal.Services{}, []string{"body.services.fabrication bool_type"}},
		"the same member of a yes": {`{"fabrication": true, "fabrication": false}`, []edgetest.Part{gerbers}, formal.Services{}, []string{"body.services json_invalid"}},
	} {
		parts := []edgetest.Part{field("name", "n"), field("qty", "1"), field("board_layers", "2"), field("services", tt.value)}
		before := len(d.Commands())
		r := d.submit(t, append(parts, tt.files...))
		if got := r.Details(); !slices.Equal(got, tt.wrong) && len(got)+len(tt.wrong) > 0 {
			t.Errorf("%s: services %s refused for %v, want %v", name, tt.value, got, tt.wrong)
		}
		if tt.wrong != nil {
			continue
		}
		if sent := d.Commands()[before:]; len(sent) != 1 {
			t.Errorf("%s: services %s sent %d commands (status %d), want 1", name, tt.value, len(sent), r.Status)
		} else if got := decode[formal.SubmitData](t, sent[0]).Services; got != tt.want {
			t.Errorf("%s: services %s of %d files read as %+v, want %+v", name, tt.value, len(tt.files), got, tt.want)
		}
	}
}

// TestDesignsAreRefused: what the files and the declaration do not allow has a code.
func TestDesignsAreRefused(t *testing.T) {
	t.Parallel()
	d := open(t)
	without := func(name string, parts []edgetest.Part) []edgetest.Part {
		return slices.DeleteFunc(slices.Clone(parts), func(p edgetest.Part) bool { return p.Field == name })
	}
	for name, tt := range map[string]struct {
		parts []edgetest.Part
		code  contract.Code
		sent  int // commands: a declaration is passed on
	}{
		"neither Gerbers nor parts":         {without("gerbers", usual()), contract.DesignOrBOMRequired, 0},
		"placements alone":                  {append(without("gerbers", usual()), cpl), contract.DesignOrBOMRequired, 0},
		"fabrication without Gerbers":       {append(without("gerbers", usual()), bom, field("services", `{"fabrication":true}`)), contract.GerbersRequired, 0},
		"parts without Gerbers":             {append(without("gerbers", usual()), bom, field("services", `{"part_procurement":true}`)), "", 1},
		"no layers":                         {without("board_layers", usual()), contract.LayersRequired, 0},
		"controlled, origin unsaid":         {usual(field("itar", "true")), contract.ITAROrigin, 0},
		"controlled, made in Germany":       {usual(field("itar", "true"), field("board_origin", "de")), contract.ITAROrigin, 0},
		"controlled, made anywhere":         {usual(field("itar", "true"), field("board_origin", "any")), contract.ITAROrigin, 0},
		"controlled, made in the US":        {usual(field("itar", "true"), field("board_origin", "us")), "", 1},
		"controlled and wrong besides":      {usual(field("itar", "true"), field("qty", "0")), contract.ITAROrigin, 0},
		"controlled under a request_id":     {usual(field("itar", "true"), field("request_id", "po-1")), contract.ITAROrigin, 1},
		"controlled by another spelling":    {usual(field("ITAR", "yes")), contract.ITAROrigin, 0},
		"denied and controlled all the way": {usual(field("itar", "false"), field("Itar", "true")), contract.ITAROrigin, 0},
	} {
		before := len(d.Commands())
		r := d.submit(t, tt.parts)
		if sent := len(d.Commands()) - before; r.Code() != tt.code || (r.Status == 201) != (tt.code == "") || sent != tt.sent {
			t.Errorf("%s: %d %q with %d commands, want %q with %d", name, r.Status, r.Code(), sent, tt.code, tt.sent)
		}
	}
}

// TestDeclarationsBesideTheForm: in the query and in a header they count as in the form.
func TestDeclarationsBesideTheForm(t *testing.T) {
	t.Parallel()
	d := open(t)
	body, kind := edgetest.Form(t, usual()...)
	for name, r := range map[string]edgetest.Reply{
		"query":  d.Do("POST", "/v1/orders?itar=true", body, kind...),
		"header": d.Do("POST", "/v1/orders", body, append(kind, "Itar", "1")...),
	} {
		if r.Code() != contract.ITAROrigin {
			t.Errorf("declared in the %s: %d %s, want %s", name, r.Status, r.Body, contract.ITAROrigin)
		}
	}
	if got := d.countStaged(t); got != 0 {
		t.Errorf("%d files were kept of controlled designs, want 0", got)
	}
}

// TestFieldsAreCleaned: what nobody sees goes, lines stay lines, and unknown fields are named once.
func TestFieldsAreCleaned(t *testing.T) {
	t.Parallel()
	d := open(t)
	r := d.submit(t, usual(field("name", " Motor\ncontroller\x00 "), field("notes", "one\r\ntwo"), field("colour", "red"), field("colour", "blue"),
		field("request_id", "po-1"), edgetest.Part{Field: "drawing", Name: "d.pdf", Content: "%PDF"}), "Idempotency-Key", "k")
	got := edgetest.Decode[struct {
		Name      string
		Notes     string
		LeftAside []string `json:"left_aside"`
	}](t, r)
	if got.Name != "Motor controller" || got.Notes != "one\ntwo" {
		t.Errorf("name %q, notes %q; want %q and %q", got.Name, got.Notes, "Motor controller", "one\ntwo")
	}
	if language := decode[formal.SubmitData](t, d.Commands()[0]).Language; language != "en" {
		t.Errorf("the order is in %q, want en where no language is sent", language)
	}
	if diff := cmp.Diff([]string{"colour", "drawing", "Idempotency-Key"}, got.LeftAside); diff != "" {
		t.Errorf("left_aside of two unknown fields and a header beside request_id: -want +got\n%s", diff)
	}
	many := usual()
	for i := range 30 {
		many = append(many, field("f"+string(rune('a'+i%26))+strings.Repeat("z", i), ""))
	}
	if got := edgetest.Decode[struct {
		LeftAside []string `json:"left_aside"`
	}](t, d.submit(t, many)).LeftAside; len(got) != 20 {
		t.Errorf("30 unknown fields are named by %d names, want the first 20", len(got))
	}
}
