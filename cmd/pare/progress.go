package main

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	bar "charm.land/bubbles/v2/spinner"
	tea "charm.land/bubbletea/v2"
	"github.com/spf13/cobra"

	"github.com/parequet/pare/report"
)

// progress shows on a terminal, after a second, how many rows have come. The
// zero progress shows nothing.
type progress struct {
	rows atomic.Int64
	stop func()
}

func (p *progress) add(rows int64) { p.rows.Add(rows) }

// startProgress starts the display if it was asked for and standard error is
// a terminal. stop, which may be called twice, takes it away.
func startProgress(cmd *cobra.Command, wanted bool) *progress {
	p := &progress{stop: func() {}}
	f, _ := cmd.ErrOrStderr().(*os.File)
	if !wanted || f == nil || !isTerminal(f) {
		return p
	}
	done := make(chan struct{})
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		select {
		case <-done:
			return
		case <-time.After(progressDelay):
		}
		m := progressModel{rows: &p.rows, spin: bar.New(bar.WithSpinner(bar.Dot)), started: time.Now().Add(-progressDelay)}
		program := tea.NewProgram(m, tea.WithOutput(f), tea.WithInput(nil), tea.WithoutSignalHandler())
		go func() {
			<-done
			program.Quit()
		}()
		program.Run() // it is only a display: its faults are nobody's business
	}()
	var once sync.Once
	p.stop = func() { once.Do(func() { close(done); <-gone }) }
	return p
}

type progressModel struct {
	rows    *atomic.Int64
	spin    bar.Model
	started time.Time
	ended   bool
}

func (m progressModel) Init() tea.Cmd { return m.spin.Tick }

func (m progressModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if _, ok := msg.(tea.QuitMsg); ok {
		m.ended = true
		return m, nil
	}
	var cmd tea.Cmd
	m.spin, cmd = m.spin.Update(msg)
	return m, cmd
}

func (m progressModel) View() tea.View {
	if m.ended {
		return tea.NewView("")
	}
	n, d := m.rows.Load(), time.Since(m.started)
	return tea.NewView(fmt.Sprintf("%s%s rows, %s a second", m.spin.View(), report.Count(n), report.Count(int64(float64(n)/d.Seconds()))))
}
