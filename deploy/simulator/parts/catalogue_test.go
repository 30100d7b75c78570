package parts_test

import (
	"testing"

	"boardorder/deploy/simulator/parts"
	"boardorder/pkg/passive"
)

func TestCatalogue(t *testing.T) {
	t.Parallel()
	c, err := parts.Load()
	if err != nil {
		t.Fatal(err)
	}
	others, sold := 0, map[string]int{}
	codes := map[string]bool{}
	for i := range c.Parts {
		p := &c.Parts[i]
		if !p.Passive {
			others++
		} else if _, ok := passive.Read(p.MPN); !ok {
			t.Errorf("%s is of no series", p.MPN)
		}
		if p.Replacement != "" && c.Find(p.Replacement) == nil && p.MPN != "W25Q80DVSNIG" {
			t.Errorf("%s is replaced by %s, which nobody sells", p.MPN, p.Replacement)
		}
		for _, s := range []string{parts.DigiKey, parts.Mouser, parts.Library, parts.Arrow} {
			if p.Sold(s) {
				sold[s]++
			}
			last := int64(1) << 40
			for _, b := range p.Breaks(s, 1) {
				if b.Price <= 0 || b.Price > last {
					t.Errorf("%s at %s: %v", p.MPN, s, p.Breaks(s, 1))
				}
				last = b.Price
			}
		}
		if code := c.Code(p); code != "" {
			if codes[code] || c.ByCode(code) != p {
				t.Errorf("code %s is not the only one of %s", code, p.MPN)
			}
			codes[code] = true
		}
	}
	if len(c.Parts) < 5000 || others < 500 || sold[parts.Library] < 2000 || sold[parts.DigiKey] < 3000 {
		t.Errorf("%d parts, %d of them no passives, sold %v", len(c.Parts), others, sold)
	}
}

func TestLibraryList(t *testing.T) {
	t.Parallel()
	c, err := parts.Load()
	if err != nil {
		t.Fatal(err)
	}
	seen, last := 0, ""
	for {
		list, next := c.LibraryList(last, 700)
		for _, stub := range list {
			d, ok := c.LibraryDetail(stub.Code)
			if !ok || d.Model != stub.Model || len(d.Prices) == 0 || d.Prices[len(d.Prices)-1].To != -1 {
				t.Fatalf("%+v: %+v %v", stub, d, ok)
			}
			seen++
		}
		if next == "" {
			break
		}
		last = next
	}
	want := 0
	for i := range c.Parts {
		if c.Parts[i].Sold(parts.Library) {
			want++
		}
	}
	if seen != want {
		t.Errorf("%d parts listed, %d in the library", seen, want)
	}
}
