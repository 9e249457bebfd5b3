package provider

import (
	"context"
	"fmt"

	"github.com/plait-dev/plait/pkg/agentkit/core"
	"github.com/plait-dev/plait/pkg/agentkit/jsonx"
)

// Draft is a request while a wire writes it. The body is written with the [jsonx.Writer].
type Draft struct {
	jsonx.Writer

	// Path is the endpoint below the base URL, such as "v1/messages"; it may have a query.
	Path string

	// Whole says that the answer is asked for in one piece, not streamed.
	Whole bool

	// Headers are those that this request needs beyond the wire's own, for what is in beta. Configured ones replace them.
	Headers []Header

	warnings []string
	image    func(context.Context, core.Image) ([]byte, error)
	noImages bool // the caller was told that images are left out
}

// Warnf tells the caller that something of the request can't be honoured.
func (d *Draft) Warnf(format string, args ...any) {
	d.warnings = append(d.warnings, fmt.Sprintf(format, args...))
}

// Image loads the bytes of an image. Without a loader it reports false once per image, and warns once per request.
func (d *Draft) Image(ctx context.Context, img core.Image) (data []byte, ok bool, err error) {
	if d.image == nil {
		if !d.noImages {
			d.Warnf("images are left out: this run keeps no bytes of images")
		}
		d.noImages = true
		return nil, false, nil
	}
	data, err = d.image(ctx, img)
	if err != nil {
		return nil, false, fmt.Errorf("image %s: %w", img.Digest, err)
	}
	return data, true, nil
}
