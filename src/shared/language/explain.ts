import { quote } from './reader.ts';
import { filledTemplate } from './texts.ts';
import { sceneAt, unexpected, type Scene } from './unexpected.ts';

/** What is wrong, and where the piece begins that is. */
interface Explanation {
  readonly at: number;
  readonly message: string;
}

// Words of the parser's language that a person means as text, and that leave it waiting for more.
const keywords = /^(?:delete|typeof|void|new|await|async|class|function|import|super)$/;

function number({ text, here, last }: Scene): string {
  // Of "0x" the parser complains behind the piece.
  const piece = here?.kind === 'word' ? here : (last[0] ?? here);
  const said = piece ? quote(text, piece) : '';
  if (/^\d{4}-\d{1,2}-\d{1,2}/.test(said)) return `A date needs quotes. Did you mean ISODate("${said}")?`;
  if (/^[+-]?0\d+$/.test(said)) {
    return `${said} begins with a 0. Leave the 0 out, or put it in quotes if it is text.`;
  }
  return `${said} is not a number. If it is text, put it in quotes: "${said}".`;
}

function character(text: string, at: number): string {
  const char = String.fromCodePoint(text.codePointAt(at) ?? 0);
  if (/[“”„«»‘’‚]/.test(char)) return `${char} is not a quote that JSON knows. Use straight quotes: "…".`;
  return `The character ${char} can't stand here. If it belongs to a text, put the text in quotes.`;
}

function unterminated(text: string, at: number, said: string): string {
  if (/string/.test(said)) return `This text has no closing quote. Add ${text[at] ?? '"'} at its end.`;
  if (/template/.test(said)) return 'This text has no closing backtick. Add ` at its end.';
  return 'This comment is not closed. Add */ at its end.';
}

function regularExpression(said: string): string {
  if (/^unterminated/i.test(said)) {
    return 'This regular expression has no closing /. Add it, or put the text in quotes.';
  }
  const why = said.replace(/^.*\/: /, '');
  return `This regular expression can't be read (${why}). Correct it, or write {$regex: "…"}.`;
}

// The parser's own words, and what to say instead; everything else is a piece in the wrong place.
const rules: readonly (readonly [RegExp, (scene: Scene, said: string) => string])[] = [
  [/regular expression/i, (_scene, said) => regularExpression(said)],
  [/__proto__/, () => "__proto__ can't be a field name. Leave it out."],
  [/rvalue|assign/i, () => 'Nothing is assigned here. Write a colon instead of =.'],
  [/stack space/, () => 'This chain of signs is too long to be read. Write the value itself.'],
  [/number|numeric|octal/i, number],
];

/**
 * In a person's words: what the parser stumbled over at an offset, and what to do.
 * @param said the parser's own words, without the place
 */
export function explain(text: string, at: number, said: string): Explanation {
  if (/^unterminated (?!regular)/i.test(said)) return { at, message: unterminated(text, at, said) };
  const scene = sceneAt(text, at);
  const [previous] = scene.last;
  const start = scene.here?.start ?? at;
  const hash = text[at - 1] === '#' ? at - 1 : start;
  if (text[hash] === '#') {
    return { at: hash, message: 'The sign # begins no comment here. Write // before a comment.' };
  }
  if (/^unexpected character/i.test(said)) return { at, message: character(text, at) };
  if (/shorthand/i.test(said))
    return { at, message: 'The sign = is not known here. Write a colon instead of =.' };
  const word = previous ? quote(text, previous) : '';
  if (previous && keywords.test(word)) {
    return { at: previous.start, message: `${word} can't stand here as it is. Put it in quotes: "${word}".` };
  }
  if (scene.here?.kind === 'text' && /escape|octal|code point/i.test(said)) {
    return { at, message: "This escape can't be read. Write \\\\ for a backslash." };
  }
  if (scene.here?.kind === 'text' && text[start] === '`') return { at: start, message: filledTemplate };
  const message = rules.find(([pattern]) => pattern.test(said))?.[1] ?? unexpected;
  return { at: start, message: message(scene, said) };
}
