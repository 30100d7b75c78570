// Package upgrade runs the last release and this version side by side over one
// broker, as a rollout does, forth and back, with orders on their way. It holds
// only tests.
package upgrade
