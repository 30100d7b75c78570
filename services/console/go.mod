module boardorder/services/console

go 1.26.0

require boardorder/pkg v0.0.0

require golang.org/x/sync v0.24.0 // indirect

replace boardorder/pkg => ../../pkg
