// Package web is the edge's HTTP server: routes, the life of one request, and
// what keeps connections in step when a request is answered early. It decides
// nothing; what a route does is given to it.
package web
