package provider

// Locks is the number of accounts that are being renewed.
func (s *CredentialStore) Locks() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.locks)
}
