// Package designchecks is the contract of boards that are held against fabricators' limits.
package designchecks
