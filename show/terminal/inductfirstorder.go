package terminal

import (
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
)

// FirstOrderJSON is the object printed for a property by --json.
type FirstOrderJSON struct {
	File     string               `json:"file"`
	Property string               `json:"property"`
	Verdict  verdict.Verdict      `json:"verdict"`
	Reason   string               `json:"reason,omitempty"`
	Lemmas   []string             `json:"lemmas,omitempty"`
	Samples  int                  `json:"samples"`
	Seconds  float64              `json:"seconds"`
	Witness  model.Counterexample `json:"witness,omitempty"`
}
