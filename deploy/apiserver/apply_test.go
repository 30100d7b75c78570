package apiserver

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

const root = "../.."

func TestOverlays(t *testing.T) {
	for _, overlay := range []string{"overlays/local", "overlays/production"} {
		t.Run(overlay, func(t *testing.T) { testOverlay(t, startCluster(t), overlay) })
	}
}

// Everything in an overlay is taken as kubectl applies it, twice, and every pod
// that its workloads would make is admitted where they would make it.
func testOverlay(t *testing.T, c *cluster, overlay string) {
	namespaces, objects := render(t, overlay)
	if len(namespaces) == 0 { // made by whoever runs the cluster, who asks for the most there is
		namespaces = append(namespaces, namespaceWithLimits(objects[0].GetNamespace()))
	}
	for _, o := range namespaces {
		c.addNamespace(t, o)
	}
	for range 2 {
		for _, o := range objects {
			if err := c.apply(t.Context(), o); err != nil {
				t.Errorf("%s %s: %v", o.GetKind(), o.GetName(), err)
			}
		}
	}
	for _, text := range slices.Concat(documents(t, "k8s/policy/images.yaml"), documents(t, "k8s/policy/connections.yaml")) {
		o := parse(t, text)
		if o.GetKind() == "ClientTrafficPolicy" { // applied where the Gateways are
			o.SetNamespace(objects[0].GetNamespace())
		}
		if err := c.apply(t.Context(), o); err != nil {
			t.Errorf("%s %s: %v", o.GetKind(), o.GetName(), err)
		}
	}
	pods := 0
	for _, o := range objects {
		if pod := podOf(o); pod != nil {
			pods++
			if err := c.admit(t.Context(), pod); err != nil {
				t.Errorf("a pod of %s %s: %v", o.GetKind(), o.GetName(), err)
			}
		}
	}
	if pods < 10 {
		t.Errorf("%d pods in %s, want 10 at least: looked in the wrong place", pods, overlay)
	}
}

// A server that takes everything would make the test above worthless.
func TestNonsenseIsRefused(t *testing.T) {
	c := startCluster(t)
	c.addNamespace(t, namespaceWithLimits("nonsense"))
	for name, text := range map[string]string{
		"a field that there is not": "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x, namespace: nonsense}\nspec: {replica: 2}",
		"a selector of nothing":     "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x, namespace: nonsense}\nspec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: c}}, spec: {containers: [{name: c, image: i}]}}}",
		"a scaler of text":          "apiVersion: keda.sh/v1alpha1\nkind: ScaledObject\nmetadata: {name: x, namespace: nonsense}\nspec: {scaleTargetRef: {name: x}, minReplicaCount: few, triggers: []}",
		"an unknown kind":           "apiVersion: keda.sh/v1alpha1\nkind: Scaler\nmetadata: {name: x, namespace: nonsense}",
	} {
		if err := c.apply(t.Context(), parse(t, []byte(text))); err == nil {
			t.Errorf("%s was taken, want it refused:\n%s", name, text)
		}
	}
	privileged := parse(t, []byte("apiVersion: v1\nkind: Pod\nmetadata: {name: x, namespace: nonsense}\nspec: {hostNetwork: true, containers: [{name: c, image: i}]}"))
	if err := c.admit(t.Context(), privileged); err == nil {
		t.Error("a pod on the host's network was admitted where pods are restricted")
	}
}

func namespaceWithLimits(name string) *unstructured.Unstructured {
	o := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Namespace"}}
	o.SetName(name)
	o.SetLabels(map[string]string{"pod-security.kubernetes.io/enforce": "restricted"})
	return o
}

// render gives the objects of a folder as kubectl apply -k sends them.
func render(t *testing.T, folder string) (namespaces, rest []*unstructured.Unstructured) {
	t.Helper()
	made, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), filepath.Join(root, "k8s", folder))
	if err != nil {
		t.Fatalf("%s: %v", folder, err)
	}
	for _, r := range made.Resources() {
		text, err := r.AsYAML()
		if err != nil {
			t.Fatal(err)
		}
		if o := parse(t, text); o.GetKind() == "Namespace" {
			namespaces = append(namespaces, o)
		} else {
			rest = append(rest, o)
		}
	}
	return namespaces, rest
}

func documents(t *testing.T, path string) [][]byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Split(text, []byte("\n---\n"))
}

// podOf is the pod that a workload makes, or nil.
func podOf(o *unstructured.Unstructured) *unstructured.Unstructured {
	path := map[string][]string{
		"Deployment": {"spec", "template"}, "StatefulSet": {"spec", "template"}, "Job": {"spec", "template"},
		"CronJob": {"spec", "jobTemplate", "spec", "template"},
	}[o.GetKind()]
	if path == nil {
		return nil
	}
	template, _, _ := unstructured.NestedMap(o.Object, path...)
	claims, _, _ := unstructured.NestedSlice(o.Object, "spec", "volumeClaimTemplates")
	for _, claim := range claims { // the set's controller would make them
		name, _, _ := unstructured.NestedString(claim.(map[string]any), "metadata", "name")
		spec := template["spec"].(map[string]any)
		volumes, _ := spec["volumes"].([]any)
		spec["volumes"] = append(volumes, map[string]any{"name": name, "persistentVolumeClaim": map[string]any{"claimName": name}})
	}
	pod := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Pod", "metadata": template["metadata"], "spec": template["spec"]}}
	pod.SetName(fmt.Sprintf("%s-pod", o.GetName()))
	pod.SetNamespace(o.GetNamespace())
	return pod
}
