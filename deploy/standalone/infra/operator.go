package infra

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"boardorder/services/console"
)

// Operator is the first operator of a data folder.
type Operator struct {
	File  string // for CONSOLE_OPERATORS_FILE
	Token string // for CONSOLE_BOOTSTRAP_TOKEN; another one at each start
}

// operatorName is whom the console's sign-in link is for.
const operatorName = "owner"

// PasswordFile is where the first operator's password is, in a data folder.
const PasswordFile = "console-password"

// FirstOperator makes an operator with a password of its own the first time;
// both are files that only their owner can read.
func FirstOperator(dir string) (Operator, error) {
	password, err := Keep(filepath.Join(dir, PasswordFile), rand.Text)
	if err != nil {
		return Operator{}, fmt.Errorf("console operator: %w", err)
	}
	o := Operator{File: filepath.Join(dir, "operators.json"), Token: rand.Text() + rand.Text()}
	var wrong error
	_, err = Keep(o.File, func() string {
		var text string
		text, wrong = operators(password)
		return text
	})
	if err := errors.Join(wrong, err); err != nil {
		return o, fmt.Errorf("console operator: %w", err)
	}
	return o, nil
}

func operators(password string) (string, error) {
	hash, err := console.HashPassword(password)
	if err != nil {
		return "", err
	}
	text, err := json.MarshalIndent(map[string]any{"operators": []any{
		map[string]any{"name": operatorName, "roles": []string{"admin"}, "password_hash": hash},
	}}, "", "  ")
	return string(text) + "\n", err
}
