// The script itself, in Node.js, with a browser that the test leads.

package watch

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"testing"
	"time"
)

// led is the browser of testdata/browser.cjs with the script in it.
type led struct {
	t     *testing.T
	in    io.Writer
	lines chan string
	said  []string
}

func lead(t *testing.T, w *Watcher) *led {
	t.Helper()
	if testing.Short() {
		t.Skip("this test needs Node.js")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatalf("this test needs Node.js 20 or newer on the PATH: %v", err)
	}
	cmd := exec.Command(node, "testdata/browser.cjs", w.Script())
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	b := &led{t: t, in: in, lines: make(chan string, 100)}
	read := make(chan struct{})
	go func() {
		defer close(read)
		for scan := bufio.NewScanner(out); scan.Scan(); {
			b.lines <- scan.Text()
		}
	}()
	t.Cleanup(func() {
		in.Close()
		<-read
		_ = cmd.Wait() // it ends with its input
	})
	return b
}

// tell tells the browser something.
func (b *led) tell(what string) {
	b.t.Helper()
	if _, err := fmt.Fprintln(b.in, what); err != nil {
		b.t.Fatal(err)
	}
}

// await waits until the browser has said something.
func (b *led) await(want string) {
	b.t.Helper()
	for timer := time.After(30 * time.Second); !slices.Contains(b.said, want); {
		select {
		case line := <-b.lines:
			b.said = append(b.said, line)
		case <-timer:
			b.t.Fatalf("the browser does not say %q but %q", want, b.said)
		}
	}
}

// An attempt at a restoration that has been given up does nothing more when the next
// one has begun: what it still gets is closed.
func TestAttemptThatWasGivenUp(t *testing.T) {
	w, until := begin(t)
	b := lead(t, w)
	until(func(s State) bool { return s.Alive && len(s.Pages) == 1 })
	plan := Plan{Pages: []string{"http://a.test/", "http://b.test/"}, Attempt: 1}
	ctx, giveUp := context.WithCancel(t.Context())
	first := make(chan error, 1)
	go func() {
		_, err := w.Restore(ctx, plan)
		first <- err
	}()
	b.await("asked for page 1")
	giveUp()
	if err := <-first; err == nil {
		t.Fatal("an attempt that was given up is said to have succeeded")
	}
	second := make(chan error, 1)
	var done Restored
	go func() {
		var err error
		plan.Attempt = 2
		done, err = w.Restore(t.Context(), plan)
		second <- err
	}()
	b.await("asked for page 2")
	b.tell("come 1")
	b.tell("come 2")
	if err := <-second; err != nil {
		t.Fatal(err)
	}
	b.await("page 1 closed")
	for _, want := range []string{"first goto http://a.test/", "page 2 goto http://b.test/"} {
		b.await(want)
	}
	if slices.Contains(b.said, "page 1 goto http://b.test/") {
		t.Errorf("the attempt that was given up goes on: %q", b.said)
	}
	if s := until(func(s State) bool { return len(s.Pages) == 2 }); !slices.Equal(s.Pages, plan.Pages) || !slices.Equal(done.Places, []int{0, 1}) {
		t.Errorf("the tabs are %q, at %v", s.Pages, done.Places)
	}
}

// A tab whose server does not answer keeps its address, also when the empty page that
// it is taken to comes late.
func TestLateEmptyPage(t *testing.T) {
	w, until := begin(t)
	b := lead(t, w)
	until(func(s State) bool { return s.Alive && len(s.Pages) == 1 })
	const url = "http://silent.test/"
	over := make(chan error, 1)
	go func() {
		_, err := w.Restore(t.Context(), Plan{Pages: []string{url}, Attempt: 1})
		over <- err
	}()
	b.await("first goto " + url)
	b.tell("fail")
	b.await("first goto about:blank")
	if err := <-over; err != nil {
		t.Fatal(err)
	}
	unopened := func(s State) bool { return len(s.Unopened) == 1 && s.Unopened[0].URL == url }
	until(unopened)
	b.tell("land")
	b.await("first is at about:blank")
	if err := w.Pulse(t.Context()); err != nil { // what was said before has been heard then
		t.Fatal(err)
	}
	if s := w.State(); !unopened(s) || s.Pages[0] != url {
		t.Errorf("the tab is %q, not opened are %v", s.Pages, s.Unopened)
	}
}
