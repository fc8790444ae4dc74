/** A mistake in an expression: where it is, and what to do. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
  /** The characters of the expression that are wrong; `to` is exclusive. */
  readonly from: number;
  readonly to: number;

  constructor(message: string, { from, to }: Span) {
    super(message);
    this.from = from;
    this.to = to;
  }
}

/** A part of the text of an expression; `to` is exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The operators between two values, with how strongly they bind. */
const strengths = {
  or: 1,
  and: 2,
  '=': 4,
  '!=': 4,
  '<': 4,
  '<=': 4,
  '>': 4,
  '>=': 4,
  '+': 5,
  '-': 5,
  '*': 6,
  '/': 6,
  '^': 8,
} as const;
const notStrength = 3;
const minusStrength = 7;
export type BinaryOperator = keyof typeof strengths;
const isOperator = (text: string): text is BinaryOperator => Object.hasOwn(strengths, text);

export type Expression = Span &
  (
    | { readonly kind: 'number'; readonly value: number; readonly unit: string | null }
    | { readonly kind: 'name'; readonly name: string }
    | { readonly kind: 'unary'; readonly operator: '-' | 'not'; readonly of: Expression }
    | {
        readonly kind: 'binary';
        readonly operator: BinaryOperator;
        readonly left: Expression;
        readonly right: Expression;
      }
    | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
  );

interface Token extends Span {
  readonly kind: 'number' | 'name' | 'quoted' | 'sign' | 'end';
  readonly text: string;
}

const tokenPattern =
  /\s*(?:(?<number>(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)|(?<name>[\p{L}_][\p{L}\p{N}_.]*)|"(?<quoted>[^"]*)"|(?<sign><=|>=|!=|<>|==|[-+*/^(),=<>]))/iuy;

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (text.slice(at).trim() !== '') {
    tokenPattern.lastIndex = at;
    const match = tokenPattern.exec(text);
    if (!match) {
      const from = text.length - text.slice(at).trimStart().length;
      const hint = text[from] === '"' ? 'Close the name with another quotation mark.' : 'Remove it.';
      throw new ExpressionError(`“${text[from] ?? ''}” has no meaning here. ${hint}`, { from, to: from + 1 });
    }
    const to = tokenPattern.lastIndex;
    const { number, name, quoted, sign } = match.groups ?? {};
    const [kind, value]: [Token['kind'], string] =
      number !== undefined
        ? ['number', number]
        : name !== undefined
          ? ['name', name]
          : quoted !== undefined
            ? ['quoted', quoted]
            : ['sign', sign ?? ''];
    const length = kind === 'quoted' ? value.length + 2 : value.length;
    tokens.push({ kind, text: value, from: to - length, to });
    at = to;
  }
  return tokens;
}

const maxDepth = 100;

const spellings: Readonly<Record<string, BinaryOperator>> = { '==': '=', '<>': '!=' };
const words = new Set(['and', 'or', 'not']);

function operatorOf({ kind, text }: Token): BinaryOperator | undefined {
  if (kind !== 'sign' && kind !== 'name') return undefined;
  const lower = spellings[text] ?? text.toLowerCase();
  return isOperator(lower) ? lower : undefined;
}

function tokenReader(text: string) {
  const tokens = tokensOf(text);
  let at = 0;
  const end: Token = { kind: 'end', text: '', from: text.length, to: text.length };
  const current = (): Token => tokens[at] ?? end;
  const take = (): Token => tokens[at++] ?? end;
  const isSign = (sign: string): boolean => current().kind === 'sign' && current().text === sign;
  function expect(sign: string, message: string): Token {
    if (!isSign(sign)) throw new ExpressionError(message, current());
    return take();
  }
  return { current, take, isSign, expect };
}

/** Reads an expression. @throws ExpressionError with the place of a mistake */
export function parseExpression(text: string): Expression {
  const { current, take, isSign, expect } = tokenReader(text);
  function expression(minStrength: number, depth: number): Expression {
    if (depth > maxDepth) throw new ExpressionError('The expression is nested too deeply.', current());
    let left = operand(depth);
    for (;;) {
      const operator = operatorOf(current());
      if (!operator || strengths[operator] < minStrength) return left;
      take();
      // A power binds to the right: 2 ^ 3 ^ 2 is 2 ^ 9.
      const right = expression(strengths[operator] + (operator === '^' ? 0 : 1), depth + 1);
      left = { kind: 'binary', operator, left, right, from: left.from, to: right.to };
    }
  }

  function operand(depth: number): Expression {
    const token = take();
    const { kind, from, to } = token;
    if (kind === 'number') return numberOf(token);
    if (kind === 'quoted') return { kind: 'name', name: token.text, from, to };
    if (kind === 'sign' && token.text === '-') {
      const of = expression(minusStrength, depth + 1);
      return { kind: 'unary', operator: '-', of, from, to: of.to };
    }
    if (kind === 'sign' && token.text === '(') {
      const inner = expression(0, depth + 1);
      expect(')', 'A closing parenthesis is missing. Add “)”.');
      return inner;
    }
    if (kind === 'name' && token.text.toLowerCase() === 'not') {
      const of = expression(notStrength, depth + 1);
      return { kind: 'unary', operator: 'not', of, from, to: of.to };
    }
    if (kind === 'name' && !words.has(token.text.toLowerCase()))
      return isSign('(') ? callOf(token, depth) : { kind: 'name', name: token.text, from, to };
    const mistake = kind === 'end' ? 'The expression ends too early.' : `“${token.text}” can’t be here.`;
    throw new ExpressionError(`${mistake} Enter a column, a number, or a function.`, token);
  }

  function numberOf({ text: digits, from, to }: Token): Expression {
    const token = current();
    const isUnit = token.kind === 'name' && !words.has(token.text.toLowerCase());
    if (isUnit) take();
    return {
      kind: 'number',
      value: Number(digits),
      unit: isUnit ? token.text : null,
      from,
      to: isUnit ? token.to : to,
    };
  }

  function callOf({ text: name, from }: Token, depth: number): Expression {
    take();
    const args: Expression[] = [];
    while (!isSign(')')) {
      if (args.length > 0) expect(',', 'Add a comma between arguments, or close them by “)”.');
      args.push(expression(0, depth + 1));
    }
    return { kind: 'call', name, args, from, to: take().to };
  }

  const parsed = expression(0, 0);
  if (current().kind !== 'end')
    throw new ExpressionError(
      `“${current().text}” can’t follow here. Put an operator such as + or * before it, or remove it.`,
      current(),
    );
  return parsed;
}
