package core

// ImageData is a picture in the encoding of its media type (image/png, image/jpeg, image/gif or image/webp). Data isn't
// changed after it was handed over. In a message stands an [Image], which refers to the bytes by their digest.
type ImageData struct {
	MediaType string
	Data      []byte
}
