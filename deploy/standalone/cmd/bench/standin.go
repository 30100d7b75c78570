package main

import (
	"errors"
	"net"
	"net/http"

	"boardorder/deploy/simulator/fabricator"
)

// A standIn answers for the fabricator in this process, so that what it costs is not
// taken for the program's.
type standIn struct {
	fab  *fabricator.Server
	http *http.Server
	url  string
}

func openStandIn(dir string) (*standIn, error) {
	fab, err := fabricator.New(fabricator.Config{Dir: dir})
	if err != nil {
		return nil, err
	}
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, errors.Join(err, fab.Close())
	}
	s := &standIn{fab, &http.Server{Handler: fab}, "http://" + ln.Addr().String()}
	go s.http.Serve(ln) //nolint:errcheck // it ends by close
	return s, nil
}

// environment points a program at the stand-in, which takes as many calls as come.
func (s *standIn) environment() []string {
	if s == nil {
		return nil
	}
	return []string{"FABRICATOR_0_URL=" + s.url, "FABRICATOR_0_CALLS_PER_SECOND=1000000"}
}

func (s *standIn) close() error {
	if s == nil {
		return nil
	}
	return errors.Join(s.http.Close(), s.fab.Close())
}
