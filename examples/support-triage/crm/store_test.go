package main

import (
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	db, err := newStore(customersJSON)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, text    string
		plan          string
		invoice       int // 0: none
		errorMentions string
	}{
		{name: "an invoice number in a sentence", text: "I was charged twice, invoice 1042", plan: "pro", invoice: 1042},
		{name: "behind a hash", text: "re #2002.", plan: "enterprise", invoice: 2002},
		{name: "an address in any case", text: "write to Office@Brickfield.example, please", plan: "free"},
		{name: "the invoice counts before the address", text: "accounts@curie.example about 1041", plan: "pro", invoice: 1041},
		{name: "a number that is none of ours is passed over", text: "on 2026-11-02, invoice 1042", plan: "pro", invoice: 1042},
		{name: "an unknown number falls back to the address", text: "9999, ada@lovett.example", plan: "pro"},
		{name: "part of a longer number doesn't count", text: "10421042104210", errorMentions: "neither an invoice number"},
		{name: "an unknown number", text: "invoice 9999", errorMentions: "no customer belongs to 9999"},
		{name: "nothing to go by", text: "hello there", errorMentions: "such as 1042"},
		{name: "no text", text: "", errorMentions: "such as 1042"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, inv, err := db.find(tt.text)
			if tt.errorMentions != "" {
				if err == nil || !strings.Contains(err.Error(), tt.errorMentions) {
					t.Fatalf("error %v, want one that mentions %q", err, tt.errorMentions)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			number := 0
			if inv != nil {
				number = inv.Number
			}
			if c.Plan != tt.plan || number != tt.invoice {
				t.Errorf("plan %q, invoice %d; want %q, %d", c.Plan, number, tt.plan, tt.invoice)
			}
		})
	}
}

func TestInvoiceNumbersBelongToOneCustomer(t *testing.T) {
	db, err := newStore(customersJSON)
	if err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, c := range db.customers {
		total += len(c.Invoices)
	}
	if total == 0 || total != len(db.byInvoice) || len(db.customers) != len(db.byEmail) {
		t.Errorf("%d invoices under %d numbers, %d customers under %d addresses",
			total, len(db.byInvoice), len(db.customers), len(db.byEmail))
	}
}
