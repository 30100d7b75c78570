package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"boardorder/pkg/client"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// ciVariable is what the variables begin with that stand for flags of board ci.
const ciVariable = "BOARD_CI_"

// ciOptions are what a pipeline asks for.
type ciOptions struct {
	design
	quantity              int
	level, most           string
	base, baseRef         string
	sarif, report, name   string
	comment, links, login string
}

// A ciResult is what a pipeline has found out.
type ciResult struct {
	Name       string
	Commit     string
	To         string // where the boards go
	Report     *client.DesignCheckReport
	Quote      *client.QuoteReply
	Refused    *client.Error // in place of the quote
	Base       *client.QuoteReply
	BaseNote   string // why there is nothing to compare with
	Comparison *client.QuoteComparison
	Links      bool     // the pages of quotes may be named
	Failures   []string // why the pipeline fails
}

func (s *session) ciCommand() *cobra.Command {
	o := &ciOptions{}
	c := &cobra.Command{
		Use: "ci [PATH...]", Short: "Check and price a design in a pipeline",
		Long: "Checks a design, prices it, compares it with that of the base branch, and says so where reviewers look: in one comment of the pull or merge request that is kept up to date, or else in the job's summary.\n" +
			"PATH is a project, a folder of outputs, or a pattern such as fab/*.gbr. The exit status is 1 where something of --level is found, where there is no price, or where it is above --max-total.\n" +
			"Every flag can be given as a variable: BOARD_CI_MAX_TOTAL is --max-total, BOARD_CI_PATH has paths on lines. In GitHub Actions the comment is made with GITHUB_TOKEN, in GitLab with BOARD_GITLAB_TOKEN.",
		Example: "  board ci hardware\n  board ci --to DE --max-total 80EUR --base-ref origin/main 'fab/*.gbr' 'fab/*.drl'",
		RunE: func(cmd *cobra.Command, paths []string) error {
			if err := s.setFromVariables(cmd.Flags()); err != nil {
				return err
			}
			if len(paths) == 0 {
				paths = strings.FieldsFunc(s.Getenv(ciVariable+"PATH"), func(r rune) bool { return r == '\n' || r == '\r' })
			}
			if len(paths) == 0 && o.upload == "" {
				paths = []string{"."}
			}
			return s.runCI(cmd.Context(), o, paths)
		},
	}
	f := c.Flags()
	o.addFlags(c)
	f.IntVarP(&o.quantity, "quantity", "n", 10, "boards; where board-order.json is among the files, it says how many")
	f.StringVar(&o.shipTo, "to", "", "where the boards go: `COUNTRY[,POSTAL CODE[,STATE]]`")
	f.BoolVar(&o.standard, "standard", true, "take what is usual for all that the files leave open")
	f.BoolVar(&o.assembly, "assembly", false, "with the parts on the boards")
	f.StringVar(&o.level, "level", string(client.CheckFindingLevelMustFix), "what fails the pipeline: must_fix, warning, note, or never")
	f.StringVar(&o.most, "max-total", "", "fail where the boards cost more, such as `80EUR`")
	f.StringVar(&o.base, "base", "", "the base branch's `FILES`, to compare with")
	f.StringVar(&o.baseRef, "base-ref", "", "the base branch or `COMMIT`, whose files at the same paths are compared with; git has them")
	f.StringVar(&o.sarif, "sarif", "", "write the findings as SARIF 2.1.0 to a `FILE`")
	f.StringVar(&o.report, "report", "", "write what the comment says to a `FILE`")
	f.StringVar(&o.name, "name", "", "what the design is called, where a repository has several: each has a comment of its own")
	f.StringVar(&o.comment, "comment", "auto", "auto or never")
	f.StringVar(&o.links, "links", "auto", "whether the comment names the pages of quotes, at which anybody who has the address can see and pay them: always, never, or auto, in private repositories only")
	f.StringVar(&o.login, "comment-author", "github-actions[bot]", "who GITHUB_TOKEN belongs to: only comments of that `LOGIN` are changed")
	return c
}

// setFromVariables sets flags that were not given by the variables that stand for them.
func (s *session) setFromVariables(flags *pflag.FlagSet) (err error) {
	flags.VisitAll(func(f *pflag.Flag) {
		name := ciVariable + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		value := s.Getenv(name)
		if f.Changed || value == "" || err != nil {
			return
		}
		values := []string{value}
		if f.Name == "set" {
			values = strings.FieldsFunc(value, func(r rune) bool { return r == '\n' || r == '\r' })
		}
		for _, v := range values {
			if failed := flags.Set(f.Name, strings.TrimSpace(v)); failed != nil {
				err = fmt.Errorf("%s: %w", name, failed)
			}
		}
	})
	return err
}

func (s *session) runCI(ctx context.Context, o *ciOptions, paths []string) error {
	limit, err := parseLimit(o.most)
	if err != nil {
		return err
	}
	worst := slices.Index(levels, client.CheckFindingLevel(o.level))
	if worst < 0 && o.level != "never" {
		return fmt.Errorf("--level %s: it is must_fix, warning, note or never", o.level)
	}
	if !slices.Contains([]string{"auto", "never"}, o.comment) || !slices.Contains([]string{"auto", "always", "never"}, o.links) {
		return errors.New("--comment is auto or never, --links always, never or auto")
	}
	host, err := s.findHost()
	if err != nil {
		return err
	}
	if key := s.Getenv("BOARD_API_KEY"); host.github && key != "" {
		fmt.Fprintf(s.Out, "::add-mask::%s\n", line(key)) // the runner takes it out of all that it shows
	}
	service, err := s.connect()
	if err != nil {
		return err
	}
	files, err := expand(paths)
	if err != nil {
		return err
	}
	silent := *s
	silent.quiet, silent.Out = true, s.Err
	r := &ciResult{Name: o.name, Commit: host.commit, To: o.shipTo, Links: o.links == "always" || o.links == "auto" && host.private}
	if err := silent.inspect(ctx, service, o, files, r); err != nil {
		return err
	}
	if err := silent.compareBase(ctx, service, o, paths, r); err != nil {
		return err
	}
	r.judge(worst, limit, s)
	base := ""
	if len(files) == 1 {
		base = files[0]
	}
	if host.github && r.Report != nil {
		writeAnnotations(s.Out, r.Report, base)
	}
	if err := r.writeFiles(o, base); err != nil {
		return err
	}
	if err := s.tell(ctx, host, o, r); err != nil {
		return err
	}
	for _, f := range r.Failures {
		fmt.Fprintln(s.Err, "board:", harmless(f))
	}
	if len(r.Failures) > 0 {
		return errStatus(statusFailed)
	}
	return nil
}

// expand gives the files that patterns stand for, in their order; a path that is there stands for itself.
func expand(patterns []string) ([]string, error) {
	var out []string
	for _, p := range patterns {
		if p = strings.TrimSpace(p); p == "" {
			continue
		}
		if _, err := os.Stat(p); err == nil {
			out = append(out, p)
			continue
		}
		found, err := filepath.Glob(p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p, err)
		}
		if len(found) == 0 {
			return nil, fmt.Errorf("nothing is called %s: were the outputs made before this step?", p)
		}
		out = append(out, found...)
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// inspect checks a design and prices it.
func (s *session) inspect(ctx context.Context, service *client.Client, o *ciOptions, files []string, r *ciResult) error {
	upload, err := s.send(ctx, service, &o.design, files)
	if err != nil {
		return err
	}
	checked := o.design
	checked.standard, checked.assembly = false, false
	request, err := checked.body(upload.UploadID)
	if err != nil {
		return err
	}
	text, err := json.Marshal(keep(request, checkFields))
	var typed client.DesignCheckRequest
	if err == nil {
		err = json.Unmarshal(text, &typed)
	}
	if err != nil {
		return err
	}
	if r.Report, err = service.CheckDesign(ctx, typed); err != nil {
		r.Report, r.Refused = nil, refusalOf(err)
		if r.Refused == nil {
			return err
		}
		return nil
	}
	r.Quote, r.Refused, err = s.priceFor(ctx, service, o, upload)
	return err
}

// checkFields are those of a request that a check takes, too.
var checkFields = []string{"upload_id", "board", "copper_oz", "thickness_mm", "file_answers"}

func keep(request map[string]any, names []string) map[string]any {
	out := map[string]any{}
	for _, n := range names {
		if v, ok := request[n]; ok {
			out[n] = v
		}
	}
	return out
}

// priceFor prices an upload; refused is why it has no price.
func (s *session) priceFor(ctx context.Context, service *client.Client, o *ciOptions, upload *client.Upload) (quote *client.QuoteReply, refused *client.Error, err error) {
	request, err := o.body(upload.UploadID)
	if err != nil {
		return nil, nil, err
	}
	if !statesOrder(upload) || o.quantity != 10 {
		request["quantity"] = o.quantity
	}
	if o.shipTo != "" {
		request["ship_to"] = parseShipTo(o.shipTo)
	}
	quote = &client.QuoteReply{}
	if err = service.Await(ctx, "/v1/quotes", "/v1/quote-requests/", request, quote); err == nil {
		return quote, nil, nil
	}
	if refused = refusalOf(err); refused != nil {
		err = nil
	}
	return nil, refused, err
}

// refusalOf is what was said of the design, or nil where it is not the design that failed.
func refusalOf(err error) *client.Error {
	var refused *client.Error
	if !errors.As(err, &refused) || refused.Reply == nil || refused.Status >= 500 || refused.Status == http.StatusTooManyRequests || errors.Is(err, client.Authentication) {
		return nil
	}
	return refused
}

// compareBase prices the base branch's design and compares. Nothing of the base fails a pipeline.
func (s *session) compareBase(ctx context.Context, service *client.Client, o *ciOptions, paths []string, r *ciResult) error {
	if o.base == "" && o.baseRef == "" || r.Quote == nil {
		return nil
	}
	files := []string{o.base}
	if o.base == "" {
		folder, err := os.MkdirTemp("", "board-base-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(folder) //nolint:errcheck // the system does it, too
		if files, err = checkOutBase(ctx, o.baseRef, paths, folder); err != nil {
			r.BaseNote = err.Error()
			return ctx.Err()
		}
	}
	earlier := *o
	earlier.upload = ""
	upload, err := s.send(ctx, service, &earlier.design, files)
	if err == nil {
		var refused *client.Error
		if r.Base, refused, err = s.priceFor(ctx, service, &earlier, upload); refused != nil {
			r.BaseNote = "the base branch has no price: " + refused.Message
		}
	}
	if err == nil && r.Base != nil {
		var comparison client.QuoteComparison
		path := "/v1/quotes/" + url.PathEscape(r.Base.QuoteID) + "/compare/" + url.PathEscape(r.Quote.QuoteID)
		if err = service.Do(ctx, http.MethodGet, path, nil, nil, &comparison); err == nil {
			r.Comparison = &comparison
		}
	}
	if err != nil {
		r.BaseNote = err.Error()
	}
	return ctx.Err()
}

// judge says why the pipeline fails.
func (r *ciResult) judge(worst int, limit *client.Money, s *session) {
	if r.Report != nil && worst >= 0 {
		if n := r.count(levels[:worst+1]...); n > 0 {
			r.Failures = append(r.Failures, fmt.Sprintf("%s of the level %s or worse", countOf(n, "finding"), strings.ReplaceAll(string(levels[worst]), "_", " ")))
		}
	}
	switch {
	case r.Refused != nil:
		r.Failures = append(r.Failures, "no price: "+r.Refused.Message)
	case limit != nil:
		if err := s.holdTo(*limit, r.Quote); err != nil {
			r.Failures = append(r.Failures, err.Error())
		}
	}
}

// count counts findings of levels.
func (r *ciResult) count(of ...client.CheckFindingLevel) int {
	n := 0
	if r.Report != nil {
		for _, f := range r.Report.Findings {
			if slices.Contains(of, f.Level) {
				n++
			}
		}
	}
	return n
}

// writeFiles writes what was asked for as files.
func (r *ciResult) writeFiles(o *ciOptions, base string) error {
	if o.sarif != "" && r.Report != nil {
		f, err := os.Create(o.sarif)
		if err != nil {
			return err
		}
		if err := errors.Join(writeSARIF(f, r.Report, base), f.Close()); err != nil {
			return err
		}
	}
	if o.report == "" {
		return nil
	}
	return os.WriteFile(o.report, []byte(r.markdown()), 0o644) //nolint:gosec // it is for whoever reads the job
}
