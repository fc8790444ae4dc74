/** A value of a line above rows, such as `WELLNAME A-1`, which holds for these rows. */
export interface BlockValue {
  readonly name: string;
  readonly value: string;
}

const word = /^\p{L}[\p{L}\d _./-]{0,39}$/u;
const pair = /^(\p{L}[^:=]{0,39})[:=](.+)$/u;
const wordAndRest = /^(\p{L}[\p{L}\d_]{0,39})\s+(\S.*)$/u;
/** Names of values without a colon behind them. */
const usual =
  /^(?:well|wellname|well name|well id|uwi|api|date|time|field|run|bore|wellbore|well bore|rig|company|zone|test|sample|stage|interval|pass)$/i;

const pageNumber = /[\s,;(-]{0,4}\bpage\s{1,4}\d{1,6}(?:\s{0,4}(?:of|\/)\s{0,4}\d{1,6})?\)?$/iu;

/** Whether a text is the number of a page, such as `page 2 of 7`. */
export const isPageNumber = (text: string): boolean => pageNumber.exec(text)?.index === 0;

/** The name and value of a row that has nothing else; null: any other row. */
export function blockValueOf(cells: readonly string[]): BlockValue | null {
  const texts: string[] = [];
  for (const cell of cells) {
    const text = cell.trim();
    if (text !== '' && texts.push(text) > 2) return null;
  }
  const [first = '', second] = texts;
  if (second === undefined) {
    const [, name = '', value = ''] = pair.exec(first) ?? wordAndRest.exec(first) ?? [];
    const isNamed = first.includes(':') || first.includes('=') || usual.test(name);
    const plain = value.trim().replace(pageNumber, '');
    return isNamed && plain !== '' ? { name: name.trim(), value: plain } : null;
  }
  const name = first.replace(/\s*[:=]$/, '');
  const isNamed = name !== first || usual.test(name);
  return isNamed && word.test(name) ? { name, value: second } : null;
}
