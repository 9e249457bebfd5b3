package journal

import (
	"context"
	"errors"
	"iter"
	"slices"
)

// ScanRuns is [Log].Runs for stores without an index of runs: it folds the logs of the given sessions, which load does,
// and costs as much as reading them. A session that load doesn't know any more is passed over.
func ScanRuns(
	ctx context.Context, filter RunFilter, sessions iter.Seq[string], load func(session string) (*SessionState, error),
) iter.Seq2[RunInfo, error] {
	return func(yield func(RunInfo, error) bool) {
		runs, unreadable := gatherRuns(ctx, filter, sessions, load)
		for _, run := range runs {
			if !yield(run, nil) {
				return
			}
		}
		for _, err := range unreadable {
			if !yield(RunInfo{}, err) {
				return
			}
		}
	}
}

func gatherRuns(
	ctx context.Context, filter RunFilter, sessions iter.Seq[string], load func(session string) (*SessionState, error),
) (runs []RunInfo, unreadable []error) {
	for _, session := range slices.Sorted(sessions) {
		if err := ctx.Err(); err != nil {
			return nil, []error{err}
		}
		if filter.Session != "" && filter.Session != session {
			continue
		}
		state, err := load(session)
		_, gone := errors.AsType[*UnknownSessionError](err)
		switch {
		case gone:
		case err != nil:
			unreadable = append(unreadable, err)
		default:
			runs = append(runs, state.matching(filter)...)
		}
	}
	slices.SortStableFunc(runs, func(a, b RunInfo) int { return a.Started.Compare(b.Started) })
	return runs, unreadable
}

// matching returns what the filter asks for of the session's runs.
func (s *SessionState) matching(filter RunFilter) []RunInfo {
	var runs []RunInfo
	for _, r := range s.Runs {
		if info := s.Info(r); filter.Match(info) {
			runs = append(runs, info)
		}
	}
	return runs
}
