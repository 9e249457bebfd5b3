package expr

import (
	"encoding/base64"

	"cel.dev/cel-go/cel"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
)

// declareBase64 adds to cel-go's base64.encode(bytes) and base64.decode(string) the forms with the other argument type,
// so that nobody needs to convert first.
func declareBase64() cel.EnvOption {
	return options(
		cel.Function("base64.encode", cel.Overload("base64_encode_string", []*cel.Type{cel.StringType}, cel.StringType,
			cel.UnaryBinding(func(v ref.Val) ref.Val {
				return types.String(base64.StdEncoding.EncodeToString([]byte(v.(types.String))))
			}))),
		cel.Function("base64.decode", cel.Overload("base64_decode_bytes", []*cel.Type{cel.BytesType}, cel.BytesType,
			cel.UnaryBinding(func(v ref.Val) ref.Val { return decodeBase64(string(v.(types.Bytes))) }))),
	)
}

// decodeBase64 takes padding or leaves it, as cel-go does for strings.
func decodeBase64(text string) ref.Val {
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		b, err = base64.RawStdEncoding.DecodeString(text)
	}
	if err != nil {
		return types.NewErr("base64.decode(): %v", err)
	}
	return types.Bytes(b)
}
