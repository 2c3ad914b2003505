package figmatree

// Estimates of tokens from bytes, by what the bytes are: measured with o200k_base
// on Framelink's answers.

const (
	bytesPerJSONToken  = 3.1 // JSON without white space
	bytesPerSpaceToken = 6.2 // the white space of indented JSON
	bytesPerDenseToken = 2.5
)

// TokensBefore estimates the tokens of the answer that the result was made of.
func (r Result) TokensBefore(text string) int {
	return int(float64(len(text)-r.WhitespaceBytes)/bytesPerJSONToken + float64(r.WhitespaceBytes)/bytesPerSpaceToken)
}

// TokensAfter estimates the tokens of what is sent instead.
func (r Result) TokensAfter(text string) int {
	if r.Format == JSON {
		return int(float64(len(text)) / bytesPerJSONToken)
	}
	return int(float64(len(text)) / bytesPerDenseToken)
}

// Removed reports whether anything was taken out besides white space and what
// the rest says as well.
func (r Result) Removed() bool {
	return r.MetaKeysDeleted+r.InvisiblePruned+r.SVGRefsReplaced+r.LayoutCoordsRemoved+r.Rounded+r.LayersLeftOut+r.Stubs+r.Sliced > 0
}
