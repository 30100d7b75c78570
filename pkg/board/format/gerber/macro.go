package gerber

import (
	"bytes"
	"regexp"
	"strings"

	"boardorder/pkg/board/pcb"
)

// macro is a compiled aperture macro.
type macro struct {
	name  string
	steps []step
	line  int
}

// step is a variable's assignment or a primitive.
type step struct {
	assign int // $n, or 0 for a primitive
	code   int
	args   [][]instr
	line   int
}

// cost is how much work it is to carry the step out.
func (s *step) cost() int {
	n := 2
	for _, a := range s.args {
		n += 1 + len(a)
	}
	return n
}

// maxSteps bounds the statements of a macro.
const maxSteps = 10_000

// macroDefinition reads AM up to its closing percent sign.
func (r *reader) macroDefinition(line int) {
	m := &macro{line: line}
	first := true
	for r.pos < len(r.data) {
		r.blank()
		if r.pos >= len(r.data) {
			break
		}
		if r.data[r.pos] == '%' {
			r.keepMacro(m)
			return
		}
		if !first && !macroStarts(r.data[r.pos]) {
			r.keepMacro(m) // the caller reports the missing percent sign
			return
		}
		start := r.line
		rest := r.data[r.pos:]
		end := statementEnd(rest[:min(len(rest), maxBody)], first)
		if end < 0 {
			r.pos = len(r.data)
			break
		}
		body := joinLines(rest[:end])
		r.line += countLines(rest[:end])
		r.pos += end
		if rest[end] == '*' {
			r.pos++
		}
		if first {
			m.name, first = strings.TrimSpace(body), false
			continue
		}
		r.macroStep(m, strings.TrimSpace(body), start)
	}
	r.keepMacro(m)
	r.find(pcb.Problem, "truncated", "", line, "the file ends in the middle of the aperture macro %q", clip([]byte(m.name)))
}

// statementEnd finds the asterisk (or percent sign) that ends a macro's statement.
// A comment may hold asterisks of its own: the first counts after which a statement
// begins, or the line's last one.
func statementEnd(s []byte, name bool) int {
	end := bytes.IndexAny(s, "*%")
	if name || end < 2 || s[0] != '0' || s[1] != ' ' || s[end] != '*' {
		return end
	}
	eol := bytes.IndexAny(s, "\r\n%")
	for eol > end && !statement.Match(s[end+1:eol]) {
		next := bytes.IndexByte(s[end+1:eol], '*')
		if next < 0 {
			break
		}
		end += 1 + next
	}
	return end
}

// statement is how a primitive, an assignment or another comment begins.
var statement = regexp.MustCompile(`^\s*(\d+\s*,|\$\d+\s*=|0 )`)

func macroStarts(c byte) bool { return c >= '0' && c <= '9' || c == '$' || c == '-' || c == '*' }

func (r *reader) keepMacro(m *macro) {
	if _, again := r.macros[m.name]; again {
		r.find(pcb.Note, "macro_redefined", m.name, m.line, "aperture macro %q is defined again", clip([]byte(m.name)))
	}
	r.macros[m.name] = m
}

// macroStep compiles one statement of a macro.
func (r *reader) macroStep(m *macro, s string, line int) {
	if s == "" || len(m.steps) >= maxSteps {
		return
	}
	if s[0] == '$' {
		r.assignment(m, s, line)
		return
	}
	if s[0] == '0' { // a comment
		return
	}
	st := step{line: line}
	for i, part := range strings.Split(s, ",") {
		if i == 0 {
			st.code = int(leadingFloat(part, -1))
			continue
		}
		if strings.TrimSpace(part) == "" {
			st.args = append(st.args, nil)
			continue
		}
		code, ok := compileExpression(part)
		if !ok {
			r.find(pcb.Problem, "bad_macro", m.name, line, "aperture macro %q has an expression that cannot be read: %q",
				clip([]byte(m.name)), clip([]byte(part)))
		}
		st.args = append(st.args, code)
	}
	m.steps = append(m.steps, st)
}

func (r *reader) assignment(m *macro, s string, line int) {
	left, right, ok := strings.Cut(s, "=")
	n := int(leadingFloat(strings.TrimPrefix(left, "$"), 0))
	code, fine := compileExpression(right)
	if !ok || !fine || n < 1 || n > maxVariable {
		r.find(pcb.Problem, "bad_macro", m.name, line, "aperture macro %q has a statement that cannot be read: %q",
			clip([]byte(m.name)), clip([]byte(s)))
		return
	}
	m.steps = append(m.steps, step{assign: n, args: [][]instr{code}, line: line})
}

// instantiate makes the aperture of a macro with its parameters.
func (r *reader) instantiate(m *macro, par []float64, code, line int) pcb.Aperture {
	vars := make([]float64, 1, len(par)+8)
	vars = append(vars, par[:min(len(par), maxVariable)]...)
	var b macroBuilder
	b.unit = float64(r.scale.unit)
	for _, st := range m.steps {
		if !r.meter.Spend(pcb.Lookups, st.cost()) {
			break
		}
		args := make([]float64, len(st.args))
		for i, e := range st.args {
			if e == nil {
				continue
			}
			v, ok := evaluate(e, vars)
			if !ok {
				r.find(pcb.Problem, "bad_macro", m.name, st.line, "aperture macro %q divides by zero or yields no number", clip([]byte(m.name)))
			}
			args[i] = v
		}
		if st.assign > 0 {
			for len(vars) <= st.assign {
				vars = append(vars, 0)
			}
			if len(args) > 0 {
				vars[st.assign] = args[0]
			}
			continue
		}
		why := b.add(st.code, args)
		if !r.meter.Spend(pcb.Primitives, b.countNewCorners()) {
			break
		}
		if why != "" {
			r.find(pcb.Problem, "bad_macro", m.name+why, st.line, "aperture macro %q: %s", clip([]byte(m.name)), why)
		}
	}
	if len(b.out) == 0 {
		r.find(pcb.Note, "empty_aperture", m.name, line, "aperture D%d, macro %q, draws nothing", code, clip([]byte(m.name)))
	}
	return pcb.Custom(m.name, b.out)
}
