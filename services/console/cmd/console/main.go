// Command console serves the operators' pages and keeps accounts; with
// arguments it opens accounts and makes and revokes keys from a terminal.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/user"

	"boardorder/pkg/run"
	"boardorder/services/console"
	"boardorder/services/console/internal/cli"
)

func main() {
	if len(os.Args) < 2 {
		run.Main("console", console.Build)
		return
	}
	std := cli.IO{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Operator: "terminal:" + username()}
	err := cli.Run(os.Args[1:], std, func(do func(context.Context, run.Deps) error) error { return run.Command("console", do) })
	switch {
	case errors.Is(err, cli.ErrUsage):
		os.Exit(2)
	case err != nil:
		fmt.Fprintln(os.Stderr, "console:", err)
		os.Exit(1)
	}
}

func username() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return "unknown"
}
