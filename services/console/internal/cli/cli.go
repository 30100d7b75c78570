// Package cli is the console for scripts and terminals: accounts and keys, as
// the pages have them, and the hash of an operator's password.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"boardorder/pkg/run"
	"boardorder/services/console/internal/ask"
	"boardorder/services/console/internal/operator"
)

const usage = `console                 serve the operators' pages and carry out commands on accounts
console account open    -name NAME [-id acc_…] [-email ADDRESS]
console account address -account acc_… -email ADDRESS   where the partner is written to; all e-mails of test keys go there
console account list
console key create      -account acc_… -name NAME [-test] [-scopes uploads,quotes] [-expires 2030-12-31] [-networks 192.0.2.0/24,2001:db8::/32]
console key change      -key ID [-scopes …] [-expires …] [-networks …]   what is not given stays; -networks '' is everywhere
console key list        [-account acc_…]
console key revoke      -key ID
console customer erase  -email ADDRESS   remove a customer's personal data, once orders on their way are shipped
console customer erasures
console customer export -email ADDRESS   print all that is held of a customer, a line of JSON for each thing
console audit verify    look whether the record of what operators did is whole, and print its last hash
console audit export    -format csv|json   print that record
console operator hash   make the hash for the operators' file of the password on standard input

Accounts and keys need the environment of a service (NATS_URL, MONGO_URI, S3_URL, MASTER_KEY) and a
console and a projector that run. A key is shown once.
`

// ErrUsage says that the arguments were not understood; the usage was printed.
var ErrUsage = errors.New("arguments not understood")

// IO is what a command reads and writes.
type IO struct {
	In       io.Reader
	Out, Err io.Writer
	Operator string // who asks
}

// command is one thing that can be asked for.
type command struct {
	outcomes *ask.Outcomes
	run.Deps
	IO
}

// Open does what needs the system, given how to reach it.
type Open func(do func(context.Context, run.Deps) error) error

// Run does what the arguments ask for.
func Run(args []string, std IO, open Open) error {
	if len(args) == 2 && args[0] == "operator" && args[1] == "hash" {
		return hash(std)
	}
	if len(args) < 2 {
		fmt.Fprint(std.Err, usage)
		return ErrUsage
	}
	do, known := map[string]func(command, context.Context, []string) error{
		"account open": command.openAccount, "account list": command.listAccounts, "account address": command.setAddress,
		"key create": command.createKey, "key change": command.changeKey, "key list": command.listKeys, "key revoke": command.revokeKey,
		"audit verify": command.verifyAudit, "audit export": command.exportAudit,
		"customer erase": command.eraseCustomer, "customer erasures": command.listErasures,
		"customer export": command.exportCustomer,
	}[args[0]+" "+args[1]]
	if !known {
		fmt.Fprint(std.Err, usage)
		return ErrUsage
	}
	return open(func(ctx context.Context, d run.Deps) error {
		return do(command{&ask.Outcomes{Bus: d.Bus, Docs: d.Docs, Now: d.Now}, d, std}, ctx, args[2:])
	})
}

func hash(std IO) error {
	text, err := io.ReadAll(io.LimitReader(std.In, 4096))
	if err != nil {
		return fmt.Errorf("read password: %w", err)
	}
	h, err := operator.HashPassword(strings.TrimRight(string(text), "\r\n"))
	if err != nil {
		return err
	}
	fmt.Fprintln(std.Out, h)
	return nil
}

// flags parses the flags of one command; what is required must be there.
func (c command) flags(f *flag.FlagSet, args []string, required ...string) error {
	f.SetOutput(c.Err)
	f.Usage = func() { fmt.Fprint(c.Err, usage) }
	if err := f.Parse(args); err != nil {
		return ErrUsage
	}
	var missing []string
	for _, name := range required {
		if f.Lookup(name).Value.String() == "" {
			missing = append(missing, "-"+name)
		}
	}
	if len(missing) > 0 || f.NArg() > 0 {
		fmt.Fprintf(c.Err, "needed: %s\n\n%s", strings.Join(missing, " "), usage)
		return ErrUsage
	}
	return nil
}
