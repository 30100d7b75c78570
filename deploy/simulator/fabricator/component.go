package fabricator

import "boardorder/deploy/simulator/parts"

// maxCodes is how many parts of its library one call details.
const maxCodes = 1000

// components details parts of the library by their codes; codes that it does not
// know are left out.
func (s *Server) components(c *call) (any, error) {
	var in struct {
		Codes []string `json:"componentCodes"`
	}
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	if len(in.Codes) == 0 || len(in.Codes) > maxCodes {
		return nil, refuse(2000)
	}
	library, err := parts.Load()
	if err != nil {
		return nil, err
	}
	out := []parts.LibraryPart{}
	for _, code := range in.Codes {
		s.countLookup(code)
		if d, ok := library.LibraryDetail(code); ok {
			if s.take(c, FaultNegative) {
				d.Prices[0].Unit = -1
			}
			out = append(out, d)
		}
	}
	return out, nil
}

func (s *Server) countLookup(code string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests[code]++
}

// Lookups tells how often each part of the library was looked up.
func (s *Server) Lookups() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make(map[string]int, len(s.requests))
	for k, n := range s.requests {
		out[k] = n
	}
	return out
}

// componentList lists the library, a page at a time.
func (s *Server) componentList(c *call) (any, error) {
	var in struct {
		LastKey string `json:"lastKey"`
	}
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	library, err := parts.Load()
	if err != nil {
		return nil, err
	}
	list, next := library.LibraryList(in.LastKey, maxCodes)
	if list == nil {
		list = []parts.LibraryStub{}
	}
	return map[string]any{"componentInfos": list, "lastKey": next}, nil
}
