package standalone

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"boardorder/deploy/standalone/infra"
	"boardorder/deploy/standalone/internal/demo"
)

// Ready is where everything is.
type Ready struct {
	BaseURL      string `json:"base_url"`
	ConsoleURL   string `json:"console_url"`
	MailboxURL   string `json:"mailbox_url"`
	SimulatorURL string `json:"simulator_url"`
	NATSURL      string `json:"nats_url"` // with the token that it asks for
	APIKey       string `json:"api_key"`
	NewKey       bool   `json:"-"` // the key was made at this start
	PID          int    `json:"pid"`
}

// Ready says where the started system is reached.
func (s *System) Ready() Ready {
	r := s.ready
	r.BaseURL = s.baseURL()
	if r.ConsoleURL == "" { // the console runs as a process of its own
		r.ConsoleURL = "http://" + local(s.console.Addr())
	}
	r.MailboxURL, r.SimulatorURL, r.PID = s.sim.MailboxURL(), s.sim.URL(), os.Getpid()
	r.NATSURL = s.natsURL
	return r
}

// hideToken keeps a secret off people's screens.
func hideToken(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	u.User = nil
	return u.String()
}

// WriteFile writes r as JSON; whoever waits for the file never sees half of it.
func (r Ready) WriteFile(file string) error { return infra.WriteJSON(file, r) }

// describeKey is what a person is shown of the key: all of it once, when it is made.
func (r Ready) describeKey(keyFile string) string {
	if r.NewKey {
		return r.APIKey + "   (shown this once; kept in " + keyFile + ")"
	}
	return "was shown when it was made, and lies in " + keyFile + "; the console makes others, under Accounts"
}

// Banner is what a person is shown: where everything is, and three commands
// that take the sample board to a price and a checkout page.
func (r Ready) Banner(dataDir string) string {
	keyFile := filepath.Join(dataDir, demo.KeyFile)
	return fmt.Sprintf(`
The board ordering service is ready.

  API         %[1]s   (reference: %[1]s/docs)
  Console     %[2]s
              signs you in once; later as "owner" with the password in %[7]s/console-password.
              What needs a second operator is approved as "second", password in %[7]s/console-password-second
  Mailbox     %[3]s
  Simulator   %[4]s
  NATS        %[5]s
  API key     %[6]s
  Test key    in %[9]s: priced by a table, paid with test cards, shipped within a minute, made by nobody
  Data        %[7]s

From a sample board to a price and a checkout page:

  1.  UPLOAD=$(curl -s %[1]s/v1/uploads -H "X-API-Key: $(cat %[8]s)" -F files=@%[7]s/sample-board.zip | sed 's/.*"upload_id":"\([^"]*\)".*/\1/')

  2.  curl -s "%[1]s/v1/quotes?wait_s=30" -H "X-API-Key: $(cat %[8]s)" -H "Content-Type: application/json" -d "{\"upload_id\":\"$UPLOAD\",\"quantity\":10,\"standard_for_unstated\":true}" | tee %[7]s/quote.json

  3.  CHECKOUT=$(sed 's/.*"checkout_url":"\([^"]*\)".*/\1/' %[7]s/quote.json); curl -s -o /dev/null -w "%%{http_code}  $CHECKOUT\n" "$CHECKOUT"

Open that address in a browser; in the simulator the card 4242 4242 4242 4242 pays, with any later date and code.
Stop with Ctrl-C; started again, it has everything that it had.
`, r.BaseURL, r.ConsoleURL, r.MailboxURL, r.SimulatorURL, hideToken(r.NATSURL), r.describeKey(keyFile), dataDir, keyFile, filepath.Join(dataDir, demo.TestKeyFile))
}
