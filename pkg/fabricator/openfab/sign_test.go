package openfab

import (
	"testing"
	"time"
)

// The fabricator publishes this example of a signed request.
func TestPublishedSignature(t *testing.T) {
	t.Parallel()
	s := signer{app: "293992070061998081", key: "b6713a535d56412f805afadd7e818455", secret: []byte("z0BWlikshimuyiwBsH1i2qwnzMb3j3kA")}
	body := []byte(`{"goodsId":100,"quantity":52,"createdTime":"2024-03-21 10:03:20"}`)
	got := s.header("POST", "/order/v1/createOrder", body, time.Unix(1625208260, 0), "IZHEJYNIHYZIE8S0LLC0VWTPJVRRTO50")
	want := `JOP appid="293992070061998081",accesskey="b6713a535d56412f805afadd7e818455",timestamp="1625208260",nonce="IZHEJYNIHYZIE8S0LLC0VWTPJVRRTO50",signature="sygwKhKBkLwHVv0c7D+a/A7JTEJjGH/kLugFKh16918="`
	if got != want {
		t.Errorf("header\n got %s\nwant %s", got, want)
	}
}

func TestNoncesDiffer(t *testing.T) {
	t.Parallel()
	a, b := newNonce(), newNonce()
	if len(a) != 32 || a == b {
		t.Errorf("nonces %q and %q, want two different ones of 32 characters", a, b)
	}
}
