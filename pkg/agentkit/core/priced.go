package core

// Priced is a [Model] that knows what its calls cost. Whatever wraps a model hands the question on.
type Priced interface {
	Model

	// Price is what a call costs that consumed u, in US dollars; known is false when there are no prices to tell it by. A
	// model that is free costs 0, and that is known.
	Price(u Usage) (usd float64, known bool)
}

// PriceOf is what a call of a model costs; it isn't known of models that aren't [Priced].
func PriceOf(m Model, u Usage) (usd float64, known bool) {
	if p, ok := m.(Priced); ok {
		return p.Price(u)
	}
	return 0, false
}
