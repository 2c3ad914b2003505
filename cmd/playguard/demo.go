package main

type demoCommand struct {
	Headed bool `help:"Show the browser's window."`
	JSON   bool `help:"Print one JSON object instead of text."`
}

// Run works through the demo's task.
func (d *demoCommand) Run() error { return nil }
