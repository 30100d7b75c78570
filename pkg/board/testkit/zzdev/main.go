package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"time"

	"boardorder/pkg/board"
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/check"
	"boardorder/pkg/board/dfm/limits"
	"boardorder/pkg/board/testkit/corpus"
	"boardorder/pkg/board/upload"
)

func main() {
	folder := os.Args[1]
	names := os.Args[2:]
	if len(names) == 0 {
		es, _ := os.ReadDir(folder)
		for _, e := range es {
			if e.IsDir() {
				names = append(names, e.Name())
			}
		}
	}
	sort.Strings(names)
	for _, n := range names {
		one(filepath.Join(folder, n), n)
	}
}

func one(dir, name string) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	files, refused, err := corpus.Load(ctx, dir)
	fmt.Printf("\n######## %s\n", name)
	if err != nil {
		fmt.Println("ERR", err)
		return
	}
	for _, r := range refused {
		fmt.Println("REFUSED", r)
	}
	start := time.Now()
	p := upload.Read(ctx, corpus.Converted[upload.File](files), upload.Options{})
	if len(p.Boards) == 0 {
		fmt.Println("NOBOARD")
	}
	for _, f := range p.Findings {
		fmt.Printf("  P[%s] %s %s: %s\n", f.Level, f.Code, f.File, f.Message)
	}
	for _, s := range p.Files {
		fmt.Printf("  F %-50s %s %v/%v L%d used=%v board=%q %.2f %s\n", s.Name, s.Format, s.Role, s.Side, s.Layer, s.Used, s.Board, s.Confidence, s.Why)
	}
	for _, b := range p.Boards {
		o := dfm.Options{Limits: limits.Standard(len(b.Copper()), b.Facts.OuterCopper.Value)}.WithSmallest()
		o.Only = nil
		r, err := check.Run(ctx, b, o)
		if err != nil {
			fmt.Println("TIME", err)
		}
		for _, f := range r.Faults {
			fmt.Println("FAULT", f)
		}
		fmt.Printf(" BOARD %q copper=%d size=%v holes=%d\n", b.Name, len(b.Copper()), size(b), len(b.Holes))
		for _, f := range b.Findings {
			fmt.Printf("  B[%s] %s %s: %s\n", f.Level, f.Code, f.Layer, f.Message)
		}
		for _, f := range r.Findings {
			fmt.Printf("  %s %s: %s", f.Level, f.Check, f.What)
			if f.Level == dfm.MustFix {
				fmt.Printf("   <<< n=%d value=%d limit=%d", f.Count, f.Value, f.Limit)
				for i, pl := range f.Places {
					if i == 4 {
						break
					}
					fmt.Printf("\n        at %s (%.3f,%.3f)-(%.3f,%.3f) v=%d %v %v", pl.Layer, mm(pl.At.X), mm(pl.At.Y), mm(pl.To.X), mm(pl.To.Y), pl.Value, pl.Objects, pl.Nets)
				}
			}
			fmt.Println()
		}
	}
	fmt.Printf("  took %.2f\n", time.Since(start).Seconds())
}

func mm[T ~int64 | ~int](v T) float64 { return float64(v) / 1e6 }

func size(b *board.Board) string {
	x := b.Outline.Bounds()
	return fmt.Sprintf("%.2fx%.2f at (%.2f,%.2f)", mm(x.Max.X-x.Min.X), mm(x.Max.Y-x.Min.Y), mm(x.Min.X), mm(x.Min.Y))
}
