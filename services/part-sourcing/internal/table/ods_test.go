package table_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"boardorder/services/part-sourcing/internal/table"

	"github.com/google/go-cmp/cmp"
)

// ods makes an OpenDocument spreadsheet of the XML of its tables.
func ods(t testing.TB, tables string, more ...string) []byte {
	t.Helper()
	return zipFiles(t, append([]string{
		"mimetype", "application/vnd.oasis.opendocument.spreadsheet",
		"content.xml", `<office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x" xmlns:style="s"><office:automatic-styles>` +
			`<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style></office:automatic-styles>` +
			`<office:body><office:spreadsheet>` + tables + `</office:spreadsheet></office:body></office:document-content>`,
	}, more...)...)
}

func zipFiles(t testing.TB, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		w, err := z.Create(files[i])
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, files[i+1])
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// odsRow makes a row of cells: "3*x" is one that is written three times.
func odsRow(attributes string, cells ...string) string {
	var b strings.Builder
	b.WriteString("<table:table-row " + attributes + ">")
	for _, c := range cells {
		repeat := ""
		if n, text, ok := strings.Cut(c, "*"); ok {
			repeat, c = ` table:number-columns-repeated="`+n+`"`, text
		}
		if strings.HasPrefix(c, "<") {
			b.WriteString(c)
		} else if c == "" {
			b.WriteString("<table:table-cell" + repeat + "/>")
		} else {
			b.WriteString("<table:table-cell" + repeat + "><text:p>" + c + "</text:p></table:table-cell>")
		}
	}
	return b.String() + "</table:table-row>"
}

func TestODS(t *testing.T) {
	t.Parallel()
	data := ods(t, `<table:table table:name="BOM">`+
		odsRow(``, "Ref", "Value", "Qty", "16381*")+
		odsRow(`table:number-rows-repeated="2"`, "16384*")+
		odsRow(``, `<table:table-cell><text:p>R1,<text:s text:c="2"/>R2</text:p><text:p>R3</text:p><office:annotation><text:p>a note</text:p></office:annotation></table:table-cell>`,
			`<table:table-cell office:value-type="float" office:value="603"><text:p>0603</text:p></table:table-cell>`,
			`<table:table-cell office:value-type="float" office:value="1234.5"><text:p>1.234,5</text:p></table:table-cell>`)+
		odsRow(`table:visibility="collapse"`, "2*x", `<table:table-cell table:number-rows-spanned="2"><text:p>both</text:p></table:table-cell>`)+
		odsRow(``, "y", "z", `<table:covered-table-cell/>`)+
		odsRow(`table:number-rows-repeated="1048000"`, "16384*")+
		`</table:table><table:table table:name="Hidden" table:style-name="ta2">`+odsRow(``, "no")+`</table:table>`+
		`<table:table table:name="Blank">`+odsRow(``, "3*")+`</table:table>`)
	got, err := table.Read("a.ods", data)
	if err != nil || len(got) != 1 || got[0].Name != "BOM" || got[0].Cut {
		t.Fatalf("read a.ods: %v, %v; want sheet BOM alone, whole", got, err)
	}
	if d := cmp.Diff("1:Ref|Value|Qty\n4:R1,  R2\nR3|0603|1234.5\n5:x|x|both\n6:y|z", flat(got)); d != "" {
		t.Errorf("a.ods (-want +got)\n%s", d)
	}
	if rows := got[0].Rows; !rows[2].Hidden || rows[3].Hidden || rows[3].Merged[2] != "both" {
		t.Errorf("hidden and merged: %+v, want the first hidden, the second not, \"both\" merged there", rows[2:])
	}
}

func TestODSIsBounded(t *testing.T) {
	t.Parallel()
	one := func(rows string) []byte {
		return ods(t, `<table:table table:name="a">`+rows+`</table:table>`)
	}
	for name, tt := range map[string]struct {
		data []byte
		rows int // at most
		cut  bool
	}{
		"a row a billion times":  {one(odsRow(`table:number-rows-repeated="1000000000"`, "x")), 20_000, true},
		"a cell a billion times": {one(odsRow(``, "1000000000*x")), 1, false},
		"wide and long":          {one(odsRow(`table:number-rows-repeated="1000000"`, "1000000*x")), 1000, true},
		"many rows":              {one(strings.Repeat(odsRow(``, "x"), 30_000)), 20_000, true},
		"many tables":            {ods(t, strings.Repeat(`<table:table>`+odsRow(``, "x")+`</table:table>`, 3000)), 1, false},
		"numbers that are none":  {one(odsRow(`table:number-rows-repeated="-5"`, "x*x")), 1, false},
	} {
		got, err := table.Read("a.ods", tt.data)
		if err != nil || len(got) > 20 || len(got[0].Rows) > tt.rows || len(got[0].Rows[0].Cells) > 500 || got[0].Cut != tt.cut {
			t.Errorf("%s: %d tables, %v", name, len(got), err)
		}
	}
}

func TestODSRefused(t *testing.T) {
	t.Parallel()
	whole := ods(t, `<table:table>`+odsRow(``, "x")+`</table:table>`)
	for name, tt := range map[string]struct {
		data []byte
		want error
	}{
		"16 MB and more unpacked": {ods(t, `<table:table>`+odsRow(``, strings.Repeat("x", 17<<20))+`</table:table>`), table.ErrDamaged},
		"never ending elements":   {ods(t, `<table:table><table:table-row><table:table-cell>`+strings.Repeat("<a>", 1<<20)), table.ErrDamaged},
		"broken XML":              {ods(t, `<table:table><table:table-row>`), table.ErrDamaged},
		"entities":                {zipFiles(t, "content.xml", `<!DOCTYPE a [<!ENTITY b "cccc">]><a><spreadsheet><table><table-row><table-cell><p>&b;</p></table-cell></table-row></table></spreadsheet></a>`), table.ErrDamaged},
		"no table":                {ods(t, ``), table.ErrNotTable},
		"a text with a table":     {zipFiles(t, "content.xml", `<a><text><table><table-row><table-cell><p>x</p></table-cell></table-row></table></text></a>`), table.ErrNotTable},
		"protected":               {ods(t, `<table:table>`+odsRow(``, "x")+`</table:table>`, "META-INF/manifest.xml", `<manifest><file-entry><encryption-data/></file-entry></manifest>`), table.ErrProtected},
		"cut":                     {whole[:len(whole)/2], table.ErrDamaged},
	} {
		if _, err := table.Read("a.ods", tt.data); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", name, err, tt.want)
		}
	}
}
