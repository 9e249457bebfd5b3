// Package middle stands between a package and what it mustn't reach.
package middle

import _ "github.com/plait-dev/plait/native"
