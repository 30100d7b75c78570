package part

import (
	"boardorder/pkg/passive"

	lru "github.com/hashicorp/golang-lru/v2"
)

// words are what is read of an offer.
type words struct {
	mpn, description, pack string
	data                   passive.Spec
}

// maxRead is of how many offers what was read is kept: a list is judged in several
// rounds, and lists name the same parts again and again.
const maxRead = 20_000

var read, _ = lru.New[words, []passive.Spec](maxRead) // fails for a size of none only

// Specs are what is said of the passive part of an offer: by its number, by the
// supplier's parameters, and by its description. They are shared: not to be changed.
func (o *Offer) Specs() []passive.Spec {
	w := words{o.MPN, o.Description, o.Package, o.Data}
	list, known := read.Get(w)
	if !known {
		list = w.specs()
		read.Add(w, list)
	}
	return list
}

func (w words) specs() []passive.Spec {
	var out []passive.Spec
	if n, ok := passive.Read(w.mpn); ok {
		out = append(out, n.Spec)
	}
	if w.data.Kind != "" {
		out = append(out, w.data)
	}
	if s, ok := passive.Parse(passive.Line{Value: w.description, Footprint: w.pack}); ok {
		out = append(out, s)
	}
	return out
}
