package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"

	"boardorder/pkg/client"

	"github.com/spf13/cobra"
)

// largestBOM is how much of a bill of materials is read, in bytes: more than the service takes.
const largestBOM = 1 << 20

func (s *session) partsCommand() *cobra.Command {
	boards := 0
	c := &cobra.Command{
		Use: "parts BOM.csv", Short: "Can these parts be bought?", Args: cobra.ExactArgs(1),
		Long:    "Looks up the lines of a bill of materials; - reads it from the standard input. The exit status is 1 where a part cannot be bought.",
		Example: "  board parts -n 50 bom.csv",
		RunE: func(cmd *cobra.Command, args []string) error {
			bom, err := s.readBOM(args[0])
			if err != nil {
				return err
			}
			service, err := s.connect()
			if err != nil {
				return err
			}
			var body json.RawMessage
			found, err := service.CheckParts(cmd.Context(), client.PartCheckRequest{Boards: int64(boards), BomCsv: bom}, client.Raw(&body), s.progress())
			s.endProgress()
			switch {
			case err != nil:
				return s.printRefusal(err, body)
			case s.json:
				err = s.printBody(body)
			default:
				s.printParts(found)
			}
			if err == nil && slices.ContainsFunc(found.Parts, func(p client.PartFound) bool { return p.Verdict == client.PartFoundVerdictProblem }) {
				err = errStatus(statusFailed)
			}
			return err
		},
	}
	c.Flags().IntVarP(&boards, "boards", "n", 10, "boards to build")
	return c
}

func (s *session) readBOM(name string) (string, error) {
	in := s.In
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return "", err
		}
		defer f.Close()
		in = f
	}
	text, err := io.ReadAll(io.LimitReader(in, largestBOM))
	return string(text), err
}

func (s *session) printParts(found *client.PartCheckReply) {
	t := table{head: []string{"reference", "part", ">each board", "verdict", ">cost", "why"}}
	for _, p := range found.Parts {
		cost := ""
		if p.CostUsd != "" {
			cost = "$" + p.CostUsd
		}
		t.add(shorten(p.Reference, 24), shorten(p.Part, 32), fmt.Sprint(p.QuantityPerBoard), string(p.Verdict), cost, p.Why)
	}
	t.print(s.Out)
	total := client.Money{Minor: found.Summary.PartsCents, Currency: "USD"}
	fmt.Fprintf(s.Out, "\nParts of %d boards: %s", found.Boards, total)
	if !found.Summary.Complete {
		fmt.Fprint(s.Out, ", without those that have no price")
	}
	fmt.Fprintln(s.Out)
	for _, u := range found.Unreached {
		fmt.Fprintln(s.Out, "not reached:", line(u))
	}
	s.printNamed(s.Out, found.Named)
}
