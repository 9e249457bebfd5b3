package expr

// CompilePlain is [Scope.Compile] without optimization.
func (s *Scope) CompilePlain(src Source, want Kind) (*Program, []Problem) {
	return s.compile(src, want)
}

// ResultSizeLimit is how large a result may be as JSON, in bytes.
const ResultSizeLimit = maxResult
