package infra

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"boardorder/services/console"
)

// Operator is how the operators of a data folder sign in.
type Operator struct {
	File  string // for CONSOLE_OPERATORS_FILE
	Token string // for CONSOLE_BOOTSTRAP_TOKEN; another one at each start
}

// The operators of a data folder: whom the console's sign-in link is for, and a second
// one, since what moves much money is approved by another than who asks for it.
const (
	operatorName   = "owner"
	secondOperator = "second"
)

// Where the operators' passwords are, in a data folder.
const (
	PasswordFile       = "console-password"
	SecondPasswordFile = "console-password-second"
)

// EnsureOperator makes two operators with passwords of their own the first time;
// all are files that only their owner can read.
func EnsureOperator(dir string) (Operator, error) {
	password, err := Keep(filepath.Join(dir, PasswordFile), rand.Text)
	if err != nil {
		return Operator{}, fmt.Errorf("console operator: %w", err)
	}
	second, err := Keep(filepath.Join(dir, SecondPasswordFile), rand.Text)
	if err != nil {
		return Operator{}, fmt.Errorf("console operator: %w", err)
	}
	o := Operator{File: filepath.Join(dir, "operators.json"), Token: rand.Text() + rand.Text()}
	var wrong error
	_, err = Keep(o.File, func() string {
		var text string
		text, wrong = operators(map[string]string{operatorName: password, secondOperator: second})
		return text
	})
	if err := errors.Join(wrong, err); err != nil {
		return o, fmt.Errorf("console operator: %w", err)
	}
	return o, nil
}

func operators(passwords map[string]string) (string, error) {
	var all []any
	for _, name := range slices.Sorted(maps.Keys(passwords)) {
		hash, err := console.HashPassword(passwords[name])
		if err != nil {
			return "", err
		}
		all = append(all, map[string]any{"name": name, "roles": []string{"admin"}, "password_hash": hash})
	}
	text, err := json.MarshalIndent(map[string]any{"operators": all}, "", "  ")
	return string(text) + "\n", err
}
