package property

import (
	"strings"

	"pgregory.net/rapid"

	"github.com/parequet/pare/oracle/property/engines"
)

var operators = []string{"=", "==", "<>", "!=", "<", "<=", ">", ">="}

// leaf draws a test of one column.
func (s *subject) leaf(t *rapid.T) string {
	c := rapid.SampledFrom(s.columns).Draw(t, "column")
	name := c.reference(t)
	kinds := []func(*rapid.T, *column, string) string{compareLeaf, compareLeaf, mirroredLeaf, betweenLeaf, inLeaf, inLeaf, distinctLeaf, nullLeaf}
	switch c.kind {
	case kindText:
		kinds = append(kinds, likeLeaf, likeLeaf, likeLeaf)
	case kindBool:
		kinds = append(kinds, booleanLeaf, booleanLeaf)
	case kindOpaque:
		return nullLeaf(t, c, name)
	}
	return rapid.SampledFrom(kinds).Draw(t, "test")(t, c, name)
}

// reference writes the column's name in quotes or, where that is surely the
// same, without.
func (c *column) reference(t *rapid.T) string {
	if strings.ContainsRune(c.name, '_') && rapid.Bool().Draw(t, "bare") {
		return oneOf(t, "case", c.name, strings.ToUpper(c.name))
	}
	return engines.QuoteName(c.name)
}

func compareLeaf(t *rapid.T, c *column, name string) string {
	return name + oneOf(t, "blank", " ", "") + oneOf(t, "operator", operators...) + " " + c.literal(t, c.drawClass(t))
}

func mirroredLeaf(t *rapid.T, c *column, name string) string {
	return c.literal(t, c.drawClass(t)) + " " + oneOf(t, "operator", operators...) + " " + name
}

func betweenLeaf(t *rapid.T, c *column, name string) string {
	cl := c.drawClass(t)
	return name + negated(t) + " BETWEEN " + c.literal(t, cl) + " AND " + c.literal(t, cl)
}

func inLeaf(t *rapid.T, c *column, name string) string {
	cl := c.drawClass(t)
	list := make([]string, rapid.IntRange(1, 5).Draw(t, "length"))
	for i := range list {
		list[i] = c.literal(t, cl)
	}
	return name + negated(t) + " IN (" + strings.Join(list, ", ") + ")"
}

func distinctLeaf(t *rapid.T, c *column, name string) string {
	return name + " IS" + negated(t) + " DISTINCT FROM " + c.literal(t, c.drawClass(t))
}

func nullLeaf(t *rapid.T, _ *column, name string) string {
	return name + oneOf(t, "is", " IS NULL", " IS NOT NULL", " is  not\nnull")
}

func booleanLeaf(t *rapid.T, _ *column, name string) string {
	return name + oneOf(t, "as a predicate", "", "", " IS TRUE", " IS NOT TRUE", " IS FALSE", " IS NOT FALSE")
}

func negated(t *rapid.T) string { return oneOf(t, "not", "", "", " NOT") }

// likeLeaf draws a pattern from a text that occurs.
func likeLeaf(t *rapid.T, c *column, name string) string {
	escape, suffix := "", ""
	if rapid.IntRange(0, 3).Draw(t, "escaped") == 0 {
		escape = oneOf(t, "escape", "!", `\`, "a")
		suffix = " ESCAPE " + engines.QuoteText(escape)
	}
	if len(c.samples) == 0 {
		return name + " LIKE '%'"
	}
	runes := []rune(rapid.SampledFrom(c.samples).Draw(t, "value"))
	from := rapid.IntRange(0, min(len(runes), 3)).Draw(t, "from")
	to := rapid.IntRange(from, min(len(runes), from+8)).Draw(t, "to")
	var p strings.Builder
	if from > 0 {
		p.WriteString(oneOf(t, "start", "%", "_", "__", ""))
	}
	for _, r := range runes[from:to] {
		switch s := string(r); {
		case s == escape, escape != "" && strings.Contains("%_", s):
			p.WriteString(escape + s)
		case rapid.IntRange(0, 9).Draw(t, "wild") == 0:
			p.WriteString(oneOf(t, "wildcard", "_", "%", "%_", escape+"%"))
		default:
			p.WriteString(s)
		}
	}
	if to < len(runes) || rapid.IntRange(0, 3).Draw(t, "open") == 0 {
		p.WriteString(oneOf(t, "end", "%", "%", "_", "%%", ""))
	}
	return name + negated(t) + oneOf(t, "like", " LIKE ", " like ") + engines.QuoteText(p.String()) + suffix
}

// tree draws a predicate of some depth.
func (s *subject) tree(t *rapid.T, depth int) string {
	if depth == 0 {
		if rapid.IntRange(0, 29).Draw(t, "constant") == 0 {
			return oneOf(t, "constant value", "TRUE", "FALSE", "NULL", "(NULL)", "NOT NULL")
		}
		return s.leaf(t)
	}
	switch rapid.IntRange(0, 5).Draw(t, "node") {
	case 0, 1:
		return parens(t, s.tree(t, depth-1)) + oneOf(t, "and", " AND ", " and ", " /* both */ AND ") + parens(t, s.tree(t, depth-1))
	case 2, 3:
		return parens(t, s.tree(t, depth-1)) + oneOf(t, "or", " OR ", " -- or\n OR ") + parens(t, s.tree(t, depth-1))
	case 4:
		return "NOT " + parens(t, s.tree(t, depth-1))
	}
	return s.leaf(t)
}

// parens often leaves out the parentheses: precedence must then be the same in
// both engines, whichever it is.
func parens(t *rapid.T, s string) string {
	if rapid.Bool().Draw(t, "parentheses") {
		return "(" + s + ")"
	}
	return s
}
