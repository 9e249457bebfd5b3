package lease

// Len returns how many runs the table knows.
func (t *Table) Len() int { return len(t.runs) }
