package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"

	"boardorder/pkg/contract/audits"
	"boardorder/services/console/internal/audit"
)

// verifyAudit follows the chain of what operators did from its first entry.
func (c command) verifyAudit(ctx context.Context, args []string) error {
	if err := c.flags(flag.NewFlagSet("audit verify", flag.ContinueOnError), args); err != nil {
		return err
	}
	report, err := audit.Verify(ctx, c.Bus)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.Out, "%d entries\nlast hash %s\n", report.Entries, report.Head)
	for _, p := range report.Problems {
		fmt.Fprintln(c.Out, p)
	}
	if len(report.Problems) > 0 {
		return errors.New("the audit trail is not whole")
	}
	return nil
}

// exportAudit prints the trail.
func (c command) exportAudit(ctx context.Context, args []string) error {
	f := flag.NewFlagSet("audit export", flag.ContinueOnError)
	format := f.String("format", "", "")
	if err := c.flags(f, args, "format"); err != nil {
		return err
	}
	w, err := audit.NewWriter(c.Out, *format)
	if err != nil {
		return err
	}
	var failed error
	err = audit.Read(ctx, c.Bus, func(e audits.Entry) {
		if failed == nil {
			failed = w.Write(e)
		}
	})
	return errors.Join(err, failed, w.Close())
}
