// Package options is about flags: values that they take, what these may be (values.go), and the help that lists them
// (help.go).
package options

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tacheck/tacheck/cover"
	"github.com/tacheck/tacheck/emit"
	"github.com/tacheck/tacheck/internal/save"
	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/protocol/interference"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/show/chart"
	"github.com/tacheck/tacheck/show/picture"
)

// least is the least number that makes sense, by the flags that take one. None of them takes a negative one.
var least = map[string]int64{ManyFlag: 1,
	"jobs": 1, "runs": 1, "cases": 1, "k": 1, "states": 1, "max-states": 1, "swarm": 1, "resets": 1,
}

// most is the greatest value of flags that would only do harm beyond it.
var most = map[string]int64{
	"jobs": 1024, "runs": 1_000_000, "cases": 1_000_000_000, "swarm": 1_000_000, "seed": 1 << 53, "k": 1000,
}

// names are the flags that name something; written are those that name a file or a folder that is going to be made.
var (
	names   = []string{"compare", "resume", "runs", "stdin-name"}
	written = []string{"certify", "chart", "dump-smt", "graph", "output", "plot", "save", "save-state", "witness"}
	single  = []string{"chart", "graph", "output", "save-state", "witness"} // a file and no folder
)

// Choices are the values of flags that have few; those of --traffic may be in small letters.
var Choices = map[string][]string{
	"symmetry": {"roles", "none"}, "traffic": {"M", "GRM", "RM"}, "crash": {"implicit", "explicit"},
	"por": {"auto", machine.Unreduced, machine.LPOR, machine.LPORNet, machine.DPOR},
	"split": {string(interference.None), string(interference.Quorum), string(interference.Reply),
		string(interference.Combined)},
	"cover":      {string(cover.Rules), string(cover.Pairs), string(cover.Conditions)},
	"run-format": {"json", "itf"},
	"to":         append(append([]string{"ta"}, emit.Targets...), "itf"),
}

// Check refuses values that mean nothing, of flags that the user has given.
func Check(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if err == nil {
			err = checkFlag(f)
		}
	})
	return err
}

func checkFlag(f *pflag.Flag) error {
	switch f.Value.Type() {
	case "duration":
		if d, err := time.ParseDuration(f.Value.String()); err == nil && d < 0 {
			return fmt.Errorf("--%s: %s is before it begins", f.Name, f.Value)
		}
	case "int", "int64":
		n, err := strconv.ParseInt(f.Value.String(), 10, 64)
		if err != nil {
			return nil
		}
		if n < least[f.Name] {
			return fmt.Errorf("--%s: %d is too little: at least %d", f.Name, n, least[f.Name])
		}
		if limit, ok := most[f.Name]; ok && n > limit {
			return fmt.Errorf("--%s: %d is too much: at most %d", f.Name, n, limit)
		}
	case "string":
		name, made := f.Value.String(), slices.Contains(written, f.Name)
		if name == "" && (made || slices.Contains(names, f.Name)) {
			return fmt.Errorf("--%s: the name is empty", f.Name)
		}
		if made {
			if err := save.Possible(name); err != nil {
				return fmt.Errorf("--%s: %w", f.Name, err)
			}
			if info, err := os.Stat(name); err == nil && info.IsDir() && slices.Contains(single, f.Name) {
				return fmt.Errorf("--%s: %s is a folder", f.Name, name)
			}
		}
		list := Choices[f.Name]
		switch {
		case f.Name == "chart":
			return DrawnAs(f.Name, name, chart.Endings...)
		case f.Name == "graph":
			return DrawnAs(f.Name, name, picture.Formats...)
		case list != nil && name != f.DefValue && !slices.Contains(list, name) &&
			!slices.Contains(list, strings.ToUpper(name)):
			return fmt.Errorf("--%s: choose one of %s%s", f.Name, strings.Join(list, ", "), spell.Hint(name, list))
		}
	}
	return nil
}

// DrawnAs refuses names of pictures whose ending promises another format than one of those that there are.
func DrawnAs(flag, name string, formats ...string) error {
	if ending := strings.TrimPrefix(filepath.Ext(name), "."); ending != "" && !slices.Contains(formats, ending) {
		return fmt.Errorf("--%s: %s would not be drawn as %q: the ending is one of %s", flag, name, ending,
			strings.Join(formats, ", "))
	}
	return nil
}

// ManyFlag asks for counterexamples of several kinds.
const ManyFlag = "all-counterexamples"
