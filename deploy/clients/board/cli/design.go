package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"boardorder/pkg/client"

	"github.com/spf13/cobra"
)

// orderFile is what a file is called that states how the design beside it is ordered.
const orderFile = "board-order.json"

// A design is what is asked about: files of this machine or an upload, and what is said
// about it.
type design struct {
	upload, board, shipTo string
	set                   []string
	standard, assembly    bool
}

func (d *design) addFlags(c *cobra.Command) {
	c.Flags().StringVar(&d.upload, "upload", "", "an upload that there is, in place of files")
	c.Flags().StringVar(&d.board, "board", "", "which board is meant, where the files hold several")
	c.Flags().StringArrayVar(&d.set, "set", nil, "a property of the request, such as `thickness_mm=1.6`; what follows the sign is JSON, or a text")
}

// prepare sends the files that paths name, and begins a request about them.
func (s *session) prepare(ctx context.Context, d *design, paths []string) (service *client.Client, upload *client.Upload, request map[string]any, err error) {
	if service, err = s.connect(); err != nil {
		return nil, nil, nil, err
	}
	if upload, err = s.send(ctx, service, d, paths); err != nil {
		return nil, nil, nil, err
	}
	request, err = d.body(upload.UploadID)
	return service, upload, request, err
}

// send uploads the files that paths name, and says what was read; without paths, the
// folder that the command runs in.
func (s *session) send(ctx context.Context, c *client.Client, d *design, paths []string) (*client.Upload, error) {
	if d.upload != "" {
		if len(paths) > 0 {
			return nil, errors.New("give files or --upload, not both")
		}
		return &client.Upload{UploadID: d.upload}, nil
	}
	if len(paths) == 0 {
		paths = []string{"."}
	}
	for _, p := range paths {
		if err := checkFolder(p); err != nil {
			return nil, err
		}
	}
	s.say("Sending the files.")
	upload, err := c.UploadPaths(ctx, paths)
	if err != nil {
		return nil, err
	}
	s.say("Reading the files.")
	if upload, err = c.ReadUpload(ctx, upload.UploadID); err != nil || s.json || s.quiet {
		return upload, err
	}
	s.endProgress()
	s.printFiles(upload)
	for _, f := range upload.LeftOut {
		fmt.Fprintf(s.Err, "  left out: %s: %s\n", line(f.Name), line(f.Why))
	}
	return upload, nil
}

// statesOrder reports whether the files themselves say how many boards are wanted, or may.
func statesOrder(u *client.Upload) bool {
	return slices.ContainsFunc(u.Files, func(name string) bool { return path.Base(name) == orderFile })
}

// checkFolder refuses folders that hold more than a design.
func checkFolder(name string) error {
	full, err := filepath.Abs(name)
	if err != nil {
		return err
	}
	home, err := os.UserHomeDir()
	if full == filepath.Dir(full) || err == nil && full == filepath.Clean(home) {
		return fmt.Errorf("%s holds more than a design: name the folder of the board's files", full)
	}
	return nil
}

// printFiles says what the files were taken for, those together that are of one kind.
func (s *session) printFiles(upload *client.Upload) {
	kinds, others := map[string][]string{}, []string{}
	for _, f := range upload.Classified {
		switch name := line(path.Base(f.Name)); {
		case f.Role != "other":
			kinds[f.Role] = append(kinds[f.Role], name)
		case f.Board != "":
			kinds[f.Format] = append(kinds[f.Format], name)
		default:
			others = append(others, name)
		}
	}
	fmt.Fprintf(s.Err, "%d files, taken for:\n", len(upload.Classified))
	t := table{head: []string{"", ""}}
	for _, kind := range listKeys(kinds) {
		t.add(kind, shorten(strings.Join(kinds[kind], ", "), 96))
	}
	if len(others) > 0 {
		t.add("others", shorten(strings.Join(others, ", "), 96))
	}
	t.print(s.Err)
}

// body is the request that the flags make.
func (d *design) body(uploadID string) (map[string]any, error) {
	b := map[string]any{"upload_id": uploadID}
	if d.board != "" {
		b["board"] = d.board
	}
	if d.standard {
		b["standard_for_unstated"] = true
	}
	if d.assembly {
		b["assembly"] = true
	}
	for _, pair := range d.set {
		name, text, found := strings.Cut(pair, "=")
		if !found || name == "" {
			return nil, fmt.Errorf("--set %s: it is like thickness_mm=1.6", pair)
		}
		var err error
		if b, err = client.ApplyAnswer(b, name, readValue(text)); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// readValue takes what people type for JSON, or else for a text.
func readValue(text string) any {
	var v any
	if json.Unmarshal([]byte(text), &v) == nil {
		return v
	}
	return text
}

// parseShipTo reads COUNTRY[,POSTAL CODE[,STATE]].
func parseShipTo(text string) map[string]any {
	to := map[string]any{}
	for i, part := range strings.SplitN(text, ",", 3) {
		if part = strings.TrimSpace(part); part != "" {
			to[[]string{"country", "postal_code", "state"}[i]] = part
		}
	}
	return to
}

// resolve asks for something until it is answered: what the files leave open is asked
// of whoever is there.
func (s *session) resolve(ctx context.Context, request map[string]any, ask func(map[string]any, *json.RawMessage) error) (json.RawMessage, error) {
	in := bufio.NewReader(s.In)
	for {
		var body json.RawMessage
		err := ask(request, &body)
		s.endProgress()
		var open *client.Error
		if err == nil || !errors.As(err, &open) || open.Reply == nil {
			return body, err
		}
		if s.json {
			return body, s.printRefusal(err, body)
		}
		switch {
		case errors.Is(open, client.NeedsAnswers) && len(open.Reply.Questions) > 0 && s.Asks:
			for _, q := range open.Reply.Questions {
				if err := s.askQuestion(ctx, in, request, q); err != nil {
					return nil, err
				}
			}
		default:
			s.printStop(open)
			return body, errStatus(statusFailed)
		}
	}
}

// printStop prints what stops a request, and the ways on from it.
func (s *session) printStop(e *client.Error) {
	fmt.Fprintf(s.Out, "%s (%s)\n", e.Message, e.Code)
	r := e.Reply
	for _, q := range r.Questions {
		fmt.Fprintf(s.Out, "\n  %s\n", line(q.Question))
		s.printWays(q.Answers)
		if len(q.Answers) == 0 {
			fmt.Fprintf(s.Out, "    --set %s=…  %s\n", q.Option, strings.Join(choices(q), ", "))
		}
	}
	s.printFindings(r.Findings, len(r.Questions) == 0)
	for _, list := range [][]client.PartQuestion{r.Parts, r.OffBoardParts} {
		for _, p := range list {
			fmt.Fprintf(s.Out, "  %s %s: %s\n", line(p.Reference), line(p.Part), line(p.Why))
		}
	}
	for _, b := range r.Boards {
		fmt.Fprintf(s.Out, "  --board %q  %d layers, %g x %g mm\n", line(b.Board), b.Layers, b.WidthMm, b.HeightMm)
	}
	for _, f := range e.Fields {
		fmt.Fprintf(s.Out, "  %s: %s\n", f.Field, line(f.Message))
	}
	s.printNamed(s.Out, r.Named)
	if r.Next != "" {
		fmt.Fprintln(s.Out, "\n"+r.Next)
	}
	if slices.ContainsFunc(r.Questions, func(q client.Question) bool { return q.Usual != nil }) {
		fmt.Fprintln(s.Out, "--standard takes what is usual.")
	}
	if r.ReportURL != "" {
		fmt.Fprintln(s.Out, "Report:", r.ReportURL)
	}
}

func (s *session) printFindings(findings []client.Finding, ways bool) {
	for _, f := range findings {
		fmt.Fprintf(s.Out, "  %s: %s%s\n", strings.ReplaceAll(string(f.Level), "_", " "), line(f.What), place(f.File, f.Line))
		if ways {
			s.printWays(f.Answers)
		}
	}
}

func place(file string, number int64) string {
	switch {
	case file == "":
		return ""
	case number > 0:
		return fmt.Sprintf(" (%s:%d)", line(file), number)
	}
	return fmt.Sprintf(" (%s)", line(file))
}

func (s *session) printWays(ways []client.Answer) {
	for _, a := range ways {
		value, err := json.Marshal(a.Value)
		if a.Value == nil {
			value = []byte("…")
		}
		if err == nil {
			fmt.Fprintf(s.Out, "    --set '%s=%s'  %s\n", a.Field, value, line(a.Means))
		}
	}
}

func choices(q client.Question) []string {
	var out []string
	for _, c := range q.Choices {
		out = append(out, line(fmt.Sprint(c)))
	}
	return out
}

// askQuestion puts one question, and its answer into request. An empty answer takes what
// is usual; the end of the input ends the command.
func (s *session) askQuestion(ctx context.Context, in *bufio.Reader, request map[string]any, q client.Question) error {
	fmt.Fprintf(s.Err, "\n%s\n", line(q.Question))
	type way struct {
		field string
		value any
	}
	var ways []way
	for _, a := range q.Answers {
		ways = append(ways, way{a.Field, a.Value})
		fmt.Fprintf(s.Err, "  %d  %s\n", len(ways), line(a.Means))
	}
	prompt := "Number or value"
	switch {
	case slices.ContainsFunc(q.Choices, func(c any) bool { _, number := c.(float64); return number }):
		prompt = "Value" // a number would be one of the list, or a value
		fmt.Fprintln(s.Err, " ", strings.Join(choices(q), ", "))
	case len(q.Answers) == 0:
		for i, c := range q.Choices {
			ways = append(ways, way{q.Option, c})
			fmt.Fprintf(s.Err, "  %d  %s\n", len(ways), choices(q)[i])
		}
	}
	for {
		if q.Usual != nil {
			fmt.Fprintf(s.Err, "%s [%s]: ", prompt, line(fmt.Sprint(q.Usual)))
		} else {
			fmt.Fprint(s.Err, prompt+": ")
		}
		text, err := readLine(ctx, in)
		if err != nil {
			return err
		}
		chosen := way{q.Option, q.Usual}
		switch n := 0; {
		case text == "" && q.Usual == nil:
			continue
		case text == "":
		case len(text) < 4 && scan(text, &n) && n >= 1 && n <= len(ways):
			if chosen = ways[n-1]; chosen.value != nil {
				break
			}
			fmt.Fprint(s.Err, "Value: ") // only the customer knows it
			if text, err = readLine(ctx, in); err != nil {
				return err
			}
			chosen.value = readValue(text)
		default:
			chosen.value = readValue(text)
		}
		answered, err := client.ApplyAnswer(request, chosen.field, chosen.value)
		if err == nil {
			clear(request)
			for k, v := range answered {
				request[k] = v
			}
		}
		return err
	}
}

func scan(text string, n *int) bool {
	_, err := fmt.Sscanf(text, "%d", n)
	return err == nil && fmt.Sprint(*n) == text
}

// readLine reads what is typed, or ends with the command.
func readLine(ctx context.Context, in *bufio.Reader) (string, error) {
	type typed struct {
		text string
		err  error
	}
	read := make(chan typed, 1)
	go func() {
		text, err := in.ReadString('\n')
		read <- typed{text, err}
	}()
	select {
	case t := <-read:
		if errors.Is(t.err, io.EOF) && t.text == "" {
			return "", errCancelled
		}
		return strings.TrimSpace(t.text), nil
	case <-ctx.Done():
		return "", errCancelled
	}
}
