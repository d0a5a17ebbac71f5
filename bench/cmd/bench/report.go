package main

import (
	"fmt"
	"slices"
	"strings"
)

// section is a work's table.
func section(w work, ms []measured) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n", w.title)
	head, line := "| reader | ms (median) | least | × pare | CPU ms | peak MB |", "|---|--:|--:|--:|--:|--:|"
	if w.http {
		head, line = head+" requests | MB | rounds |", line+"--:|--:|--:|"
	} else if w.count {
		head, line = head+" reads | MB |", line+"--:|--:|"
	}
	fmt.Fprintf(&b, "%s\n%s\n", head, line)
	pare := ms[0].median()
	sorted := slices.Clone(ms)
	slices.SortStableFunc(sorted, func(a, b measured) int {
		switch {
		case a.err == "" && b.err == "":
			return int(max(-1, min(1, (a.median()-b.median())*1e6)))
		case a.err == "":
			return -1
		case b.err == "":
			return 1
		}
		return 0
	})
	for _, m := range sorted {
		if m.err != "" {
			continue
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %.2f | %s | %.0f |", m.reader, number(m.median()), number(slices.Min(m.ms)),
			m.median()/pare, number(median(m.cpu)), float64(m.peak)/1e6)
		switch {
		case w.http:
			fmt.Fprintf(&b, " %d | %.2f | %d |", m.reads, float64(m.bytes)/1e6, m.rounds)
		case w.count && m.mapped:
			fmt.Fprint(&b, " mapped | |")
		case w.count && m.reads >= 0:
			fmt.Fprintf(&b, " %d | %.2f |", m.reads, float64(m.bytes)/1e6)
		case w.count:
			fmt.Fprint(&b, " | |")
		}
		b.WriteByte('\n')
	}
	b.WriteByte('\n')
	for _, m := range sorted {
		if m.err != "" && m.err != "not asked" {
			fmt.Fprintf(&b, "%s: %s\n\n", m.reader, m.err)
		}
	}
	for _, g := range w.goals {
		if ratio, who := g.reached(ms); who != "" {
			fmt.Fprintf(&b, "Goal ≥ %g × %s: **%.2f** (%s), %s.\n", g.ratio, g.of, ratio, who, met(ratio >= g.ratio))
		}
	}
	if share, ok := codecShare(ms); ok {
		fmt.Fprintf(&b, "Goal ≥ 85 %% of the codec's own speed: **%.0f %%**, %s.\n", share, met(share >= 85))
	}
	if who := leaner(ms); who != "" {
		fmt.Fprintf(&b, "Less memory than pare: %s.\n", who)
	}
	b.WriteByte('\n')
	return b.String()
}

// codecShare is the share of the codec's own speed, in percent.
func codecShare(ms []measured) (float64, bool) {
	for _, m := range ms {
		if m.reader == codecAlone && m.err == "" {
			return 100 * m.median() / ms[0].median(), true
		}
	}
	return 0, false
}

func met(ok bool) string {
	if ok {
		return "met"
	}
	return "missed"
}

func number(x float64) string {
	switch {
	case x < 10:
		return fmt.Sprintf("%.2f", x)
	case x < 100:
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.0f", x)
}

// reached is the ratio that pare has to the best of the goal's readers, and
// who that is.
func (g goal) reached(ms []measured) (ratio float64, who string) {
	for _, m := range ms[1:] {
		if m.err == "" && m.reader != codecAlone && (g.names == nil || slices.Contains(g.names, m.reader)) {
			if r := m.median() / ms[0].median(); who == "" || r < ratio {
				ratio, who = r, m.reader
			}
		}
	}
	return ratio, who
}

// leaner lists the readers that take less memory than pare.
func leaner(ms []measured) string {
	var out []string
	for _, m := range ms[1:] {
		if m.err == "" && m.reader != codecAlone && m.peak < ms[0].peak {
			out = append(out, fmt.Sprintf("%s (%.0f MB)", m.reader, float64(m.peak)/1e6))
		}
	}
	return strings.Join(out, ", ")
}
