package hand

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tacheck/internal/diag"
	"tacheck/promela"
)

// blocked says of guards why they are false: for the first of processes that are alike.
func (p *Promela) blocked(w *promela.World) (list []string) {
	for who, l := range w.Processes {
		if slices.IndexFunc(w.Processes, func(k promela.Local) bool { return slices.Equal(k, l) }) < who {
			continue
		}
		refused, err := p.in.Refused(w, who)
		if err != nil {
			continue // the choices say so
		}
		for _, r := range refused {
			text := fmt.Sprintf("process %d, line %d: not %s", who+1, r.Pos.Line, r.Guard)
			if len(r.Sees) > 0 {
				text += ", " + strings.Join(r.Sees, ", ")
			}
			list = append(list, text)
		}
	}
	return list
}

// condition reads what is watched: a condition, or a value.
func (p *Promela) condition(text string) (*promela.Expr, error) {
	if strings.TrimSpace(text) == "" {
		if len(p.m.Shared) > 0 {
			return nil, nothing(p.m.Shared[0].Name + " >= 1")
		}
		return nil, nothing("true")
	}
	return p.m.Condition(text)
}

// Watch implements Watcher.
func (p *Promela) Watch(_ context.Context, path []int, conditions []string) (list []Watched) {
	_, worlds, err := p.run(path)
	for _, text := range conditions {
		w := Watched{Text: text}
		e, bad := p.condition(text)
		if bad == nil && err == nil && len(worlds) > 0 {
			var value int64
			if value, bad = p.in.Holds(e, worlds[len(worlds)-1]); bad == nil {
				if w.Value = fmt.Sprint(value); p.m.Truth(e) {
					w.Value = fmt.Sprint(value != 0)
				}
			}
		}
		switch {
		case err != nil:
			w.Value, w.Wrong = err.Error(), true
		case bad != nil:
			w.Value, w.Wrong = bad.Error(), true
		}
		list = append(list, w)
	}
	return list
}

// Find implements Watcher.
func (p *Promela) Find(ctx context.Context, path []int, condition string) ([]int, error) {
	_, worlds, err := p.run(path)
	if err != nil {
		return nil, err
	}
	e, err := p.condition(condition)
	if err == nil && !p.m.Truth(e) {
		var list diag.List
		list.Add(diag.Pos{File: "condition", Line: 1, Col: 1}, len([]rune(condition)),
			"this is no condition, but a value: compare it with one")
		err = list
	}
	if err != nil {
		return nil, err
	}
	var from *promela.World // nil is before the initial worlds
	if len(worlds) > 0 {
		from = worlds[len(worlds)-1]
	}
	next := func(w *promela.World, yield func(*promela.World) bool) error {
		following := p.start
		if w != nil {
			list, err := p.moves(w)
			if err != nil {
				return err
			}
			following = nil
			for _, m := range list {
				following = append(following, m.after(w))
			}
		}
		for _, to := range following {
			if !yield(to) {
				break
			}
		}
		return nil
	}
	key := func(w *promela.World) string {
		if w == nil {
			return ""
		}
		return fmt.Sprint(w.Shared, w.Processes)
	}
	return search(ctx, from, key, next, func(w *promela.World) (bool, error) {
		v, err := p.in.Holds(e, w)
		return v != 0, err
	})
}
