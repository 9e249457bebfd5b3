package expr

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"cel.dev/cel-go/common/functions"
	"cel.dev/cel-go/common/overloads"
	"cel.dev/cel-go/common/types"
	"cel.dev/cel-go/common/types/ref"
	"cel.dev/cel-go/interpreter"
)

// The functions of cel-go's regex library. cel-go compiles their pattern at every call and puts no bound on what a
// replacement may grow to, so their calls are planned here, as those of matches(); the meaning is cel-go's.
const (
	regexReplace    = "regex.replace"
	regexExtract    = "regex.extract"
	regexExtractAll = "regex.extractAll"
)

// maxRegexProgram bounds a pattern by the number of instructions that RE2 makes of it: matching takes that many steps
// for every byte of the text.
const maxRegexProgram = 2_000

// regexOp is a function of the library with its pattern compiled. args are those of the call.
type regexOp func(re *regexp.Regexp, args []ref.Val) ref.Val

func planRegex(call interpreter.InterpretableCall) (interpreter.InterpretableV2, error) {
	ops := map[string]regexOp{
		overloads.Matches: matchRegex,
		regexReplace:      replaceRegex,
		regexExtract:      extractRegex,
		regexExtractAll:   extractAllRegex,
	}
	op, err := bindRegex(ops[call.Function()], call.Args())
	if err != nil {
		return nil, err
	}
	// Under another name, so that cel-go doesn't optimize the call once more.
	return interpreter.NewCall(call.ID(), "@"+call.Function(), call.OverloadID(), call.Args(), op), nil
}

// bindRegex compiles the pattern now if it is a literal, else at every call.
func bindRegex(op regexOp, args []interpreter.InterpretableV2) (functions.FunctionOp, error) {
	if c, ok := args[1].(interpreter.InterpretableConst); ok {
		pattern, ok := c.Value().(types.String)
		if !ok {
			return nil, fmt.Errorf("a pattern is a string, not %s", typeName(c.Value()))
		}
		re, err := compileRegex(string(pattern))
		if err != nil {
			return nil, err
		}
		return func(args ...ref.Val) ref.Val { return op(re, args) }, nil
	}
	return func(args ...ref.Val) ref.Val {
		pattern, ok := args[1].(types.String)
		if !ok {
			return types.NewErr("a pattern is a string, not %s", typeName(args[1]))
		}
		re, err := compileRegex(string(pattern))
		if err != nil {
			return types.WrapErr(err)
		}
		return op(re, args)
	}, nil
}

// compileRegex compiles a pattern; the error is RE2's reason without Go's prefix.
func compileRegex(pattern string) (*regexp.Regexp, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "error parsing regexp: "))
	}
	size, err := types.RegexProgramSize(pattern)
	if err != nil {
		return nil, err
	}
	if size > maxRegexProgram {
		return nil, fmt.Errorf("the pattern is too large: %d instructions, at most %d are run", size, maxRegexProgram)
	}
	return re, nil
}

func matchRegex(re *regexp.Regexp, args []ref.Val) ref.Val {
	text, ok := args[0].(types.String)
	if !ok {
		return noOverload()
	}
	return types.Bool(re.MatchString(string(text)))
}

// extractRegex is regex.extract(text, pattern): the first match, or its group if the pattern has one.
func extractRegex(re *regexp.Regexp, args []ref.Val) ref.Val {
	text, ok := args[0].(types.String)
	if !ok {
		return noOverload()
	}
	if re.NumSubexp() > 1 {
		return tooManyGroups(re)
	}
	match := re.FindStringSubmatch(string(text))
	switch {
	case match == nil:
		return types.OptionalNone
	case len(match) == 1:
		return types.OptionalOf(types.String(match[0]))
	case match[1] == "":
		return types.OptionalNone
	default:
		return types.OptionalOf(types.String(match[1]))
	}
}

// extractAllRegex is regex.extractAll(text, pattern): all matches, or their groups that aren't empty.
func extractAllRegex(re *regexp.Regexp, args []ref.Val) ref.Val {
	text, ok := args[0].(types.String)
	if !ok {
		return noOverload()
	}
	if re.NumSubexp() > 1 {
		return tooManyGroups(re)
	}
	found := []string{}
	for _, match := range re.FindAllStringSubmatch(string(text), -1) {
		if last := match[len(match)-1]; len(match) == 1 || last != "" {
			found = append(found, last)
		}
	}
	return types.NewStringList(adapter{}, found)
}

func tooManyGroups(re *regexp.Regexp) ref.Val {
	return types.NewErr("the pattern %q has %d groups, at most one can be extracted", clip(re.String()), re.NumSubexp())
}

// replaceRegex is regex.replace(text, pattern, replacement) or, with a number as the fourth argument, of so many
// matches only. In the replacement \1 to \9 are groups, \0 is the match and \\ a backslash.
func replaceRegex(re *regexp.Regexp, args []ref.Val) ref.Val {
	text, ok := args[0].(types.String)
	replacement, isText := args[2].(types.String)
	if !ok || !isText {
		return noOverload()
	}
	count := -1
	if len(args) == 4 {
		n, ok := args[3].(types.Int)
		if !ok {
			return noOverload()
		}
		count = int(max(n, -1))
	}
	out, err := replaceMatches(re, string(text), string(replacement), count)
	if err != nil {
		return types.WrapErr(err)
	}
	return types.String(out)
}

func replaceMatches(re *regexp.Regexp, text, replacement string, count int) (string, error) {
	var b strings.Builder
	last := 0
	for _, m := range re.FindAllStringSubmatchIndex(text, count) {
		b.WriteString(text[last:m[0]])
		if err := expandGroups(&b, re, text, m, replacement); err != nil {
			return "", err
		}
		last = m[1]
	}
	b.WriteString(text[last:])
	return b.String(), nil
}

// expandGroups writes the replacement of one match.
func expandGroups(b *strings.Builder, re *regexp.Regexp, text string, match []int, replacement string) error {
	for i := 0; i < len(replacement); i++ {
		c := replacement[i]
		if c != '\\' {
			b.WriteByte(c)
			continue
		}
		if i++; i == len(replacement) {
			return fmt.Errorf("the replacement %q ends in a single backslash", clip(replacement))
		}
		switch c := replacement[i]; {
		case c == '\\':
			b.WriteByte('\\')
		case c < '0' || c > '9':
			return fmt.Errorf("in the replacement %q a backslash stands before a digit or a backslash", clip(replacement))
		case int(c-'0') > re.NumSubexp():
			return fmt.Errorf("the replacement uses group %c, the pattern has %d", c, re.NumSubexp())
		default:
			if from := match[2*(c-'0')]; from >= 0 {
				b.WriteString(text[from:match[2*(c-'0')+1]])
			}
		}
		if b.Len() > maxResult {
			return fmt.Errorf("the replacement gives more than %d MiB", maxResult>>20)
		}
	}
	if b.Len() > maxResult {
		return fmt.Errorf("the replacement gives more than %d MiB", maxResult>>20)
	}
	return nil
}
