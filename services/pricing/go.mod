module boardorder/services/pricing

go 1.26.0

require boardorder/pkg v0.0.0

require (
	boardorder/deploy/simulator v0.0.0
	github.com/google/go-cmp v0.7.0
	github.com/shopspring/decimal v1.6.0
	go.uber.org/zap v1.28.0
)

require (
	go.uber.org/multierr v1.10.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
)

replace boardorder/pkg => ../../pkg

replace boardorder/deploy/simulator => ../../deploy/simulator
