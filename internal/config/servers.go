package config

// Servers: the file with further upstreams, in the clients' own format.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// DefaultServersFile is the name of the file looked for in the project's
// .playguard folder when PLAYGUARD_CONFIG is not set.
const DefaultServersFile = "config.json"

// Server is one further upstream.
type Server struct {
	Name    string   // 1-32 characters of A-Z a-z 0-9 _ -
	Command string   // the program, as os/exec takes it
	Args    []string // its arguments
	Env     []string // "NAME=value", in the file's order
	Cwd     string   // absolute; empty: not given
}

// serverName keeps room for a tool's name within the clients' limit of 64
// characters, and is what clients allow in one.
var serverName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,32}$`)

// Servers reads the file that the settings name, or folder/config.json if that
// is there; folder is the project's .playguard. A relative setting counts from
// root. See LoadServers for what comes back.
func (c *Config) Servers(root, folder string, getenv func(string) (string, bool)) ([]Server, error) {
	if c.ServersFile != "" {
		file := c.ServersFile
		if !filepath.IsAbs(file) {
			file = filepath.Join(root, file)
		}
		return LoadServers(file, getenv)
	}
	servers, err := LoadServers(filepath.Join(folder, DefaultServersFile), getenv)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return servers, err
}

// LoadServers reads a file of the form {"mcpServers":{"name":{"command":"…",
// "args":[…],"env":{…},"cwd":"…"}}} and returns its entries in the file's order.
// Members it does not know are ignored; an entry with "disabled": true is left
// out. ${VAR} and ${VAR:-default} in the values are expanded by getenv. A
// relative cwd counts from the file's folder.
//
// Entries do not depend on each other: those that can be used are returned also
// when the error, which joins one per bad entry, is not nil. Each error is a
// sentence with the file, the entry and what to do.
func LoadServers(file string, getenv func(string) (string, bool)) ([]Server, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("the file of further MCP servers %s cannot be read (%w); correct PLAYGUARD_CONFIG or create the file", file, err)
	}
	return parseServers(data, file, getenv)
}

// entry is one server as written in the file. Pointers tell absent from empty.
type entry struct {
	Command  string          `json:"command"`
	Args     []string        `json:"args"`
	Env      json.RawMessage `json:"env"`
	Cwd      string          `json:"cwd"`
	URL      *string         `json:"url"`
	Type     string          `json:"type"`
	Disabled bool            `json:"disabled"`
}

func parseServers(data []byte, file string, getenv func(string) (string, bool)) ([]Server, error) {
	// Some Windows editors begin every file with a byte order mark.
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if err := syntaxError(data); err != nil {
		return nil, fmt.Errorf("%s is not valid JSON (%w); correct it there", file, err)
	}
	top, err := members(data)
	if err != nil {
		return nil, fmt.Errorf(`%s does not hold an object; write {"mcpServers": {…}} into it`, file)
	}
	var entries []member
	found := false
	for _, m := range top {
		if m.name == "mcpServers" {
			found = true
			if entries, err = members(m.value); err != nil {
				return nil, fmt.Errorf(`"mcpServers" in %s is not an object; write {"name": {"command": "…"}} there`, file)
			}
		}
	}
	if !found {
		return nil, fmt.Errorf(`%s has no "mcpServers"; write {"mcpServers": {"name": {"command": "…"}}} into it`, file)
	}
	var servers []Server
	var problems []error
	seen := map[string]bool{}
	for _, m := range entries {
		server, enabled, err := parseEntry(m, filepath.Dir(file), getenv)
		key := strings.ToLower(m.name)
		switch {
		case err != nil:
			problems = append(problems, fmt.Errorf("the server %q in %s is left out: %w", m.name, file, err))
		case !enabled:
		case seen[key]:
			problems = append(problems, fmt.Errorf("the server %q in %s is left out: an earlier entry has this name; choose another", m.name, file))
		default:
			seen[key] = true
			servers = append(servers, server)
		}
	}
	return servers, errors.Join(problems...)
}

// parseEntry reads one server; dir is the folder that its cwd counts from.
func parseEntry(m member, dir string, getenv func(string) (string, bool)) (server Server, enabled bool, err error) {
	if !serverName.MatchString(m.name) {
		return Server{}, false, errors.New("a name has 1 to 32 letters, digits, _ or -; rename it")
	}
	if strings.EqualFold(m.name, "playwright") || strings.EqualFold(m.name, "playguard") {
		return Server{}, false, errors.New("this name is PlayGuard's own; rename it (Playwright MCP is bundled and needs no entry)")
	}
	var e entry
	if err := json.Unmarshal(m.value, &e); err != nil {
		if typeErr, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && typeErr.Field != "" {
			return Server{}, false, fmt.Errorf("%q cannot be of type %s; correct it", typeErr.Field, typeErr.Value)
		}
		return Server{}, false, errors.New(`it is not an object; write {"command": "…", "args": [], "env": {}}`)
	}
	if e.Disabled {
		return Server{}, false, nil
	}
	if e.URL != nil || (e.Type != "" && e.Type != "stdio") {
		return Server{}, false, errors.New("servers reached by a URL are not supported yet, only those started by a command; add it to the MCP client itself")
	}
	x := expander{getenv: getenv}
	server = Server{Name: m.name, Command: x.expand(e.Command), Cwd: x.expand(e.Cwd)}
	for _, arg := range e.Args {
		server.Args = append(server.Args, x.expand(arg))
	}
	if server.Env, err = parseEnv(e.Env, &x); err != nil {
		return Server{}, false, err
	}
	if len(x.missing) > 0 {
		return Server{}, false, fmt.Errorf("the environment has no %s; set it, or write ${NAME:-default}", strings.Join(x.missing, ", "))
	}
	if strings.TrimSpace(server.Command) == "" {
		return Server{}, false, errors.New(`it has no "command"; name the program that starts it`)
	}
	if server.Cwd != "" && !filepath.IsAbs(server.Cwd) {
		server.Cwd = filepath.Join(dir, server.Cwd)
	}
	return server, true, nil
}

// parseEnv reads the env object, which may be absent. Numbers and booleans are
// taken as they are written, because a port or a flag is often left unquoted.
func parseEnv(raw json.RawMessage, x *expander) ([]string, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	vars, err := members(raw)
	if err != nil {
		return nil, errors.New(`"env" is not an object; write {"NAME": "value"}`)
	}
	var env []string
	for _, v := range vars {
		if v.name == "" || strings.ContainsAny(v.name, "=\x00") {
			return nil, fmt.Errorf(`"env" has a variable named %q, which no system takes; rename it`, v.name)
		}
		value := string(v.value)
		switch value[0] {
		case '"':
			if err := json.Unmarshal(v.value, &value); err != nil {
				return nil, fmt.Errorf(`the value of %q in "env" is not a text; put it into quotes`, v.name)
			}
		case '{', '[', 'n':
			return nil, fmt.Errorf(`the value of %q in "env" is not a text; put it into quotes`, v.name)
		}
		if value = x.expand(value); strings.ContainsRune(value, 0) {
			return nil, fmt.Errorf(`the value of %q in "env" holds a zero byte, which no system takes; remove it`, v.name)
		}
		env = append(env, v.name+"="+value)
	}
	return env, nil
}

// member is one name and value of a JSON object.
type member struct {
	name  string
	value json.RawMessage
}

// members reads an object in its own order, which a Go map loses. The order
// decides which upstream owns a tool name that two of them use.
func members(data []byte) ([]member, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil, errors.New("not an object")
	}
	var all []member
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, err
		}
		// In an object's place for a name the decoder accepts nothing but a string.
		all = append(all, member{fmt.Sprint(name), value})
	}
	return all, nil
}

// syntaxError says where data is not one JSON value.
func syntaxError(data []byte) error {
	var value json.RawMessage
	err := json.Unmarshal(data, &value)
	syntax, ok := errors.AsType[*json.SyntaxError](err)
	if !ok {
		return err
	}
	before := data[:min(int(syntax.Offset), len(data))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := len(before) - bytes.LastIndexByte(before, '\n') - 1
	return fmt.Errorf("line %d, character %d: %v", line, column, syntax)
}
