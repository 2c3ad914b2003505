package playwright

// Scaling a screenshot down to what clients accept.

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/jpeg"
	"image/png"
	"io"
	"strings"

	"golang.org/x/image/draw"
	_ "golang.org/x/image/webp" // a format of screenshots
)

const (
	// maxSide is the longest side of an image that models' interfaces take, in
	// pixels: a larger one makes every later request of the conversation fail.
	maxSide = 8000
	// maxPixels is the largest image that is scaled; a pixel takes up to eight
	// bytes while it is.
	maxPixels    = 64 << 20
	jpegQuality  = 80
	formatJPEG   = "jpeg"
	formatWebP   = "webp"
	mimeTypeJPEG = "image/jpeg"
	mimeTypePNG  = "image/png"
)

// fit scales an image, as base64, so that no side is longer than maxSide. to is
// its size then; it equals from when the image fits, or is no image that is
// known. data is empty when the image is too large to be scaled.
func fit(encoded string) (data, mime string, from, to image.Point) {
	known, format, err := image.DecodeConfig(decoded(encoded))
	from = image.Pt(known.Width, known.Height)
	long := max(from.X, from.Y)
	if err != nil || long <= maxSide {
		return encoded, "", from, from
	}
	to = image.Pt(max(from.X*maxSide/long, 1), max(from.Y*maxSide/long, 1))
	if from.X > maxPixels/from.Y {
		return "", "", from, to
	}
	source, _, err := image.Decode(decoded(encoded))
	if err != nil {
		return "", "", from, to
	}
	scaled := image.NewRGBA(image.Rectangle{Max: to}) // the kind that draw is fast with
	// Chromium's images end at 16,384, so this is about halving at most, for which
	// the quick way is as good and takes no memory of its own.
	draw.ApproxBiLinear.Scale(scaled, scaled.Bounds(), source, source.Bounds(), draw.Src, nil)
	var out bytes.Buffer
	mime = mimeTypePNG
	if format == formatJPEG || format == formatWebP { // there is no encoder for WebP
		mime = mimeTypeJPEG
		err = jpeg.Encode(&out, scaled, &jpeg.Options{Quality: jpegQuality})
	} else {
		err = png.Encode(&out, scaled)
	}
	if err != nil {
		return "", "", from, to
	}
	return base64.StdEncoding.EncodeToString(out.Bytes()), mime, from, to
}

// decoded reads the bytes behind base64 as they are needed.
func decoded(encoded string) io.Reader {
	return base64.NewDecoder(base64.StdEncoding, strings.NewReader(encoded))
}
