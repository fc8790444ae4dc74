import type { ComboOption } from '../../ui/combo-box.tsx';
import { namesOfField, type Scope } from '../../../shared/calculated/compile.ts';
import { calculationFunctions } from '../../../shared/calculated/functions.ts';
import { unitText } from '../../../shared/calculated/measures.ts';

const maxProposals = 12;
const plainName = /^[\p{L}_][\p{L}\p{N}_.]*$/u;
const wordBefore = /[\p{L}_][\p{L}\p{N}_.]*$/u;

/** The start of the word before a place; the place itself if there is none. */
export const wordStart = (text: string, at: number): number =>
  wordBefore.exec(text.slice(0, at))?.index ?? at;

const written = (name: string): string => (plainName.test(name) ? name : `"${name}"`);

const noted = (note: string | null | undefined) => (note === null || note === undefined ? {} : { note });

/** The columns and functions of an expression: each column by its short name, if that is the name of one. */
export function expressionWords({ fields, columns }: Scope): readonly ComboOption[] {
  const numeric = fields.filter(({ values }) => values !== 'other');
  const shortNameOf = (field: (typeof fields)[number]) => namesOfField(field).at(-1) ?? field.id;
  const shortNames = fields.map(shortNameOf);
  return [
    ...[...columns].map(([name, { measure }]) => ({
      id: written(name),
      text: name,
      ...noted(unitText(measure)),
    })),
    ...numeric.map((field) => {
      const short = shortNameOf(field);
      const name = shortNames.filter((other) => other === short).length === 1 ? short : field.id;
      return { id: written(name), text: name, ...noted(field.unit) };
    }),
    ...Object.entries(calculationFunctions).map(([name, { help }]) => ({
      id: `${name}(`,
      text: name,
      // The help is an example and its meaning, perhaps with another example.
      ...noted(help.split(/: |; /)[1]),
    })),
  ];
}

/** The words that fit what is typed before a place: first those that begin with it. */
export function proposalsAt(text: string, at: number, words: readonly ComboOption[]): readonly ComboOption[] {
  const typed = text.slice(wordStart(text, at), at).toLowerCase();
  if (typed === '') return [];
  const fitting = words.filter(
    ({ id, text: word }) => word.toLowerCase().includes(typed) && id.toLowerCase() !== typed,
  );
  const isFirst = ({ text: word }: ComboOption) => word.toLowerCase().startsWith(typed);
  return [...fitting.filter(isFirst), ...fitting.filter((word) => !isFirst(word))].slice(0, maxProposals);
}
