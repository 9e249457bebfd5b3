package journal

import (
	"context"
	"strings"
)

// InlineLimit is the length in bytes of a value's JSON text beyond which it goes to the blobs.
const InlineLimit = 32 << 10

// A value that is kept in a blob stands in the entry as {"$blob":"sha256:…","len":n}. So that a user's value of that
// look is not taken for one, every key made of dollar signs and "blob" gets one more dollar sign when it is written,
// and loses it when it is read. That concerns the members of a value's outermost object alone: a reference never
// stands deeper.
const (
	blobKey    = "$blob"
	blobLenKey = "len"
)

// dollarBlob reports whether a key is $blob, $$blob and so on.
func dollarBlob(key string) bool {
	bare := strings.TrimLeft(key, "$")
	return bare == blobKey[1:] && bare != key
}

// looksLikeRef reports whether a user's value has to be escaped.
func looksLikeRef(v any) bool {
	object, ok := v.(map[string]any)
	if !ok {
		return false
	}
	for key := range object {
		if dollarBlob(key) {
			return true
		}
	}
	return false
}

// escapeRef gives each key that could be taken for a reference's one more dollar sign.
func escapeRef(v any) any {
	return renamed(v, func(key string) string { return "$" + key })
}

// unescapeRef undoes escapeRef.
func unescapeRef(v any) any {
	if !looksLikeRef(v) {
		return v
	}
	return renamed(v, func(key string) string { return key[1:] })
}

// renamed copies an object with other names for the members that could be taken for a reference.
func renamed(v any, rename func(string) string) any {
	object := v.(map[string]any)
	fresh := make(map[string]any, len(object))
	for key, member := range object {
		if dollarBlob(key) {
			key = rename(key)
		}
		fresh[key] = member
	}
	return fresh
}

// resolve returns the value that a reference stands for, or v when it is none. Without blobs that value is null.
func resolve(ctx context.Context, v any, blobs Blobs) (any, error) {
	object, _ := v.(map[string]any)
	address, isRef := object[blobKey]
	if !isRef {
		return unescapeRef(v), nil
	}
	digest, isText := address.(string)
	size, isInt := object[blobLenKey].(int64)
	if !isText || !isInt || len(object) != 2 {
		return nil, &ValueError{Problem: `a reference to a blob has the form {"$blob":digest,"len":bytes}`}
	}
	if blobs == nil {
		return nil, nil
	}
	data, err := blobs.GetBlob(ctx, digest)
	if err != nil {
		return nil, err
	}
	if err := CheckDigest(digest, data); err != nil {
		return nil, err
	}
	if int64(len(data)) != size {
		return nil, &ValueError{Problem: "the blob has another length than the reference says"}
	}
	return DecodeValue(data)
}
