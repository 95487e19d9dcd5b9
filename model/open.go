package model

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/record"
)

// Open reads a model; file is how it is called in messages, and tells its kind. The error is
// an *InputError if something is wrong with the text.
func Open(ctx context.Context, file, text string, o Options) (Model, error) {
	k, told := KindOf(file)
	file = record.Name(file)
	if o.Find != "" && !k.Finds {
		return nil, fmt.Errorf("%s: conditions of %s are not known: %s is one", findFlag, k.Name, file)
	}
	m, err := k.open(file, text, func() (Model, error) { return k.Open(ctx, file, text, o) })
	var problems diag.List
	if !told && file != "-" && errors.As(err, &problems) {
		problems[0].Msg += fmt.Sprintf("; the file's name tells no kind, so it was read as %s (endings are %s)", k.Name,
			strings.Join(Endings(), ", "))
	}
	return m, err
}
