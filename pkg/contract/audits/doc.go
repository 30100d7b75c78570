// Package audits is the contract of the audit trail: what operators did, each entry chained
// to the one before.
package audits
