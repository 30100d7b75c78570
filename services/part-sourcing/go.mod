module boardorder/services/part-sourcing

go 1.26.0

require (
	boardorder/pkg v0.0.0
	github.com/google/go-cmp v0.7.0
	golang.org/x/text v0.43.0
)

replace boardorder/pkg => ../../pkg
