package harness

import (
	"errors"
	"io/fs"
	"os"
	"strings"
)

const (
	defaultTerminationLog = "/dev/termination-log"
	// maxMessage is what Kubernetes keeps of a termination message.
	maxMessage = 4096
)

// leaveMessage writes why the program ends to the termination log, from where it reaches the pod's status. The default one
// is there in a pod alone, and is never made.
func (p *process) leaveMessage(text string) error {
	path, _ := p.lookupEnv(envTerminationLog)
	flags := os.O_WRONLY | os.O_TRUNC | os.O_CREATE
	if path == "" {
		path, flags = defaultTerminationLog, os.O_WRONLY|os.O_TRUNC
	}
	file, err := os.OpenFile(path, flags, 0o600)
	if path == defaultTerminationLog && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission)) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = file.WriteString(firstBytes(text, maxMessage))
	return errors.Join(err, file.Close())
}

// firstBytes cuts a text without leaving half a character.
func firstBytes(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "")
}
