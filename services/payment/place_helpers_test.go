package payment_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"io"
	"testing"

	"boardorder/pkg/contract/orders"
	"boardorder/pkg/fabricator"
)

func address(o orders.Order) fabricator.Address {
	to := o.ShipTo
	return fabricator.Address{
		Name: to.Name, Line1: to.Line1, City: to.City, State: to.State, PostalCode: to.PostalCode, Country: to.Country, Phone: to.Phone,
	}
}

func spec(t *testing.T, o orders.Order) fabricator.Spec {
	t.Helper()
	var s fabricator.Spec
	if err := json.Unmarshal(o.Terms.Spec, &s); err != nil {
		t.Fatal(err)
	}
	return s
}

func pack() io.Reader {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	if f, err := z.Create("a.gtl"); err == nil {
		_, _ = f.Write([]byte("M02*"))
	}
	_ = z.Close()
	return &b
}
