// Package template keeps the revisions of AgentTemplates in step with what they are made of.
package template
