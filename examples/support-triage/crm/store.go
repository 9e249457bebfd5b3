package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

//go:embed customers.json
var customersJSON []byte

// invoice is one bill of a customer.
type invoice struct {
	Number   int    `json:"number"`
	Date     string `json:"date"`
	Amount   int    `json:"amount" jsonschema:"in whole units of the currency"`
	Currency string `json:"currency"`
	Status   string `json:"status" jsonschema:"paid, open or overdue"`
	Note     string `json:"note,omitempty"`
}

type customer struct {
	Name     string    `json:"name"`
	Email    string    `json:"email"`
	Plan     string    `json:"plan"`
	Since    string    `json:"since"`
	Invoices []invoice `json:"invoices"`
}

// store is the database. It is read once and never changes.
type store struct {
	customers []*customer
	byEmail   map[string]*customer // in lower case
	byInvoice map[int]*customer
}

func newStore(data []byte) (*store, error) {
	s := &store{byEmail: map[string]*customer{}, byInvoice: map[int]*customer{}}
	if err := json.Unmarshal(data, &s.customers); err != nil {
		return nil, fmt.Errorf("customers: %w", err)
	}
	for _, c := range s.customers {
		s.byEmail[strings.ToLower(c.Email)] = c
		for _, inv := range c.Invoices {
			s.byInvoice[inv.Number] = c
		}
	}
	return s, nil
}

var (
	emailPattern  = regexp.MustCompile(`[\w.+-]+@[\w-]+(\.[\w-]+)+`)
	numberPattern = regexp.MustCompile(`\b\d{3,9}\b`)
)

// find looks for an invoice number or an e-mail address in a text, in this order, and returns the customer and, if a
// number led there, the invoice.
func (s *store) find(text string) (*customer, *invoice, error) {
	numbers := numberPattern.FindAllString(text, -1)
	for _, digits := range numbers {
		n, err := strconv.Atoi(digits)
		if err != nil {
			continue
		}
		if c := s.byInvoice[n]; c != nil {
			return c, c.invoice(n), nil
		}
	}
	emails := emailPattern.FindAllString(text, -1)
	for _, address := range emails {
		if c := s.byEmail[strings.ToLower(address)]; c != nil {
			return c, nil, nil
		}
	}
	if unknown := slices.Concat(numbers, emails); len(unknown) > 0 {
		return nil, nil, fmt.Errorf("no customer belongs to %s; ask for another invoice number or e-mail address",
			strings.Join(unknown, ", "))
	}
	return nil, nil, fmt.Errorf("the text holds neither an invoice number (such as 1042) nor an e-mail address; ask for one")
}

// named returns the customer with this name or e-mail address.
func (s *store) named(name string) (*customer, error) {
	name = strings.TrimSpace(name)
	if c := s.byEmail[strings.ToLower(name)]; c != nil {
		return c, nil
	}
	for _, c := range s.customers {
		if strings.EqualFold(c.Name, name) {
			return c, nil
		}
	}
	return nil, fmt.Errorf("there is no customer %q; give the full name or the e-mail address that lookup_customer returns", name)
}

func (c *customer) invoice(number int) *invoice {
	for i := range c.Invoices {
		if c.Invoices[i].Number == number {
			return &c.Invoices[i]
		}
	}
	return nil
}
