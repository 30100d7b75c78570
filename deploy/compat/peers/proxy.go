package peers

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"testing"
)

const (
	headerSize = 16       // length, request id, response to, operation; each 32 bits
	maxMessage = 64 << 20 // more than any that a server accepts
	opMsg      = 2013
	moreToCome = 1 << 1 // of an opMsg's flags: no answer follows
)

// serialise starts a proxy that passes one request of MongoDB's protocol to
// the server at a time, of all connections together, and returns its address.
func serialise(t testing.TB, server string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatalf("start proxy: %v", err)
	}
	ctx, stop := context.WithCancel(context.Background())
	p := &proxy{server: server}
	p.wait.Go(func() { p.serve(ctx, l) })
	t.Cleanup(func() {
		stop()
		_ = l.Close() // it only listens
		p.wait.Wait()
	})
	return l.Addr().String()
}

type proxy struct {
	server string
	turn   sync.Mutex
	wait   sync.WaitGroup
}

func (p *proxy) serve(ctx context.Context, l net.Listener) {
	for {
		client, err := l.Accept()
		if err != nil {
			return
		}
		p.wait.Go(func() {
			defer client.Close()
			stop := context.AfterFunc(ctx, func() { client.Close() })
			defer stop()
			server, err := net.Dial("tcp", p.server)
			if err != nil {
				return
			}
			defer server.Close()
			stopServer := context.AfterFunc(ctx, func() { server.Close() })
			defer stopServer()
			for p.exchange(client, server) == nil {
			}
		})
	}
}

// exchange passes one request on and its answer back.
func (p *proxy) exchange(client, server net.Conn) error {
	request, err := message(client)
	if err != nil {
		return err
	}
	answer, err := p.ask(server, request)
	if err != nil || answer == nil {
		return err
	}
	_, err = client.Write(answer)
	return err
}

func (p *proxy) ask(server net.Conn, request []byte) ([]byte, error) {
	p.turn.Lock()
	defer p.turn.Unlock()
	if _, err := server.Write(request); err != nil {
		return nil, err
	}
	if silent(request) {
		return nil, nil
	}
	return message(server)
}

func silent(request []byte) bool {
	return binary.LittleEndian.Uint32(request[12:]) == opMsg && len(request) >= headerSize+4 &&
		binary.LittleEndian.Uint32(request[headerSize:])&moreToCome != 0
}

// message reads one message with its header.
func message(r io.Reader) ([]byte, error) {
	head := make([]byte, headerSize)
	if _, err := io.ReadFull(r, head); err != nil {
		return nil, err
	}
	size := binary.LittleEndian.Uint32(head)
	if size < headerSize || size > maxMessage {
		return nil, fmt.Errorf("message of %d bytes", size)
	}
	all := make([]byte, size)
	copy(all, head)
	if _, err := io.ReadFull(r, all[headerSize:]); err != nil {
		return nil, errors.Join(errors.New("message is cut off"), err)
	}
	return all, nil
}
