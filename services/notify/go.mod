module boardorder/services/notify

go 1.26.0

require boardorder/pkg v0.0.0

require (
	github.com/emersion/go-sasl v0.0.0-20241020182733-b788ff22d5a6 // indirect
	github.com/emersion/go-smtp v0.25.1 // indirect
	go.uber.org/multierr v1.10.0 // indirect
	go.uber.org/zap v1.28.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
)

require (
	boardorder/deploy/simulator v0.0.0
	github.com/google/go-cmp v0.7.0
	github.com/wneessen/go-mail v0.8.1
	golang.org/x/crypto v0.58.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)

replace boardorder/pkg => ../../pkg

replace boardorder/deploy/simulator => ../../deploy/simulator
