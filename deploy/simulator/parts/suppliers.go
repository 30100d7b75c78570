package parts

import "net/http"

// Supplier names, as stock and prices go by them.
const (
	DigiKey = "digikey"
	Mouser  = "mouser"
	Library = "library"
	Arrow   = "arrow" // known to the search engine only
)

// carries are the shares in percent of parts that a supplier sells at all: ordinary
// ones and passives.
var carries = map[string][2]uint64{DigiKey: {92, 85}, Mouser: {86, 70}, Library: {55, 60}, Arrow: {70, 30}}

// Handler serves every supplier: /digikey, /mouser and /nexar.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /digikey/v1/oauth2/token", s.digikeyToken)
	mux.HandleFunc("POST /digikey/products/v4/search/keyword", s.digikey(s.digikeySearch))
	mux.HandleFunc("GET /digikey/products/v4/search/{number}/productdetails", s.digikey(s.digikeyDetails))
	mux.HandleFunc("GET /digikey/products/v4/search/{number}/substitutions", s.digikey(s.digikeySubstitutions))
	mux.HandleFunc("POST /mouser/api/v2/search/partnumber", s.mouserPartNumber)
	mux.HandleFunc("POST /nexar/connect/token", s.nexarToken)
	mux.HandleFunc("POST /nexar/graphql", s.nexarGraphQL)
	return mux
}
