package figmatree

import (
	"testing"

	"github.com/playguard/playguard/test/figmafile"
)

// BenchmarkREST optimises a file of 5 MB; B/op is to be held against its size.
func BenchmarkREST(b *testing.B) {
	text := string(figmafile.Large(5 << 20))
	for name, o := range map[string]Options{"dense": {}, "json": {Format: JSON}, "budget": {Budget: 10_000}} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if r := Optimize(text, o); r.Skipped != nil {
					b.Fatal(r.Skipped)
				}
			}
		})
	}
}
