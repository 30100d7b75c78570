module boardorder/services/pricing

go 1.26.0

require boardorder/pkg v0.0.0

require (
	github.com/google/go-cmp v0.7.0 // indirect
	github.com/shopspring/decimal v1.6.0 // indirect
)

replace boardorder/pkg => ../../pkg
