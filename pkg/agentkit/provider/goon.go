package provider

// GoOn is said in the user's place where an API wants a user to speak and nobody did: at the beginning, and behind a last
// message of the model, which would be taken for the beginning of the answer.
const GoOn = "Go on."
