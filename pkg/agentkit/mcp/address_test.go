package mcp

import (
	"strings"
	"testing"
)

func TestAddressGuard(t *testing.T) {
	refused := map[string]string{
		"169.254.169.254:80":            "cloud metadata",
		"[::ffff:169.254.169.254]:80":   "cloud metadata",
		"[::169.254.169.254]:80":        "cloud metadata",
		"[64:ff9b::a9fe:a9fe]:80":       "cloud metadata",
		"[2002:a9fe:a9fe::]:80":         "cloud metadata",
		"[fd00:ec2::254]:80":            "cloud metadata",
		"[fd20:ce::254]:80":             "cloud metadata",
		"100.100.100.200:80":            "cloud metadata",
		"168.63.129.16:80":              "cloud metadata",
		"192.0.0.192:80":                "cloud metadata",
		"169.254.1.1:80":                "link-local",
		"[fe80::1%eth0]:80":             "link-local",
		"[::ffff:169.254.1.1]:80":       "link-local",
		"224.0.0.1:80":                  "multicast",
		"[ff02::1]:80":                  "multicast",
		"0.0.0.0:80":                    "unspecified",
		"[::]:80":                       "unspecified",
		"[::ffff:0.0.0.0]:80":           "unspecified",
		"host.example:80":               "host.example",
		"[fd00:ec2::254%zone]:80":       "cloud metadata",
		"[64:ff9b::169.254.169.254]:80": "cloud metadata",
	}
	for address, kind := range refused {
		if err := (addressGuard{}).check(address); err == nil || !strings.Contains(err.Error(), kind) {
			t.Errorf("%s: %v, want it refused as %s", address, err, kind)
		}
	}
	loopback := []string{"127.0.0.1:80", "127.9.9.9:80", "[::1]:80", "[::ffff:127.0.0.1]:80", "[64:ff9b::7f00:1]:80"}
	for _, address := range loopback {
		if err := (addressGuard{refuseLoopback: true}).check(address); err == nil || !strings.Contains(err.Error(), "loopback") {
			t.Errorf("%s: %v, want it refused as loopback", address, err)
		}
	}
	for _, address := range append(loopback, "10.0.0.1:80", "192.168.1.1:443", "93.184.216.34:443", "[2606:2800::1]:443") {
		if err := (addressGuard{}).check(address); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
}
