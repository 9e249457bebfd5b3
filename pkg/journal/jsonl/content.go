package jsonl

import (
	"context"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/plait-dev/plait/pkg/journal"
)

// PutBlob implements [journal.Blobs].
func (s *Store) PutBlob(ctx context.Context, data []byte) (string, error) {
	return s.put(ctx, blobsDir, data)
}

// GetBlob implements [journal.Blobs].
func (s *Store) GetBlob(ctx context.Context, digest string) ([]byte, error) {
	return s.get(ctx, blobsDir, digest)
}

// PutConfig implements [journal.Configs].
func (s *Store) PutConfig(ctx context.Context, data []byte) (string, error) {
	return s.put(ctx, configsDir, data)
}

// GetConfig implements [journal.Configs].
func (s *Store) GetConfig(ctx context.Context, digest string) ([]byte, error) {
	return s.get(ctx, configsDir, digest)
}

// put writes a file by its digest. One that is there and sound stays, but whoever made it may not have come to force its
// name; one that was changed is mended.
func (s *Store) put(ctx context.Context, dir string, data []byte) (string, error) {
	digest := journal.Digest(data)
	switch _, err := s.get(ctx, dir, digest); {
	case ctx.Err() != nil:
		return digest, ctx.Err()
	case err == nil:
		return digest, s.keepNames(s.path(dir, ""))
	case s.readOnly:
		return digest, ErrReadOnly
	}
	name, _ := hexOf(digest)
	return digest, s.replace(s.path(dir, name), data)
}

func (s *Store) get(ctx context.Context, dir, digest string) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	name, ok := hexOf(digest)
	if !ok {
		return nil, &journal.NotFoundError{Digest: digest}
	}
	data, err := os.ReadFile(s.path(dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, &journal.NotFoundError{Digest: digest}
	}
	if err != nil {
		return nil, err
	}
	return data, journal.CheckDigest(digest, data)
}

// hexOf returns the part of a digest that is a file's name, if the digest is one: it may come from a log that someone
// has edited, and mustn't lead out of the directory.
func hexOf(digest string) (string, bool) {
	name, ok := strings.CutPrefix(digest, "sha256:")
	sum, err := hex.DecodeString(name)
	return name, ok && err == nil && len(sum) == 32 && strings.ToLower(name) == name
}

// replace gives a file new content, the whole of it or nothing.
func (s *Store) replace(path string, data []byte) error {
	temp, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	err = s.disk.Write(temp, data)
	if err == nil && s.sync != SyncNever {
		err = s.disk.Sync(temp)
	}
	err = errors.Join(err, temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(temp.Name()))
	}
	return s.keepNames(filepath.Dir(path))
}
