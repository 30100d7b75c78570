package gerber

import (
	"math"
	"strconv"
)

// instr is one step of an expression in postfix order: a number, a variable or
// an operator.
type instr struct {
	op    byte // 'n' number, '$' variable, '~' negate, else the operator
	value float64
	index int
}

// maxVariable bounds $n, maxExpression the steps of one expression.
const (
	maxVariable   = 1000
	maxExpression = 10_000
)

func precedence(op byte) int {
	switch op {
	case '+', '-':
		return 1
	case 'x', '/':
		return 2
	case '~':
		return 3
	}
	return 0 // parenthesis
}

// compileExpression turns an arithmetic expression of a macro into postfix
// order, without recursion; false when it cannot be read.
func compileExpression(s string) ([]instr, bool) {
	var out []instr
	var ops []byte
	operand := true // an operand is expected next
	for i := 0; i < len(s); {
		if len(out)+len(ops) > maxExpression {
			return nil, false
		}
		c := s[i]
		switch {
		case c <= ' ':
			i++
		case c >= '0' && c <= '9' || c == '.' || c == '$':
			in, n := operandAt(s[i:])
			if n == 0 || !operand {
				return nil, false
			}
			out, i, operand = append(out, in), i+n, false
		case c == '(':
			ops, i = append(ops, c), i+1
		case c == ')':
			for len(ops) > 0 && ops[len(ops)-1] != '(' {
				out, ops = append(out, instr{op: ops[len(ops)-1]}), ops[:len(ops)-1]
			}
			if len(ops) == 0 || operand {
				return nil, false
			}
			ops, i = ops[:len(ops)-1], i+1
		default:
			op, ok := operator(c, operand)
			if !ok {
				return nil, false
			}
			i++
			if op == 0 {
				continue // unary plus
			}
			for !operand && len(ops) > 0 && precedence(ops[len(ops)-1]) >= precedence(op) {
				out, ops = append(out, instr{op: ops[len(ops)-1]}), ops[:len(ops)-1]
			}
			ops, operand = append(ops, op), true
		}
	}
	for ; len(ops) > 0; ops = ops[:len(ops)-1] {
		if ops[len(ops)-1] != '(' { // an open parenthesis is forgiven
			out = append(out, instr{op: ops[len(ops)-1]})
		}
	}
	return out, !operand
}

// operator reads an operator; unary tells that an operand was expected. A unary
// plus is 0.
func operator(c byte, unary bool) (byte, bool) {
	switch {
	case unary && c == '-':
		return '~', true
	case unary && c == '+':
		return 0, true
	case unary:
		return 0, false
	case c == 'x' || c == 'X' || c == '*':
		return 'x', true
	case c == '+' || c == '-' || c == '/':
		return c, true
	}
	return 0, false
}

// operandAt reads the number or variable that s starts with, and its length.
func operandAt(s string) (instr, int) {
	if s[0] == '$' {
		d := digits(s[1:])
		v, err := strconv.Atoi(d)
		if err != nil || v > maxVariable {
			return instr{}, 0
		}
		return instr{op: '$', index: v}, 1 + len(d)
	}
	n := 0
	for n < len(s) && (s[n] >= '0' && s[n] <= '9' || s[n] == '.') {
		n++
	}
	if n+1 < len(s) && (s[n] == 'e' || s[n] == 'E') {
		m := n + 1
		if s[m] == '-' || s[m] == '+' {
			m++
		}
		if d := len(digits(s[m:])); d > 0 {
			n = m + d
		}
	}
	v, err := strconv.ParseFloat(s[:n], 64)
	if err != nil || math.IsInf(v, 0) {
		return instr{}, 0
	}
	return instr{op: 'n', value: v}, n
}

// evaluate computes a compiled expression; false on a division by zero or a
// result that is no number. Variables never set are 0.
func evaluate(code []instr, vars []float64) (float64, bool) {
	var fixed [16]float64
	stack := fixed[:0]
	ok := true
	for _, in := range code {
		n := len(stack)
		switch in.op {
		case 'n':
			stack = append(stack, in.value)
		case '$':
			v := 0.0
			if in.index < len(vars) {
				v = vars[in.index]
			}
			stack = append(stack, v)
		case '~':
			if n < 1 {
				return 0, false
			}
			stack[n-1] = -stack[n-1]
		default:
			if n < 2 {
				return 0, false
			}
			v, fine := apply(in.op, stack[n-2], stack[n-1])
			ok = ok && fine
			stack = append(stack[:n-2], v)
		}
	}
	if len(stack) != 1 || math.IsNaN(stack[0]) || math.IsInf(stack[0], 0) {
		return 0, false
	}
	return stack[0], ok
}

func apply(op byte, a, b float64) (float64, bool) {
	switch op {
	case '+':
		return a + b, true
	case '-':
		return a - b, true
	case 'x':
		return a * b, true
	}
	if b == 0 {
		return 0, false
	}
	return a / b, true
}
