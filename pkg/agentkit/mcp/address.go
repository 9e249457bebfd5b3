package mcp

import (
	"fmt"
	"net"
	"net/netip"
	"syscall"
	"time"
)

// addressGuard decides about every address that is dialled, after the name was resolved: a name that points somewhere
// else the second time gains nothing, and redirects pass through here, too.
type addressGuard struct{ refuseLoopback bool }

// dialer returns a dialer that obeys the guard.
func (g addressGuard) dialer() *net.Dialer {
	return &net.Dialer{
		Timeout:   30 * time.Second,
		KeepAlive: 30 * time.Second,
		Control:   func(_, address string, _ syscall.RawConn) error { return g.check(address) },
	}
}

func (g addressGuard) check(address string) error {
	ap, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("address %q: %w", address, err)
	}
	addr := plainAddr(ap.Addr())
	refuse := func(kind string) error {
		return fmt.Errorf("%s is a %s address: no MCP server is reached there", ap.Addr(), kind)
	}
	switch {
	case isMetadata(addr):
		return refuse("cloud metadata")
	case addr.IsLinkLocalUnicast():
		return refuse("link-local")
	case addr.IsMulticast():
		return refuse("multicast")
	case addr.IsUnspecified():
		return refuse("unspecified")
	case g.refuseLoopback && addr.IsLoopback():
		return refuse("loopback")
	}
	return nil
}

// plainAddr returns the IPv4 address that an IPv6 address stands for, if it does: mapped, compatible, NAT64 or 6to4.
func plainAddr(addr netip.Addr) netip.Addr {
	addr = addr.WithZone("").Unmap()
	if !addr.Is6() || addr.IsLoopback() || addr.IsUnspecified() {
		return addr
	}
	b := addr.As16()
	switch {
	case netip.MustParsePrefix("64:ff9b::/96").Contains(addr), netip.MustParsePrefix("::/96").Contains(addr):
		return netip.AddrFrom4([4]byte(b[12:16]))
	case netip.MustParsePrefix("2002::/16").Contains(addr):
		return netip.AddrFrom4([4]byte(b[2:6]))
	}
	return addr
}

// isMetadata knows the metadata services that don't sit at a link-local address.
func isMetadata(addr netip.Addr) bool {
	switch addr.String() {
	case "169.254.169.254", // AWS, Azure, Google Cloud and most others
		"fd00:ec2::254",   // AWS
		"fd20:ce::254",    // Google Cloud
		"100.100.100.200", // Alibaba Cloud
		"192.0.0.192",     // Oracle Cloud
		"168.63.129.16":   // Azure's host agent
		return true
	}
	return false
}
