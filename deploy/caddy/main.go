// Command caddy is the web server before the edges, with bounds on the connections
// that it holds, which Caddy itself has none of.
package main

import (
	caddycmd "github.com/caddyserver/caddy/v2/cmd"

	_ "boardorder/deploy/caddy/places"

	_ "github.com/caddyserver/caddy/v2/modules/standard"
)

func main() { caddycmd.Main() }
