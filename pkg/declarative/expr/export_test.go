package expr

import "context"

// Cost is what an evaluation costs, in steps.
func (p *Program) Cost(ctx context.Context, act *Activation) (uint64, error) {
	_, details, err := p.run(ctx, resolver{act})
	if err != nil {
		return 0, err
	}
	return *details.ActualCost(), nil
}

// CompilePlain is [Scope.Compile] without optimization.
func (s *Scope) CompilePlain(src Source, want Kind) (*Program, []Problem) {
	return s.compile(src, want)
}

// ResultSizeLimit is how large a result may be as JSON, in bytes.
const ResultSizeLimit = maxResult
