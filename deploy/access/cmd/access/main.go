// Command access applies what package access says.
//
//	access generate          write the generated files, below the repository's root (run in deploy/access)
//	access bucket            make the bucket of S3_URL, its users and its policy, at a Versity gateway
//	access bucket -policy    the same without users: they were made with the provider's tools
//
// STREAM_PARTS says to the first which streams are split, as it does to the
// program that makes the streams; without it they are split as they are shipped. S3_URL carries the root's credentials, and
// S3_<SERVICE>_SECRET each user's secret key.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"boardorder/deploy/access"
	"boardorder/deploy/access/bucket"
	"boardorder/pkg/blob/s3"
	"boardorder/pkg/bus/topology"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "access:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	switch {
	case len(args) == 1 && args[0] == "generate":
		return generate(filepath.Join("..", ".."), env("STREAM_PARTS"))
	case len(args) == 1 && args[0] == "bucket":
		return apply(ctx, true)
	case len(args) == 2 && args[0] == "bucket" && args[1] == "-policy":
		return apply(ctx, false)
	}
	return errors.New("usage: access generate | access bucket [-policy]")
}

func generate(root, split string) error {
	cfg, err := topology.ParseEnvironment(map[string]string{"STREAM_PARTS": split})
	if err != nil {
		return err
	}
	parts := access.Parts(cfg.Parts)
	if split == "" {
		parts = access.InitialParts()
	}
	files, err := access.Generate(root, parts)
	if err != nil {
		return err
	}
	for path, text := range files {
		if err := os.WriteFile(filepath.Join(root, path), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func apply(ctx context.Context, users bool) error {
	target, err := s3.Parse(env("S3_URL"))
	if err != nil {
		return fmt.Errorf("S3_URL: %w", err)
	}
	if users {
		secrets := map[string]string{}
		for _, u := range access.Services() {
			secrets[u.Name] = os.Getenv(access.FilesVariable(u.Name))
		}
		if err := bucket.Users(ctx, target, secrets); err != nil {
			return err
		}
	}
	return bucket.Policy(ctx, target)
}

func env(name string) string { return os.Getenv(name) }
