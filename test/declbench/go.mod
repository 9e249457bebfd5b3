// The loader and expressions beside a bare cel-go: what validation costs, and what an evaluation costs on each. A module
// of its own, because the product imports cel-go in one package only.
module github.com/plait-dev/plait/test/declbench

go 1.26.8

require (
	cel.dev/cel-go v0.33.2
	github.com/plait-dev/plait v0.0.0
	google.golang.org/protobuf v1.36.12
)

require (
	cel.dev/expr v0.25.1 // indirect
	github.com/antlr4-go/antlr/v4 v4.13.1 // indirect
	github.com/google/jsonschema-go v0.4.3 // indirect
	github.com/gowebpki/jcs v1.0.2 // indirect
	go.yaml.in/yaml/v3 v3.0.6 // indirect
	golang.org/x/exp v0.0.0-20260410095643-746e56fc9e2f // indirect
	golang.org/x/text v0.43.0 // indirect
	google.golang.org/genproto/googleapis/api v0.0.0-20260526163538-3dc84a4a5aaa // indirect
	google.golang.org/genproto/googleapis/rpc v0.0.0-20260526163538-3dc84a4a5aaa // indirect
)

replace github.com/plait-dev/plait => ../..
