package source

// chomping says what becomes of the line breaks at the end of a block scalar.
type chomping byte

const (
	clip  chomping = 0 // one is kept
	strip chomping = '-'
	keep  chomping = '+'
)

// block decodes a literal or folded scalar with its header.
func (s *scanner) block() {
	relative, chomp, ok := s.header()
	if !ok {
		return
	}
	parent := max(s.node.indent, 0)
	indent := parent + relative
	if relative == 0 {
		if indent, ok = s.detectIndent(); !ok {
			return
		}
	}
	breaks := s.lines(indent)
	switch {
	case chomp == keep:
	case chomp == clip && s.out.Len() > 0 && len(breaks) > 0:
		breaks = breaks[:1]
	default:
		breaks = nil
	}
	s.flush(breaks)
}

// header reads "|" or ">" with its indicators up to the end of the line.
func (s *scanner) header() (relative int, chomp chomping, ok bool) {
	s.at++
	for more := true; more; {
		switch c := s.peek(0); {
		case c >= '1' && c <= '9' && relative == 0:
			relative = int(c - '0')
			s.at++
		case (c == '+' || c == '-') && chomp == clip:
			chomp = chomping(c)
			s.at++
		default:
			more = false
		}
	}
	s.skipBlanks()
	if s.more() && s.text[s.at] == '#' && isBlank(s.text[s.at-1]) {
		for s.more() && !isBreak(s.text[s.at]) {
			s.at++
		}
	}
	if s.more() && !isBreak(s.text[s.at]) {
		s.fail(s.at, s.at+1, `"|" and ">" start a text on the lines below, and this line goes on`,
			"put the value in quotes if | or > is part of it, or move the text to the next line")
		return 0, clip, false
	}
	if s.more() {
		s.at += breakSize(s.text[s.at:])
	}
	return relative, chomp, true
}

// detectIndent finds the indentation of a block scalar: that of its first line that isn't empty, or of its longest line
// when all are. An empty line before it must not be longer: how much of it is indentation is anybody's guess, and parsers
// differ.
func (s *scanner) detectIndent() (indent int, ok bool) {
	least, deepest, deepestAt, lead := max(s.node.indent+1, 1), 0, 0, 0
	for i, c := range s.text[s.at:] {
		switch {
		case c == ' ':
			lead++
		case isBreak(c):
			if lead > deepest {
				deepest, deepestAt = lead, s.at+i
			}
			lead = 0
		case lead >= least && deepest > lead:
			s.fail(deepestAt-deepest+lead, deepestAt, "an empty line before the text has more spaces than the text",
				"remove the spaces from the empty line")
			return 0, false
		case lead >= least:
			return lead, true
		default:
			return max(deepest, least), true
		}
	}
	return max(deepest, lead, least), true
}

// lines decodes the lines of a block scalar and returns the breaks at its end. In a folded scalar a break between two
// lines that start with text is a space, and nothing when empty lines follow it; these are line feeds then.
func (s *scanner) lines(indent int) (breaks []span) {
	lastBlank := true // the line before starts with a blank, or there was none
	for s.more() {
		line := s.at
		for s.more() && s.at-line < indent && s.text[s.at] == ' ' {
			s.at++
		}
		switch {
		case !s.more():
			return breaks
		case isBreak(s.text[s.at]):
			breaks = append(breaks, s.lineBreak())
			continue
		case s.at-line < indent:
			if s.text[s.at] == '\t' {
				s.fail(s.at, s.at+1, tabMessage, "")
				return nil
			}
			s.at = line // the line that ends the scalar
			return breaks
		}
		blank := isBlank(s.text[s.at])
		if s.node.style == folded && !lastBlank && !blank && len(breaks) > 0 {
			if len(breaks) == 1 {
				s.emit(' ', breaks[0].start, breaks[0].end)
			}
			breaks = breaks[1:]
		}
		s.flush(breaks)
		breaks, lastBlank = nil, blank
		for s.more() && !isBreak(s.text[s.at]) {
			s.copy()
		}
		if s.more() {
			breaks = append(breaks, s.lineBreak())
		}
	}
	return breaks
}

func (s *scanner) lineBreak() span {
	at := s.at
	s.at += breakSize(s.text[at:])
	return span{at, at + 1}
}

func (s *scanner) flush(breaks []span) {
	for _, b := range breaks {
		s.emit('\n', b.start, b.end)
	}
}
