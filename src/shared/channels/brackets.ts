const opening = '([{';
const closing = ')]}';

const endsWithBracket = (text: string): boolean => text !== '' && closing.includes(text.at(-1) ?? ' ');

/** A text without blanks and one pair of brackets around it. */
export function withoutBrackets(text: string): string {
  const trimmed = text.trim();
  const isInside = trimmed.length > 1 && opening.includes(trimmed.charAt(0)) && endsWithBracket(trimmed);
  return isInside ? trimmed.slice(1, -1).trim() : trimmed;
}

/** A text that ends with a pair of brackets, such as `ROP (ft/h)`: what is before them, and what is inside. */
interface BracketedEnd {
  readonly before: string;
  readonly inside: string;
}

/** The brackets at the end of a text and what is before them; null: it doesn't end with a pair that has content. */
export function bracketedEnd(text: string): BracketedEnd | null {
  const trimmed = text.trim();
  if (!endsWithBracket(trimmed)) return null;
  const open = Math.max(trimmed.lastIndexOf('('), trimmed.lastIndexOf('['), trimmed.lastIndexOf('{'));
  const inside = trimmed.slice(open + 1, -1).trim();
  if (open < 0 || inside === '' || /[)\]}]/.test(inside)) return null;
  return { before: trimmed.slice(0, open).trim(), inside };
}
