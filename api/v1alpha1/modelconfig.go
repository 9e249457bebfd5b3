package v1alpha1

import (
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// ModelConfig says how to call one model.
//
// +kubebuilder:object:root=true
// +kubebuilder:resource:shortName=modelcfg,categories=plait
// +kubebuilder:printcolumn:name="Provider",type=string,JSONPath=`.spec.provider`
// +kubebuilder:printcolumn:name="Model",type=string,JSONPath=`.spec.model`
// +kubebuilder:printcolumn:name="Age",type=date,JSONPath=`.metadata.creationTimestamp`
type ModelConfig struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	// Spec is how to call the model.
	Spec ModelConfigSpec `json:"spec"`
}

// ModelConfigList is a list of ModelConfigs.
//
// +kubebuilder:object:root=true
type ModelConfigList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`
	Items           []ModelConfig `json:"items"`
}

// ModelConfigSpec is how to call a model.
//
// +kubebuilder:validation:XValidation:rule="has(self.faux) == (self.provider == 'faux')",message="faux belongs to the provider faux, which needs it"
// +kubebuilder:validation:XValidation:rule="!has(self.compat) || self.provider in ['openai', 'openai-responses']",message="compat belongs to the providers openai and openai-responses"
// +kubebuilder:validation:XValidation:rule="!has(self.promptCache) || self.provider == 'anthropic'",message="promptCache belongs to the provider anthropic"
// +kubebuilder:validation:XValidation:rule="!has(self.promptCacheKey) || self.provider in ['openai', 'openai-responses']",message="promptCacheKey belongs to the providers openai and openai-responses"
// +kubebuilder:validation:XValidation:rule="!has(self.reasoningSummary) || self.provider == 'openai-responses'",message="reasoningSummary belongs to the provider openai-responses"
type ModelConfigSpec struct {
	// Provider is the wire that the model is called by. faux answers by a script and calls nobody.
	// +kubebuilder:validation:Enum=anthropic;openai;openai-responses;google;ollama;faux
	Provider string `json:"provider"`

	// Model is the provider's id of the model.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:validation:MaxLength=256
	Model string `json:"model"`

	// APIKeySecretRef is the key of a Secret that holds the API key.
	// +optional
	APIKeySecretRef *KeyReference `json:"apiKeySecretRef,omitempty"`

	// BaseURL of the API. Empty means the provider's own.
	// +optional
	// +kubebuilder:validation:MaxLength=2048
	// +kubebuilder:validation:Pattern=`^https?://[^/?#@]+`
	BaseURL string `json:"baseURL,omitempty"`

	// Headers of every request, beside those of the wire.
	// +optional
	// +listType=map
	// +listMapKey=name
	// +kubebuilder:validation:MaxItems=50
	Headers []Header `json:"headers,omitempty"`

	// ProxyURL is the proxy of all calls of this model. Empty means none.
	// +optional
	// +kubebuilder:validation:MaxLength=2048
	// +kubebuilder:validation:Pattern=`^https?://[^/?#@]+`
	ProxyURL string `json:"proxyURL,omitempty"`

	// RateLimits are what one pod may use.
	// +optional
	RateLimits *RateLimits `json:"rateLimits,omitempty"`

	// Catalog replaces what the built-in catalog says of this model.
	// +optional
	Catalog *CatalogOverrides `json:"catalog,omitempty"`

	// Compat says how a server deviates from the OpenAI wire that it speaks.
	// +optional
	Compat *Compat `json:"compat,omitempty"`

	// PromptCache is how long the provider is asked to keep the beginning of prompts. Empty means 5m.
	// +optional
	// +kubebuilder:validation:Enum="5m";"1h";"off"
	PromptCache string `json:"promptCache,omitempty"`

	// PromptCacheKey is sent with each request, so that those with the same beginning reach the machine that has it cached.
	// +optional
	// +kubebuilder:validation:MaxLength=64
	PromptCacheKey string `json:"promptCacheKey,omitempty"`

	// ReasoningSummary is how much the model tells of its reasoning. Empty means nothing.
	// +optional
	// +kubebuilder:validation:Enum=auto;concise;detailed
	ReasoningSummary string `json:"reasoningSummary,omitempty"`

	// Failover are the names of further models of the template, tried in order when this one can't answer.
	// +optional
	// +listType=atomic
	// +kubebuilder:validation:MaxItems=10
	// +kubebuilder:validation:items:MinLength=1
	// +kubebuilder:validation:items:MaxLength=63
	Failover []string `json:"failover,omitempty"`

	// Faux is the script of the provider faux.
	// +optional
	Faux *FauxModel `json:"faux,omitempty"`
}

// RateLimits of one model in one pod.
type RateLimits struct {
	// RequestsPerMinute in any minute. 0 means no limit.
	// +optional
	// +kubebuilder:validation:Minimum=0
	RequestsPerMinute int32 `json:"requestsPerMinute,omitempty"`

	// TokensPerMinute, input and output, in any minute. 0 means no limit.
	// +optional
	// +kubebuilder:validation:Minimum=0
	TokensPerMinute int64 `json:"tokensPerMinute,omitempty"`
}

// CatalogOverrides replace entries of the model catalog. Prices are in US dollars for a million tokens.
type CatalogOverrides struct {
	// ContextWindow in tokens.
	// +optional
	// +kubebuilder:validation:Minimum=1
	ContextWindow *int64 `json:"contextWindow,omitempty"`

	// MaxOutputTokens of one call.
	// +optional
	// +kubebuilder:validation:Minimum=1
	MaxOutputTokens *int64 `json:"maxOutputTokens,omitempty"`

	// InputPrice, for instance "2.5".
	// +optional
	InputPrice *resource.Quantity `json:"inputPrice,omitempty"`

	// OutputPrice, for instance "10".
	// +optional
	OutputPrice *resource.Quantity `json:"outputPrice,omitempty"`

	// CacheReadPrice is the price of input read from the provider's cache.
	// +optional
	CacheReadPrice *resource.Quantity `json:"cacheReadPrice,omitempty"`

	// CacheWritePrice is the price of input written to the provider's cache.
	// +optional
	CacheWritePrice *resource.Quantity `json:"cacheWritePrice,omitempty"`
}

// Compat adapts an OpenAI wire to a server that deviates from it.
type Compat struct {
	// Profile is a named set of deviations, for example openrouter or vllm. Empty means openai.
	// +optional
	// +kubebuilder:validation:MaxLength=63
	Profile string `json:"profile,omitempty"`

	// Overrides are single deviations by name, over the profile's.
	// +optional
	// +kubebuilder:validation:MaxProperties=50
	Overrides map[string]string `json:"overrides,omitempty"`
}

// FauxModel is a model that answers by a script.
type FauxModel struct {
	// ScriptFrom is the key of a ConfigMap that holds the script, in YAML or JSON.
	ScriptFrom KeyReference `json:"scriptFrom"`
}
