module boardorder/services/pricing

go 1.26.0

require boardorder/pkg v0.0.0

require (
	github.com/google/go-cmp v0.7.0
	github.com/shopspring/decimal v1.6.0
)

replace boardorder/pkg => ../../pkg
