package manifests

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/plait-dev/plait/api/v1alpha1"
)

// Set are the objects of one namespace. It is immutable, and so are the objects that it gives out.
type Set struct {
	namespace string

	templates  map[string]*v1alpha1.AgentTemplate
	harnesses  map[string]*v1alpha1.Harness
	models     map[string]*v1alpha1.ModelConfig
	servers    map[string]*v1alpha1.RemoteMCPServer
	configMaps map[string]*corev1.ConfigMap
	secrets    map[string]*corev1.Secret
	services   map[string]*corev1.Service
}

// Namespace of the objects; empty if no file names one.
func (s *Set) Namespace() string { return s.namespace }

// Templates are the AgentTemplates, sorted by name.
func (s *Set) Templates() []*v1alpha1.AgentTemplate { return byName(s.templates) }

// Harnesses are the Harnesses, sorted by name.
func (s *Set) Harnesses() []*v1alpha1.Harness { return byName(s.harnesses) }

// ModelConfigs are the ModelConfigs, sorted by name.
func (s *Set) ModelConfigs() []*v1alpha1.ModelConfig { return byName(s.models) }

// Servers are the RemoteMCPServers, sorted by name.
func (s *Set) Servers() []*v1alpha1.RemoteMCPServer { return byName(s.servers) }

func byName[T any](objects map[string]T) []T {
	var all []T
	for _, name := range slices.Sorted(maps.Keys(objects)) {
		all = append(all, objects[name])
	}
	return all
}

// collect makes a Set of the objects of a namespace; without one, of that which the objects have.
func collect(objects []object, namespace string) (*Set, error) {
	chosen := namespace != ""
	if !chosen {
		var err error
		if namespace, err = onlyNamespace(objects); err != nil {
			return nil, err
		}
	}
	s := &Set{
		namespace:  namespace,
		templates:  map[string]*v1alpha1.AgentTemplate{},
		harnesses:  map[string]*v1alpha1.Harness{},
		models:     map[string]*v1alpha1.ModelConfig{},
		servers:    map[string]*v1alpha1.RemoteMCPServer{},
		configMaps: map[string]*corev1.ConfigMap{},
		secrets:    map[string]*corev1.Secret{},
		services:   map[string]*corev1.Service{},
	}
	var errs []error
	first := map[[2]string]place{}
	for _, o := range objects {
		o.value.SetNamespace(cmp.Or(o.value.GetNamespace(), namespace))
		if o.value.GetNamespace() != namespace {
			continue
		}
		id := [2]string{o.kind, o.value.GetName()}
		if other, twice := first[id]; twice {
			errs = append(errs, o.at.problem("%s %s: it is at %s, too", id[0], id[1], other))
			continue
		}
		first[id] = o.at
		s.add(o)
	}
	return s, errors.Join(errs...)
}

func (s *Set) add(o object) {
	name := o.value.GetName()
	switch value := o.value.(type) {
	case *v1alpha1.AgentTemplate:
		s.templates[name] = value
	case *v1alpha1.Harness:
		s.harnesses[name] = value
	case *v1alpha1.ModelConfig:
		s.models[name] = value
	case *v1alpha1.RemoteMCPServer:
		s.servers[name] = value
	case *corev1.ConfigMap:
		s.configMaps[name] = value
	case *corev1.Secret:
		s.secrets[name] = value
	case *corev1.Service:
		s.services[name] = value
	}
}

// onlyNamespace is the namespace that objects name, or an error that says where they name several.
func onlyNamespace(objects []object) (string, error) {
	places := map[string]place{}
	for _, o := range objects {
		ns := o.value.GetNamespace()
		if _, known := places[ns]; !known && ns != "" {
			places[ns] = o.at
		}
	}
	names := slices.Sorted(maps.Keys(places))
	if len(names) < 2 {
		return strings.Join(names, ""), nil
	}
	var words []string
	for _, ns := range names {
		words = append(words, fmt.Sprintf("%s (%s)", ns, places[ns]))
	}
	return "", fmt.Errorf("the manifests are of several namespaces: %s; choose one", strings.Join(words, ", "))
}
