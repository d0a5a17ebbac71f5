package main

import (
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"charm.land/bubbles/v2/progress"
	tea "charm.land/bubbletea/v2"
	"github.com/spf13/cobra"

	"github.com/parequet/pare/report"
)

// progressDelay is how long work takes before a bar appears.
const progressDelay = time.Second

// meter shows on a terminal how far a scan has come. One that was not asked
// for shows nothing.
type meter struct {
	done func() float64 // share of the work, 0 to 1; called while a scan runs
	rows atomic.Int64
	mu   sync.Mutex
	stop func() // takes the bar away; may be called twice
}

// add counts rows that came.
func (m *meter) add(rows int64) { m.rows.Add(rows) }

// watch says how to ask for the share of the work that is done.
func (m *meter) watch(done func() float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.done = done
}

func (m *meter) share() float64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.done == nil {
		return 0
	}
	return min(m.done(), 1)
}

// startMeter starts a bar if it is wanted and standard error is a terminal.
func startMeter(cmd *cobra.Command, wanted bool) *meter {
	m := &meter{stop: func() {}}
	f, _ := cmd.ErrOrStderr().(*os.File)
	if !wanted || f == nil || !isTerminal(f) {
		return m
	}
	done, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		select {
		case <-done:
			return
		case <-time.After(progressDelay):
		}
		p := tea.NewProgram(meterModel{meter: m, bar: progress.New(progress.WithWidth(40))},
			tea.WithOutput(f), tea.WithInput(nil), tea.WithoutSignalHandler())
		go func() {
			<-done
			p.Send(endMsg{})
		}()
		// It is only a display: a fault of it is nobody's business.
		_, _ = p.Run()
	}()
	var once sync.Once
	m.stop = func() { once.Do(func() { close(done); <-gone }) }
	return m
}

type (
	tickMsg struct{}
	endMsg  struct{}
)

// meterModel draws a meter ten times a second.
type meterModel struct {
	meter *meter
	bar   progress.Model
	ended bool
}

func tick() tea.Cmd {
	return tea.Tick(100*time.Millisecond, func(time.Time) tea.Msg { return tickMsg{} })
}

func (m meterModel) Init() tea.Cmd { return tick() }

func (m meterModel) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	switch msg.(type) {
	case endMsg:
		m.ended = true
		return m, tea.Quit
	case tickMsg:
		return m, tick()
	}
	return m, nil
}

func (m meterModel) View() tea.View {
	if m.ended {
		return tea.NewView("")
	}
	return tea.NewView(fmt.Sprintf("%s %s rows", m.bar.ViewAs(m.meter.share()), report.Count(m.meter.rows.Load())))
}
