// Command board orders printed circuit boards from the command line: `board help`.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"boardorder/deploy/clients/board/cli"

	"golang.org/x/term"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	program, _ := os.Executable() //nolint:errcheck // without it there is no run beside it to find
	status := cli.Run(ctx, cli.Env{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv, Program: program,
		Asks:   term.IsTerminal(int(os.Stdin.Fd())) && term.IsTerminal(int(os.Stderr.Fd())),
		Shown:  term.IsTerminal(int(os.Stdout.Fd())),
		Redraw: term.IsTerminal(int(os.Stderr.Fd())),
	}, os.Args[1:])
	stop()
	os.Exit(status)
}
