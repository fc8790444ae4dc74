import type { MatchedColumn, CellExample } from '../../../../shared/upload/preview.ts';
import type { ColumnMapping } from '../../../../shared/upload/upload.ts';
import { wellsBy } from '../../../../shared/upload/proposals.ts';
import { ComboBox, type ComboOption } from '../../../ui/combo-box.tsx';
import { SelectField } from '../../../ui/select-box.tsx';
import { ZoneCombo } from '../../../ui/zone-combo.tsx';
import { useTab, useTabState } from '../../../contexts.ts';
import { uploadWords } from '../../../words/upload.ts';
import { useUploadParts } from '../upload-parts.tsx';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { formatZoned, offsetText } from '../../../format/zoned.ts';
import { OptionGroup } from '../../../ui/option-group.tsx';

const w = uploadWords.columns;

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

export function useColumnChoice({ column, to }: MatchedColumn) {
  const { actions } = useTab('upload');
  const stored = useTabState('upload', ({ choices }) => choices.columns[column]);
  const choice: Partial<ColumnMapping> = stored === undefined || stored.skip ? {} : stored;
  /** Changes the choice. Undefined: as detected. */
  const update = (changes: Partial<ColumnMapping>) => {
    if (to !== null) actions.mapColumn(column, { to, ...choice, ...changes });
  };
  /** Sets the format or the zone; empty: as detected. */
  const setText = (field: 'format' | 'zone', text: string) => update({ [field]: text || undefined });
  return { choice, update, setText };
}

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
      onChange={(id) => update({ repeatedTimes: id === 'order' ? undefined : id })}
      note={w.repeatedCounts(counts.first, counts.second, counts.undecided)}
    />
  );
}

const noColumn = '\u0000';

/** The column whose times of day are appended to dates. */
function TimeOfDaySelect({ column: { column, to } }: { column: MatchedColumn }) {
  const { actions } = useTab('upload');
  const { match, choices } = useUploadParts('match', 'choices');
  const { columns = [], fields = [] } = match.value ?? {};
  const { join = [] } = choices.columns[column] ?? {};
  const target = fields.find(({ path }) => path === to);
  if (join.length === 0 && !target?.joins.some((dates) => dates.column === column)) return null;
  const names = columns.map((name) => name.column).filter((name) => name !== column);
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

export function useColumnKind(column: MatchedColumn) {
  const { choice, update } = useColumnChoice(column);
  const value: ColumnKind = choice.format === undefined ? (choice.type ?? 'auto') : 'time';
  const change = (kind: ColumnKind) =>
    kind === 'time'
      ? update({ format: 'iso', type: undefined })
      : update({ type: kind, format: undefined, zone: undefined, repeatedTimes: undefined });
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
      onChange={(id) => update({ trim: id === 'keep' ? false : undefined })}
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
      onChange={(id) => update({ by: id, wells: undefined })}
      {...(by !== 'id' ? { note: w.byName } : {})}
    />
  );
}

const longFormat = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/** A local time as a person says it, with the name of its month. @param local the time as if it were UTC, in milliseconds */
export const localTimeText = (local: number): string => longFormat.format(local);

/** A message that names the control to fix it. @param format as the user selected it; undefined: not yet */
export function columnProblemText(
  { choices, problem, problemOf, reading }: MatchedColumn,
  format: string | undefined,
): string | null {
  const [first, second] = choices;
  if (!first || reading !== null || problemOf !== 'format' || format !== undefined) return problem;
  return second ? w.chooseMeant(first.cell) : w.chooseFormat(first.cell);
}

interface AmbiguousFormatsProps {
  readonly column: MatchedColumn;
  /** The selected format; null: none yet. */
  readonly format: string | null;
  readonly onChoose: (format: string) => void;
}

export function AmbiguousFormats({ column: { choices, reading }, format, onChoose }: AmbiguousFormatsProps) {
  const [first] = choices;
  const isOpen = choices.length > 1 || reading === null;
  // Stays visible once shown: a button that disappears on press would move the focus.
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  if (!first || !wasOpen) return null;
  return (
    <OptionGroup
      layout="list"
      label={w.meant(first.cell)}
      value={format ?? ''}
      options={choices.map((choice) => ({
        id: choice.format,
        text: w.meantOne(localTimeText(choice.local), formatLabel(choice.format)),
      }))}
      onChange={onChoose}
    />
  );
}

export function TimeExamples({ column: { examples, reading } }: { column: MatchedColumn }) {
  const zone = isUnix(reading?.format ?? null) || reading?.zone === 'UTC' ? null : (reading?.zone ?? null);
  if (examples.length === 0) return null;
  return (
    <table className="table upload-examples small upload-times numbers">
      <thead>
        <tr>
          <th scope="col">{w.inFile}</th>
          {zone !== null && <th scope="col">{w.inZone(zone)}</th>}
          <th scope="col">{w.sent}</th>
        </tr>
      </thead>
      <tbody>
        {examples.map((example) => (
          <TimeRow key={example.line} example={example} isZoned={zone !== null} />
        ))}
      </tbody>
    </table>
  );
}

interface TimeRowProps {
  readonly example: CellExample;
  /** Whether the table has a column of local times. */
  readonly isZoned: boolean;
}

function TimeRow({ example: { cell, value, problem, time }, isZoned }: TimeRowProps) {
  const columns = isZoned ? 2 : 1;
  if (time === null)
    return (
      <tr>
        <td>{cell}</td>
        <td colSpan={columns} className={problem === null ? 'quiet' : 'tone-error'}>
          {problem ?? value ?? w.noValue}
        </td>
      </tr>
    );
  return (
    <>
      <tr>
        <td>{cell}</td>
        {isZoned && (
          <td>
            {formatZoned(time.ms + time.offset * 60_000, 'UTC')}{' '}
            <span className="quiet">{offsetText(time.offset * 60_000)}</span>
          </td>
        )}
        <td>{formatZoned(time.ms, 'UTC')}</td>
      </tr>
      {time.repeated !== null && (
        <tr>
          <td colSpan={columns + 1}>
            <span className="item-line line tone-warning">
              <TriangleAlert size={14} aria-hidden />
              {w.repeated(time.repeated)}
            </span>
          </td>
        </tr>
      )}
    </>
  );
}

/** Patterns that are common in the field. Users can type others. */
const timePatterns = [
  'yyyy-MM-dd HH:mm:ss',
  'dd.MM.yyyy HH:mm:ss',
  'dd.MM.yyyy HH:mm',
  'dd/MM/yyyy HH:mm:ss',
  'dd/MM/yyyy HH:mm',
  'MM/dd/yyyy HH:mm:ss',
  'MM/dd/yyyy HH:mm',
  'dd-MMM-yyyy HH:mm:ss',
  'yyyy/MM/dd HH:mm:ss',
  'dd.MM.yyyy',
  'dd/MM/yyyy',
  'MM/dd/yyyy',
  'd-MMM-yy',
  'yyyyMMdd',
  'yyyyMMddHHmmss',
];

export const timeFormats: readonly ComboOption[] = [
  ...Object.entries(w.formats).map(([id, text]) => ({ id, text })),
  ...timePatterns.map((pattern) => ({ id: pattern, text: pattern })),
];

/** The name of a format, or the pattern itself. */
export function formatLabel(format: string | null): string {
  const named: Readonly<Record<string, string>> = w.formats;
  return format === null ? '' : (named[format] ?? format);
}

/** Unix times have no time zone. */
export const isUnix = (format: string | null): boolean => format?.startsWith('unix_') === true;

/** Timestamps become UTC dates, strings have no quotes. @param value its JSON text; null: no value */
export function recordValueText(
  value: string | null,
  { kind, reading }: Pick<MatchedColumn, 'kind' | 'reading'>,
): string {
  if (value === null) return reading === null || reading.as === 'asset' ? '' : w.noValue;
  if (reading?.as === 'time' && kind === 'timestamp') return `${formatZoned(Number(value), 'UTC')} UTC`;
  if (!value.startsWith('"')) return value;
  const text: unknown = JSON.parse(value);
  return typeof text === 'string' ? text : value;
}
