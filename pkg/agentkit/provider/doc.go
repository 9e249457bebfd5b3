// Package provider is what all model providers have in common: the way to a vendor over HTTP, credentials, the reading of
// streams, errors, and the small rules that are the same on every wire. It stands on the standard library. Nothing is
// registered and no environment variable is read: what a request uses was given to [New].
//
// # How a wire is written
//
// A wire is a package that implements [Wire] and has a constructor that calls [New]. It holds no network code: it writes
// a request into a [Draft] and reads an answer event by event in a [Decoder], both as plain functions of bytes.
//
//   - Encode sets Draft.Path, writes the body with the writer's methods (jsonx.Writer; keys in a fixed order, so that the
//     same request has the same bytes), and asks for a stream unless Draft.Whole is set. Messages come repaired (package
//     session); grouping results is the wire's own part. Arguments, schemas and signatures are written with Raw or Text
//     from the bytes that are there, never decoded. Wires that want an object for arguments use [ObjectArgs]; ids go
//     through [IDs]; tools through a [ToolCache]; images through [Draft.Image]. Each setting of the request takes effect
//     or is reported with [Draft.Warnf].
//   - Event reads one event with a jsonx.Reader, which passes over what isn't asked for, to its end, and acts on it
//     then: half an event must not have an effect. Deltas are sent to [Out] at once. CallStart comes before the
//     arguments, a signature when its part is complete. An error in the stream is returned, see [AnswerError]. Done is sent at the vendor's terminal event and nowhere else; what ends without it is an error
//     that this package makes. An unknown reason of the end is [core.StopEnd] with a warning.
//   - Whole reads an answer in one piece and sends the same deltas, best through the same functions. It is called for
//     whatever a server answers with application/json, asked for or not. An object with an error in it never gets there.
//   - Usage counts each token once: [core.Usage].Input is without cached tokens, Output with those of thinking.
//
// Package wiretest holds the tests that each wire passes. Package anthropic is the one to read first.
//
// # What is an error
//
// Every failure is a *[core.ProviderError] with a class: of the transport, a status that isn't 2xx, an error within a
// status 200, a body of another content type, an event that isn't JSON or too large, an answer that was cut. The end of
// the caller's context is returned as its cause. Nothing is repeated here; [core.Transient] tells the loop whether a
// second try may help, and ProviderError.RetryAfter when.
package provider
