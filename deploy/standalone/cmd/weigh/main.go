// Command weigh prints how many lines of code and of tests each package has, and names
// the shipping packages that have few tests for what they are.
//
// A line counts when it holds a token: no blank lines, no comments. Generated files are
// left out. What no shipping program imports is there for tests, and weighs as tests.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"text/tabwriter"
)

func main() {
	root := flag.String("root", ".", "the folder of the repository")
	all := flag.Bool("all", false, "list every package, not only the thin ones")
	flag.Parse()
	packages, err := weigh(os.DirFS(*root))
	if err != nil {
		fmt.Fprintln(os.Stderr, "weigh:", err)
		os.Exit(1)
	}
	if err := report(os.Stdout, packages, *all); err != nil {
		fmt.Fprintln(os.Stderr, "weigh:", err)
		os.Exit(1)
	}
}

// A package of more code than this should have at least thinRatio of it in tests.
const (
	thinCode  = 300
	thinRatio = 0.5
)

// report lists the packages that ship, the thinnest first: all, or those above thinCode
// and below thinRatio. The last line is the whole tree's.
func report(w io.Writer, packages []pkg, all bool) error {
	slices.SortFunc(packages, func(a, b pkg) int {
		return cmp.Or(cmp.Compare(a.ratio(), b.ratio()), cmp.Compare(b.code, a.code), cmp.Compare(a.dir, b.dir))
	})
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(table, "code\ttests\tratio\t  package\t")
	code, tests := 0, 0
	for _, p := range packages {
		if !p.ships {
			tests += p.code + p.tests
			continue
		}
		code, tests = code+p.code, tests+p.tests
		if all || p.code > thinCode && p.ratio() < thinRatio {
			fmt.Fprintf(table, "%d\t%d\t%.2f\t  %s\t\n", p.code, p.tests, p.ratio(), p.dir)
		}
	}
	fmt.Fprintf(table, "%d\t%d\t%.2f\t  all\t\n", code, tests, float64(tests)/float64(max(code, 1)))
	return table.Flush()
}
