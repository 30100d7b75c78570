// Command blindquotes asks a running service for a quote of every design in a folder,
// as a customer would who takes the standard for whatever the files leave open, and
// compares what would be sold with what is true of the design.
//
//	blindquotes -ready FILE [-replies FOLDER] folder [design...]
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

	"boardorder/deploy/standalone"
	"boardorder/pkg/board/testkit/blind/truth"
)

func main() {
	ready := flag.String("ready", "data/ready.json", "the file that the standalone program wrote when it was ready")
	replies := flag.String("replies", "", "the folder to keep every reply in")
	flag.Parse()
	if err := measure(context.Background(), os.Stdout, *ready, *replies, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "blindquotes:", err)
		os.Exit(1)
	}
}

func measure(ctx context.Context, w io.Writer, ready, replies string, args []string) error {
	if len(args) == 0 {
		return errors.New("usage: blindquotes -ready FILE [-replies FOLDER] folder [design...]")
	}
	known, err := truth.Designs()
	if err != nil {
		return err
	}
	shop, err := connect(ready)
	if err != nil {
		return err
	}
	names := args[1:]
	if len(names) == 0 {
		if names, err = folders(args[0]); err != nil {
			return err
		}
	}
	total := newTally(w)
	for _, name := range names {
		r, err := shop.quote(ctx, filepath.Join(args[0], name))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := keep(replies, name, r); err != nil {
			return err
		}
		design := known[name]
		if design == nil {
			design = &truth.Design{}
		}
		total.add(name, r, judge(design, r))
	}
	total.summary()
	return nil
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

func folders(in string) ([]string, error) {
	entries, err := os.ReadDir(in)
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names, err
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
