module boardorder/services/design-check

go 1.26.0

require boardorder/pkg v0.0.0

require (
	go.uber.org/multierr v1.10.0 // indirect
	go.uber.org/zap v1.28.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
)

replace boardorder/pkg => ../../pkg
