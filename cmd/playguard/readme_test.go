package main

// The README's table of commands is that of the program.

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

func TestReadmeCommands(t *testing.T) {
	data, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{} // command to what stands in the first column of its rows
	for line := range strings.Lines(string(data)) {
		cell, _, found := strings.Cut(line, "` | ")
		name := regexp.MustCompile(`\bplayguard (\w+)`).FindStringSubmatch(cell)
		if found && strings.HasPrefix(cell, "| `playguard") && name != nil {
			rows[name[1]] += strings.ReplaceAll(cell, `\|`, " ") + " "
		}
	}
	parser, err := kong.New(&commands{})
	if err != nil {
		t.Fatal(err)
	}
	var known []string
	for _, command := range parser.Model.Children {
		known = append(known, command.Name)
		row, named := rows[command.Name]
		if !named {
			t.Errorf("the README does not have the command %s", command.Name)
			continue
		}
		var flags []string
		for _, f := range command.Flags {
			flags = append(flags, "--"+f.Name)
			for _, value := range append(strings.Split(f.Enum, ","), "--"+f.Name) {
				if value != "" && !regexp.MustCompile(`[ \[]`+value+`[ \]]`).MatchString(row) {
					t.Errorf("the README does not have %s of playguard %s", value, command.Name)
				}
			}
		}
		for _, flag := range regexp.MustCompile(`--\w+`).FindAllString(row, -1) {
			if !slices.Contains(flags, flag) {
				t.Errorf("the README has %s of playguard %s, which it does not take", flag, command.Name)
			}
		}
	}
	for name := range rows {
		if !slices.Contains(known, name) {
			t.Errorf("the README has the command %s, which there is not", name)
		}
	}
}
