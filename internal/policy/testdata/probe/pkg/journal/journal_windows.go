package journal

import _ "github.com/plait-dev/plait/pkg/middle"
