// Package apiserver applies everything under k8s/ to a real Kubernetes API
// server, with the schemas of what runs beside us. It ships nothing, and is a
// module of its own: the server's dependencies decide no version of what ships.
package apiserver
