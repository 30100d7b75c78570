package manifests

import (
	"fmt"
	"path/filepath"
	"testing"

	monitoring "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	apps "k8s.io/api/apps/v1"
	autoscaling "k8s.io/api/autoscaling/v2"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	gateway "sigs.k8s.io/gateway-api/apis/v1"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"
)

// A ScaledObject is KEDA's, as far as ours use it: any other field is an error.
type ScaledObject struct {
	meta.TypeMeta   `json:",inline"`
	meta.ObjectMeta `json:"metadata"`
	Spec            struct {
		ScaleTargetRef  struct{ Name string } `json:"scaleTargetRef"`
		PollingInterval int                   `json:"pollingInterval"`
		CooldownPeriod  int                   `json:"cooldownPeriod"`
		MinReplicaCount int                   `json:"minReplicaCount"`
		MaxReplicaCount int                   `json:"maxReplicaCount"`
		Fallback        struct {
			FailureThreshold int `json:"failureThreshold"`
			Replicas         int `json:"replicas"`
		} `json:"fallback"`
		Advanced struct {
			HorizontalPodAutoscalerConfig struct {
				Behavior autoscaling.HorizontalPodAutoscalerBehavior `json:"behavior"`
			} `json:"horizontalPodAutoscalerConfig"`
		} `json:"advanced"`
		Triggers []struct {
			Type     string `json:"type"`
			Metadata struct {
				Endpoint            string `json:"natsServerMonitoringEndpoint"`
				Account             string `json:"account"`
				Stream              string `json:"stream"`
				Consumer            string `json:"consumer"`
				LagThreshold        string `json:"lagThreshold"`
				ActivationThreshold string `json:"activationLagThreshold"`
			} `json:"metadata"`
		} `json:"triggers"`
	} `json:"spec"`
}

// An Issuer is cert-manager's, as far as ours use it.
type Issuer struct {
	meta.TypeMeta   `json:",inline"`
	meta.ObjectMeta `json:"metadata"`
	Spec            struct {
		SelfSigned *struct{} `json:"selfSigned"`
		CA         *struct {
			SecretName string `json:"secretName"`
		} `json:"ca"`
	} `json:"spec"`
}

// A Certificate is cert-manager's, as far as ours use it.
type Certificate struct {
	meta.TypeMeta   `json:",inline"`
	meta.ObjectMeta `json:"metadata"`
	Spec            struct {
		IsCA        bool          `json:"isCA"`
		CommonName  string        `json:"commonName"`
		DNSNames    []string      `json:"dnsNames"`
		SecretName  string        `json:"secretName"`
		Duration    meta.Duration `json:"duration"`
		RenewBefore meta.Duration `json:"renewBefore"`
		PrivateKey  struct {
			Algorithm      string `json:"algorithm"`
			Size           int    `json:"size"`
			RotationPolicy string `json:"rotationPolicy"`
		} `json:"privateKey"`
		Usages    []string `json:"usages"`
		IssuerRef struct {
			Name string `json:"name"`
		} `json:"issuerRef"`
	} `json:"spec"`
}

// kinds are what may be deployed.
var kinds = map[string]func() any{
	"v1/ConfigMap":                            func() any { return &core.ConfigMap{} },
	"v1/Namespace":                            func() any { return &core.Namespace{} },
	"v1/Service":                              func() any { return &core.Service{} },
	"apps/v1/Deployment":                      func() any { return &apps.Deployment{} },
	"apps/v1/StatefulSet":                     func() any { return &apps.StatefulSet{} },
	"autoscaling/v2/HorizontalPodAutoscaler":  func() any { return &autoscaling.HorizontalPodAutoscaler{} },
	"v1/PersistentVolumeClaim":                func() any { return &core.PersistentVolumeClaim{} },
	"batch/v1/Job":                            func() any { return &batch.Job{} },
	"batch/v1/CronJob":                        func() any { return &batch.CronJob{} },
	"gateway.networking.k8s.io/v1/Gateway":    func() any { return &gateway.Gateway{} },
	"gateway.networking.k8s.io/v1/HTTPRoute":  func() any { return &gateway.HTTPRoute{} },
	"cert-manager.io/v1/Issuer":               func() any { return &Issuer{} },
	"cert-manager.io/v1/Certificate":          func() any { return &Certificate{} },
	"networking.k8s.io/v1/NetworkPolicy":      func() any { return &networking.NetworkPolicy{} },
	"policy/v1/PodDisruptionBudget":           func() any { return &policy.PodDisruptionBudget{} },
	"keda.sh/v1alpha1/ScaledObject":           func() any { return &ScaledObject{} },
	"monitoring.coreos.com/v1/PodMonitor":     func() any { return &monitoring.PodMonitor{} },
	"monitoring.coreos.com/v1/PrometheusRule": func() any { return &monitoring.PrometheusRule{} },
}

// build makes the documents of a folder under k8s/, as kubectl apply -k does,
// and decodes each strictly.
func build(t *testing.T, folder string) []any {
	t.Helper()
	made, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), filepath.Join(root, "k8s", folder))
	if err != nil {
		t.Fatalf("%s: %v", folder, err)
	}
	var out []any
	for _, r := range made.Resources() {
		text, err := r.AsYAML()
		if err != nil {
			t.Fatal(err)
		}
		decoded, err := decode(text)
		if err != nil {
			t.Fatalf("%s: %s %s: %v", folder, r.GetKind(), r.GetName(), err)
		}
		out = append(out, decoded)
	}
	return out
}

func decode(text []byte) (any, error) {
	var head meta.TypeMeta
	if err := yaml.Unmarshal(text, &head); err != nil {
		return nil, err
	}
	empty, ok := kinds[head.APIVersion+"/"+head.Kind]
	if !ok {
		return nil, fmt.Errorf("%s/%s is no kind that is known here", head.APIVersion, head.Kind)
	}
	out := empty()
	if err := yaml.UnmarshalStrict(text, out); err != nil {
		return nil, err
	}
	return out, nil
}

func objects[T any](all []any) []T {
	var out []T
	for _, d := range all {
		if d, ok := d.(T); ok {
			out = append(out, d)
		}
	}
	return out
}

var folders = []string{"base", "overlays/local", "overlays/production"}

func checkEach(t *testing.T, check func(*testing.T, []any)) {
	t.Helper()
	for _, folder := range folders {
		t.Run(folder, func(t *testing.T) {
			t.Parallel()
			check(t, build(t, folder))
		})
	}
}

func TestStrictDecodingRefuses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"apiVersion: apps/v1\nkind: Deployment\nspec: {replica: 2}",
		"apiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nspec: {triggers: [{metadata: {lag: '1'}}]}",
		"apiVersion: v1\nkind: Secret\ndata: {}",
	} {
		if _, err := decode([]byte(text)); err == nil {
			t.Errorf("accepted:\n%s", text)
		}
	}
}
