package designcheck

// SetVersions makes the service another release's, whose reader or rules are others.
func (s *Service) SetVersions(versions string) *Service {
	s.versions = versions
	return s
}
