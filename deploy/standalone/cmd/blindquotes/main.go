// Command blindquotes asks a running service for a quote of every design in a folder,
// as a customer would who takes the standard for whatever the files leave open, and
// compares what would be sold with what is true of the design.
//
//	blindquotes -ready FILE [-replies FOLDER] [-assembled [-pause 20s]] folder [design...]
//
// With -assembled it asks for assembled boards of the designs' lists instead, and says
// which lines could be bought, which parts took another's place, and what was compared.
// Distributors answer so many questions a minute: the pause between two designs lets
// them answer all.
//
// FILE is what the standalone program wrote when it was ready. What is true stands in
// testkit/blind/truth. Every reply is kept in FOLDER for whoever judges what no table
// can: whether a question is sensible, and whether a stop is true.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"boardorder/deploy/standalone"
	"boardorder/pkg/board/testkit/corpus"
)

func main() {
	ready := flag.String("ready", "data/ready.json", "the file that the standalone program wrote when it was ready")
	replies := flag.String("replies", "", "the folder to keep every reply in")
	assembled := flag.Bool("assembled", false, "ask for assembled boards")
	pause := flag.Duration("pause", 0, "how long to wait between two designs")
	flag.Parse()
	if err := measure(context.Background(), os.Stdout, *ready, *replies, *assembled, *pause, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "blindquotes:", err)
		os.Exit(1)
	}
}

func measure(ctx context.Context, w io.Writer, ready, replies string, assembled bool, pause time.Duration, args []string) error {
	if len(args) == 0 {
		return errors.New("usage: blindquotes -ready FILE [-replies FOLDER] [-assembled [-pause 20s]] folder [design...]")
	}
	shop, err := connect(ready)
	if err != nil {
		return err
	}
	ask, total := shop.quote, counter(newCount(w))
	if assembled {
		ask = shop.quoteAssembly
	} else if total, err = newJudge(w); err != nil {
		return err
	}
	names := args[1:]
	if len(names) == 0 {
		if names, err = corpus.Folders(args[0]); err != nil {
			return err
		}
	}
	for _, name := range names {
		r, err := ask(ctx, filepath.Join(args[0], name))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := keep(replies, name, r); err != nil {
			return err
		}
		total.add(name, r)
		time.Sleep(pause)
	}
	total.summary()
	return nil
}

// A counter takes the replies to one design after another, and sums them up.
type counter interface {
	add(name string, r *replies)
	summary()
}

func connect(file string) (*shop, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var ready standalone.Ready
	if err := json.Unmarshal(data, &ready); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return &shop{base: ready.BaseURL, key: ready.APIKey}, nil
}

func keep(folder, name string, r *replies) error {
	if folder == "" {
		return nil
	}
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, name+".json"), data, 0o600)
}
