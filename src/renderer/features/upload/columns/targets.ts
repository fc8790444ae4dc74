import { channelOf, type Synonyms } from '../../../../shared/channels/channels.ts';
import { channelName } from '../../../../shared/channels/plain-names.ts';
import { symbolText } from '../../../../shared/channels/units.ts';
import type { UploadMatch } from '../../../../shared/upload/preview.ts';
import type { UploadField } from '../../../../shared/upload/proposals.ts';
import type { ComboOption } from '../../../ui/combo-box.tsx';
import { useTab, useTabState } from '../../../contexts.ts';
import { uploadWords } from '../../../words/upload.ts';
import { useSynonyms } from '../../settings/use-synonyms.ts';
import type { UploadTabState } from '../upload-state.ts';
import { fieldName } from './fields.ts';

const w = uploadWords.columns;
/** The id of the option that skips a column. */
export const skipTarget = '\u0000';
/** Further fields are shown for a longer text. */
const maxShown = 100;

const fieldsOf = ({ proposals }: Pick<UploadTabState, 'proposals'>): readonly UploadField[] =>
  proposals.status === 'loaded' ? proposals.value.fields : [];

/** A field to select, and the texts by which it can be searched, the most important first. */
interface Target {
  readonly option: ComboOption;
  readonly searchTexts: readonly string[];
}

/** A field with its unit and its meaning: its description, else that of its name or mnemonic. */
function toTarget({ path, unit, description = '' }: UploadField, synonyms: Synonyms): Target {
  const meaning = channelOf(path, { unit, synonyms });
  const channel = meaning?.isSure ? meaning.channel : null;
  const statistic = meaning?.statistic == null ? '' : ` ${meaning.statistic}`;
  const title = description || (channel ? `${channelName(channel.name)}${statistic}` : '');
  const name = fieldName(path);
  const notes = [...(name === path ? [] : [path]), ...(unit === undefined ? [] : [symbolText(unit)]), title];
  const note = notes.filter((note) => note !== '').join(' · ');
  return {
    option: { id: path, text: name, ...(note === '' ? {} : { note }) },
    searchTexts: [`${name}\n${path.replaceAll('_', ' ')}\n${path}`, note, (channel?.names ?? []).join('\n')],
  };
}

/**
 * The fields to which a column can go: those of the envelope, then those of the dataset.
 * @param typed the text that they are searched by: name, description, mnemonic, or unit
 */
export function targetOptions(
  { targets }: Pick<UploadMatch, 'targets'>,
  fields: readonly UploadField[],
  typed: string,
  synonyms: Synonyms,
): ComboOption[] {
  const fieldsByPath = new Map(fields.map((field) => [field.path, field]));
  const envelope = targets.map((path) => fieldsByPath.get(path) ?? { path });
  const otherFields = fields.filter(({ path }) => !targets.includes(path));
  const searchText = typed.trim().toLowerCase();
  const rank = ({ searchTexts }: Target) =>
    searchTexts.findIndex((text) => text.toLowerCase().includes(searchText));
  const fitting = [...envelope, ...otherFields]
    .map((field) => toTarget(field, synonyms))
    .filter((target) => rank(target) >= 0)
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, maxShown)
    .map(({ option }) => option);
  const isSkip = w.leaveOut.toLowerCase().includes(searchText);
  return [...fitting, ...(isSkip ? [{ id: skipTarget, text: w.leaveOut }] : [])];
}

/** The path that a person means: that of an option, or a name that the dataset has below `data`. */
export function meantPath(
  typed: string,
  { targets }: Pick<UploadMatch, 'targets'>,
  fields: readonly Pick<UploadField, 'path'>[],
): string {
  const inData = `data.${typed}`;
  const isPath = targets.includes(typed) || fields.some(({ path }) => path === typed);
  return !isPath && fields.some(({ path }) => path === inData) ? inData : typed;
}

export function useTargets() {
  const { store, actions } = useTab('upload');
  const synonyms = useSynonyms();
  // The name of a field changes with the type of the dataset only.
  const fields = useTabState('upload', ({ match }) => match.value?.fields);
  const nameOf = (path: string) => (fields?.some((field) => field.path === path) ? fieldName(path) : path);
  return {
    find: (typed: string): ComboOption[] => {
      const { match } = store.getState();
      return match.value ? targetOptions(match.value, fieldsOf(store.getState()), typed, synonyms) : [];
    },
    textOf: (to: string | null): string => (to === null ? w.leaveOut : nameOf(to)),
    select: (column: string, option: string): void => {
      const { match } = store.getState();
      const to =
        option === skipTarget
          ? null
          : meantPath(option, match.value ?? { targets: [] }, fieldsOf(store.getState()));
      actions.setTarget(column, to);
    },
  };
}
