package workflow

import (
	"strconv"
	"strings"
)

// subBranch is the branch of a successor that starts beside others.
func subBranch(parent string, node *node, n int) string {
	branch := node.firstPath
	if n > 1 {
		branch = node.name + "@" + strconv.Itoa(n)
	}
	return joinBranch(parent, branch)
}

func joinBranch(parent, branch string) string {
	if parent == "" {
		return branch
	}
	return parent + "." + branch
}

// commonBranch is the longest branch that all arrivals have in common, segment by segment.
func commonBranch(arrivals []arrival) string {
	common := arrivals[0].branch
	for _, a := range arrivals[1:] {
		for !isBranchOf(common, a.branch) {
			common = common[:max(strings.LastIndexByte(common, '.'), 0)]
		}
	}
	return common
}

// isBranchOf says that branch is ancestor or one below it.
func isBranchOf(ancestor, branch string) bool {
	return ancestor == "" || branch == ancestor || strings.HasPrefix(branch, ancestor) && branch[len(ancestor)] == '.'
}
