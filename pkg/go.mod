module boardorder/pkg

go 1.26.0
