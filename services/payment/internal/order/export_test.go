package order

// Len is how many orders are remembered.
func (s *Settling) Len() int { return len(s.seen) }
