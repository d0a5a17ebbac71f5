package source

import (
	"fmt"
	"io/fs"
	"syscall"
)

// fileIdentity is what [File.Identity] says of the file. The times and sizes of two
// files can be the same, where an archive was unpacked; then the number of the inode
// and the time at which it changed differ.
func fileIdentity(st fs.FileInfo) string {
	id := fmt.Sprintf("%d-%d", st.Size(), st.ModTime().UnixNano())
	if s, ok := st.Sys().(*syscall.Stat_t); ok {
		id += fmt.Sprintf("-%d-%d.%d", s.Ino, s.Ctim.Sec, s.Ctim.Nsec)
	}
	return id
}
