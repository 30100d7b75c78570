// Package partchecks is the contract of lists of parts held against what suppliers have. Its
// reports are part of assemblies, too.
package partchecks
