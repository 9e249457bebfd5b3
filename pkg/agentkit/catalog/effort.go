package catalog

import "slices"

// Efforts are all levels of thinking, from the least on.
func Efforts() []string {
	return []string{"none", "minimal", "low", "medium", "high", "xhigh", "max"}
}

// Effort returns the level that the model is asked for in the place of another one: the next lower one that it has, or
// its least one. A level that it has, one that nobody has, and any level of a model whose levels aren't known, stay as
// they are.
func (e *Entry) Effort(level string) string {
	if level == "off" {
		level = "none"
	}
	all := Efforts()
	asked := slices.Index(all, level)
	if asked < 0 || len(e.Efforts) == 0 || slices.Contains(e.Efforts, level) {
		return level
	}
	for _, lower := range slices.Backward(all[:asked]) {
		if slices.Contains(e.Efforts, lower) && lower != "none" {
			return lower
		}
	}
	for _, higher := range all[asked:] {
		if slices.Contains(e.Efforts, higher) {
			return higher
		}
	}
	return level
}
