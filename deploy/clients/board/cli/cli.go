// Package cli is what the command board does.
package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"boardorder/pkg/client"

	"github.com/spf13/cobra"
)

// Exit statuses, as gh has them.
const (
	statusOK             = 0
	statusFailed         = 1
	statusCancelled      = 2
	statusAuthentication = 4
)

// Env is what the command runs in.
type Env struct {
	In       io.Reader
	Out, Err io.Writer
	Getenv   func(string) string
	Program  string // the path of the running program
	Asks     bool   // somebody is there to answer
	Redraw   bool   // Err is a terminal, on which a line can be written over
	Shown    bool   // Out is a terminal
}

// errStatus ends the command with a status of its own, for what was printed already.
type errStatus int

func (e errStatus) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// errCancelled is somebody's choice to end.
var errCancelled = errors.New("cancelled")

// A session is one run of the command.
type session struct {
	Env
	json  bool
	quiet bool // no progress
	line  bool // progress stands on a line that is not ended
}

// Run carries out the command with these arguments and gives its exit status.
func Run(ctx context.Context, env Env, args []string) int {
	env.Out, env.Err = &cleanWriter{env.Out}, &cleanWriter{env.Err}
	s := &session{Env: env}
	s.Asks = env.Asks && env.Getenv("BOARD_PROMPT_DISABLED") == ""
	root := s.root()
	root.SetArgs(args)
	root.SetIn(env.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	err := root.ExecuteContext(ctx)
	s.endProgress()
	var status errStatus
	switch {
	case err == nil:
		return statusOK
	case errors.As(err, &status):
		return int(status)
	case errors.Is(err, errCancelled), errors.Is(err, context.Canceled), ctx.Err() != nil:
		fmt.Fprintln(s.Err, "cancelled")
		return statusCancelled
	}
	s.explain(err)
	if errors.Is(err, client.Authentication) || errors.Is(err, errNoKey) {
		return statusAuthentication
	}
	return statusFailed
}

const environment = `
Environment:
  BOARD_URL              address of the service
  BOARD_API_KEY          API key; bo_test_… tries things out
  BOARD_PROMPT_DISABLED  any value: never ask, print what is open and end
  BOARD_WEBHOOK_SECRET   the secret that board listen signs with

Nothing is coloured, with or without NO_COLOR. Without BOARD_URL and BOARD_API_KEY the service that "make run" has started beside this program is used.

Exit status: 0 done; 1 failed, or what was found is not as asked for; 2 cancelled; 4 no usable API key.
`

func (s *session) root() *cobra.Command {
	root := &cobra.Command{
		Use: "board", Short: "Order printed circuit boards", SilenceErrors: true, SilenceUsage: true,
		Long: "Order printed circuit boards: from a folder of design files to a delivered price, a check, an order.\n",
	}
	root.SetUsageTemplate(root.UsageTemplate() + environment)
	root.PersistentFlags().BoolVar(&s.json, "json", false, "print what the service answers, unchanged")
	root.AddCommand(s.quoteCommand(), s.tableCommand(), s.checkCommand(), s.ciCommand(), s.partsCommand(), s.orderCommand(), s.eventsCommand(),
		s.listenCommand(), s.triggerCommand(), s.keysCommand(), s.openCommand(), s.mcpCommand())
	return root
}

// explain prints why the command failed, and what can be done.
func (s *session) explain(err error) {
	var e *client.Error
	if !errors.As(err, &e) {
		fmt.Fprintln(s.Err, "board:", strings.TrimPrefix(err.Error(), "client: "))
		return
	}
	fmt.Fprintln(s.Err, "board:", harmless(e.Error()))
	for _, f := range e.Fields {
		fmt.Fprintf(s.Err, "  %s: %s\n", harmless(f.Field), harmless(f.Message))
	}
	if e.Reply != nil {
		s.printNamed(s.Err, e.Reply.Named)
	}
	switch {
	case errors.Is(e, client.Authentication):
		fmt.Fprintln(s.Err, "Set BOARD_API_KEY to a key of this service; members of the account make keys at /portal.")
	case errors.Is(e, client.Connection):
		fmt.Fprintln(s.Err, "Is BOARD_URL right, and the service running?")
	case e.RetryAfter > 0:
		fmt.Fprintf(s.Err, "Try again in %v.\n", e.RetryAfter)
	}
}

// printBody prints a reply as it came; on a terminal, what steers one as JSON escapes it.
func (s *session) printBody(body json.RawMessage) error {
	text := string(body)
	if s.Shown {
		text = escape(text)
	}
	_, err := io.WriteString(s.Out.(*cleanWriter).w, text+"\n")
	return err
}

// printRefusal prints the body of a refusal where bodies are asked for.
func (s *session) printRefusal(err error, body json.RawMessage) error {
	if s.json && json.Valid(body) {
		return errors.Join(s.printBody(body), err)
	}
	return err
}

func (s *session) printNamed(w io.Writer, named client.Named) {
	for _, name := range listKeys(named) {
		fmt.Fprintf(w, "  [%s] is called %q\n", name, named[name])
	}
}

func (s *session) progress() client.CallOption {
	return client.TellProgress(func(p client.Progress) {
		s.say(fmt.Sprintf("%s (%v)", p.Text, p.Elapsed))
	})
}

// say shows what is being done; on a terminal in place of what was said before.
func (s *session) say(text string) {
	if s.json || s.quiet {
		return
	}
	if !s.Redraw {
		fmt.Fprintln(s.Err, text)
		return
	}
	raw := s.Err.(*cleanWriter).w
	fmt.Fprint(raw, "\r\x1b[K", shorten(clean(text), 78)) //nolint:errcheck // progress may be lost
	s.line = true
}

func (s *session) endProgress() {
	if s.line {
		fmt.Fprint(s.Err.(*cleanWriter).w, "\r\x1b[K") //nolint:errcheck // progress may be lost
		s.line = false
	}
}
