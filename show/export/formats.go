package export

// Formats are all formats by name.
var Formats = map[string]Format{"junit": jUnit, "sarif": writeSARIF, "github": gitHub, "csv": writeCSV}
