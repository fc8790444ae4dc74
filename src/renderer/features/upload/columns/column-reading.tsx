import type { MatchedColumn } from '../../../../shared/upload/preview.ts';
import type { ColumnMapping } from '../../../../shared/upload/upload.ts';
import { ComboBox, type ComboOption } from '../../../ui/combo-box.tsx';
import { SelectField } from '../../../ui/select-box.tsx';
import { ZoneCombo } from '../../../ui/zone-combo.tsx';
import { useTab, useTabState } from '../../../state/contexts.ts';
import { words } from '../../../words/words.ts';
import { formatOptions, problemInWords, TimeMeant } from './column-times.tsx';
import { joinOf } from './mapping-choices.ts';

const w = words.upload.columns;

/** How the cells of a column are read, as far as its place leaves a choice. */
export function ColumnReading({ column }: { column: MatchedColumn }) {
  const { kind } = column;
  if (kind === 'asset') return <WellsBy column={column} />;
  if (kind === 'timestamp' || kind === 'datetime') return <Time column={column} />;
  if (kind !== 'auto') return null;
  return (
    <>
      <ReadAs column={column} />
      {column.reading?.as === 'time' && <Time column={column} />}
      {column.reading?.as === 'string' && <Blanks column={column} trim={column.reading.trim ?? true} />}
    </>
  );
}

/** What was said of the column, and the way to say more of it. */
function useChoice({ column, to }: MatchedColumn) {
  const { actions } = useTab('upload');
  const choice = useTabState('upload', ({ choices }) => choices.columns[column]);
  const said: Partial<ColumnMapping> = choice === undefined || choice.skip ? {} : choice;
  const say = (more: Partial<ColumnMapping>, drop: readonly (keyof ColumnMapping)[] = []) => {
    const kept = Object.fromEntries(
      Object.entries(said).filter(([name]) => !drop.some((dropped) => dropped === name)),
    );
    if (to !== null) actions.mapColumn(column, { to, ...kept, ...more });
  };
  return { said, say };
}

const find =
  (options: readonly ComboOption[]) =>
  (typed: string): ComboOption[] => {
    const wanted = typed.trim().toLowerCase();
    return options.filter(({ id, text }) => `${text}\n${id}`.toLowerCase().includes(wanted));
  };
const textOf = (options: readonly ComboOption[], id: string): string =>
  options.find((option) => option.id === id)?.text ?? id;

function Time({ column }: { column: MatchedColumn }) {
  const { said, say } = useChoice(column);
  const formats = formatOptions(w.formats);
  const format = said.format ?? column.reading?.format ?? '';
  const zone = said.zone ?? column.reading?.zone ?? 'UTC';
  const zoneNote = useTabState('upload', ({ wellZone }) =>
    wellZone === null ? undefined : w.zoneOfWell(wellZone.well),
  );
  const problemOf = (which: MatchedColumn['problemOf']) =>
    column.problemOf === which ? (problemInWords(column, said.format) ?? undefined) : undefined;
  return (
    <>
      <TimeMeant
        column={column}
        format={said.format ?? null}
        onChoose={(chosen) => say({ format: chosen })}
      />
      <TimeOfDay column={column} />
      <div className="upload-time-fields">
        <ComboBox
          label={w.format}
          value={format}
          text={textOf(formats, format)}
          find={find(formats)}
          custom
          onChoose={(chosen) => say({ format: chosen })}
          note={w.formatNote}
          problem={problemOf('format')}
        />
        <ZoneCombo
          label={w.zone}
          value={zone}
          custom
          onChoose={(chosen) => say({ zone: chosen })}
          note={said.zone === undefined ? zoneNote : undefined}
          problem={problemOf('zone')}
        />
      </div>
    </>
  );
}

const none = '\u0000';

/** The column whose times of day are appended to dates. */
function TimeOfDay({ column: { column, to } }: { column: MatchedColumn }) {
  const { actions } = useTab('upload');
  const columns = useTabState('upload', ({ match }) => match.value?.columns);
  const join = useTabState('upload', ({ choices }) => joinOf(choices.columns[column]));
  const offered = useTabState('upload', ({ match }) =>
    match.value?.fields.find(({ path }) => path === to)?.joins.find((each) => each.column === column),
  );
  if (join.length === 0 && !offered) return null;
  const names = (columns ?? []).map((each) => each.column).filter((name) => name !== column);
  return (
    <SelectField
      label={w.timeOfDay}
      value={join[0] ?? none}
      options={[{ id: none, text: w.noTimeOfDay }, ...names.map((name) => ({ id: name, text: name }))]}
      onChange={(name) => actions.joinColumn(column, name === none ? [] : [name])}
    />
  );
}

const kinds = ['auto', 'number', 'integer', 'string', 'boolean', 'time'] as const;

function ReadAs({ column }: { column: MatchedColumn }) {
  const { said, say } = useChoice(column);
  const value = said.format === undefined ? (said.type ?? 'auto') : 'time';
  return (
    <SelectField
      label={w.readAs}
      value={value}
      options={kinds.map((id) => ({ id, text: w.kinds[id] }))}
      onChange={(id) =>
        id === 'time' ? say({ format: 'iso' }, ['type']) : say({ type: id }, ['format', 'zone'])
      }
    />
  );
}

/** What becomes of the blanks before and behind a text. */
function Blanks({ column, trim }: { column: MatchedColumn; trim: boolean }) {
  const { say } = useChoice(column);
  return (
    <SelectField
      label={w.blanksAround}
      value={trim ? 'remove' : 'keep'}
      options={(['remove', 'keep'] as const).map((id) => ({ id, text: w.trim[id] }))}
      onChange={(id) => (id === 'keep' ? say({ trim: false }) : say({}, ['trim']))}
    />
  );
}

const ways = ['id', 'name', 'api_number'] as const;

function WellsBy({ column }: { column: MatchedColumn }) {
  const { said, say } = useChoice(column);
  const by = said.by ?? 'id';
  return (
    <SelectField
      label={w.wellsBy}
      value={by}
      options={ways.map((id) => ({ id, text: w.by[id] }))}
      onChange={(id) => say({ by: id }, ['wells'])}
      {...(by !== 'id' ? { note: w.byName } : {})}
    />
  );
}
