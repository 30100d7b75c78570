package cli

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// pages are those of the service that have a name.
var pages = []string{"docs", "portal", "status"}

func (s *session) openCommand() *cobra.Command {
	return &cobra.Command{
		Use: "open docs|portal|status|QUOTE", Short: "Open a page of the service in a browser", Args: cobra.ExactArgs(1), ValidArgs: pages,
		Long: "Opens the reference, the portal or the status page, or the page at which a quote is paid. The address is printed, too.",
		RunE: func(cmd *cobra.Command, args []string) error {
			a, err := s.findService()
			if err != nil {
				return err
			}
			link := strings.TrimRight(a.url, "/") + "/" + args[0]
			if !slices.Contains(pages, args[0]) {
				if !quoteIDs.MatchString(args[0]) {
					return fmt.Errorf("%q is none of %s, nor the id of a quote", args[0], strings.Join(pages, ", "))
				}
				service, err := s.connect()
				if err != nil {
					return err
				}
				quote, err := service.GetQuote(cmd.Context(), args[0])
				if err != nil {
					return err
				}
				link = quote.CheckoutURL
			}
			fmt.Fprintln(s.Out, link)
			if !s.Asks {
				return nil // nobody is there to look at it
			}
			return openBrowser(cmd.Context(), link)
		},
	}
}

// openBrowser has the system open an address of the web. No shell sees it.
func openBrowser(ctx context.Context, link string) error {
	if err := checkLink(link); err != nil {
		return err
	}
	program := map[string][]string{"darwin": {"open"}, "windows": {"rundll32", "url.dll,FileProtocolHandler"}}[runtime.GOOS]
	if program == nil {
		program = []string{"xdg-open"}
	}
	if err := exec.CommandContext(ctx, program[0], append(program[1:], link)...).Run(); err != nil {
		return fmt.Errorf("no browser could be opened: %w", err)
	}
	return nil
}
