package httprange

import (
	"fmt"
	"net/http"
	"runtime"
)

// In a browser, a request to another origin that has more than the plainest headers
// is preceded by another one, which asks whether it may be sent, and which many
// servers refuse; and of an answer, Content-Range and ETag are hidden unless the
// server exposes them. So the end is not asked for by a suffix range, If-Match is not
// sent, and the size comes from HEAD (Fetch standard, "CORS-safelisted request-header"
// and "CORS-safelisted response-header name").
const inBrowser = runtime.GOOS == "js"

// rangeOf is contentRange of an answer to such a request. Where a browser hides the
// header, a partial answer of that length brings what was asked for.
func (s *Source) rangeOf(resp *http.Response, off, length int64) (from, to, size int64, err error) {
	if !s.browser || resp.Header.Get("Content-Range") != "" || resp.StatusCode != http.StatusPartialContent {
		return s.contentRange(resp)
	}
	s.mu.Lock()
	size, known := s.size, s.known
	s.mu.Unlock()
	if !known {
		size = sizeUnseen
	}
	if resp.ContentLength >= 0 && resp.ContentLength != length {
		return 0, 0, 0, fmt.Errorf("the server sent %d bytes, [%d,%d) were asked for", resp.ContentLength, off, off+length)
	}
	return off, off + length, size, nil
}

// sizeUnseen stands for the size in an answer that does not show it, if the server
// has not been asked for it.
const sizeUnseen = -1
