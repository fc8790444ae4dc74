import { askTypes, type AskType } from './answers.ts';
import { suggestMoment, parseMoment, type Moment } from './moments.ts';
import { nearestWord } from './nearest.ts';

export type Parameter =
  /** `{{wells}}`: the asset ids of the selected wells. */
  | { readonly kind: 'wells' }
  /** `{{company}}`: the id of the company. */
  | { readonly kind: 'company' }
  /** `{{now-24h}}`, `{{today@America/Chicago}}`. */
  | { readonly kind: 'moment'; readonly moment: Moment }
  /** `{{ask:depth:number}}`: entered before the query runs. */
  | { readonly kind: 'ask'; readonly name: string; readonly type: AskType | null };

const kinds = ['wells', 'company', 'now', 'today', 'ask'];

function parseAsk(written: string): Parameter | string {
  const [word = '', name = '', type, ...rest] = written.split(':').map((part) => part.trim());
  if (word.toLowerCase() !== 'ask' || name === '' || rest.length > 0)
    return 'Write the parameter as {{ask:name}} or {{ask:name:number}}.';
  if (type === undefined) return { kind: 'ask', name, type: null };
  const knownType = askTypes.find((askType) => askType === type.toLowerCase());
  if (knownType) return { kind: 'ask', name, type: knownType };
  const suggestion = nearestWord(type, askTypes);
  const hint = suggestion ? `Did you mean ${suggestion}?` : `Write one of ${askTypes.join(', ')}.`;
  return `${type || 'Nothing after the second colon'} isn't a parameter type. ${hint}`;
}

/** Parses a parameter; a returned string is the problem. */
export function parseParameter(written: string): Parameter | string {
  const text = written.trim();
  if (/^wells$/i.test(text)) return { kind: 'wells' };
  if (/^company$/i.test(text)) return { kind: 'company' };
  if (/^ask(?!\w)/i.test(text)) return parseAsk(text);
  const moment = parseMoment(text);
  if (moment !== undefined) return typeof moment === 'string' ? moment : { kind: 'moment', moment };
  const suggestion = suggestMoment(text) ?? nearestWord(text.replace(/:.*$/s, ''), kinds);
  const hint = suggestion
    ? `Did you mean {{${suggestion}}}?`
    : 'Parameters are {{wells}}, {{company}}, {{now-24h}}, {{today}}, and {{ask:name}}.';
  return `{{${text}}} isn't a parameter. ${hint}`;
}

/** Whether a text between braces is a parameter, valid or not. */
export function looksLikeParameter(written: string): boolean {
  return /^\s*(?:wells|company|now|today|ask)(?!\w)/i.test(written);
}
