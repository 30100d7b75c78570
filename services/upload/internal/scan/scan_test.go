package scan

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"strings"
	"testing"
)

// speaks answers one command as clamd does, and gives what it was sent.
func speaks(t *testing.T, limit int, answer func(file []byte) string) (address string, got *bytes.Buffer) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	got = &bytes.Buffer{}
	go func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer conn.Close() //nolint:errcheck // a test
		command := make([]byte, len("zINSTREAM\x00"))
		if _, err := io.ReadFull(conn, command); err != nil || string(command) != "zINSTREAM\x00" {
			return
		}
		for {
			var n uint32
			if binary.Read(conn, binary.BigEndian, &n) != nil {
				return
			}
			if n == 0 {
				break
			}
			if got.Len()+int(n) > limit {
				_, _ = io.WriteString(conn, "INSTREAM size limit exceeded. ERROR\x00")
				return
			}
			if _, err := io.CopyN(got, conn, int64(n)); err != nil {
				return
			}
		}
		_, _ = io.WriteString(conn, answer(got.Bytes()))
	}()
	return "tcp://" + l.Addr().String(), got
}

func TestScan(t *testing.T) {
	t.Parallel()
	large := strings.Repeat("G04 board*\n", 20_000)
	for name, tt := range map[string]struct {
		file, answer, found string
		limit               int
		err                 error
	}{
		"clean":             {large, "stream: OK\x00", "", 1 << 20, nil},
		"empty":             {"", "stream: OK\x00", "", 1 << 20, nil},
		"found":             {"x", "stream: Eicar-Test-Signature FOUND\x00", "Eicar-Test-Signature", 1 << 20, nil},
		"a chunk, exactly":  {large[:chunk], "stream: OK\x00", "", 1 << 20, nil},
		"too large":         {large, "", "", 1000, ErrTooLarge},
		"an error":          {"x", "stream: Can't allocate memory ERROR\x00", "", 1 << 20, errAnswer},
		"nonsense":          {"x", "hello\x00", "", 1 << 20, errAnswer},
		"nothing was found": {"x", "stream:  FOUND\x00", "", 1 << 20, errAnswer},
		"cut off":           {"x", "stream: O", "", 1 << 20, io.EOF},
	} {
		address, got := speaks(t, tt.limit, func([]byte) string { return tt.answer })
		s, err := Open(address)
		if err != nil {
			t.Fatal(err)
		}
		found, err := s.Scan(t.Context(), strings.NewReader(tt.file))
		if found != tt.found || !errors.Is(err, tt.err) {
			t.Errorf("%s: Scan answered %q = %q, %v; want %q, %v", name, tt.answer, found, err, tt.found, tt.err)
		}
		if tt.err == nil && got.String() != tt.file {
			t.Errorf("%s: %d bytes arrived of %d, want all", name, got.Len(), len(tt.file))
		}
	}
}

func TestOpen(t *testing.T) {
	t.Parallel()
	for address, ok := range map[string]bool{
		"": true, "tcp://scanner:3310": true, "unix:///run/clamd.sock": true, "tcp://scanner": false, "http://x:1": false, "scanner:3310": false, "unix://": false,
	} {
		if _, err := Open(address); (err == nil) != ok {
			t.Errorf("Open(%q): %v", address, err)
		}
	}
	if found, err := (*Scanner)(nil).Scan(t.Context(), strings.NewReader("x")); found != "" || err != nil {
		t.Errorf("no scanner: %q, %v", found, err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("stream: OK")
	f.Add("stream: X FOUND")
	f.Fuzz(func(t *testing.T, answer string) {
		if found, err := read(answer); err == nil && found == "" && answer != "stream: OK" || len(found) > longestName {
			t.Errorf("%q: found %q, %v; want an error or a name of %d bytes at most, clean is \"stream: OK\" alone", answer, found, err, longestName)
		}
	})
}
