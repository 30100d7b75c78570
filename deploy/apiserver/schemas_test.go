package apiserver

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// A schemaSource is a Go module that holds CustomResourceDefinitions, pinned by
// the hash that go.sum would have of it.
type schemaSource struct {
	module, sum string
	files       []string
}

var schemaSources = []schemaSource{
	{"github.com/kedacore/keda/v2@v2.18.1", "h1:h6bRt/IOxxtZpJlHSqhdH/lcInH7Z9obxg/JvWOmGAw=", []string{"config/crd/bases/keda.sh_scaledobjects.yaml"}},
	{"github.com/cert-manager/cert-manager@v1.19.1", "h1:Txh8L/nLWTDcb7ZnXuXbTe15BxQnLbLirXmbNk0fGgY=", []string{
		"deploy/crds/cert-manager.io_certificates.yaml", "deploy/crds/cert-manager.io_issuers.yaml",
	}},
	{"github.com/prometheus-operator/prometheus-operator@v0.93.0", "h1:AohlYJT+En8TmNpAcEUJ3GsaJTAqfEBwHmGTVpRm/Io=", []string{
		"example/prometheus-operator-crd/monitoring.coreos.com_podmonitors.yaml",
		"example/prometheus-operator-crd/monitoring.coreos.com_prometheusrules.yaml",
	}},
	{"sigs.k8s.io/gateway-api@v1.6.3", "h1:lKpJa5bGlraC/QeACvCpsHLdmO6y0iKfzVl6gzaFEYc=", []string{
		"config/crd/standard/gateway.networking.k8s.io_gateways.yaml", "config/crd/standard/gateway.networking.k8s.io_httproutes.yaml",
	}},
	{"github.com/envoyproxy/gateway@v1.9.1", "h1:vAVp6/AlBXJ1aOhp1mxL7fNEzVEfjADUguUhm2wzxQY=", []string{
		"charts/gateway-helm/charts/crds/crds/generated/gateway.envoyproxy.io_clienttrafficpolicies.yaml",
	}},
	{"github.com/sigstore/policy-controller@v0.13.0", "h1:NAzGGn8TWQB3Bxek2/xd5mxvZR1Fn6RnttXTOfdm3Xk=", []string{"config/300-clusterimagepolicy.yaml"}},
}

// schemas are the definitions of the resources of what runs beside us.
func schemas(t *testing.T) [][]byte {
	t.Helper()
	var out [][]byte
	for _, s := range schemaSources {
		cmd := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", s.module)
		cmd.Dir, cmd.Env = t.TempDir(), append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")
		text, err := cmd.Output()
		var got struct{ Dir, Sum, Error string }
		if jsonErr := json.Unmarshal(text, &got); err != nil || jsonErr != nil || got.Sum != s.sum {
			t.Fatalf("%s: %v %v %s; its hash is %q, want %q", s.module, err, jsonErr, got.Error, got.Sum, s.sum)
		}
		for _, file := range s.files {
			definition, err := os.ReadFile(filepath.Join(got.Dir, file))
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, definition)
		}
	}
	return out
}
