package formdata_test

import (
	"testing"

	"boardorder/services/edge/internal/formdata"
)

func TestDescribe(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]formdata.Part{
		`form-data; name="files"; filename="a.gbr"`:                {"files", true, "a.gbr"},
		`form-data; name="files"; filename="C:\\dir\\a.gbr"`:       {"files", true, "a.gbr"},
		`form-data; name="files"; filename="../../etc/passwd"`:     {"files", true, "passwd"},
		`form-data; name="files"; filename="a/.."`:                 {"files", true, ""},
		`form-data; name="files"; filename*=UTF-8''b%C3%B6ard.zip`: {"files", true, "böard.zip"},
		"form-data; name=\"files\"; filename=\"a\u202egpj.zip\"":   {"files", true, "agpj.zip"},
		`form-data; name="note"`:                                   {"note", false, ""},
		`form-data; name="files"; filename=""`:                     {"files", true, ""},
		`nonsense;;;`:                                              {},
	} {
		got, known := formdata.Describe(in)
		if got != want || known != (in != "nonsense;;;") {
			t.Errorf("Describe(%s) = %+v, want %+v", in, got, want)
		}
	}
}
