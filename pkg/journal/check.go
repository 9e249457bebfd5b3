package journal

import "strings"

// maxSessionID bounds ids so that they are file names everywhere, with an ending behind them.
const maxSessionID = 128

// CheckSessionID returns an *[EntryError] when a session's id can't be a file name on every system. An id has up to 128
// letters, digits, dots, dashes and underscores, begins with a letter or a digit, doesn't end in a dot, and isn't the
// name of a device.
func CheckSessionID(id string) error {
	var problem string
	switch {
	case id == "" || len(id) > maxSessionID:
		problem = "an id has 1 to 128 characters"
	case !fit(id):
		problem = "an id consists of letters, digits, dots, dashes and underscores"
	case !alphanumeric(id[0]) || id[len(id)-1] == '.':
		problem = "an id begins with a letter or a digit and doesn't end in a dot"
	case isDevice(id):
		problem = "the id is the name of a device on some systems"
	default:
		return nil
	}
	return &EntryError{Session: id, Problem: problem}
}

// fit says that an id consists of what may be in one. It is asked at every append.
func fit(id string) bool {
	for i := range len(id) {
		if c := id[i]; !alphanumeric(c) && c != '.' && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

func alphanumeric(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// isDevice knows the names that Windows reserves, alone and before any ending.
func isDevice(id string) bool {
	stem, _, _ := strings.Cut(id, ".")
	if len(stem) != 3 && len(stem) != 4 {
		return false
	}
	stem = strings.ToUpper(stem)
	switch stem {
	case "CON", "PRN", "AUX", "NUL":
		return true
	}
	port := strings.HasPrefix(stem, "COM") || strings.HasPrefix(stem, "LPT")
	return port && len(stem) == 4 && '0' <= stem[3] && stem[3] <= '9'
}

// CheckAppend returns an *[EntryError] when no store may append the entry, whatever its log holds. Every [Log] calls it
// first.
func CheckAppend(session string, seq int64, e *Entry) error {
	if err := CheckSessionID(session); err != nil {
		return err
	}
	var problem string
	switch {
	case seq < 1:
		problem = "entries count from 1"
	case e.Seq != 0 && e.Seq != seq:
		problem = "the entry has another number already"
	case len(e.Records) == 0:
		problem = "an entry has at least one record"
	case e.Format > FormatVersion:
		problem = "this release doesn't write a newer format"
	case seq == 1 && !begins(session, e.Records[0]):
		problem = "the first entry begins with the session's record"
	default:
		return nil
	}
	return &EntryError{Session: session, Seq: seq, Problem: problem}
}

func begins(session string, r Record) bool {
	s, ok := r.(Session)
	return ok && s.ID == session
}
