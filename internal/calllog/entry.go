// Package calllog writes one NDJSON line for each tool call, into one file a
// day: what was called, how long it took, how much upstream sent and how much
// the agent got. It never holds the value of an argument, except what the
// fields below name.
package calllog

// Entry is one line. Times are milliseconds. Sizes are bytes: of the text
// content where a rule looked at the call (Intercepted), else of the whole
// result, which is not taken apart only to be counted.
type Entry struct {
	Time        string  `json:"ts"`     // RFC 3339, UTC
	Server      string  `json:"server"` // the upstream's name
	Tool        string  `json:"tool"`   // as the upstream calls it
	MS          float64 `json:"ms"`
	Intercepted bool    `json:"intercepted"` // a rule looked at the call
	IsError     bool    `json:"isError,omitempty"`
	ErrText     string  `json:"errText,omitempty"` // at most 200 characters
	Thrown      bool    `json:"thrown,omitempty"`  // no answer at all, or a protocol error
	Cancelled   bool    `json:"cancelled,omitempty"`

	RawBytes   int    `json:"rawBytes"`             // what upstream sent
	KeptBytes  int    `json:"keptBytes"`            // what the agent got
	SavedBytes int    `json:"savedBytes,omitempty"` // the difference
	ParseSkip  string `json:"parseSkip,omitempty"`  // why an answer was passed unchanged
	Raw        bool   `json:"raw,omitempty"`        // the agent asked for upstream's answer

	Delta    bool `json:"delta,omitempty"`    // only what had changed was sent
	CacheHit bool `json:"cacheHit,omitempty"` // answered from memory
	Cut      bool `json:"cut,omitempty"`      // shortened, with the original kept for playguard_read

	PrefetchHit bool `json:"prefetchHit,omitempty"` // answered from what a navigation saw
	Retried     int  `json:"retried,omitempty"`     // looks more at a page that seemed to be loading
	Hinted      bool `json:"hinted,omitempty"`      // with a hint at controls
	Relocated   bool `json:"relocated,omitempty"`   // sent again, for its element had been rendered anew

	// browser_snapshot
	SnapCount int `json:"snapCount,omitempty"` // looks in a row without an action
	Handles   int `json:"handles,omitempty"`   // handles in the view
	// Figma
	FileKey             string `json:"fileKey,omitempty"`
	NodeID              string `json:"nodeId,omitempty"`
	InBytes             int    `json:"inBytes,omitempty"`             // the design as it came
	OutBytes            int    `json:"outBytes,omitempty"`            // as it was sent
	SavedTokens         int    `json:"savedTokens,omitempty"`         // an estimate
	WhitespaceBytes     int    `json:"whitespaceBytes,omitempty"`     // of inBytes: what JSON without indentation saves
	MetaKeysDeleted     int    `json:"metaKeysDeleted,omitempty"`     // and so on: what the modules did
	InvisiblePruned     int    `json:"invisiblePruned,omitempty"`     // layers
	SVGRefsReplaced     int    `json:"svgRefsReplaced,omitempty"`     // vectors
	InstancesCollapsed  int    `json:"instancesCollapsed,omitempty"`  // written as a reference
	LayoutCoordsRemoved int    `json:"layoutCoordsRemoved,omitempty"` // layers placed by auto layout
	SameAs              int    `json:"sameAs,omitempty"`              // repeated branches
	NoOpStyles          int    `json:"noOpStyles,omitempty"`
	Rounded             int    `json:"rounded,omitempty"` // style values
	Stubs               int    `json:"stubs,omitempty"`   // branches that did not fit
	// browser_evaluate
	ScriptHash string `json:"scriptHash,omitempty"`
	// browser_wait_for
	WaitKind string  `json:"waitKind,omitempty"` // time, text or textGone
	WaitTime float64 `json:"waitTime,omitempty"` // seconds asked for
	// browser_run_code_unsafe
	CodeChars  int    `json:"codeChars,omitempty"`
	CodeHash   string `json:"codeHash,omitempty"`
	CodeSleeps int    `json:"codeSleeps,omitempty"` // waitForTimeout and setTimeout in the code
	// browser_take_screenshot
	Redirected      bool   `json:"redirected,omitempty"` // became a snapshot
	Visual          bool   `json:"visual,omitempty"`     // asked for pixels
	Blocked         bool   `json:"blocked,omitempty"`
	FullPage        bool   `json:"fullPage,omitempty"`
	Type            string `json:"type,omitempty"`
	ScreenshotBytes int    `json:"screenshotBytes,omitempty"` // base64 as sent
}

// errTextLimit is the longest error text in a line, in characters.
const errTextLimit = 200

// SetError notes what went wrong, shortened.
func (e *Entry) SetError(text string) {
	e.IsError = true
	n := 0
	for i := range text {
		if n == errTextLimit {
			text = text[:i]
			break
		}
		n++
	}
	e.ErrText = text
}
