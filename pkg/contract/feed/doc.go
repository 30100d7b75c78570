// Package feed is what an account is told of what happens to what it has: public events,
// derived from the stored ones by a pure function, so that whoever derives them again gets
// the same. It owns no aggregate. Who publishes is the feed service, who answers the edge.
package feed
