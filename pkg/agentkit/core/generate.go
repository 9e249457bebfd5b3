package core

// Generate holds the sampling settings of a model call. Nil and zero fields are left to the provider; a provider that
// can't take a setting reports it (see [Warning]) instead of dropping it in silence.
type Generate struct {
	Temperature     *float64
	TopP            *float64
	MaxOutputTokens int // 0: the model's own limit
	Stop            []string
	Thinking        string // a level of the provider ("low", "medium", "high"); empty: the provider's default
	Seed            *int64
}
