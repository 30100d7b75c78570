package infra

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// Ready is where everything is, and what services need to run over it.
type Ready struct {
	NATSURL      string            `json:"nats_url"` // with the token that it asks for
	SimulatorURL string            `json:"simulator_url"`
	MailboxURL   string            `json:"mailbox_url"`
	PID          int               `json:"pid"`
	Env          map[string]string `json:"env"`
}

// Ready says where the started infrastructure is reached.
func (i *Infra) Ready() (Ready, error) {
	vars, err := i.environment()
	return Ready{
		NATSURL: i.natsURL(), SimulatorURL: i.sim.URL(), MailboxURL: i.sim.MailboxURL(), PID: os.Getpid(), Env: vars,
	}, err
}

// WriteJSON writes v to a file of its owner's; whoever waits for the file never
// sees half of it.
func WriteJSON(file string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	temporary := filepath.Join(filepath.Dir(file), "."+filepath.Base(file)+".new")
	if err := os.WriteFile(temporary, append(data, '\n'), 0o600); err != nil {
		return fmt.Errorf("ready file: %w", err)
	}
	if err := os.Rename(temporary, file); err != nil {
		return fmt.Errorf("ready file: %w", err)
	}
	return nil
}

// ReadReady reads what a process of the infrastructure wrote.
func ReadReady(file string) (Ready, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return Ready{}, fmt.Errorf("ready file: %w", err)
	}
	var r Ready
	if err := json.Unmarshal(data, &r); err != nil {
		return Ready{}, fmt.Errorf("ready file: %w", err)
	}
	return r, nil
}
