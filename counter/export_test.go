package counter

// For tests outside of the package.
var Names, Named, QuantityOf, NumberOf = names, named, quantity, number
