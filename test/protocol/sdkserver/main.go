// Command sdkserver is an MCP server made with the official Go SDK: the upstream
// of the test that has the SDK on both sides of PlayGuard, over stdio or, with
// -http, over streamable HTTP.
package main

//lint:file-ignore SA1019 sampling, roots and logging are part of the revisions that are spoken here

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	server := mcp.NewServer(&mcp.Implementation{Name: "sdkserver", Version: "1"}, &mcp.ServerOptions{
		Instructions: "Made with the SDK.",
		CompletionHandler: func(_ context.Context, r *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
			return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: []string{r.Params.Argument.Value + "-done"}}}, nil
		},
		SubscribeHandler:   func(context.Context, *mcp.SubscribeRequest) error { return nil },
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
	})
	addTools(server)
	server.AddResource(&mcp.Resource{URI: "sdk://note", Name: "note"}, read)
	server.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "sdk://notes/{id}", Name: "notes"}, read)
	server.AddPrompt(&mcp.Prompt{Name: "greeting", Arguments: []*mcp.PromptArgument{{Name: "who", Required: true}}},
		func(_ context.Context, r *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
			return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: "Greet " + r.Params.Arguments["who"]}}}}, nil
		})
	run := func() error { return server.Run(context.Background(), &mcp.StdioTransport{}) }
	if len(os.Args) > 1 && os.Args[1] == "-http" {
		run = func() error { return serve(server) }
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "sdkserver:", err)
		os.Exit(1)
	}
}

// serve offers the server over streamable HTTP and prints its address. It ends
// when standard input does.
func serve(server *mcp.Server) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	fmt.Println("http://" + listener.Addr().String() + "/mcp")
	return http.Serve(listener, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server },
		&mcp.StreamableHTTPOptions{EventStore: mcp.NewMemoryEventStore(nil)}))
}

func read(_ context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, Text: "text of " + r.Params.URI}}}, nil
}

type nothing struct{}

type sum struct {
	A int `json:"a"`
	B int `json:"b"`
}

type total struct {
	Total int `json:"total"`
}

// addTools adds one tool for each thing that a server can do.
func addTools(server *mcp.Server) {
	mcp.AddTool(server, &mcp.Tool{Name: "add"}, func(_ context.Context, _ *mcp.CallToolRequest, in sum) (*mcp.CallToolResult, total, error) {
		return nil, total{in.A + in.B}, nil
	})
	mcp.AddTool(server, &mcp.Tool{Name: "grow"}, func(ctx context.Context, r *mcp.CallToolRequest, _ nothing) (*mcp.CallToolResult, any, error) {
		mcp.AddTool(server, &mcp.Tool{Name: "grown"}, func(context.Context, *mcp.CallToolRequest, nothing) (*mcp.CallToolResult, any, error) {
			return text("grown"), nil, nil
		})
		return text("planted"), nil, server.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: "sdk://note"})
	})
	mcp.AddTool(server, &mcp.Tool{Name: "steps"}, func(ctx context.Context, r *mcp.CallToolRequest, _ nothing) (*mcp.CallToolResult, any, error) {
		for i := range 3 {
			p := &mcp.ProgressNotificationParams{ProgressToken: r.Params.GetProgressToken(), Progress: float64(i + 1), Total: 3}
			if err := r.Session.NotifyProgress(ctx, p); err != nil {
				return nil, nil, err
			}
		}
		return text("done"), nil, r.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "warning", Data: "three steps"})
	})
	mcp.AddTool(server, &mcp.Tool{Name: "ask"}, func(ctx context.Context, r *mcp.CallToolRequest, _ nothing) (*mcp.CallToolResult, any, error) {
		roots, err := r.Session.ListRoots(ctx, nil)
		if err != nil {
			return nil, nil, err
		}
		sampled, err := r.Session.CreateMessage(ctx, &mcp.CreateMessageParams{MaxTokens: 5, Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: "hi"}}}})
		if err != nil {
			return nil, nil, err
		}
		elicited, err := r.Session.Elicit(ctx, &mcp.ElicitParams{Message: "Who?", RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{"name": map[string]any{"type": "string"}}}})
		if err != nil {
			return nil, nil, err
		}
		answer := []string{roots.Roots[0].URI, sampled.Content.(*mcp.TextContent).Text, elicited.Action, fmt.Sprint(elicited.Content["name"])}
		return text(strings.Join(answer, " ")), nil, nil
	})
	cancelled := make(chan struct{}, 1)
	mcp.AddTool(server, &mcp.Tool{Name: "forever"}, func(ctx context.Context, r *mcp.CallToolRequest, _ nothing) (*mcp.CallToolResult, any, error) {
		if err := r.Session.Log(ctx, &mcp.LoggingMessageParams{Level: "warning", Data: "waiting"}); err != nil {
			return nil, nil, err
		}
		<-ctx.Done()
		cancelled <- struct{}{}
		return nil, nil, ctx.Err()
	})
	mcp.AddTool(server, &mcp.Tool{Name: "was_cancelled"}, func(ctx context.Context, _ *mcp.CallToolRequest, _ nothing) (*mcp.CallToolResult, any, error) {
		select {
		case <-cancelled:
			return text("yes"), nil, nil
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		}
	})
}

func text(s string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
}
