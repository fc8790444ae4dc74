import { readList } from '../../../shared/value-lists.ts';
import { ListField } from '../../ui/list-field.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { useSessionState } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import { dayValue, flagValue, type FilterInput, type FilterValue } from './entity-filters.ts';
import { anyOption, maxOptions, NameBox } from './name-box.tsx';
import { emptyFilterText } from './names-note.tsx';
import { ComboBox } from '../../ui/combo-box.tsx';
import { listedWells } from './wells-state.ts';
import { useSelectedWells } from '../tabs/use-tab-wells.ts';

export interface EntityFilterInputProps {
  readonly label: string;
  readonly name: string;
  readonly input: FilterInput;
  readonly value: FilterValue | null;
  /** Values of a list that nothing has. */
  readonly notFound: readonly string[];
  readonly onSet: (value: FilterValue | null) => void;
}

/** One filter of a list of entities: a name, a day, a flag, or a text. */
export function EntityFilterInput({ label, name, input, value, notFound, onSet }: EntityFilterInputProps) {
  const directory = useSessionState('directory', (state) => state);
  const w = words.wells.browse;
  const box = <Id extends string | number>(
    options: readonly { readonly id: Id; readonly name: string; readonly value: FilterValue['value'] }[],
    placeholder = words.wells.any,
  ) => (
    <NameBox<Id>
      label={label}
      value={options.find(({ name: text }) => text === value?.text)?.id ?? null}
      text={value?.text ?? ''}
      placeholder={placeholder}
      options={() => options}
      onSelect={(id) => {
        const option = options.find((option) => option.id === id);
        onSet(option ? { text: option.name, value: option.value } : null);
      }}
    />
  );
  switch (input.by) {
    case 'group':
      return box(
        [...directory[input.groupFilter].names].map(([id, text]) => ({ id, name: text, value: id })),
        emptyFilterText(directory[input.groupFilter]),
      );
    case 'well':
      return <WellFilterBox label={label} list={input.list} value={value} onSet={onSet} />;
    case 'word':
      return box(input.words.map((word) => ({ id: word, name: word, value: input.list ? [word] : word })));
    case 'flag':
      return box([
        { id: 'yes', name: w.yes, value: flagValue(true, input.as) },
        { id: 'no', name: w.no, value: flagValue(false, input.as) },
      ]);
    case 'day':
      return (
        <TextField
          label={label}
          name={name}
          type="date"
          value={value?.text ?? ''}
          onChange={(text) => onSet(text === '' ? null : { text, value: dayValue(text, input) })}
        />
      );
    case 'text':
      return (
        <TextField
          label={label}
          name={name}
          value={value?.text ?? ''}
          onChange={(text) => onSet(text.trim() === '' ? null : { text, value: text.trim() })}
        />
      );
    case 'numbers':
      return (
        <ListField
          label={label}
          name={name}
          kind="words"
          value={value?.text ?? ''}
          notFound={notFound}
          onChange={(text) => onSet(text.trim() === '' ? null : { text, value: readList(text, 'words') })}
        />
      );
  }
}

interface WellFilterBoxProps {
  readonly label: string;
  /** Whether the service accepts a list of wells. */
  readonly list: boolean;
  readonly value: FilterValue | null;
  readonly onSet: (value: FilterValue | null) => void;
}

/**
 * Selects a well by name, API number, or asset id; selected wells are listed while the box is empty. These
 * filters take the platform id of a well (specification, section 4.2), not its asset id.
 */
function WellFilterBox({ label, list, value, onSet }: WellFilterBoxProps) {
  const selected = useSelectedWells();
  const listed = useSessionState('wells', listedWells);
  const optionsFor = (inputText: string) => {
    const wells = [...(inputText === '' ? selected : []), ...listed.search(inputText, maxOptions)];
    const unique = new Map(wells.map((well) => [well.platformId, well]));
    return [...unique.values()].slice(0, maxOptions).map(({ platformId, name, apiNumber }) => ({
      id: String(platformId),
      text: name,
      ...(apiNumber === null ? {} : { note: apiNumber }),
    }));
  };
  return (
    <ComboBox
      label={label}
      value={value?.text ?? null}
      text={value?.text ?? ''}
      find={(text) =>
        value === null || text !== ''
          ? optionsFor(text)
          : [{ id: anyOption, text: words.wells.any }, ...optionsFor(text)]
      }
      emptyText={words.wells.noWellFits}
      placeholder={words.wells.any}
      onSelect={(id) => {
        const well =
          selected.find(({ platformId }) => String(platformId) === id) ??
          listed.well('platformId', Number(id));
        if (!well) return onSet(null);
        onSet({ text: well.name, value: list ? [well.platformId] : well.platformId });
      }}
    />
  );
}
