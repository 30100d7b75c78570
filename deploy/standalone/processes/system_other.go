//go:build !linux

package processes

import "syscall"

// attributes keep the terminal's Ctrl-C from a program: it is stopped in order.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// awaitStop takes the signal for the stop: nothing here shows more.
func awaitStop(int) {}
