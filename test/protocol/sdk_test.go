// The official Go SDK on both sides: its client through PlayGuard to its server.

package protocol

//lint:file-ignore SA1019 sampling, roots and logging are part of the revisions that are spoken here

import (
	"bufio"
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/playguard/playguard/test/harness"
)

// overStdio is a setup with the SDK's server as one more upstream.
func overStdio(t *testing.T) harness.Setup {
	return harness.Setup{Upstreams: append(beside(), harness.Upstream{Name: "sdk", Command: []string{harness.Program(t, "test/protocol/sdkserver")}})}
}

// overHTTP is the same with the server reached by its address, in the place of
// the Figma desktop app.
func overHTTP(t *testing.T) harness.Setup {
	t.Helper()
	cmd := exec.Command(harness.Program(t, "test/protocol/sdkserver"), "-http")
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
	t.Cleanup(func() {
		in.Close()
		_ = cmd.Wait() // it ends with its input
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return harness.Setup{Upstreams: beside(), Env: []string{"FIGMA_MCP_URL=" + strings.TrimSpace(address)}}
}

// sdkClient connects the SDK's client to a PlayGuard with the SDK's server and a
// scripted one behind it. What the client is told goes to the channel.
func sdkClient(t *testing.T, setup harness.Setup, told chan<- string) *mcp.ClientSession {
	t.Helper()
	scene := harness.NewScene(t, setup)
	tell := func(format string, args ...any) {
		select {
		case told <- fmt.Sprintf(format, args...):
		default:
			t.Error("the client was told more than expected")
		}
	}
	c := mcp.NewClient(&mcp.Implementation{Name: "sdk client", Version: "1"}, &mcp.ClientOptions{
		CreateMessageHandler: func(_ context.Context, r *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			said := r.Params.Messages[0].Content.(*mcp.TextContent).Text
			return &mcp.CreateMessageResult{Role: "assistant", Model: "m", Content: &mcp.TextContent{Text: said + "-sampled"}}, nil
		},
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{"name": "Ada"}}, nil
		},
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { tell("tools changed") },
		ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) { tell("updated %s", r.Params.URI) },
		LoggingMessageHandler:  func(_ context.Context, r *mcp.LoggingMessageRequest) { tell("logged %v", r.Params.Data) },
		ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			tell("progress %v of %v for %v", r.Params.Progress, r.Params.Total, r.Params.ProgressToken)
		},
	})
	c.AddRoots(&mcp.Root{URI: "file:///project", Name: "p"})
	session, err := c.Connect(harness.Context(t), &mcp.CommandTransport{Command: scene.Command()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := session.Close(); err != nil {
			t.Errorf("PlayGuard did not end well: %v", err)
		}
	})
	return session
}

func hear(t *testing.T, told <-chan string, want ...string) {
	t.Helper()
	open := map[string]bool{}
	for _, w := range want {
		open[w] = true
	}
	for len(open) > 0 {
		select {
		case got := <-told:
			delete(open, got)
		case <-harness.Context(t).Done():
			t.Fatalf("the client was not told %v", open)
		}
	}
}

func sdkText(t *testing.T, r *mcp.CallToolResult, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if r.IsError {
		t.Errorf("the tool has failed: %v", r.Content[0])
	}
	return r.Content[0].(*mcp.TextContent).Text
}

func TestOfficialSDKOnBothSides(t *testing.T) {
	for name, setup := range map[string]func(*testing.T) harness.Setup{"stdio": overStdio, "http": overHTTP} {
		t.Run(name, func(t *testing.T) { testSDK(t, setup(t)) })
	}
}

func testSDK(t *testing.T, setup harness.Setup) {
	told := make(chan string, 100)
	s := sdkClient(t, setup, told)
	ctx := harness.Context(t)
	if v := s.InitializeResult().ProtocolVersion; v != "2025-11-25" {
		t.Errorf("the version is %s", v)
	}

	t.Run("tools", func(t *testing.T) {
		list, err := s.ListTools(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		var listed []string
		for _, tool := range list.Tools {
			listed = append(listed, tool.Name)
		}
		slices.Sort(listed) // a row stands before the servers of the file
		equal(t, "tools", listed, "a_small", "add", "ask", "b_small", "browser_small", "forever", "grow", "playguard_read", "steps", "was_cancelled")
		r, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "add", Arguments: map[string]any{"a": 2, "b": 3}})
		if got := sdkText(t, r, err); got != `{"total":5}` || fmt.Sprint(r.StructuredContent) != "map[total:5]" {
			t.Errorf("add gave %s and %v", got, r.StructuredContent)
		}
		if _, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "nothing"}); err == nil || !strings.Contains(err.Error(), "Unknown tool: nothing") {
			t.Errorf("an unknown tool gave %v", err)
		}
	})
	t.Run("resources", func(t *testing.T) {
		for _, uri := range []string{"sdk://note", "sdk://notes/7"} {
			r, err := s.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
			if err != nil || r.Contents[0].Text != "text of "+uri {
				t.Errorf("%s gave %v, %v", uri, r, err)
			}
		}
		templates, err := s.ListResourceTemplates(ctx, nil)
		if err != nil || len(templates.ResourceTemplates) != 1 {
			t.Errorf("the templates are %v, %v", templates, err)
		}
	})
	t.Run("prompts and completion", func(t *testing.T) {
		r, err := s.GetPrompt(ctx, &mcp.GetPromptParams{Name: "greeting", Arguments: map[string]string{"who": "Ada"}})
		if err != nil || r.Messages[0].Content.(*mcp.TextContent).Text != "Greet Ada" {
			t.Errorf("the prompt gave %v, %v", r, err)
		}
		c, err := s.Complete(ctx, &mcp.CompleteParams{Ref: &mcp.CompleteReference{Type: "ref/prompt", Name: "greeting"}, Argument: mcp.CompleteParamsArgument{Name: "who", Value: "A"}})
		if err != nil || c.Completion.Values[0] != "A-done" {
			t.Errorf("the completion gave %v, %v", c, err)
		}
	})
	t.Run("logging and progress", func(t *testing.T) {
		if err := s.SetLoggingLevel(ctx, &mcp.SetLoggingLevelParams{Level: "debug"}); err != nil {
			t.Fatal(err)
		}
		params := &mcp.CallToolParams{Name: "steps"}
		params.SetProgressToken("token")
		for {
			// The level reaches the server behind the answer to setLevel.
			r, err := s.CallTool(ctx, params)
			if got := sdkText(t, r, err); got != "done" {
				t.Errorf("steps gave %s", got)
			}
			hear(t, told, "progress 1 of 3 for token", "progress 2 of 3 for token", "progress 3 of 3 for token")
			if heard(told, "logged three steps") {
				return
			}
		}
	})
	t.Run("roots, sampling, elicitation", func(t *testing.T) {
		r, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "ask"})
		if got := sdkText(t, r, err); got != "file:///project hi-sampled accept Ada" {
			t.Errorf("the server was answered %s", got)
		}
	})
	t.Run("subscription and list_changed", func(t *testing.T) {
		if err := s.Subscribe(ctx, &mcp.SubscribeParams{URI: "sdk://note"}); err != nil {
			t.Fatal(err)
		}
		r, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "grow"})
		sdkText(t, r, err)
		hear(t, told, "tools changed", "updated sdk://note")
		r, err = s.CallTool(ctx, &mcp.CallToolParams{Name: "grown"})
		if got := sdkText(t, r, err); got != "grown" {
			t.Errorf("the new tool gave %s", got)
		}
		if err := s.Unsubscribe(ctx, &mcp.UnsubscribeParams{URI: "sdk://note"}); err != nil {
			t.Error(err)
		}
	})
	t.Run("cancellation", func(t *testing.T) {
		calling, cancel := context.WithCancel(ctx)
		defer cancel()
		failed := make(chan error, 1)
		go func() {
			_, err := s.CallTool(calling, &mcp.CallToolParams{Name: "forever"})
			failed <- err
		}()
		hear(t, told, "logged waiting")
		cancel()
		if err := <-failed; err == nil {
			t.Error("the cancelled call gave an answer")
		}
		r, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "was_cancelled"})
		if got := sdkText(t, r, err); got != "yes" {
			t.Errorf("the server says %s", got)
		}
	})
	if err := s.Ping(ctx, nil); err != nil {
		t.Errorf("ping gave %v", err)
	}
}

// heard reports whether something was told by now.
func heard(told <-chan string, want string) bool {
	for {
		select {
		case got := <-told:
			if got == want {
				return true
			}
		default:
			return false
		}
	}
}
