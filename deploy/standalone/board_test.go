package standalone_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"boardorder/deploy/clients/board/cli"
	"boardorder/pkg/client"
)

var updateBoard = flag.Bool("update-board", false, "write what board prints into the reference")

// boardEnv is what the command runs in, over s.
func (s *system) boardEnv(t testing.TB, in io.Reader, out io.Writer) cli.Env {
	vars := map[string]string{"BOARD_URL": s.BaseURL, "BOARD_API_KEY": s.testKey(t)}
	return cli.Env{In: in, Out: out, Err: out, Getenv: func(name string) string { return vars[name] }}
}

// unlike is what differs from run to run, and what stands for it in the reference.
var unlike = []struct {
	pattern *regexp.Regexp
	stand   string
}{
	{regexp.MustCompile(`http://127\.0\.0\.1:\d+`), "https://api.example.com"},
	{regexp.MustCompile(`[0-9a-f]{64}`), "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"},
	{regexp.MustCompile(`/design-checks/[^/]+/`), "/design-checks/…/"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d`), "2026-12-01 09:30"},
	{regexp.MustCompile(`09:30:\d\d`), "09:30:00"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d`), "2026-12-10 to 2026-12-14"},
	{regexp.MustCompile(`bo_test_\w+…`), "bo_test_7q2mkx4btr5a…"},
}

// TestBoardReference: the sessions that the reference shows of board are what it prints.
func TestBoardReference(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	folder := s.unpackSample(t)
	bom := "Reference,Value,MPN,Quantity\nU1,LM358,TEST-STOCKED,1\nU2,LM358,TEST-DISTRIBUTOR,1\nU3,LM358,TEST-UNKNOWN,1\n"
	bomFile := filepath.Join(t.TempDir(), "bom.csv")
	if err := os.WriteFile(bomFile, []byte(bom), 0o600); err != nil {
		t.Fatal(err)
	}
	guide := filepath.Join("..", "..", "services", "edge", "internal", "reference", "guide", "board.md")
	text, err := os.ReadFile(guide)
	if err != nil {
		t.Fatal(err)
	}
	var quoteID string
	session := regexp.MustCompile(`(?m)^    \$ board (.*)\n((?:(?:    .*)?\n)*?)(?:\n(?:    \$|\S)|\z)`)
	var written strings.Builder
	rest := string(text)
	for {
		at := session.FindStringSubmatchIndex(rest)
		if at == nil {
			break
		}
		line, shown := rest[at[2]:at[3]], rest[at[4]:at[5]]
		var args []string
		for _, arg := range strings.Fields(line) {
			switch {
			case arg == ".":
				arg = folder
			case arg == "bom.csv":
				arg = bomFile
			case len(arg) == 64:
				arg = quoteID
			}
			args = append(args, arg)
		}
		var out bytes.Buffer
		cli.Run(t.Context(), s.boardEnv(t, strings.NewReader(""), &out), args)
		if id := regexp.MustCompile(`/checkout/([0-9a-f]{64})`).FindStringSubmatch(out.String()); id != nil {
			quoteID = id[1]
		}
		got := strings.ReplaceAll(out.String(), folder+"/", "")
		for _, u := range unlike {
			got = u.pattern.ReplaceAllString(got, u.stand)
		}
		got = regexp.MustCompile(`(?m)^(.+)$`).ReplaceAllString(strings.TrimSpace(got), "    $1") + "\n"
		if got != shown && !*updateBoard {
			t.Errorf("board %s prints\n%s\nthe reference shows\n%s", line, got, shown)
		}
		written.WriteString(rest[:at[4]] + got)
		rest = rest[at[5]:]
	}
	if written.Len() == 0 {
		t.Fatal("the reference shows no session")
	}
	if *updateBoard {
		if err := os.WriteFile(guide, []byte(written.String()+rest), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestBoardPrograms: board serves programs beside it, receivers of webhooks and agents.
func TestBoardPrograms(t *testing.T) {
	t.Parallel()
	s := start(t, nil)
	t.Run("listen", s.listenByBoard)
	t.Run("mcp", s.callToolsByBoard)
}

// listenByBoard: a receiver gets events as webhooks, by the secret that is printed.
func (s *system) listenByBoard(t *testing.T) {
	address, secret, verified, unverified := receiveEvents(t)
	ctx, stop := context.WithCancel(t.Context())
	out, printed := io.Pipe()
	ended := make(chan int, 1)
	go func() {
		ended <- cli.Run(ctx, s.boardEnv(t, strings.NewReader(""), printed), []string{"listen", "--forward-to", address})
		printed.Close()
	}()
	lines := bufio.NewScanner(out)
	if !lines.Scan() || !strings.HasPrefix(lines.Text(), "Secret: whsec_") {
		t.Fatalf("board listen prints %q, want its secret", lines.Text())
	}
	secret <- strings.TrimPrefix(lines.Text(), "Secret: ")

	c, err := client.New(s.BaseURL, s.testKey(t))
	if err != nil {
		t.Fatal(err)
	}
	upload, err := c.UploadFolder(t.Context(), s.unpackSample(t))
	if err != nil {
		t.Fatal(err)
	}
	quote, err := c.Quote(t.Context(), client.QuoteRequest{UploadID: upload.UploadID, Quantity: 10, StandardForUnstated: true})
	if err != nil {
		t.Fatal(err)
	}
	select {
	case event := <-verified:
		if event.Data.QuoteID != quote.QuoteID {
			t.Errorf("forwarded %+v, want the event of %s", event, quote.QuoteID)
		}
	case err := <-unverified:
		t.Fatalf("a delivery of board listen: %v", err)
	}
	if !lines.Scan() || !strings.Contains(lines.Text(), "quote.priced") || !strings.HasSuffix(lines.Text(), "200 OK") {
		t.Errorf("board listen prints %q, want quote.priced and 200 OK", lines.Text())
	}
	stop()
	go io.Copy(io.Discard, out) //nolint:errcheck // what is printed last is of no interest
	if status := <-ended; status != 2 {
		t.Errorf("board listen ends with %d when it is interrupted, want 2", status)
	}
}

// callToolsByBoard: an agent on standard input and output has the service's tools.
func (s *system) callToolsByBoard(t *testing.T) {
	in, requests := io.Pipe()
	replies, out := io.Pipe()
	ended := make(chan int, 1)
	env := s.boardEnv(t, in, io.Discard)
	env.Out = out
	go func() {
		ended <- cli.Run(t.Context(), env, []string{"mcp"})
		out.Close()
	}()
	decoder := json.NewDecoder(replies)
	call := func(id int, method, params string) map[string]any {
		t.Helper()
		fmt.Fprintf(requests, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", id, method, params)
		var reply struct {
			Result map[string]any
			Error  any
		}
		if err := decoder.Decode(&reply); err != nil || reply.Result == nil {
			t.Fatalf("%s: %v, %+v; want a result", method, err, reply)
		}
		return reply.Result
	}
	call(1, "initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"agent","version":"1"}}`)
	fmt.Fprintln(requests, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	tools := fmt.Sprint(call(2, "tools/list", `{}`))
	link := fmt.Sprint(call(3, "tools/call", `{"name":"create_upload_link","arguments":{}}`))
	if !strings.Contains(tools, "quote_boards") || !strings.Contains(link, s.BaseURL+"/u/") {
		t.Errorf("board mcp has the tools %.200s and answers %.200s; want quote_boards, and a link", tools, link)
	}
	requests.Close()
	if status := <-ended; status != 0 {
		t.Errorf("board mcp ends with %d when its input does, want 0", status)
	}
}
