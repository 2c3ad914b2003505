package client

// The cost of a round trip on this side: a peer in the same process answers from
// ready-made bytes.

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
)

// duplex is one end of two pipes.
type duplex struct {
	io.Reader
	io.Writer
	close func() error
}

func (d duplex) Close() error { return d.close() }

func BenchmarkAnswer(b *testing.B) {
	line := `- link \"Order 17 of Smith & Sons\" [ref=e17] [cursor=pointer]:\n  - /url: /orders/17\n`
	for name, text := range map[string]string{"small": "clicked", "316KB": strings.Repeat(line, 316<<10/len(line))} {
		b.Run(name, func(b *testing.B) {
			answers, toClient := io.Pipe()
			fromClient, requests := io.Pipe()
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				in := bufio.NewReader(fromClient)
				var out []byte
				for {
					request, err := in.ReadSlice('\n')
					if err != nil {
						return
					}
					id := request[len(`{"jsonrpc":"2.0","id":`):]
					id = id[:bytes.IndexByte(id, ',')]
					out = fmt.Appendf(out[:0], `{"jsonrpc":"2.0","id":%s,"result":{"content":[{"type":"text","text":"`, id)
					out = append(append(out, text...), "\"}]}}\n"...)
					if _, err := toClient.Write(out); err != nil {
						return
					}
				}
			}()
			c := New(duplex{answers, requests, func() error {
				return errors.Join(requests.Close(), answers.Close())
			}}, Options{})
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := c.Call(b.Context(), "look", nil); err != nil {
					b.Fatal(err)
				}
			}
			if err := c.Close(); err != nil {
				b.Error(err)
			}
			<-ended
		})
	}
}
