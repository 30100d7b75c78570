package manifests

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// contents are what an image holds, and what may have made it: the program and its
// probe, whom it trusts, its user, and two folders. No shell, no sources, no keys.
// Programs reckon in UTC and need no time zones.
var contents = map[string]string{
	"/service": "go", "/probe": "go", "/etc/ssl/certs/ca-certificates.crt": "cp", "/etc/passwd": "echo",
	"/": "mkdir", "/etc/ssl/certs": "install", "/tmp": "install", "/data": "install",
}

// instructions are a Dockerfile's, comments left out and lines joined.
func instructions(dockerfile string) []string {
	var kept []string
	for line := range strings.Lines(dockerfile) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			kept = append(kept, line)
		}
	}
	joined := strings.ReplaceAll(strings.Join(kept, "\n"), "\\\n", " ")
	return strings.Split(joined, "\n")
}

var (
	separator = regexp.MustCompile(`;|&&|\|\||[(){}|]`)
	inImage   = regexp.MustCompile(`(?:^|[\s"'=>])(/image(?:/\S*)?)(?:["']|\s|$)`)
)

// imageFaults says what in a Dockerfile makes an image other than it should be.
func imageFaults(dockerfile string) (faults []string) {
	add := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	all := instructions(dockerfile)
	last := len(all) - 1
	for ; last > 0 && !strings.HasPrefix(all[last], "FROM "); last-- {
	}
	want := []string{"FROM scratch", "COPY --from=build /image /", "USER 65532:65532", "WORKDIR /data", `ENTRYPOINT ["/service"]`}
	if final := all[last:]; !slices.Equal(final, want) {
		add("the image is made by %q", final)
	}
	made := map[string]string{}
	for _, line := range all[:last] {
		if !strings.Contains(line, "/image") {
			continue
		}
		if !strings.HasPrefix(line, "RUN ") {
			add("the image's content comes from %s", line)
			continue
		}
		for _, statement := range separator.Split(strings.TrimPrefix(line, "RUN "), -1) {
			words := strings.Fields(statement)
			found := inImage.FindAllStringSubmatch(statement, -1)
			if strings.Count(statement, "/image") != len(found) || len(found) > 1 {
				add("it is not to be seen what %q makes", statement)
			}
			if len(found) != 1 {
				continue
			}
			to := strings.TrimPrefix(found[0][1], "/image")
			if words[0] == "cp" && len(words) == 3 && strings.HasSuffix(to, "/") {
				to += path.Base(words[1])
			}
			if to = path.Clean("/" + to); to == "/etc/passwd" && !strings.Contains(statement, `"service:x:65532:65532::/:/sbin/nologin"`) {
				add("a user is made by %q", statement)
			}
			if words[0] == "install" && !slices.Contains(words, "-d") || words[0] == "go" && !slices.Contains(words, "-o") || made[to] != "" {
				add("%s is made by %q", to, statement)
			}
			made[to] = words[0]
		}
	}
	if !maps.Equal(made, contents) {
		add("an image holds %v, want %v", made, contents)
	}
	return faults
}

// TestImagesHoldTheProgramOnly: by what the Dockerfile does, an image holds what
// runs in it and nothing besides, and runs as nobody.
func TestImagesHoldTheProgramOnly(t *testing.T) {
	t.Parallel()
	text := string(file(t, "deploy/docker/Dockerfile"))
	if faults := imageFaults(text); len(faults) > 0 {
		t.Fatalf("%s", strings.Join(faults, "\n"))
	}
	for name, s := range project(t).Services {
		if s.Build != nil && (s.User != "" && s.User != "65532:65532" || !s.ReadOnly) { // none: the image's own
			t.Errorf("Compose: %s runs as %q, and may write to its image: %t; want 65532:65532 or the image's own, false", name, s.User, !s.ReadOnly)
		}
	}
	for name, change := range map[string][2]string{
		"another base":         {"FROM scratch", "FROM alpine"},
		"root":                 {"USER 65532:65532", "USER root"},
		"no user":              {"USER 65532:65532\n", ""},
		"a user by name":       {"USER 65532:65532", "USER service"},
		"a shell":              {"install -d -m 1777 /image/tmp", "cp /bin/sh /image/bin/; install -d -m 1777 /image/tmp"},
		"the sources":          {"COPY . .", "COPY . /image/src"},
		"the sources, later":   {"COPY --from=build /image /", "COPY --from=build /image /\nCOPY . /src"},
		"a folder of keys":     {"mkdir -p /image;", "mkdir -p /image; cp -r keys /image;"},
		"a key":                {"mkdir -p /image;", "mkdir -p /image; cp .env /image/etc/ssl/certs/;"},
		"a link":               {"mkdir -p /image;", "ln -s / /image/all;"},
		"a file in a folder":   {"install -d -m 1777 /image/tmp", "install -m 1777 /bin/sh /image/tmp"},
		"another certificate":  {"cp /etc/ssl/certs/ca-certificates.crt", "cp ca.pem"},
		"a secret variable":    {"USER 65532:65532", "ENV MASTER_KEY=0\nUSER 65532:65532"},
		"no certificates":      {"cp /etc/ssl/certs/ca-certificates.crt /image/etc/ssl/certs/;", ""},
		"a root in the passwd": {"service:x:65532:65532", "service:x:0:0"},
		"a shell to start it":  {`ENTRYPOINT ["/service"]`, "ENTRYPOINT /service"},
	} {
		changed := strings.Replace(text, change[0], change[1], 1)
		if changed == text || len(imageFaults(changed)) == 0 {
			t.Errorf("%s is not found, or not made", name)
		}
	}
}

// isIgnored says whether .dockerignore keeps a file from the build, as Docker reads it:
// a pattern holds for all that is under it, and the last one that fits decides.
func isIgnored(patterns []string, file string) (out bool) {
	for _, p := range patterns {
		p, kept := strings.CutPrefix(p, "!")
		if fitsPattern(strings.Split(path.Clean(p), "/"), strings.Split(file, "/")) {
			out = !kept
		}
	}
	return out
}

func fitsPattern(pattern, file []string) bool {
	switch {
	case len(pattern) == 0:
		return true
	case pattern[0] == "**":
		return fitsPattern(pattern[1:], file) && len(pattern) > 1 || len(file) > 1 && fitsPattern(pattern, file[1:])
	case len(file) == 0:
		return false
	}
	fits, err := path.Match(pattern[0], file[0])
	return err == nil && fits && fitsPattern(pattern[1:], file[1:])
}

func ignorePatterns(text string) (patterns []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			patterns = append(patterns, strings.TrimPrefix(line, "/"))
		}
	}
	return patterns
}

func TestIgnoredAsDockerDoes(t *testing.T) {
	t.Parallel()
	patterns := ignorePatterns("# all\n*\n!pkg\n!deploy/a\n**/testdata\n/pkg/x*\n!pkg/xy/z\n**/*_test.go\n")
	for file, want := range map[string]bool{
		"a": true, "b/c": true, "pkg/a.go": false, "pkg/b/c.go": false, "deploy/b/x": true, "deploy/a/x": false, "deploy/ab": true, "testdata/x": true,
		"pkg/testdata/x": true, "pkg/b/c/testdata/x/y": true, "pkg/testdatas": false, "pkg/xa/b": true, "pkg/xy/z/b": false, "pkg/a/b_test.go": true, "b_test.go": true,
	} {
		if got := isIgnored(patterns, file); got != want {
			t.Errorf("%s: ignored %t, want %t", file, got, want)
		}
	}
}

// secretName holds of files that are, or hold, keys.
var secretName = regexp.MustCompile(`(?i)^\.env|\.(pem|key|p12|pfx|jks|kdbx|nk|creds)$|^id_(rsa|dsa|ecdsa|ed25519)|^\.(netrc|npmrc|dockercfg|git-credentials)$|^secrets?(\.(env|ya?ml|json|txt))?$`)

// TestBuildsAreGivenSourcesOnly: data, keys and history do not get to who builds.
func TestBuildsAreGivenSourcesOnly(t *testing.T) {
	t.Parallel()
	patterns := ignorePatterns(string(file(t, ".dockerignore")))
	for _, kept := range []string{
		"data/orders.db", "data/blobs/a.zip", ".env", ".git/config", ".git/objects/00/11", ".ci/run", "shared/spec/a.md", "bin/edge", "keys/master.key",
		"deploy/docker/secrets/a", "deploy/nats/auth.conf", "k8s/overlays/production/secrets.env", "docker-compose.yml", "pkg/board/testdata/a.gbr", "services/edge/edge_test.go",
	} {
		if !isIgnored(patterns, kept) {
			t.Errorf("%s is sent to the build", kept)
		}
	}
	if first := patterns[0]; first != "*" {
		t.Errorf("it begins with %s, want *: what is new in the tree is sent unless somebody thinks of it", first)
	}
	sources := 0
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		short, err := filepath.Rel(root, name)
		if err != nil || short == "." {
			return err
		}
		short = filepath.ToSlash(short)
		if d.IsDir() {
			if d.Name() == ".git" || !strings.Contains(short, "/") && short != "pkg" && short != "services" && short != "deploy" {
				return fs.SkipDir
			}
			return nil
		}
		if isIgnored(patterns, short) {
			return nil
		}
		sources++
		if secretName.MatchString(d.Name()) || !d.Type().IsRegular() {
			t.Errorf("%s is sent to the build", short)
			return nil
		}
		text, err := os.ReadFile(name)
		if err == nil && strings.Contains(string(text), "-----BEGIN ") && strings.Contains(string(text), "PRIVATE KEY-----\n") {
			t.Errorf("%s, which holds a key, is sent to the build", short)
		}
		return err
	})
	if err != nil || sources < 1000 {
		t.Errorf("%d files looked at: %v", sources, err)
	}
}
