package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"time"
)

// A ciHost is where a pipeline runs.
type ciHost struct {
	github, gitlab bool
	private        bool // the repository is
	fork           bool // of which the change comes, so that nothing can be written
	commit         string
	thread         string // address of the request's comments; "" where there is no request
	token          string
}

var (
	repositoryName = regexp.MustCompile(`^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$`)
	commitName     = regexp.MustCompile(`^[0-9a-f]{40,64}$`)
	number         = regexp.MustCompile(`^[0-9]{1,18}$`)
)

// findHost reads where the pipeline runs from what its runner tells. What people named, branches and titles, is not used.
func (s *session) findHost() (ciHost, error) {
	var h ciHost
	switch {
	case s.Getenv("GITHUB_ACTIONS") == "true":
		h.github, h.token = true, s.Getenv("GITHUB_TOKEN")
		h.commit = s.Getenv("GITHUB_SHA")
		var event struct {
			Repository  struct{ Private bool }
			PullRequest *struct {
				Number int64
				Head   struct {
					SHA  string
					Repo *struct {
						FullName string `json:"full_name"`
					}
				}
			} `json:"pull_request"`
		}
		text, err := os.ReadFile(s.Getenv("GITHUB_EVENT_PATH"))
		if err == nil {
			err = json.Unmarshal(text, &event)
		}
		if err != nil && s.Getenv("GITHUB_EVENT_PATH") != "" {
			return h, fmt.Errorf("the event of this workflow cannot be read: %w", err)
		}
		h.private = event.Repository.Private
		repository, api := s.Getenv("GITHUB_REPOSITORY"), s.Getenv("GITHUB_API_URL")
		if pr := event.PullRequest; pr != nil && repositoryName.MatchString(repository) && checkLink(api) == nil {
			h.commit = pr.Head.SHA
			h.fork = pr.Head.Repo == nil || !strings.EqualFold(pr.Head.Repo.FullName, repository)
			h.thread = fmt.Sprintf("%s/repos/%s/issues/%d/comments", strings.TrimRight(api, "/"), repository, pr.Number)
		}
	case s.Getenv("GITLAB_CI") == "true":
		h.gitlab, h.token = true, s.Getenv("BOARD_GITLAB_TOKEN")
		h.commit, h.private = s.Getenv("CI_COMMIT_SHA"), s.Getenv("CI_PROJECT_VISIBILITY") == "private"
		project, request, api := s.Getenv("CI_PROJECT_ID"), s.Getenv("CI_MERGE_REQUEST_IID"), s.Getenv("CI_API_V4_URL")
		if number.MatchString(project) && number.MatchString(request) && checkLink(api) == nil {
			h.thread = fmt.Sprintf("%s/projects/%s/merge_requests/%s/notes", strings.TrimRight(api, "/"), project, request)
		}
	}
	if !commitName.MatchString(h.commit) {
		h.commit = ""
	}
	return h, nil
}

// tell says what was found where it is looked for: in the request's comment, in the job's summary, and in what later steps read.
func (s *session) tell(ctx context.Context, h ciHost, o *ciOptions, r *ciResult) error {
	text := r.markdown()
	if h.github {
		if err := s.appendTo("GITHUB_STEP_SUMMARY", text+"\n"); err != nil {
			return err
		}
		if err := s.appendTo("GITHUB_OUTPUT", r.outputs()); err != nil {
			return err
		}
	}
	if !h.github && o.report == "" {
		fmt.Fprintln(s.Out, text)
	}
	switch {
	case o.comment == "never" || h.thread == "":
		return nil
	case h.token == "":
		fmt.Fprintln(s.Err, "No comment: there is no token for it.")
		return nil
	}
	err := s.comment(ctx, h, o.login, marker(r.Name), text)
	var refused errHost
	if errors.As(err, &refused) && (refused == http.StatusForbidden || refused == http.StatusNotFound || refused == http.StatusUnauthorized) {
		why := "the token may not write comments"
		if h.fork {
			why = "a change that comes from a fork has no token that may write"
		}
		fmt.Fprintf(s.Err, "No comment: %s. The same stands in the summary.\n", why)
		return nil
	}
	if err != nil {
		fmt.Fprintln(s.Err, "No comment:", harmless(err.Error())) // the boards are none the worse for it
	}
	return ctx.Err()
}

// appendTo appends to the file that a variable of the runner names, if it does.
func (s *session) appendTo(variable, text string) error {
	name := s.Getenv(variable)
	if name == "" {
		return nil
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, text)
	return errors.Join(err, f.Close())
}

// outputs are what later steps can use, each on a line.
func (r *ciResult) outputs() string {
	var b strings.Builder
	put := func(name string, value any) { fmt.Fprintf(&b, "%s=%s\n", name, line(fmt.Sprint(value))) }
	put("must-fix", r.count(levels[0]))
	put("warnings", r.count(levels[1]))
	if r.Report != nil {
		put("report-url", r.Report.ReportURL)
	}
	if r.Quote != nil {
		if price, priced := r.Quote.Price(); priced {
			put("total", price.String())
		}
		if own := r.Quote.InYourCurrency; own.Total != "" {
			put("total-in-your-currency", own.Total)
		}
	}
	return b.String()
}

// errHost is a status by which a host refused.
type errHost int

func (e errHost) Error() string { return fmt.Sprintf("the host of the repository answers %d", int(e)) }

// hostClient does not follow elsewhere with a token.
var hostClient = &http.Client{
	Timeout:       30 * time.Second,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

const (
	maxPages   = 20      // of comments, of a hundred each
	maxComment = 60_000  // bytes, which both hosts take
	maxAnswer  = 8 << 20 // bytes
)

// call asks the host's API.
func (h ciHost) call(ctx context.Context, method, address string, body, out any) error {
	var sent io.Reader
	if body != nil {
		text, err := json.Marshal(body)
		if err != nil {
			return err
		}
		sent = bytes.NewReader(text)
	}
	request, err := http.NewRequestWithContext(ctx, method, address, sent)
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	if h.github {
		request.Header.Set("Accept", "application/vnd.github+json")
		request.Header.Set("Authorization", "Bearer "+h.token)
	} else {
		request.Header.Set("PRIVATE-TOKEN", h.token)
	}
	response, err := hostClient.Do(request)
	if err != nil {
		var failed *url.Error
		if errors.As(err, &failed) {
			err = failed.Err
		}
		return err
	}
	defer response.Body.Close()
	if response.StatusCode < 200 || response.StatusCode > 299 {
		return errHost(response.StatusCode)
	}
	if out == nil {
		return nil
	}
	return json.NewDecoder(io.LimitReader(response.Body, maxAnswer)).Decode(out)
}

// A note is a comment of either host.
type note struct {
	ID     int64                  `json:"id"`
	Body   string                 `json:"body"`
	System bool                   `json:"system"`
	User   struct{ Login string } `json:"user"`
	Author struct{ ID int64 }     `json:"author"`
}

// comment writes the comment of a design, in place of the one that an earlier run wrote. Another's that only looks so is left alone.
func (s *session) comment(ctx context.Context, h ciHost, login, mark, text string) error {
	if len(text) > maxComment {
		text = strings.ToValidUTF8(text[:maxComment], "")
	}
	var self struct{ ID int64 }
	if h.gitlab {
		api, _, _ := strings.Cut(h.thread, "/projects/")
		if err := h.call(ctx, http.MethodGet, api+"/user", nil, &self); err != nil {
			return err
		}
	}
	body := map[string]string{"body": text}
	for page := 1; page <= maxPages; page++ {
		var notes []note
		if err := h.call(ctx, http.MethodGet, fmt.Sprintf("%s?per_page=100&page=%d", h.thread, page), nil, &notes); err != nil {
			return err
		}
		for _, n := range notes {
			mine := h.github && n.User.Login == login || h.gitlab && n.Author.ID == self.ID && !n.System
			if !mine || !strings.HasPrefix(n.Body, mark) {
				continue
			}
			if h.github {
				thread := h.thread[:strings.LastIndex(strings.TrimSuffix(h.thread, "/comments"), "/")] // …/issues
				return h.call(ctx, http.MethodPatch, fmt.Sprintf("%s/comments/%d", thread, n.ID), body, nil)
			}
			return h.call(ctx, http.MethodPut, fmt.Sprintf("%s/%d", h.thread, n.ID), body, nil)
		}
		if len(notes) < 100 {
			break
		}
	}
	return h.call(ctx, http.MethodPost, h.thread, body, nil)
}
