import { askTypes, type AskType } from './answers.ts';
import { momentMeant, parseMoment, type Moment } from './moments.ts';
import { nearest } from './nearest.ts';

/** What can stand between {{ and }}. */
export type Parameter =
  /** `{{wells}}`: the asset ids of the chosen wells. */
  | { readonly kind: 'wells' }
  /** `{{company}}`: the id of the company. */
  | { readonly kind: 'company' }
  /** `{{now-24h}}`, `{{today@America/Chicago}}`. */
  | { readonly kind: 'moment'; readonly moment: Moment }
  /** `{{ask:depth:number}}`: asked before the query runs. */
  | { readonly kind: 'ask'; readonly name: string; readonly type: AskType | null };

const kinds = ['wells', 'company', 'now', 'today', 'ask'];

function parseAsk(written: string): Parameter | string {
  const [word = '', name = '', type, ...rest] = written.split(':').map((part) => part.trim());
  if (word.toLowerCase() !== 'ask' || name === '' || rest.length > 0)
    return 'Write the parameter as {{ask:name}} or {{ask:name:number}}.';
  if (type === undefined) return { kind: 'ask', name, type: null };
  const known = askTypes.find((one) => one === type.toLowerCase());
  if (known) return { kind: 'ask', name, type: known };
  const meant = nearest(type, askTypes);
  const hint = meant ? `Did you mean ${meant}?` : `Write one of ${askTypes.join(', ')}.`;
  return `${type || 'Nothing after the second colon'} isn't a parameter type. ${hint}`;
}

/** Reads what stands between {{ and }}; a text is what is wrong with it. */
export function parseParameter(written: string): Parameter | string {
  const text = written.trim();
  if (/^wells$/i.test(text)) return { kind: 'wells' };
  if (/^company$/i.test(text)) return { kind: 'company' };
  if (/^ask(?!\w)/i.test(text)) return parseAsk(text);
  const moment = parseMoment(text);
  if (moment !== undefined) return typeof moment === 'string' ? moment : { kind: 'moment', moment };
  const meant = momentMeant(text) ?? nearest(text.replace(/:.*$/s, ''), kinds);
  const hint = meant
    ? `Did you mean {{${meant}}}?`
    : 'Parameters are {{wells}}, {{company}}, {{now-24h}}, {{today}}, and {{ask:name}}.';
  return `{{${text}}} isn't a parameter. ${hint}`;
}

/** Whether what stands between braces was meant as a parameter, well written or not. */
export function isMeantAsParameter(written: string): boolean {
  return /^\s*(?:wells|company|now|today|ask)(?!\w)/i.test(written);
}
