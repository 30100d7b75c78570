package apiserver

import (
	"context"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apiserver/pkg/storage/etcd3/testserver"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/restmapper"
	apitesting "k8s.io/kubernetes/cmd/kube-apiserver/app/testing"
	"sigs.k8s.io/yaml"
)

// A cluster is an API server over an etcd, both in this process and for the time
// of the test. No controller runs, so nothing is started.
type cluster struct {
	client dynamic.Interface
	mapper *restmapper.DeferredDiscoveryRESTMapper
}

func startCluster(t *testing.T) *cluster {
	t.Helper()
	etcd := testserver.RunEtcd(t, nil)
	store := storagebackend.NewDefaultConfig("/boardorder-test", nil)
	store.Transport.ServerList = etcd.Endpoints()
	server := apitesting.StartTestServerOrDie(t, &apitesting.TestServerInstanceOptions{DisableInvariantChecks: true}, nil, store)
	t.Cleanup(server.TearDownFn)
	server.ClientConfig.QPS = -1 // the client's own limit
	client, err := dynamic.NewForConfig(server.ClientConfig)
	if err != nil {
		t.Fatal(err)
	}
	found, err := discovery.NewDiscoveryClientForConfig(server.ClientConfig)
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{client: client, mapper: restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(found))}
	for _, text := range schemas(t) {
		c.define(t, text)
	}
	return c
}

// addNamespace makes a namespace with the account that a controller would add to it.
func (c *cluster) addNamespace(t *testing.T, o *unstructured.Unstructured) {
	t.Helper()
	account := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "ServiceAccount"}}
	account.SetName("default")
	account.SetNamespace(o.GetName())
	for _, made := range []*unstructured.Unstructured{o, account} {
		if err := c.apply(t.Context(), made); err != nil {
			t.Fatalf("%s %s: %v", made.GetKind(), made.GetName(), err)
		}
	}
}

// define makes a resource known, and waits until it is served.
func (c *cluster) define(t *testing.T, text []byte) {
	t.Helper()
	definition := parse(t, text)
	unstructured.RemoveNestedField(definition.Object, "spec", "conversion") // by a program that does not run here
	if err := c.apply(t.Context(), definition); err != nil {
		t.Fatalf("%s: %v", definition.GetName(), err)
	}
	group, _, _ := unstructured.NestedString(definition.Object, "spec", "group")
	kind, _, _ := unstructured.NestedString(definition.Object, "spec", "names", "kind")
	err := wait.PollUntilContextTimeout(t.Context(), 50*time.Millisecond, time.Minute, true, func(context.Context) (bool, error) {
		c.mapper.Reset()
		_, err := c.mapper.RESTMapping(schema.GroupKind{Group: group, Kind: kind})
		return err == nil, nil
	})
	if err != nil {
		t.Fatalf("%s of %s is not served: %v", kind, group, err)
	}
}

// apply is kubectl apply --server-side --validate=strict.
func (c *cluster) apply(ctx context.Context, o *unstructured.Unstructured) error {
	resource, err := c.resource(o)
	if err != nil {
		return err
	}
	text, err := o.MarshalJSON()
	if err != nil {
		return err
	}
	force := true
	_, err = resource.Patch(ctx, o.GetName(), types.ApplyPatchType, text, metav1.PatchOptions{
		FieldManager: "test", Force: &force, FieldValidation: metav1.FieldValidationStrict,
	})
	return err
}

// admit is whether an object would be taken, with all that is checked of it; it
// is not kept.
func (c *cluster) admit(ctx context.Context, o *unstructured.Unstructured) error {
	resource, err := c.resource(o)
	if err != nil {
		return err
	}
	_, err = resource.Create(ctx, o, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}, FieldValidation: metav1.FieldValidationStrict})
	return err
}

func (c *cluster) resource(o *unstructured.Unstructured) (dynamic.ResourceInterface, error) {
	kind := o.GroupVersionKind()
	mapping, err := c.mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if err != nil {
		return nil, err
	}
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		return c.client.Resource(mapping.Resource).Namespace(o.GetNamespace()), nil
	}
	return c.client.Resource(mapping.Resource), nil
}

func parse(t *testing.T, text []byte) *unstructured.Unstructured {
	t.Helper()
	o := &unstructured.Unstructured{}
	if err := yaml.Unmarshal(text, &o.Object); err != nil {
		t.Fatal(err)
	}
	return o
}
