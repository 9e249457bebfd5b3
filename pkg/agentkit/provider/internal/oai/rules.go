package oai

import (
	"context"
	"net/url"
	"strings"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/provider"
)

// SchemaName is the name that the schema of an answer has to have.
const SchemaName = "output"

// Levels are the efforts of reasoning that the vendor knows; not every model knows each.
func Levels() []string { return []string{"none", "minimal", "low", "medium", "high", "xhigh", "max"} }

// Level returns the vendor's word for a level of thinking.
func Level(level string) string {
	if level == "off" {
		return "none"
	}
	return level
}

// Path returns the path of an endpoint below a base URL. By the convention of all who offer these APIs the version is part
// of the base URL, so it is added only to one that is nothing but a host and isn't the vendor's own.
func Path(base, vendor, endpoint string) string {
	u, err := url.Parse(base)
	if err != nil || base == "" || strings.Trim(u.Path, "/") != "" || strings.TrimSuffix(base, "/") == vendor {
		return endpoint
	}
	return "v1/" + endpoint
}

// ResultText is what the model reads of a result. Neither API has a member that says that a call failed.
func ResultText(r core.ToolResult) string {
	if r.Error {
		return "Error: " + r.Text
	}
	return r.Text
}

// Picture is an image with its bytes.
type Picture struct {
	core.Image

	Data []byte
}

// Load returns the images that can be sent: those of a type that the vendor takes and that the caller has. The others are
// left out with a warning.
func Load(ctx context.Context, d *provider.Draft, images ...core.Image) (loaded []Picture, err error) {
	for _, img := range images {
		switch img.MediaType {
		case "image/png", "image/jpeg", "image/gif", "image/webp":
		default:
			d.Warnf("an image of type %q is left out: this vendor takes PNG, JPEG, GIF and WebP", img.MediaType)
			continue
		}
		data, ok, err := d.Image(ctx, img)
		if err != nil {
			return nil, err
		}
		if ok {
			loaded = append(loaded, Picture{img, data})
		}
	}
	return loaded, nil
}

// Write writes an image as a data URL.
func (p Picture) Write(d *provider.Draft) { d.Base64("data:"+p.MediaType+";base64,", p.Data) }
