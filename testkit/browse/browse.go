// Package browse opens pages in a browser, for tests.
package browse

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/tacheck/tacheck/testkit/need"
)

// Open opens an address. The test is skipped if there is no browser.
func Open(t *testing.T, address string, width int64) context.Context {
	t.Helper()
	need.Usual(t, "a browser")
	need.Any(t, "chromium", "chromium-browser", "google-chrome", "chrome", "headless-shell") // what chromedp looks for
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.Flag("hide-scrollbars", true),
		chromedp.WSURLReadTimeout(2*time.Minute)) // on a busy machine it takes its time to start
	ctx, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, stop = chromedp.NewContext(ctx)
	t.Cleanup(stop)
	ctx, stop = context.WithTimeout(ctx, 3*time.Minute) // on a busy machine all takes its time
	t.Cleanup(stop)
	Do(t, ctx, chromedp.EmulateViewport(width, 900), chromedp.Navigate(address))
	return ctx
}

// Ask evaluates an expression in the page.
func Ask[T any](t *testing.T, ctx context.Context, expression string) T {
	t.Helper()
	var out T
	if err := chromedp.Run(ctx, chromedp.Evaluate(expression, &out)); err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return out
}

// Do carries out actions.
func Do(t *testing.T, ctx context.Context, actions ...chromedp.Action) {
	t.Helper()
	if err := chromedp.Run(ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// Shot saves a screenshot in the folder that TACHECK_SHOTS names, to be looked
// at.
func Shot(t *testing.T, ctx context.Context, name string) {
	t.Helper()
	dir := os.Getenv("TACHECK_SHOTS")
	if dir == "" {
		return
	}
	var image []byte
	Do(t, ctx, chromedp.FullScreenshot(&image, 100))
	if err := os.WriteFile(filepath.Join(dir, name), image, 0o666); err != nil {
		t.Fatal(err)
	}
}
