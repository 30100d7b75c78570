module boardorder/deploy/simulator

go 1.26.0

require boardorder/pkg v0.0.0

replace boardorder/pkg => ../../pkg
