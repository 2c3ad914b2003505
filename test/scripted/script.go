// The script as it stands in its file.

package scripted

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// Defaults of the script's numbers.
const (
	DefaultBigBytes = 316_000
	defaultLife     = 300 // seconds
)

// script mirrors the file; the package comment says what each member does.
type script struct {
	Name              string             `json:"name"`
	Version           string             `json:"version"`
	Capabilities      json.RawMessage    `json:"capabilities"`
	Instructions      string             `json:"instructions"`
	Tools             *[]json.RawMessage `json:"tools"`
	Resources         []json.RawMessage  `json:"resources"`
	ResourceTemplates []json.RawMessage  `json:"resourceTemplates"`
	Prompts           []json.RawMessage  `json:"prompts"`
	Builtins          *[]string          `json:"builtins"`
	Prefix            string             `json:"prefix"`
	PageSize          int                `json:"pageSize"`
	BigBytes          int                `json:"bigBytes"`
	Calls             map[string][]step  `json:"calls"`
	Reads             map[string][]step  `json:"reads"`
	Gets              map[string][]step  `json:"gets"`
	Methods           map[string][]step  `json:"methods"`
	Start             []step             `json:"start"`
	EOF               []step             `json:"eof"`
	AfterCalls        *afterCalls        `json:"afterCalls"`
	Record            *bool              `json:"record"`
	IgnoreSignals     bool               `json:"ignoreSignals"`
	LogFile           string             `json:"logFile"`
	StartFile         string             `json:"startFile"`
	LifeSeconds       int                `json:"lifeSeconds"`
}

type afterCalls struct {
	Count int    `json:"count"`
	Do    []step `json:"do"`
}

// step is one entry of a reply: one verb, and when it applies.
type step struct {
	Default      bool               `json:"default"`
	Result       json.RawMessage    `json:"result"`
	Error        json.RawMessage    `json:"error"`
	Text         *string            `json:"text"`
	Big          int                `json:"big"`
	Reply        string             `json:"reply"`
	Line         *string            `json:"line"`
	Write        *string            `json:"write"`
	Base64       []byte             `json:"base64"`
	Progress     json.RawMessage    `json:"progress"`
	Notify       *outgoing          `json:"notify"`
	Request      *outgoing          `json:"request"`
	SetTools     *[]json.RawMessage `json:"setTools"`
	DelayMs      int                `json:"delayMs"`
	AwaitCancel  bool               `json:"awaitCancel"`
	Hang         bool               `json:"hang"`
	CloseStdout  bool               `json:"closeStdout"`
	Stderr       *flood             `json:"stderr"`
	GrandchildMs int                `json:"grandchildMs"`
	Exit         *int               `json:"exit"`

	OnCall  int `json:"onCall"`
	OnStart int `json:"onStart"`
}

// outgoing is a notification or, with an id, a request of the server's own.
type outgoing struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Wait   *bool           `json:"wait"`
}

type flood struct {
	Text  string `json:"text"`
	Bytes int    `json:"bytes"`
}

// parseScript reads a script and fills in the defaults. Empty text is the empty
// script.
func parseScript(text []byte) (*script, error) {
	var sc script
	if len(bytes.TrimSpace(text)) > 0 {
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.DisallowUnknownFields()
		if err := dec.Decode(&sc); err != nil {
			return nil, fmt.Errorf("the script is not valid: %w; the package comment of test/scripted lists its members", err)
		}
		if _, err := dec.Token(); err != io.EOF {
			return nil, fmt.Errorf("the script has text after its closing brace; remove it")
		}
	}
	if sc.Name == "" {
		sc.Name = "scripted"
	}
	if sc.Version == "" {
		sc.Version = "1"
	}
	if sc.BigBytes == 0 {
		sc.BigBytes = DefaultBigBytes
	}
	if sc.LifeSeconds == 0 {
		sc.LifeSeconds = defaultLife
	}
	return &sc, nil
}

// listedTools returns the entries of tools/list: the script's own, then the
// built-ins it names.
func (sc *script) listedTools() ([][]byte, error) {
	var list [][]byte
	if sc.Tools != nil {
		list = rawLines(*sc.Tools)
	}
	all := sc.Tools == nil && sc.Builtins == nil
	for _, b := range builtins() {
		if all || sc.Builtins != nil && slices.Contains(*sc.Builtins, b.name) {
			list = append(list, b.definition(sc.Prefix))
		}
	}
	if sc.Builtins != nil {
		for _, name := range *sc.Builtins {
			if !slices.ContainsFunc(builtins(), func(b builtin) bool { return b.name == name }) {
				return nil, fmt.Errorf("builtins names %q, which is no built-in tool; the package comment of test/scripted lists them", name)
			}
		}
	}
	return list, nil
}

// rawLines copies raw values, with the newlines between tokens made spaces.
func rawLines(raw []json.RawMessage) [][]byte {
	list := make([][]byte, len(raw))
	for i, r := range raw {
		list[i] = oneLine(r)
	}
	return list
}

// oneLine keeps a raw value as it is but for line ends, which JSON allows only
// between tokens.
func oneLine(raw []byte) []byte {
	flat := bytes.ReplaceAll(raw, []byte("\r"), []byte(" "))
	return bytes.ReplaceAll(flat, []byte("\n"), []byte(" "))
}
