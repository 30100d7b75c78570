// Package emails is the contract of the e-mails that customers, partners and the team get.
package emails
