package table_test

import (
	"fmt"
	"strings"
	"testing"

	"boardorder/services/part-sourcing/internal/table"
)

// TestDaysSince1904: workbooks that count days from 1904, XLSX and XLS, show the days that they mean;
// days that are written out are read as they stand.
func TestDaysSince1904(t *testing.T) {
	t.Parallel()
	for properties, want := range map[string]string{
		``: "2009-07-06", `<workbookPr/>`: "2009-07-06", `<workbookPr date1904="0"/>`: "2009-07-06", `<workbookPr date1904="false"/>`: "2009-07-06",
		`<workbookPr date1904="1"/>`: "2013-07-07", `<workbookPr date1904="true"/>`: "2013-07-07",
	} {
		data := workbook(t, `<row><c t="str"><v>D1</v></c><c s="0"><v>40000</v></c><c s="0" t="d"><v>2009-07-06T00:00:00</v></c></row>`,
			"xl/workbook.xml", `<workbook xmlns:r="r">`+properties+`<sheets><sheet name="BOM" r:id="rId1"/></sheets></workbook>`,
			"xl/styles.xml", `<styleSheet><cellXfs><xf numFmtId="14"/></cellXfs></styleSheet>`)
		got, err := table.Read("a.xlsx", data)
		if row := fmt.Sprintf("1:D1|%s|2009-07-06", want); err != nil || flat(got) != row {
			t.Errorf("day 40000 of a workbook with the properties %q: %q, %v; want %q", properties, flat(got), err, row)
		}
	}
	const counted, from1904 = "\x22\x00\x02\x00\x00\x00", "\x22\x00\x02\x00\x01\x00"
	data := strings.Replace(xls(t), counted, from1904, 1)
	got, err := table.Read("a.xls", []byte(data))
	if err != nil || len(got) != 2 || got[1].Rows[6].Cell(2) != "2013-07-07" {
		t.Errorf("a day of an XLS that counts from 1904: %v, %v; want 2013-07-07 in line 7", got[1].Rows[6], err)
	}
}
