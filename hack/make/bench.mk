# Tables of what parts of the product cost beside other programs. CHECK=1 fails when a goal is missed.

.PHONY: bench-declarative
bench-declarative: ## What validation and expressions cost beside a bare cel-go; CHECK=1 fails when a goal is missed.
	cd test/declbench && go run . $(if $(filter 1,$(CHECK)),-check)

.PHONY: bench-triage
bench-triage: ## What a message costs with the example support-triage beside ADK Go; CHECK=1 fails when a goal is missed.
	cd test/triagebench && go run . $(if $(filter 1,$(CHECK)),-check)

.PHONY: bench-agent
bench-agent: ## What a turn of an agent costs beside fantasy, eino and ADK Go; CHECK=1 fails when a goal is missed.
	cd test/agentbench && go run . $(if $(filter 1,$(CHECK)),-check)

.PHONY: bench-providers
bench-providers: ## What a delta costs on each wire beside a plain decoder and the vendor's SDK; CHECK=1 fails when a goal is missed.
	cd test/providerbench && go run -p 1 . $(if $(filter 1,$(CHECK)),-check)
