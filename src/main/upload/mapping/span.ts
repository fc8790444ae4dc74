import type { ColumnFacts } from '../reading/column-facts.ts';
import { converter } from './convert.ts';
import type { Conversion } from '../model/rules.ts';

const zoneOf = (text: string): string => /(?:Z|[+-]\d\d(?::?\d\d)?)$/.exec(text.slice(10))?.[0] ?? '';

/** The texts of the smallest and the largest cell; null where their order as text is not that of their values. */
function extremes(facts: ColumnFacts, conversion: Conversion): { from: string; to: string } | null {
  const { min, max, minComma, maxComma, minText, maxText } = facts;
  const pair = (from: string | undefined | null, to: string | undefined | null) =>
    from === undefined || from === null || to === undefined || to === null ? null : { from, to };
  switch (conversion.kind) {
    case 'number':
    case 'integer':
      return conversion.style.decimal === ','
        ? pair(minComma?.text, maxComma?.text)
        : pair(min?.text, max?.text);
    case 'time': {
      if (conversion.as !== 'ms') return null;
      if (conversion.format !== 'iso')
        return conversion.format.startsWith('unix_') ? pair(min?.text, max?.text) : null;
      const found = pair(minText, maxText);
      return found && zoneOf(found.from) === zoneOf(found.to) ? found : null;
    }
    case 'string':
    case 'boolean':
    case 'asset':
    default:
      return null;
  }
}

/** The smallest and the largest value that a column brings, as JSON texts; null where that can't be told. */
export function spanOf(facts: ColumnFacts, conversion: Conversion): { from: string; to: string } | null {
  const texts = extremes(facts, conversion);
  if (!texts) return null;
  const convert = converter(conversion, []);
  const from = convert(texts.from, { twice: 0 });
  const to = convert(texts.to, { twice: 0 });
  return typeof from === 'string' && typeof to === 'string' ? { from, to } : null;
}
