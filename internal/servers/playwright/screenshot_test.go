package playwright

// Screenshots under each policy, and their size.

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/jpeg"
	"image/png"
	"log/slog"
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/calllog"
	"github.com/playguard/playguard/internal/mcp"
	"github.com/playguard/playguard/internal/upstream"
)

func call(tool, arguments string) *upstream.Call {
	return &upstream.Call{Tool: tool, Params: []byte(`{"name":"` + tool + `","arguments":` + arguments + `}`), Log: &calllog.Entry{}}
}

// shot is the server's answer with a picture.
func shot(t *testing.T, width, height int, format string) string {
	t.Helper()
	var data bytes.Buffer
	picture := image.NewGray(image.Rect(0, 0, width, height))
	var err error
	if format == "jpeg" {
		err = jpeg.Encode(&data, picture, nil)
	} else {
		err = png.Encode(&data, picture)
	}
	if err != nil {
		t.Fatal(err)
	}
	return `{"content":[{"type":"text","text":"### Result\n- [Screenshot of viewport](qa/page-1.png)"},` +
		`{"type":"image","data":"` + base64.StdEncoding.EncodeToString(data.Bytes()) + `","mimeType":"image/` + format + `"}]}`
}

func TestScreenshotPolicy(t *testing.T) {
	picture := shot(t, 10, 10, "png")
	const warn, redirect, block, allow = "", "PLAYGUARD_SCREENSHOTS=redirect", "PLAYGUARD_SCREENSHOTS=block", "PLAYGUARD_SCREENSHOTS=allow"
	tests := []struct {
		name, setting, arguments string
		sent                     string
	}{
		{"warn", warn, `{}`, screenshotTool + ` {}`},
		{"allow", allow, `{"type":"png"}`, screenshotTool + ` {"type":"png"}`},
		{"visual is ours", allow, `{"visual":true}`, screenshotTool + ` {}`},
		{"redirect", redirect, `{"type":"png","visual":false}`, snapshotTool + ` {}`},
		{"redirect, visual", redirect, `{"visual":"true"}`, screenshotTool + ` {}`},
		{"redirect, a file", redirect, `{"filename":"a.png"}`, screenshotTool + ` {"filename":"a.png"}`},
		{"redirect, an element", redirect, `{"target":"#a","element":"A"}`, screenshotTool + ` {"target":"#a","element":"A"}`},
		{"redirect, the older name", redirect, `{"ref":"#a"}`, screenshotTool + ` {"ref":"#a"}`},
		{"redirect, the whole page", redirect, `{"fullPage":true}`, screenshotTool + ` {"fullPage":true}`},
		{"redirect, not the whole page", redirect, `{"fullPage":false}`, snapshotTool + ` {}`},
		{"block", block, `{"visual":true}`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newSession(t, tt.setting)
			redirected := strings.HasPrefix(tt.sent, snapshotTool)
			if s.answers(picture); redirected {
				s.answers(result(inline(tree)))
			}
			var said bytes.Buffer
			s.log = slog.New(slog.NewTextHandler(&said, nil))
			got, e := s.call(screenshotTool, tt.arguments)
			if sent := strings.Join(s.sent, "\n"); sent != tt.sent {
				t.Errorf("the server got %s", sent)
			}
			text := mcp.Texts([]byte(got))[0].Text
			switch {
			case tt.sent == "":
				if !e.Blocked || !mcp.IsError([]byte(got)) || !strings.Contains(text, "PLAYGUARD_SCREENSHOTS") {
					t.Errorf("the answer is %s", got)
				}
			case redirected:
				if !e.Redirected || !strings.Contains(text, "visual:true") || !strings.Contains(text, "Buy") || !strings.HasPrefix(text, "[PlayGuard compact") {
					t.Errorf("the answer is %s, the log says %+v", got, e)
				}
			case strings.Contains(tt.arguments, "filename"):
				if strings.Contains(got, `"image"`) || !strings.Contains(text, "in the file alone") || e.ScreenshotBytes != 0 {
					t.Errorf("the answer is %s", got)
				}
			default:
				if got != picture || e.ScreenshotBytes != mcp.ImageBytes([]byte(picture)) || e.Redirected {
					t.Errorf("the answer is %s, the log says %+v", got, e)
				}
			}
			if warned := strings.Contains(said.String(), "PLAYGUARD_SCREENSHOTS"); warned != (tt.setting == warn) {
				t.Errorf("it said %q", said.String())
			}
		})
	}
}

func TestLargeScreenshots(t *testing.T) {
	s := newSession(t)
	for _, tt := range []struct {
		format            string
		width, height     int
		toWidth, toHeight int
		said              string
	}{
		{format: "png", width: 20, height: 9000, toWidth: 17, toHeight: 8000, said: "Shown at 17×8000; the file has all 20×9000."},
		{format: "jpeg", width: 16000, height: 1, toWidth: 8000, toHeight: 1, said: "Shown at 8000×1; the file has all 16000×1."},
		{format: "png", width: 8000, height: 20, toWidth: 8000, toHeight: 20},
	} {
		answer := shot(t, tt.width, tt.height, tt.format)
		got, e := s.answers(answer).call(screenshotTool, `{}`)
		if tt.said == "" {
			if got != answer {
				t.Errorf("%d×%d was changed", tt.width, tt.height)
			}
			continue
		}
		if text := mcp.Texts([]byte(got))[0].Text; !strings.HasSuffix(text, "\n"+tt.said) {
			t.Errorf("it says %s", text)
		}
		_, rest, _ := strings.Cut(got, `"data":"`)
		data, rest, _ := strings.Cut(rest, `"`)
		c, format, err := image.DecodeConfig(decoded(data))
		if err != nil || c.Width != tt.toWidth || c.Height != tt.toHeight || format != tt.format || !strings.Contains(rest, "image/"+tt.format) {
			t.Errorf("it became %+v of %s (%v), %s", c, format, err, rest)
		}
		if e.ScreenshotBytes != len(data) {
			t.Errorf("the log says %d bytes", e.ScreenshotBytes)
		}
	}
	// What is no picture passes.
	odd := `{"content":[{"type":"text","text":"a"},{"type":"image","data":"aGk=","mimeType":"image/png"}]}`
	if got, _ := s.answers(odd).call(screenshotTool, `{}`); got != odd {
		t.Errorf("the answer is %s", got)
	}
	// One that says it is huge is not unpacked.
	if data, _, from, to := fit(hugeHeader(t)); data != "" || from == to {
		t.Errorf("a picture of %v was unpacked", from)
	}
}

// hugeHeader is the beginning of a picture of 40,000 × 40,000.
func hugeHeader(t *testing.T) string {
	t.Helper()
	var data bytes.Buffer
	if err := png.Encode(&data, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	header := data.Bytes()[:33]
	copy(header[16:24], []byte{0, 0, 0x9C, 0x40, 0, 0, 0x9C, 0x40})
	sum := crc(header[12:29])
	copy(header[29:], sum)
	return base64.StdEncoding.EncodeToString(header)
}

// crc is the checksum of a chunk of a PNG file.
func crc(chunk []byte) []byte {
	return binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(chunk))
}
