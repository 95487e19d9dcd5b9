package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"
)

// deepest bounds how deep JSON from another source may be nested.
const deepest = 100

// FormatError says that a file is not one of its kind at all.
type FormatError struct{ Err error }

func (e *FormatError) Error() string { return e.Err.Error() }

func (e *FormatError) Unwrap() error { return e.Err }

// NotOne makes a *FormatError.
func NotOne(format string, args ...any) error {
	return &FormatError{fmt.Errorf(format, args...)}
}

// Read reads one JSON value strictly: every field has to be one that there is, in the very spelling, once; all that are
// always written have to be there; and numbers have to be written as the type is written. In other words, the text has
// to be what the value that was read is written as, but for white space and the order of fields.
func Read(text []byte, into any) error {
	tree, err := Tree(text)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		if e, other := errors.AsType[*json.UnmarshalTypeError](err); other {
			name := e.Field[strings.LastIndex(e.Field, ".")+1:]
			return fmt.Errorf("the field %q cannot be a %s", name, e.Value) // "a number 1e20"
		}
		return fmt.Errorf("%s", strings.TrimPrefix(err.Error(), "json: "))
	}
	again, err := json.Marshal(into)
	if err != nil {
		return err
	}
	return same("", tree, again)
}

// Same reports where two JSON texts differ; the first is a file's.
func Same(file, want []byte) error {
	tree, err := Tree(file)
	if err != nil {
		return err
	}
	return same("", tree, want)
}

func same(at string, tree any, want []byte) error {
	other, err := Tree(want)
	if err != nil {
		return err
	}
	return differ(at, tree, other)
}

// ErrMore says that something follows a JSON value that has to be alone.
var ErrMore = errors.New("there is text after the end")

// Alone reads the one JSON value that a decoder has; anything but white space behind it is ErrMore. (More of a decoder
// is no test of that: a bracket too many is not more.)
func Alone(d *json.Decoder, into any) error {
	if err := d.Decode(into); err != nil {
		return err
	}
	return ended(d)
}

func ended(d *json.Decoder) error {
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return ErrMore
	}
	return nil
}

// Tree reads one JSON value, in which no object has a name twice. Numbers are json.Number.
func Tree(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	v, err := tree(d, 0)
	if err == nil {
		err = ended(d)
	}
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return v, err
}

func tree(d *json.Decoder, depth int) (any, error) {
	if depth > deepest {
		return nil, fmt.Errorf("nested deeper than %d levels", deepest)
	}
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t {
	case json.Delim('['):
		list := []any{}
		for d.More() {
			v, err := tree(d, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := d.Token()
		return list, err
	case json.Delim('{'):
		object := map[string]any{}
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			name, _ := key.(string) // that is what the decoder returns here
			if _, twice := object[name]; twice {
				return nil, fmt.Errorf("the field %q is there twice", name)
			}
			if object[name], err = tree(d, depth+1); err != nil {
				return nil, err
			}
		}
		_, err := d.Token()
		return object, err
	}
	return t, nil
}

// differ tells the first difference between what a file says and what it should.
func differ(at string, file, want any) error {
	if reflect.DeepEqual(file, want) {
		return nil
	}
	switch want := want.(type) {
	case map[string]any:
		if object, ok := file.(map[string]any); ok {
			for _, name := range slices.Sorted(maps.Keys(object)) {
				if _, ok := want[name]; !ok {
					return fmt.Errorf("the field %q should not be there", at+name)
				}
			}
			for _, name := range slices.Sorted(maps.Keys(want)) {
				value, ok := object[name]
				if !ok {
					return fmt.Errorf("the field %q is missing", at+name)
				}
				if err := differ(at+name+".", value, want[name]); err != nil {
					return err
				}
			}
		}
	case []any:
		if list, ok := file.([]any); ok && len(list) == len(want) {
			for i := range list {
				if err := differ(fmt.Sprintf("%s%d.", at, i+1), list[i], want[i]); err != nil {
					return err
				}
			}
		}
	}
	return fmt.Errorf("%q: the file says %s, and not %s", strings.TrimSuffix(at, "."), brief(file), brief(want))
}

func brief(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	if len(text) > 100 {
		return string(text[:100]) + "..."
	}
	return string(text)
}
