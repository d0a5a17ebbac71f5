package dialect

import (
	"encoding/json"
	"testing"

	"github.com/parequet/pare/predicate"
)

// TestStringsHaveTheSameSyntax: DuckDB's syntax tree of a text equals that of
// the text that pare makes of it, once both are in the same form.
func TestStringsHaveTheSameSyntax(t *testing.T) {
	db := openDuckDB(t)
	compared := 0
	for _, text := range both {
		x, err := predicate.Parse(text)
		if err != nil {
			continue // TestTextsAreAccepted says so
		}
		tree, _ := syntax(t, db, text)
		again, refusal := syntax(t, db, x.String())
		if refusal != "" {
			t.Errorf("%q: DuckDB refuses pare's text %q: %s", text, x, refusal)
			continue
		}
		if tree == nil || again == nil {
			continue // not serialised
		}
		compared++
		if a, b := render(predicateForm(tree)), render(predicateForm(again)); a != b {
			t.Errorf("%q\n%s\nbecomes %q\n%s", text, a, x, b)
		}
	}
	if compared < 150 {
		t.Errorf("only %d texts were compared", compared)
	}
}

func render(tree any) string {
	b, _ := json.Marshal(tree)
	return string(b)
}

type node = map[string]any

// predicateForm brings a tree that stands as a predicate into the form that
// pare's texts have: a column on its own is compared with TRUE. DuckDB's parser
// already turns NOT before a comparison into another comparison.
func predicateForm(tree any) any {
	n := form(tree).(node)
	if n["type"] == "OPERATOR_NOT" {
		if child := n["children"].([]any)[0]; isClass(child, "COLUMN_REF") {
			return comparison("COMPARE_NOTEQUAL", child, truth(true))
		}
	}
	if n["class"] == "COLUMN_REF" {
		return comparison("COMPARE_EQUAL", n, truth(true))
	}
	if children, ok := n["children"].([]any); ok && (n["class"] == "CONJUNCTION" || n["type"] == "OPERATOR_NOT") {
		for i := range children {
			children[i] = predicateForm(children[i])
		}
	}
	return n
}

// form leaves out places, puts columns on the left of comparisons, and writes
// every negation as NOT and BETWEEN as two comparisons.
func form(tree any) any {
	switch x := tree.(type) {
	case []any:
		out := make([]any, len(x))
		for i := range x {
			out[i] = form(x[i])
		}
		return out
	case node:
		out := node{}
		for k, v := range x {
			if k != "query_location" && k != "alias" {
				out[k] = form(v)
			}
		}
		return formNode(out)
	}
	return tree
}

func formNode(n node) any {
	switch n["class"] {
	case "BETWEEN":
		return conjunction("CONJUNCTION_AND", []any{
			comparison("COMPARE_GREATERTHANOREQUALTO", n["input"], n["lower"]),
			comparison("COMPARE_LESSTHANOREQUALTO", n["input"], n["upper"]),
		})
	case "CONJUNCTION":
		return conjunction(n["type"].(string), n["children"].([]any))
	case "CAST":
		return castForm(n)
	case "COMPARISON":
		if isClass(n["right"], "COLUMN_REF") && !isClass(n["left"], "COLUMN_REF") {
			return comparison(mirrored[n["type"].(string)], n["right"], n["left"])
		}
	}
	if positive := positives[name(n)]; positive != "" {
		for _, k := range []string{"type", "function_name"} {
			if n[k] == name(n) {
				n[k] = positive
			}
		}
		return not(n)
	}
	return n
}

// name is what tells operators and functions apart.
func name(n node) string {
	if f, ok := n["function_name"].(string); ok {
		return f
	}
	s, _ := n["type"].(string)
	return s
}

var positives = map[string]string{
	"COMPARE_NOT_IN": "COMPARE_IN", "OPERATOR_IS_NOT_NULL": "OPERATOR_IS_NULL", "!~~": "~~", "not_like_escape": "like_escape",
}

var mirrored = map[string]string{
	"COMPARE_EQUAL": "COMPARE_EQUAL", "COMPARE_NOTEQUAL": "COMPARE_NOTEQUAL",
	"COMPARE_LESSTHAN": "COMPARE_GREATERTHAN", "COMPARE_LESSTHANOREQUALTO": "COMPARE_GREATERTHANOREQUALTO",
	"COMPARE_GREATERTHAN": "COMPARE_LESSTHAN", "COMPARE_GREATERTHANOREQUALTO": "COMPARE_LESSTHANOREQUALTO",
}

// castForm makes TRUE and FALSE constants, which DuckDB writes as casts of 't'
// and 'f', and takes away the cast of a column to BOOLEAN before IS TRUE.
func castForm(n node) any {
	if to := n["cast_type"].(node); to["id"] != "BOOLEAN" {
		return n
	}
	child := n["child"].(node)
	if child["class"] == "COLUMN_REF" {
		return child
	}
	if value, ok := child["value"].(node); ok && (value["value"] == "t" || value["value"] == "f") {
		return truth(value["value"] == "t")
	}
	return n
}

func isClass(x any, class string) bool {
	n, ok := x.(node)
	return ok && n["class"] == class
}

func comparison(typ string, left, right any) node {
	return node{"class": "COMPARISON", "type": typ, "left": left, "right": right}
}

func truth(b bool) node {
	return node{"class": "CONSTANT", "type": "VALUE_CONSTANT", "value": node{"type": node{"id": "BOOLEAN", "type_info": nil}, "is_null": false, "value": b}}
}

func not(n node) node {
	return node{"class": "OPERATOR", "type": "OPERATOR_NOT", "children": []any{n}}
}

// conjunction joins operands, and those of an operand of the same type.
func conjunction(typ string, operands []any) node {
	var flat []any
	for _, o := range operands {
		if n := o.(node); n["type"] == typ {
			flat = append(flat, n["children"].([]any)...)
		} else {
			flat = append(flat, o)
		}
	}
	return node{"class": "CONJUNCTION", "type": typ, "children": flat}
}
