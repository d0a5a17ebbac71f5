//go:build !linux

package source

import (
	"fmt"
	"io/fs"
)

// fileIdentity is what [File.Identity] says of the file.
func fileIdentity(st fs.FileInfo) string {
	return fmt.Sprintf("%d-%d", st.Size(), st.ModTime().UnixNano())
}
