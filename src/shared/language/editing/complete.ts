import { channelOf, type Synonyms } from '../../channels/channels.ts';
import type { Knowledge, TextKind } from '../knowledge.ts';
import type { Span } from '../reader.ts';
import { rootRole } from '../tree/roles.ts';
import { readTree } from '../tree/tree.ts';
import { knownFields } from './fields.ts';
import { offerNames, type Offer } from './names.ts';
import { allParameters, offerValues } from './offer-values.ts';
import { fieldsAtStage } from './shape.ts';
import { caretContextAt } from './spot.ts';
import type { Suggestion } from './suggestion.ts';

/** The parameter that is being typed at an offset: from its {{ to its }}, where it has one. */
function parameterAt(text: string, offset: number): Span | null {
  const open = /\{\{[^{}\r\n]*$/.exec(text.slice(Math.max(0, offset - 100), offset));
  if (!open) return null;
  const rest = /^[^{}\s,]*\}\}/.exec(text.slice(offset, offset + 100));
  return { start: offset - open[0].length, end: offset + (rest?.[0].length ?? 0) };
}

/** The quotation mark at the start of a span; empty: none. */
const quoteOf = (text: string, { start, end }: Span): string =>
  end > start ? (/^["'`]/.exec(text.slice(start, start + 1))?.[0] ?? '') : '';

/** The mnemonics and names of a field's channel, so that typing one of them finds the field. */
function mnemonicsOf({ kind, label }: Offer, synonyms: Synonyms): string {
  const path = label.replaceAll(/^["'`$]+|(?<!["'`])["'`]+$/g, '');
  if (kind !== 'field' || !path.startsWith('data.')) return '';
  const channel = channelOf(path, { synonyms })?.channel;
  if (!channel) return '';
  const userNames = [...synonyms].filter(([, name]) => name === channel.name).map(([name]) => name);
  return [...userNames, ...channel.names].join(' ');
}

function toSuggestion(offer: Offer, replace: Span, quote: string, synonyms: Synonyms): Suggestion {
  const mnemonics = mnemonicsOf(offer, synonyms);
  if (quote === '' && mnemonics === '') return { ...offer, replace };
  // The editor compares text typed in quotes with the label in the same quotes.
  const label = quote === '' ? offer.label : `${quote}${offer.label.replace(/^["'`]/, '')}`;
  return { ...offer, replace, matches: mnemonics === '' ? label : `${label} ${mnemonics}` };
}

/**
 * The suggestions at an offset, most useful first: fields with type and example, operators, stages,
 * accumulators, and parameters by context, sample values, wells by name for their asset ids. Pure; never
 * throws.
 */
export function complete(text: string, kind: TextKind, offset: number, knowledge: Knowledge): Suggestion[] {
  const tree = readTree(text);
  const spot = caretContextAt(tree, rootRole(kind), offset);
  const parameter = parameterAt(text, offset);
  if (parameter && (!spot || quoteOf(text, spot.replace) === ''))
    return tree.comments.some(({ start, end }) => start < offset && offset <= end)
      ? []
      : allParameters.map((offer) => ({ ...offer, replace: parameter }));
  if (!spot) return [];
  const allFields = knownFields(knowledge);
  const fields = spot.pipeline
    ? fieldsAtStage(text, spot.pipeline.list, spot.pipeline.stage, allFields)
    : allFields;
  const offers =
    spot.at === 'name' ? offerNames(spot, fields, knowledge) : offerValues(spot.role, fields, knowledge);
  const quote = quoteOf(text, spot.replace);
  return offers.map((offer) => toSuggestion(offer, spot.replace, quote, knowledge.synonyms));
}
