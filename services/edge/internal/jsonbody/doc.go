// Package jsonbody reads JSON requests: it refuses what is not plain JSON,
// then takes fields out one by one, collecting all that is wrong with them.
package jsonbody
