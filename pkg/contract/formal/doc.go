// Package formal is the contract of formal orders, which the operator's team quotes for any
// fabricator or assembler. Their service, and their subjects, are called central.
package formal
