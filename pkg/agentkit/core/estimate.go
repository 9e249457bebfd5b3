package core

// bytesPerToken is the usual rule of thumb for text.
const bytesPerToken = 4

// EstimateUsage guesses what a call consumed from the length of what was sent and received, for providers that report
// nothing. Neither number is 0.
func EstimateUsage(req *Request, answer *Answer) Usage {
	in := len(req.System)
	for _, s := range req.Tools {
		in += len(s.Name) + len(s.Description) + len(s.InputSchema)
	}
	for _, m := range req.Messages {
		in += size(m.Parts)
	}
	return Usage{Input: int64(in/bytesPerToken) + 1, Output: int64(size(answer.Parts)/bytesPerToken) + 1}
}

func size(parts []Part) int {
	n := 0
	for _, p := range parts {
		switch p := p.(type) {
		case Text:
			n += len(p.Text)
		case Thinking:
			n += len(p.Text)
		case ToolCall:
			n += len(p.Name) + len(p.Args)
		case ToolResult:
			n += len(p.Text)
		}
	}
	return n
}
