package answers

// OrderFileName is what a file is called that states how the design beside it is ordered: a
// JSON object of the properties of a quote request.
const OrderFileName = "board-order.json"
