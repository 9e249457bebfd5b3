package project

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
)

// promptLookup finds the text of a ConfigMap's key.
type promptLookup func(name, key string) (string, error)

// openPrompts makes a lookup of a folder CONFIGMAP/KEY, or of a file of ConfigMap manifests; "" has no prompts, and the remedy
// is said.
func openPrompts(path, remedy string) (promptLookup, error) {
	if path == "" {
		return func(name, _ string) (string, error) {
			return "", fmt.Errorf("there is no ConfigMap %s: %s", name, remedy)
		}, nil
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case info.IsDir():
		return folderPrompts(path), nil
	default:
		return manifestPrompts(path)
	}
}

// noPrompts says what to do when a project has no prompts.
func (p *Project) noPrompts() string {
	if p.RunFile != "" {
		return "name a file of ConfigMaps, or a folder, as prompts"
	}
	if beside := filepath.Join(p.dir, FileName); exists(beside) {
		return "run " + beside + " instead, if it is the document's run file"
	}
	return "a run file names a file of ConfigMaps, or a folder, as prompts"
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// folderPrompts reads the keys of a ConfigMap from the files of the folder of its name.
func folderPrompts(dir string) promptLookup {
	return func(name, key string) (string, error) {
		if !fs.ValidPath(name) || !fs.ValidPath(key) || strings.Contains(name, "/") || strings.Contains(key, "/") {
			return "", fmt.Errorf("%s/%s can't be the names of a folder and a file", name, key)
		}
		text, err := os.ReadFile(filepath.Join(dir, name, key))
		if errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("there is no file %s", filepath.Join(dir, name, key))
		}
		return string(text), err
	}
}

// configMap is as much of the manifest as prompts need.
type configMap struct {
	Kind     string                `yaml:"kind"`
	Metadata struct{ Name string } `yaml:"metadata"`
	Data     map[string]string     `yaml:"data"`
}

// manifestPrompts reads all ConfigMaps of a file; other manifests in it are passed over.
func manifestPrompts(path string) (promptLookup, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	maps := map[string]map[string]string{}
	for dec := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var m configMap
		switch err := dec.Decode(&m); {
		case errors.Is(err, io.EOF):
			return func(name, key string) (string, error) { return lookUp(maps, path, name, key) }, nil
		case err != nil:
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if m.Kind != "ConfigMap" {
			continue
		}
		if _, twice := maps[m.Metadata.Name]; twice {
			return nil, fmt.Errorf("%s: the ConfigMap %s stands in it twice", path, m.Metadata.Name)
		}
		maps[m.Metadata.Name] = m.Data
	}
}

func lookUp(maps map[string]map[string]string, path, name, key string) (string, error) {
	data, ok := maps[name]
	if !ok {
		return "", fmt.Errorf("%s has no ConfigMap %s", path, name)
	}
	text, ok := data[key]
	if !ok {
		return "", fmt.Errorf("the ConfigMap %s of %s has no key %s", name, path, key)
	}
	return text, nil
}
