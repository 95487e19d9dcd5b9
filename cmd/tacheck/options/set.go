package options

import (
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/tacheck/tacheck/model"
)

// Settings is the value of --set: values of parameters and constants. It may be given several
// times, and has several values with commas between them.
type Settings []model.Setting

// setFlag adds --set, and its older name.
func Set(flags *pflag.FlagSet, s *Settings) {
	flags.Var(s, "set", "values of parameters and constants: `n=4,t=1`")
	flags.Var(s, "params", "")
	flags.Lookup("params").Hidden = true
}

func (s *Settings) String() string { return model.Settings(*s) }

func (s *Settings) Type() string { return "settings" }

func (s *Settings) Set(text string) error {
	for part := range strings.SplitSeq(text, ",") {
		name, value, found := strings.Cut(part, "=")
		x := model.Setting{Name: strings.TrimSpace(name)}
		var err error
		switch value = strings.TrimSpace(value); value {
		case "true", "false":
			x.Truth = true
			if value == "true" {
				x.Value = 1
			}
		default:
			x.Value, err = strconv.ParseInt(value, 10, 64)
		}
		if !found || err != nil || x.Name == "" {
			return fmt.Errorf("%q is not NAME=NUMBER", part)
		}
		for _, other := range *s {
			if other.Name == x.Name {
				return fmt.Errorf("%s is given two values, %s and %s", x.Name, other.Text(), x.Text())
			}
		}
		*s = append(*s, x)
	}
	return nil
}

// Values are the values by their names.
func (s Settings) Values() map[string]int64 {
	out := map[string]int64{}
	for _, x := range s {
		out[x.Name] = x.Value
	}
	return out
}

// WrongSet says that an error is about the values that were given, if there are any: not that of a file, or of what is
// in it.
func WrongSet(given Settings, err error) error {
	if err == nil || len(given) == 0 || errors.As(err, new(*model.InputError)) || errors.As(err, new(*fs.PathError)) {
		return err
	}
	return fmt.Errorf("--set: %w", err)
}

// SameAs adds an older name of a flag, which is not shown any more.
func SameAs(flags *pflag.FlagSet, old, name string) {
	f := *flags.Lookup(name)
	f.Name, f.Hidden, f.Usage = old, true, sameAs+name
	flags.AddFlag(&f)
}

// Now is what a flag is called now.
func Now(f *pflag.Flag) string {
	if name, is := strings.CutPrefix(f.Usage, sameAs); is {
		return name
	}
	return f.Name
}

const sameAs = "the same as --"
