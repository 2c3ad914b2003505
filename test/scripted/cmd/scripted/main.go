// Command scripted is the fake MCP server of test/scripted, whose package
// comment says what it can do.
package main

import (
	"os"

	"github.com/playguard/playguard/test/scripted"
)

func main() { os.Exit(scripted.Main(os.Args[1:])) }
