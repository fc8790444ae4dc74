import type { MatchedColumn } from '../../../../shared/upload/preview.ts';
import type { ColumnMapping } from '../../../../shared/upload/upload.ts';
import { wellsBy } from '../../../../shared/upload/wells.ts';
import { ComboBox, type ComboOption } from '../../../ui/combo-box.tsx';
import { SelectField } from '../../../ui/select-box.tsx';
import { ZoneCombo } from '../../../ui/zone-combo.tsx';
import { useTab, useTabState } from '../../../contexts.ts';
import { uploadWords } from '../../../words/upload.ts';
import { timeFormats, columnProblemText, AmbiguousFormats } from './column-times.tsx';
import { joinOf } from './mapping-choices.ts';

const w = uploadWords.columns;

/** The format options of a column, depending on its target. */
export function ColumnFormat({ column }: { column: MatchedColumn }) {
  const { kind } = column;
  if (kind === 'asset') return <WellMatchSelect column={column} />;
  if (kind === 'timestamp' || kind === 'datetime') return <TimeFormatSelect column={column} />;
  if (kind !== 'auto') return null;
  return (
    <>
      <TypeSelect column={column} />
      {column.reading?.as === 'time' && <TimeFormatSelect column={column} />}
      {column.reading?.as === 'string' && <TrimSelect column={column} trim={column.reading.trim ?? true} />}
    </>
  );
}

/** The user's choice for the column, and functions to change it. */
export function useColumnChoice({ column, to }: MatchedColumn) {
  const { actions } = useTab('upload');
  const stored = useTabState('upload', ({ choices }) => choices.columns[column]);
  const choice: Partial<ColumnMapping> = stored === undefined || stored.skip ? {} : stored;
  const update = (changes: Partial<ColumnMapping>, drop: readonly (keyof ColumnMapping)[] = []) => {
    const unchanged = Object.fromEntries(
      Object.entries(choice).filter(([name]) => !drop.some((dropped) => dropped === name)),
    );
    if (to !== null) actions.mapColumn(column, { to, ...unchanged, ...changes });
  };
  /** Sets the format or the zone; empty: as detected. */
  const setText = (field: 'format' | 'zone', text: string) =>
    text === '' ? update({}, [field]) : update(field === 'format' ? { format: text } : { zone: text });
  return { choice, update, setText };
}

/** A search among options, for a combo box. */
export const find =
  (options: readonly ComboOption[]) =>
  (inputText: string): ComboOption[] => {
    const searchText = inputText.trim().toLowerCase();
    return options.filter(({ id, text }) => `${text}\n${id}`.toLowerCase().includes(searchText));
  };
export const textOf = (options: readonly ComboOption[], id: string): string =>
  options.find((option) => option.id === id)?.text ?? id;

function TimeFormatSelect({ column }: { column: MatchedColumn }) {
  const { choice, setText } = useColumnChoice(column);
  const format = choice.format ?? column.reading?.format ?? '';
  const zone = choice.zone ?? column.reading?.zone ?? 'UTC';
  const wellNote = useTabState('upload', ({ wellZone }) =>
    wellZone === null ? undefined : w.zoneOfWell(wellZone.well),
  );
  const zoneNote = column.zoneOfFile === undefined ? wellNote : w.zoneOfFile;
  const problemOf = (which: MatchedColumn['problemOf']) =>
    column.problemOf === which ? (columnProblemText(column, choice.format) ?? undefined) : undefined;
  return (
    <>
      <AmbiguousFormats
        column={column}
        format={choice.format ?? null}
        onChoose={(chosen) => setText('format', chosen)}
      />
      <TimeOfDaySelect column={column} />
      <div className="halves gap-3 items-start">
        <ComboBox
          label={w.format}
          value={format}
          text={textOf(timeFormats, format)}
          find={find(timeFormats)}
          allowsCustom
          onSelect={(text) => setText('format', text)}
          note={w.formatNote}
          problem={problemOf('format')}
        />
        <ZoneCombo
          label={w.zone}
          value={zone}
          allowsCustom
          onChoose={(text) => setText('zone', text)}
          note={choice.zone === undefined ? zoneNote : undefined}
          problem={problemOf('zone')}
        />
      </div>
      <RepeatedTimesSelect column={column} />
    </>
  );
}

/** Which time is meant by the local times that occur twice, if the column has such times. */
function RepeatedTimesSelect({ column }: { column: MatchedColumn }) {
  const { choice, update } = useColumnChoice(column);
  const counts = column.repeatedTimes;
  if (!counts) return null;
  return (
    <SelectField
      label={w.repeatedTimes}
      value={choice.repeatedTimes ?? 'order'}
      options={(['order', 'first', 'second'] as const).map((id) => ({ id, text: w.repeatedReading[id] }))}
      onChange={(id) => (id === 'order' ? update({}, ['repeatedTimes']) : update({ repeatedTimes: id }))}
      note={w.repeatedCounts(counts.first, counts.second, counts.undecided)}
    />
  );
}

const noColumn = '\u0000';

/** The column whose times of day are appended to dates. */
function TimeOfDaySelect({ column: { column, to } }: { column: MatchedColumn }) {
  const { actions } = useTab('upload');
  const columns = useTabState('upload', ({ match }) => match.value?.columns);
  const join = useTabState('upload', ({ choices }) => joinOf(choices.columns[column]));
  const timeColumns = useTabState('upload', ({ match }) =>
    match.value?.fields.find(({ path }) => path === to)?.joins.find((join) => join.column === column),
  );
  if (join.length === 0 && !timeColumns) return null;
  const names = (columns ?? []).map((name) => name.column).filter((name) => name !== column);
  return (
    <SelectField
      label={w.timeOfDay}
      value={join[0] ?? noColumn}
      options={[{ id: noColumn, text: w.noTimeOfDay }, ...names.map((name) => ({ id: name, text: name }))]}
      onChange={(name) => actions.joinColumn(column, name === noColumn ? [] : [name])}
    />
  );
}

export const kinds = ['auto', 'number', 'integer', 'string', 'boolean', 'time'] as const;

export type ColumnKind = (typeof kinds)[number];

/** How the cells of a column are read, and a function to change it. */
export function useColumnKind(column: MatchedColumn) {
  const { choice, update } = useColumnChoice(column);
  const value: ColumnKind = choice.format === undefined ? (choice.type ?? 'auto') : 'time';
  const change = (kind: ColumnKind) =>
    kind === 'time'
      ? update({ format: 'iso' }, ['type'])
      : update({ type: kind }, ['format', 'zone', 'repeatedTimes']);
  return { value, change };
}

function TypeSelect({ column }: { column: MatchedColumn }) {
  const { value, change } = useColumnKind(column);
  return (
    <SelectField
      label={w.readAs}
      value={value}
      options={kinds.map((id) => ({ id, text: w.kinds[id] }))}
      onChange={change}
    />
  );
}

function TrimSelect({ column, trim }: { column: MatchedColumn; trim: boolean }) {
  const { update } = useColumnChoice(column);
  return (
    <SelectField
      label={w.blanksAround}
      value={trim ? 'remove' : 'keep'}
      options={(['remove', 'keep'] as const).map((id) => ({ id, text: w.trim[id] }))}
      onChange={(id) => (id === 'keep' ? update({ trim: false }) : update({}, ['trim']))}
    />
  );
}

function WellMatchSelect({ column }: { column: MatchedColumn }) {
  const { choice, update } = useColumnChoice(column);
  const by = choice.by ?? 'id';
  return (
    <SelectField
      label={w.wellsBy}
      value={by}
      options={wellsBy.options.map((id) => ({ id, text: w.by[id] }))}
      onChange={(id) => update({ by: id }, ['wells'])}
      {...(by !== 'id' ? { note: w.byName } : {})}
    />
  );
}
