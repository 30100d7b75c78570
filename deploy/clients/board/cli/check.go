package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"

	"boardorder/pkg/client"

	"github.com/spf13/cobra"
)

// levels are the levels of findings, the worst first.
var levels = []client.CheckFindingLevel{client.CheckFindingLevelMustFix, client.CheckFindingLevelWarning, client.CheckFindingLevelNote}

func (s *session) checkCommand() *cobra.Command {
	d := &design{}
	var level string
	var sarif, github bool
	c := &cobra.Command{
		Use: "check [PATH...]", Short: "Would this board come out right?",
		Long:    "Checks a design as fabricators do. The exit status is 1 where something of --level or worse is found.",
		Example: "  board check .\n  board check --sarif hardware > board.sarif\n  board check --github --level warning hardware",
		RunE: func(cmd *cobra.Command, paths []string) error {
			ctx := cmd.Context()
			if s.json && (sarif || github) {
				return errors.New("--json goes with neither --sarif nor --github")
			}
			worst := slices.Index(levels, client.CheckFindingLevel(level))
			if worst < 0 {
				return fmt.Errorf("--level %s: it is must_fix, warning or note", level)
			}
			silent := *s
			if silent.quiet = sarif || github; silent.quiet {
				silent.Out = s.Err // what is printed for programs is that alone
			}
			service, _, request, err := silent.prepare(ctx, d, paths)
			if err != nil {
				return err
			}
			body, err := silent.resolve(ctx, request, func(request map[string]any, body *json.RawMessage) error {
				text, err := json.Marshal(request)
				var typed client.DesignCheckRequest
				if err == nil {
					err = json.Unmarshal(text, &typed)
				}
				if err == nil {
					_, err = service.CheckDesign(ctx, typed, client.Raw(body), silent.progress())
				}
				silent.endProgress()
				return err
			})
			if err != nil {
				return err
			}
			var report client.DesignCheckReport
			if err := json.Unmarshal(body, &report); err != nil {
				return err
			}
			base := ""
			if len(paths) == 1 {
				base = paths[0]
			}
			switch {
			case sarif:
				err = writeSARIF(s.Out, &report, base)
			case github:
				writeAnnotations(s.Out, &report, base)
			case s.json:
				err = s.printBody(body)
			default:
				s.printReport(&report)
			}
			if err == nil && slices.ContainsFunc(report.Findings, func(f client.CheckFinding) bool { return slices.Contains(levels[:worst+1], f.Level) }) {
				err = errStatus(statusFailed)
			}
			return err
		},
	}
	d.addFlags(c)
	c.Flags().StringVar(&level, "level", string(client.CheckFindingLevelMustFix), "what fails the check: must_fix, warning or note")
	c.Flags().BoolVar(&sarif, "sarif", false, "print SARIF 2.1.0")
	c.Flags().BoolVar(&github, "github", false, "print annotations for GitHub Actions")
	c.MarkFlagsMutuallyExclusive("sarif", "github")
	return c
}

func (s *session) printReport(r *client.DesignCheckReport) {
	t := table{head: []string{"", "", "", ""}}
	for _, level := range levels {
		for _, f := range r.Findings {
			if f.Level == level {
				t.add(strings.ReplaceAll(string(level), "_", " "), shorten(f.Layer, 16), strings.TrimSpace(place(f.File, f.Line)), f.What)
			}
		}
	}
	t.print(s.Out)
	if r.MoreFindings > 0 {
		fmt.Fprintf(s.Out, "and %d more\n", r.MoreFindings)
	}
	for _, a := range r.Assumed {
		fmt.Fprintln(s.Out, "Assumed:", line(a))
	}
	var builds []string
	for _, f := range r.Fabricators {
		if f.Verdict == client.FabricatorVerdictVerdictCanBuild {
			builds = append(builds, line(f.Fabricator))
		}
	}
	if len(builds) > 0 {
		fmt.Fprintln(s.Out, "By their published limits these build it:", strings.Join(builds, ", "))
	}
	s.printNamed(s.Out, r.Named)
	if len(r.Findings) == 0 {
		fmt.Fprintln(s.Out, "Nothing was found.")
	}
	fmt.Fprintln(s.Out, "Report:", r.ReportURL)
}

// filePath is where a file of the design lies from where the command runs.
func filePath(base, name string) string {
	if base == "" || base == "." {
		return name
	}
	return path.Join(strings.ReplaceAll(base, `\`, "/"), name)
}

// writeSARIF writes a report as code scanners do. Where a finding has no file, its place
// is the design.
func writeSARIF(w io.Writer, r *client.DesignCheckReport, base string) error {
	type object = map[string]any
	grades := map[client.CheckFindingLevel]string{client.CheckFindingLevelMustFix: "error", client.CheckFindingLevelWarning: "warning", client.CheckFindingLevelNote: "note"}
	results, rules := []object{}, []object{}
	for _, f := range r.Findings {
		if !slices.ContainsFunc(rules, func(o object) bool { return o["id"] == f.Check }) {
			rules = append(rules, object{"id": f.Check, "name": f.Check, "shortDescription": object{"text": strings.ReplaceAll(f.Check, "_", " ")}})
		}
		location := object{"artifactLocation": object{"uri": uri(filePath(base, f.File))}}
		if f.Line > 0 {
			location["region"] = object{"startLine": f.Line}
		}
		result := object{"ruleId": f.Check, "level": cmp.Or(grades[f.Level], "note"), "message": object{"text": line(f.What)}, "locations": []object{{"physicalLocation": location}}}
		if f.ImageURL != "" {
			result["hostedViewerUri"] = f.ImageURL
		}
		results = append(results, result)
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false)
	return encoder.Encode(object{
		"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
		"runs": []object{{"tool": object{"driver": object{"name": "board", "rules": rules}}, "results": results}},
	})
}

// uri is a relative reference, with what paths may not have escaped.
func uri(name string) string {
	if name == "" {
		name = "."
	}
	return (&url.URL{Path: name}).EscapedPath()
}

var (
	annotationText     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", "##[", "# #[") // the last begins a command anywhere on a line
	annotationProperty = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C", "##[", "# #[")
)

// writeAnnotations writes findings as commands of GitHub Actions. Texts of the design
// cannot begin a command of their own.
func writeAnnotations(w io.Writer, r *client.DesignCheckReport, base string) {
	kinds := map[client.CheckFindingLevel]string{client.CheckFindingLevelMustFix: "error", client.CheckFindingLevelWarning: "warning", client.CheckFindingLevelNote: "notice"}
	for _, f := range r.Findings {
		properties := "title=" + annotationProperty.Replace(line(strings.ReplaceAll(f.Check, "_", " ")))
		if f.File != "" {
			properties = "file=" + annotationProperty.Replace(line(filePath(base, f.File))) + "," + properties
		}
		if f.Line > 0 {
			properties += fmt.Sprintf(",line=%d", f.Line)
		}
		fmt.Fprintf(w, "::%s %s::%s\n", cmp.Or(kinds[f.Level], "notice"), properties, annotationText.Replace(line(f.What)))
	}
}
