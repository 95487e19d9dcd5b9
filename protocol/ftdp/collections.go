package ftdp

// Functions of sequences and sets: names that a text may define otherwise.
var SetWords = []string{"union", "intersection", "difference", "add", "remove"}

var CollectionWords = append([]string{"seq", "append", "slice", "length", "last", "size", "subset"}, SetWords...)
