package journal

import "time"

// timeLayout is RFC 3339 with milliseconds; all times of a log are UTC.
const timeLayout = "2006-01-02T15:04:05.000Z07:00"

// appendTime appends a time in that layout. Every entry has one, and going by the layout would cost as much as the rest
// of a small entry.
func appendTime(dst []byte, t time.Time) []byte {
	t = t.UTC()
	year, month, day := t.Date()
	if year < 0 || year > 9999 {
		return t.AppendFormat(dst, timeLayout)
	}
	hour, minute, second := t.Clock()
	dst = appendDigits(dst, year, 4)
	dst = appendDigits(append(dst, '-'), int(month), 2)
	dst = appendDigits(append(dst, '-'), day, 2)
	dst = appendDigits(append(dst, 'T'), hour, 2)
	dst = appendDigits(append(dst, ':'), minute, 2)
	dst = appendDigits(append(dst, ':'), second, 2)
	dst = appendDigits(append(dst, '.'), t.Nanosecond()/int(time.Millisecond), 3)
	return append(dst, 'Z')
}

// appendDigits appends a number that has at most that many digits, with zeros before it.
func appendDigits(dst []byte, n, digits int) []byte {
	for range digits {
		dst = append(dst, '0')
	}
	for i := len(dst) - 1; n > 0; i-- {
		dst[i] = byte('0' + n%10)
		n /= 10
	}
	return dst
}
