package demo

// This file is the agent's side of a run: it calls tools, reads what comes and
// decides by what it has read.

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/playguard/playguard/internal/client"
	"github.com/playguard/playguard/internal/demo/shop"
)

// callTimeout bounds one call; the first may have to start a browser.
const callTimeout = 60 * time.Second

// args are a tool's arguments.
type args map[string]any

// session is a run in progress.
type session struct {
	mcp  *client.Client
	shop *shop.Server
	url  string // of the shop
	// sees is set where an action's answer shows what it changed; without it the
	// agent has to look after each one.
	sees  bool
	known []string // the last whole view and what came since, oldest first
	calls []Call   // of the current step
}

// call calls a tool and returns the text that came.
func (s *session) call(ctx context.Context, tool string, a args) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, callTimeout, fmt.Errorf("no answer within %s", callTimeout))
	defer cancel()
	start := time.Now()
	result, err := s.mcp.CallTool(ctx, tool, a)
	if err != nil {
		return "", err
	}
	text := result.Text()
	s.calls = append(s.calls, Call{
		Tool: tool, RawBytes: len(text), KeptBytes: len(text),
		MS: float64(time.Since(start).Microseconds()) / 1000,
	})
	if result.IsError {
		return "", fmt.Errorf("the tool %s answered with an error: %s", tool, excerpt(text, ""))
	}
	s.read(tool, text)
	return text, nil
}

// wholeView begins an answer with all of the page.
const wholeView = "[PlayGuard compact"

// read takes in what a call has delivered.
func (s *session) read(tool, text string) {
	if s.sees && !strings.HasPrefix(text, wholeView) {
		s.known = append(s.known, text)
		return
	}
	if s.sees || tool == "browser_snapshot" {
		s.known = []string{text}
	}
}

// view is what was read last.
func (s *session) view() string {
	if len(s.known) == 0 {
		return ""
	}
	return s.known[len(s.known)-1]
}

// look reads the page where actions do not show it.
func (s *session) look(ctx context.Context) error {
	if s.sees {
		return nil
	}
	_, err := s.call(ctx, "browser_snapshot", args{})
	return err
}

// lookAtAll reads the whole page, also where changes are known.
func (s *session) lookAtAll(ctx context.Context) error {
	a := args{}
	if s.sees {
		a["full"] = true
	}
	_, err := s.call(ctx, "browser_snapshot", a)
	return err
}

// handle finds an element in what is known, the newest first.
func (s *session) handle(role, label string) (string, error) {
	h, found := FindNewest(s.known, func(text string) (string, int, bool) { return FindHandle(text, role, label) })
	if !found {
		return "", fmt.Errorf("the %s %q is not in what was read, which begins:\n%s", role, label, excerpt(strings.Join(s.known, "\n"), ""))
	}
	return h, nil
}

// click clicks an element of the last look.
func (s *session) click(ctx context.Context, role, label string) (string, error) {
	h, err := s.handle(role, label)
	if err != nil {
		return "", err
	}
	return s.call(ctx, "browser_click", args{"element": label, "target": h})
}

// clickAndLook clicks and then reads the page.
func (s *session) clickAndLook(ctx context.Context, role, label string) error {
	if _, err := s.click(ctx, role, label); err != nil {
		return err
	}
	return s.look(ctx)
}

// enter replaces the text of a field and presses Enter if submit is set.
func (s *session) enter(ctx context.Context, role, label, text string, submit bool) error {
	h, err := s.handle(role, label)
	if err != nil {
		return err
	}
	_, err = s.call(ctx, "browser_type", args{"element": label, "target": h, "text": text, "submit": submit})
	return err
}

// choose picks an option of a select element.
func (s *session) choose(ctx context.Context, label, option string) error {
	h, err := s.handle("combobox", label)
	if err != nil {
		return err
	}
	_, err = s.call(ctx, "browser_select_option", args{"element": label, "target": h, "values": []string{option}})
	return err
}

// field is one entry of a form.
type field struct {
	role, label, value string // the role is also the tool's type
}

// fill fills several fields in one call.
func (s *session) fill(ctx context.Context, fields ...field) error {
	var list []args
	for _, f := range fields {
		h, err := s.handle(f.role, f.label)
		if err != nil {
			return err
		}
		list = append(list, args{"element": f.label, "name": f.label, "type": f.role, "target": h, "value": f.value})
	}
	_, err := s.call(ctx, "browser_fill_form", args{"fields": list})
	return err
}

// waitFor waits until a text is on the page.
func (s *session) waitFor(ctx context.Context, text string) error {
	_, err := s.call(ctx, "browser_wait_for", args{"text": text})
	return err
}

// expect checks that what is known of the page has all of these texts.
func (s *session) expect(texts ...string) error {
	all := strings.Join(s.known, "\n")
	for _, text := range texts {
		if !strings.Contains(all, text) {
			return fmt.Errorf("the text %q was expected on the page; what was read begins:\n%s", text, excerpt(all, ""))
		}
	}
	return nil
}

// expectWithout checks that the last look does not have this text.
func (s *session) expectWithout(text string) error {
	if strings.Contains(s.view(), text) {
		return fmt.Errorf("the text %q was expected to be gone from the page, and is still there", text)
	}
	return nil
}

// expectInOrder checks that the last look has these texts one after the other.
func (s *session) expectInOrder(texts ...string) error {
	rest := s.view()
	for i, text := range texts {
		at := strings.Index(rest, text)
		if at < 0 {
			return fmt.Errorf("the texts %q were expected in this order on the page; %q is not there after the ones before it", texts, texts[i])
		}
		rest = rest[at+len(text):]
	}
	return nil
}

// expectOrders checks what the shop itself has counted.
func (s *session) expectOrders(want int) error {
	if got := s.shop.Orders(); got != want {
		return fmt.Errorf("the shop was expected to have %d orders, and has %d", want, got)
	}
	return nil
}
