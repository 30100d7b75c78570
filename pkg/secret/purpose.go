package secret

// OrderOwner is the purpose of the tokens in our e-mails: whoever has one is the
// customer of the order that it names, and sees what its page keeps from those who
// only hold the link.
const OrderOwner = "order-owner"
