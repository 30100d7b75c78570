package manifests

import (
	"flag"
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// production is given before a release: `make check-production`.
var production = flag.Bool("production", false, "refuse what the production overlay leaves to be filled in")

// Only an image's digest says what runs. Nothing is called latest, by name or
// for want of one.
func TestImagesAreNamed(t *testing.T) {
	t.Parallel()
	checkEach(t, func(t *testing.T, all []any) {
		for name, pod := range pods(all) {
			for _, c := range pod.Spec.Containers {
				image, digest, pinned := strings.Cut(c.Image, "@")
				_, tag, tagged := strings.Cut(image[strings.LastIndex(image, "/")+1:], ":")
				if tag == "latest" || !tagged && !pinned {
					t.Errorf("%s runs %s: the latest, whatever that is", name, c.Image)
				}
				if pinned && !byDigest.MatchString("@"+digest) {
					t.Errorf("%s runs %s, which has no digest of SHA-256", name, c.Image)
				}
			}
		}
	})
	for name, s := range project(t).Services {
		if s.Build == nil && !byDigest.MatchString(s.Image) {
			t.Errorf("Compose: %s runs %s, which is neither built here nor named by its digest", name, s.Image)
		}
	}
	for line := range strings.Lines(string(file(t, "deploy/docker/Dockerfile"))) {
		if base, isFrom := strings.CutPrefix(line, "FROM "); isFrom && !strings.HasPrefix(base, "scratch") && !byDigest.MatchString(strings.Fields(base)[0]) {
			t.Errorf("Dockerfile: images are built from %s, which is no digest", strings.TrimSpace(base))
		}
	}
	for name, pod := range pods(build(t, "overlays/local")) {
		for _, c := range pod.Spec.Containers {
			if built := strings.HasPrefix(c.Image, "boardorder/") && strings.HasSuffix(c.Image, ":dev"); !built && !byDigest.MatchString(c.Image) {
				t.Errorf("local: %s runs %s, which is neither built here nor named by its digest", name, c.Image)
			}
		}
	}
	for name, pod := range pods(build(t, "overlays/production")) {
		for _, c := range pod.Spec.Containers {
			if !strings.Contains(c.Image, "@sha256:") {
				t.Errorf("production: %s runs %s, which is no digest", name, c.Image)
			}
		}
	}
}

// byDigest holds of an image that can only be the one that was looked at.
var byDigest = regexp.MustCompile(`@sha256:[0-9a-f]{64}$`)

var (
	word  = regexp.MustCompile(`[a-zA-Z0-9.:/-]*[a-zA-Z0-9]`)
	unset = regexp.MustCompile(`sha256:0{64}$|\.example(?:/|$)|^(?:192\.0\.2|198\.51\.100|203\.0\.113)\.`)
)

// placeholders finds what stands in a text for something that must be filled in.
func placeholders(text string) []string {
	found := slices.DeleteFunc(word.FindAllString(text, -1), func(w string) bool { return !unset.MatchString(w) })
	slices.Sort(found)
	return slices.Compact(found)
}

func TestPlaceholdersAreFound(t *testing.T) {
	t.Parallel()
	zeros := "sha256:" + strings.Repeat("0", 64)
	for text, want := range map[string][]string{
		"image: nats@" + zeros:                                {zeros},
		"image: nats@sha256:1" + strings.Repeat("0", 63):      nil,
		"host: api.boardorder.example, host: api.example.com": {"api.boardorder.example"},
		"cidr: 198.51.100.0/24 and 198.52.100.0/24":           {"198.51.100.0/24"},
		"TRUSTED_PROXIES: 192.0.2.0/24":                       {"192.0.2.0/24"},
	} {
		if got := placeholders(text); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// What is kept here cannot be deployed as it is, and what is deployed has
// everything filled in.
func TestProductionIsFilledIn(t *testing.T) {
	t.Parallel()
	made, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), root+"/k8s/overlays/production")
	if err != nil {
		t.Fatal(err)
	}
	var left []string
	for _, r := range made.Resources() {
		text, err := r.AsYAML()
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range placeholders(string(text)) {
			left = append(left, fmt.Sprintf("%s %s: %s", r.GetKind(), r.GetName(), p))
		}
	}
	slices.Sort(left)
	if *production && len(left) > 0 {
		t.Errorf("to be filled in:\n%s", strings.Join(left, "\n"))
	}
	if !*production && len(left) == 0 {
		t.Error("nothing is left to be filled in: a deployment's own values do not belong here")
	}
}

// Who is believed about addresses is said by whoever deploys: nobody at first,
// and never a whole private network.
func TestTrustedProxies(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		folder, pod string
		given       bool
	}{
		{"base", "edge", false}, {"base", "console", false},
		{"overlays/local", "edge", true}, {"overlays/local", "console", false}, // its port is forwarded, and nobody says for whom
		{"overlays/production", "edge", true}, {"overlays/production", "console", true},
	} {
		got, given := podVariable(t, tt.folder, tt.pod, "TRUSTED_PROXIES")
		p, err := netip.ParsePrefix(got)
		if given != tt.given || given && (err != nil || p.Bits() < 16) {
			t.Errorf("in %s %s trusts %q: %v", tt.folder, tt.pod, got, err)
		}
	}
}

func podVariable(t *testing.T, folder, pod, name string) (value string, given bool) {
	t.Helper()
	for _, e := range pods(build(t, folder))[pod].Spec.Containers[0].Env {
		if e.Name == name {
			return e.Value, true
		}
	}
	return "", false
}
