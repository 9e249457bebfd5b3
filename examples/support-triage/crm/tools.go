package main

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type lookupInput struct {
	Query string `json:"query" jsonschema:"the text of a mail, or any text with an invoice number or an e-mail address in it"`
}

type lookupOutput struct {
	Customer string   `json:"customer"`
	Email    string   `json:"email"`
	Plan     string   `json:"plan" jsonschema:"free, pro or enterprise"`
	Since    string   `json:"since" jsonschema:"the day the customer joined"`
	Invoice  *invoice `json:"invoice,omitempty" jsonschema:"the invoice that the text names, if it names one"`
}

type invoicesInput struct {
	Customer string `json:"customer" jsonschema:"the customer's full name or e-mail address"`
}

type invoicesOutput struct {
	Customer string    `json:"customer"`
	Invoices []invoice `json:"invoices"`
}

// newServer returns the server with its tools. What a tool can't find is an error result with a sentence that says what
// would be found.
func newServer(db *store) *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "crm", Title: "Customers and invoices", Version: "1.0.0"}, nil)
	mcp.AddTool(server, &mcp.Tool{
		Name:        "lookup_customer",
		Description: "Finds the customer that a mail is about, by an invoice number or an e-mail address in its text.",
		Annotations: lookups(),
	}, func(_ context.Context, _ *mcp.CallToolRequest, in lookupInput) (*mcp.CallToolResult, lookupOutput, error) {
		c, inv, err := db.find(in.Query)
		if err != nil {
			return nil, lookupOutput{}, err
		}
		return nil, lookupOutput{Customer: c.Name, Email: c.Email, Plan: c.Plan, Since: c.Since, Invoice: inv}, nil
	})
	mcp.AddTool(server, &mcp.Tool{
		Name:        "list_invoices",
		Description: "Lists the invoices of a customer, oldest first.",
		Annotations: lookups(),
	}, func(_ context.Context, _ *mcp.CallToolRequest, in invoicesInput) (*mcp.CallToolResult, invoicesOutput, error) {
		c, err := db.named(in.Customer)
		if err != nil {
			return nil, invoicesOutput{}, err
		}
		return nil, invoicesOutput{Customer: c.Name, Invoices: c.Invoices}, nil
	})
	return server
}

// lookups says that a tool changes nothing, so a call whose answer was lost may be made again.
func lookups() *mcp.ToolAnnotations {
	closed := false
	return &mcp.ToolAnnotations{ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &closed}
}
