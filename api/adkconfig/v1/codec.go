package adkconfigv1

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/gowebpki/jcs"
	"google.golang.org/protobuf/encoding/protojson"
)

// Version is the config_version that this package reads and writes.
const Version = "v1"

// MaxSize is the size in bytes above which a config is refused. It is well above what fits into a ConfigMap, because
// outside a cluster nothing else limits a config and escaping can double the size of a document.
const MaxSize = 4 << 20

// Marshal gives the canonical bytes of cfg: equal configs give equal bytes, in every build of plait. It refuses what
// [Unmarshal] would refuse.
func Marshal(cfg *AgentConfig) ([]byte, error) {
	// protojson varies its spacing between builds on purpose; the canonicaliser takes that out, and sorts.
	loose, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(cfg)
	if err != nil {
		return nil, fmt.Errorf("agent config: %s", plainText(err))
	}
	data, err := jcs.Transform(loose)
	if err != nil {
		return nil, fmt.Errorf("agent config: canonical form: %w", err)
	}
	if _, err := Unmarshal(data); err != nil {
		return nil, err
	}
	return data, nil
}

// Unmarshal reads a config. It refuses, each by name and place and all in one error: unknown and duplicate fields,
// values of a wrong type, null, negative numbers, a choice with none or several members set. It also refuses another
// config_version, data after the config, text that isn't UTF-8 and more than [MaxSize] bytes. It doesn't ask for
// canonical bytes, and leaves the document to [ADKWorkflowConfig.Verify].
func Unmarshal(data []byte) (*AgentConfig, error) {
	if len(data) > MaxSize {
		return nil, fmt.Errorf("agent config: %d bytes, more than the %d allowed", len(data), MaxSize)
	}
	if err := checkSyntax(data); err != nil {
		return nil, fmt.Errorf("agent config: %w", err)
	}
	cfg := &AgentConfig{}
	if err := checkShape(data, cfg.ProtoReflect().Descriptor()); err != nil {
		return nil, err
	}
	if err := protojson.Unmarshal(data, cfg); err != nil {
		return nil, fmt.Errorf("agent config: %s", plainText(err))
	}
	return cfg, nil
}

// Digest is the SHA-256 of data as 64 lower-case hex digits.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// plainText gives a protobuf error's words without the prefix, whose spacing differs between builds.
func plainText(err error) string {
	text := strings.ReplaceAll(err.Error(), "\u00a0", " ")
	return strings.TrimPrefix(text, "proto: ")
}
