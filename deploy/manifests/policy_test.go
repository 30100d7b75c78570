package manifests

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// An ImagePolicy is sigstore's ClusterImagePolicy, as far as ours use it: any
// other field is an error.
type ImagePolicy struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Spec struct {
		Mode   string `json:"mode"`
		Images []struct {
			Glob string `json:"glob"`
		} `json:"images"`
		Authorities []struct {
			Name string `json:"name"`
			Key  *struct {
				HashAlgorithm string `json:"hashAlgorithm"`
				Data          string `json:"data"`
			} `json:"key"`
			Static *struct {
				Action string `json:"action"`
			} `json:"static"`
			Attestations []struct {
				Name          string `json:"name"`
				PredicateType string `json:"predicateType"`
			} `json:"attestations"`
		} `json:"authorities"`
	} `json:"spec"`
}

func imagePolicies(t *testing.T) (all []ImagePolicy) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "k8s/policy/images.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range strings.Split(string(text), "\n---\n") {
		var p ImagePolicy
		if err := yaml.UnmarshalStrict([]byte(part), &p); err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return all
}

// admits reports whether a glob covers an image: ** is anything, * anything within
// one part of the path.
func admits(glob, image string) bool {
	name, digest, _ := strings.Cut(image, "@")
	if !strings.Contains(strings.Split(name, "/")[0], ".") {
		name = "index.docker.io/" + map[bool]string{true: "", false: "library/"}[strings.Contains(name, "/")] + name
	}
	if begin, ok := strings.CutSuffix(glob, "**"); ok {
		return strings.HasPrefix(name, begin)
	}
	ok, err := path.Match(glob, name+"@"+digest)
	return err == nil && ok
}

// TestImagesAreSigned: of what production runs all that is ours has to be signed
// with the operator's key, with its bill of materials and provenance; each other
// image is admitted by its digest, and nothing else is.
func TestImagesAreSigned(t *testing.T) {
	t.Parallel()
	policies := imagePolicies(t)
	for name, pod := range pods(build(t, "overlays/production")) {
		for _, c := range slices.Concat(pod.Spec.InitContainers, pod.Spec.Containers) {
			var by []string
			for _, p := range policies {
				for _, i := range p.Spec.Images {
					if admits(i.Glob, c.Image) {
						by = append(by, p.Metadata.Name)
					}
				}
			}
			_, ours, err := program(c.Image)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if want := map[bool]string{true: "boardorder", false: "broker"}[ours]; len(by) != 1 || by[0] != want {
				t.Errorf("%s: %s is admitted by %q, want %s", name, c.Image, by, want)
			}
		}
	}
	for _, p := range policies {
		if p.APIVersion != "policy.sigstore.dev/v1beta1" || p.Kind != "ClusterImagePolicy" || p.Spec.Mode != "enforce" || len(p.Spec.Authorities) != 1 {
			t.Errorf("policy %s: %+v, want one that is enforced, with one authority", p.Metadata.Name, p)
			continue
		}
		a := p.Spec.Authorities[0]
		var stated []string
		for _, s := range a.Attestations {
			stated = append(stated, s.PredicateType)
		}
		if p.Metadata.Name == "boardorder" && (a.Key == nil || a.Static != nil || !slices.Equal(stated, []string{"https://cyclonedx.org/bom", "https://slsa.dev/provenance/v1"})) {
			t.Errorf("our images need no more than %+v, want a key, and CycloneDX and SLSA provenance stated: %v", a, stated)
		}
	}
}
