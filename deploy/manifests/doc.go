// Package manifests holds docker-compose.yml, k8s/ and deploy/grafana to the code
// that they run: its tests read them as the tools do, strictly, and compare names
// of variables, images, consumers and metrics with what the programs really have.
// It needs no Docker, no cluster and no network.
//
// It is a module outside of the workspace, so that the Kubernetes types decide no
// version of a library that the services are built with.
package manifests
