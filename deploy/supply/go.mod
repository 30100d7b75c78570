module boardorder/deploy/supply

go 1.26
