package pare

import (
	"slices"
	"time"

	"github.com/parequet/pare/report"
)

// account ends the account: files that were opened and whose turn did not come, as a
// limit was reached or the consumer stopped, have had their footers read.
func (s *DatasetScan) account() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = time.Now()
	for i, p := range s.parts {
		if s.receipt[i].Files.Total == 0 && p.file != nil {
			s.receipt[i] = p.notReached()
		}
	}
}

// book keeps the i-th file's receipt.
func (s *DatasetScan) book(i int, r report.Receipt) {
	r = detailed(i, s.parts[i].file.opt.Name, r)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.receipt[i] = r
}

// notReached accounts for a file that was opened and whose turn did not come.
func (p *datasetPart) notReached() report.Receipt {
	r := p.file.opening()
	r.Files = report.Files{Total: 1, PastLimit: 1}
	r.RowGroups.Total, r.RowGroups.PastLimit = p.rowGroups, p.rowGroups
	r.Rows.Total = p.file.meta.NumRows
	return r
}

// Receipt accounts for what the scan has read so far; once Batches has ended, for
// all of it.
func (s *DatasetScan) Receipt() report.Receipt {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := s.Sum(s.receipt)
	r.Model.ActualMS = 0
	if !s.ended.IsZero() {
		r.Model.ActualMS = float64(s.ended.Sub(s.started).Microseconds()) / 1000
	}
	return r
}

// Sum makes one receipt of those of the files, as planned or as read, in their
// order. Footers are read and files are scanned a few at a time, so the waits of
// the table are fewer than those of its files together.
func (s *DatasetScan) Sum(files []report.Receipt) report.Receipt {
	var r report.Receipt
	opened, scanned := 0, 0
	for i, one := range append(slices.Clip(files), s.passed...) {
		if one.Files.Total == 0 {
			continue // it has not been read
		}
		r.Add(detailed(i, "", one))
		scanned += one.Requests.Rounds
		if one.Bytes.Footer > 0 {
			opened++
			scanned--
		}
	}
	if s.query.Limit > 0 {
		r.Rows.Returned = min(r.Rows.Returned, s.query.Limit)
	}
	r.Files.Total += s.pruned
	r.Files.Pruned += s.pruned
	waits := 0
	if s.footers != nil {
		r.Add(s.footers.read)
		waits += s.footers.read.Requests.Rounds
	}
	if s.asked.Requests.Total > 0 {
		r.Add(s.asked)
		waits += s.asked.Requests.Rounds
	}
	if opened > 0 && s.pruned > 0 {
		waits, opened = waits+1, opened-1 // the first is opened before the others
	}
	r.Requests.Rounds = waits + ceilDiv(opened, s.data.opt.Open) + ceilDiv(scanned, s.together)
	r.Model.PredictedMS = float64(r.Requests.Rounds)*r.Model.LatencyMS + 1000*float64(r.Bytes.Total)/max(r.Model.Bandwidth, 1)
	return r
}

// detailedFiles are the files of a table whose steps its receipt lists; of the others
// only numbers count.
const detailedFiles = 256

// detailed is what of the i-th file's receipt goes into the table's. A name is given
// to what has a place in the file.
func detailed(i int, name string, r report.Receipt) report.Receipt {
	if i >= detailedFiles {
		r.Steps = nil
	}
	if name != "" {
		r.OfFile(name)
	}
	return r
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }
