// Package operator knows who may use the console and what for. Operators are
// kept in a file that whoever runs the system writes; a change of it counts at
// once.
package operator

import (
	"fmt"
	"regexp"
	"slices"
)

// A Role is what an operator does. An operator may have several.
type Role string

// The roles.
const (
	Viewer     Role = "viewer"
	Sales      Role = "sales"
	Finance    Role = "finance"
	Compliance Role = "compliance"
	USPerson   Role = "us_person" // may see what is export-controlled; allows nothing else by itself
	Admin      Role = "admin"
)

// Roles lists them all.
func Roles() []Role { return []Role{Viewer, Sales, Finance, Compliance, USPerson, Admin} }

// former are names that roles had; files that say them are read as before.
var former = map[Role]Role{"read-only": Viewer, "pricing": Sales}

// Permissions lists them all.
func Permissions() []Permission {
	return []Permission{
		TakeCases, SetPrices, MoveOrders, SeeDesigns, SeeCustomers, SeeBodies, SeeControlled, ManageAccounts, ManageDead, ManageOperators, ManageCustomers, WriteStatus, SeeAudit,
	}
}

// A Permission is one kind of thing that an operator may see or do.
type Permission string

// The permissions. Everybody sees queues, statuses and amounts.
const (
	TakeCases       Permission = "take cases and decide on them"
	SetPrices       Permission = "set prices"
	MoveOrders      Permission = "report on orders"
	SeeDesigns      Permission = "see design files and pictures"
	SeeCustomers    Permission = "see names and addresses"
	SeeBodies       Permission = "see what events and commands hold"
	SeeControlled   Permission = "see what is export-controlled"
	ManageAccounts  Permission = "manage accounts and keys"
	ManageOperators Permission = "end sessions and take second factors away"
	ManageCustomers Permission = "export and erase customers’ data"
	WriteStatus     Permission = "write about incidents"
	SeeAudit        Permission = "read what operators did"
	ManageDead      Permission = "replay and discard dead letters"
)

func (r Role) allows() []Permission {
	switch r {
	case Sales:
		return []Permission{TakeCases, SetPrices, SeeDesigns, SeeCustomers}
	case Finance:
		return []Permission{TakeCases, MoveOrders, SeeCustomers}
	case Compliance:
		return []Permission{SeeDesigns, SeeCustomers, SeeBodies, ManageCustomers, SeeAudit}
	case USPerson:
		return []Permission{SeeControlled}
	case Admin:
		return []Permission{TakeCases, SetPrices, MoveOrders, SeeDesigns, SeeCustomers, SeeBodies, ManageAccounts, ManageDead, ManageOperators, ManageCustomers, WriteStatus, SeeAudit}
	}
	return nil
}

// Operator is one person who works with the console.
type Operator struct {
	Name  string `yaml:"name"`
	Roles []Role `yaml:"roles"`
	Hash  string `yaml:"password_hash"` // as HashPassword makes it
}

// Can reports whether one of the operator's roles allows p.
func (o Operator) Can(p Permission) bool {
	return slices.ContainsFunc(o.Roles, func(r Role) bool { return slices.Contains(r.allows(), p) })
}

var name = regexp.MustCompile(`^[a-z0-9][a-z0-9._@-]{0,63}$`)

// validate says what is wrong with an entry of the file.
func (o Operator) validate() error {
	if !name.MatchString(o.Name) {
		return fmt.Errorf("operator %q: a name is 1 to 64 of a-z 0-9 . _ @ -", o.Name)
	}
	if len(o.Roles) == 0 {
		return fmt.Errorf("operator %s has no role; the roles are %v", o.Name, Roles())
	}
	for _, r := range o.Roles {
		if !slices.Contains(Roles(), r) {
			return fmt.Errorf("operator %s: %q is no role; the roles are %v", o.Name, r, Roles())
		}
	}
	if _, err := parse(o.Hash); err != nil {
		return fmt.Errorf("operator %s: password_hash: %w", o.Name, err)
	}
	return nil
}
