import { PenLine } from 'lucide-react';
import { useState } from 'react';
import type { SqlColumn, SqlTable } from '../../../../shared/sql/sql.ts';
import {
  joinByTime,
  movingAverage,
  pivotWells,
  resample,
  sqlFunctions,
  sqlSteps,
  topByWell,
  type SqlFunction,
  type SqlStep,
  type ValueColumn,
} from '../../../../shared/sql/write-sql.ts';
import { Button } from '../../../ui/button.tsx';
import { Popup } from '../../../ui/popup.tsx';
import { SelectField } from '../../../ui/select-box.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { words } from '../../../words/words.ts';

const w = words.sql.write;
const kinds = ['resample', 'join', 'pivot', 'average', 'top'] as const;
type Kind = (typeof kinds)[number];

const isTime = ({ type }: SqlColumn): boolean => /TIMESTAMP|DATE/.test(type);
const isNumber = ({ type }: SqlColumn): boolean => /INT|DOUBLE|FLOAT|DECIMAL|REAL/.test(type);
const isWell = ({ name }: SqlColumn): boolean => /asset_?id|well/i.test(name);
/** Numbers that identify something are no measurements. */
const isMeasured = (column: SqlColumn): boolean =>
  isNumber(column) && !isWell(column) && !/(?:_id|^id|^version)$/i.test(column.name);
const none = '';

interface WriteSqlProps {
  readonly tables: readonly SqlTable[];
  readonly onUse: (statement: string) => void;
}

/** Writes a statement from a few choices, which it shows before it is used. */
export function WriteSql({ tables, onUse }: WriteSqlProps) {
  if (tables.length === 0) return null;
  return (
    <Popup
      isWide
      heading={w.heading}
      placement="top start"
      trigger={
        <Button variant="quiet" icon={PenLine}>
          {w.button}
        </Button>
      }
    >
      {(close) => (
        <WriteForm
          tables={tables}
          onUse={(statement) => {
            onUse(statement);
            close();
          }}
        />
      )}
    </Popup>
  );
}

/** The choices as typed; a name that the current table lacks is replaced by its first fitting column. */
interface Choices {
  readonly kind: Kind;
  readonly table: string;
  readonly other: string;
  readonly time: string;
  readonly otherTime: string;
  readonly order: string;
  readonly well: string;
  readonly otherWell: string;
  readonly value: string;
  readonly add: string;
  readonly step: SqlStep;
  readonly function: SqlFunction | 'several';
  readonly rows: string;
  readonly wells: string;
}

type ColumnChoice = 'time' | 'otherTime' | 'order' | 'well' | 'otherWell' | 'value' | 'add';

const firstChoices: Choices = {
  kind: 'resample',
  table: '',
  other: '',
  time: '',
  otherTime: '',
  order: '',
  well: '',
  otherWell: '',
  value: '',
  add: '',
  step: '1 minute',
  function: 'several',
  rows: '5',
  wells: '',
};

function WriteForm({ tables, onUse }: WriteSqlProps) {
  const [choices, setChoices] = useState(firstChoices);
  const set = (change: Partial<Choices>) => setChoices((before) => ({ ...before, ...change }));
  const table = tables.find(({ name }) => name === choices.table) ?? tables[0];
  const other = tables.find(({ name }) => name === choices.other) ?? tables.at(-1);
  const own = table?.columns ?? [];
  const others = other?.columns ?? [];
  const pools: Readonly<Record<ColumnChoice, readonly SqlColumn[]>> = {
    time: own.filter(isTime),
    otherTime: others.filter(isTime),
    order: [...own.filter(isTime), ...own.filter(isNumber)],
    well: own,
    otherWell: others,
    value: own.filter(isMeasured),
    add: others.filter((column) => !isTime(column) && !isWell(column)),
  };
  const chosen = (of: ColumnChoice): string => {
    const pool = pools[of];
    if (pool.some(({ name }) => name === choices[of])) return choices[of];
    if (of !== 'well' && of !== 'otherWell') return pool[0]?.name ?? '';
    return choices[of] === none ? (pool.find(isWell)?.name ?? none) : none;
  };
  const statement =
    table && other
      ? statementFor(choices, {
          table: table.name,
          other: other.name,
          of: chosen,
          value: pools.value.find(({ name }) => name === chosen('value')) ?? null,
        })
      : null;
  const tableField = (of: 'table' | 'other', value: string | undefined) => (
    <SelectField
      label={w[of]}
      value={value ?? ''}
      options={tables.map(({ name }) => ({ id: name, text: name }))}
      onChange={(name) => set({ [of]: name })}
    />
  );
  const columnField = (of: ColumnChoice) => (
    <SelectField
      label={w[of]}
      value={chosen(of)}
      options={[
        ...(of === 'well' || of === 'otherWell' ? [{ id: none, text: w.noWell }] : []),
        ...pools[of].map(({ name }) => ({ id: name, text: name })),
      ]}
      onChange={(name) => set({ [of]: name === none ? 'none' : name })}
    />
  );
  const stepField = (
    <SelectField
      label={w.step}
      value={choices.step}
      options={sqlSteps.map((id) => ({ id, text: w.steps[id] }))}
      onChange={(step) => set({ step })}
    />
  );
  const { kind } = choices;
  return (
    <div className="sql-write">
      <div className="sql-write-fields">
        <SelectField
          label={w.kind}
          value={kind}
          options={kinds.map((id) => ({ id, text: w.kinds[id] }))}
          onChange={(id) => set({ kind: id })}
        />
        {tableField('table', table?.name)}
        {kind === 'join' && tableField('other', other?.name)}
        {kind !== 'top' && (kind === 'average' ? columnField('order') : columnField('time'))}
        {kind === 'join' && columnField('otherTime')}
        {columnField('well')}
        {kind === 'join' && columnField('otherWell')}
        {kind === 'join' ? columnField('add') : columnField('value')}
        {(kind === 'resample' || kind === 'pivot') && stepField}
        {kind === 'resample' && (
          <SelectField
            label={w.function}
            value={choices.function}
            options={[
              { id: 'several', text: w.allFunctions },
              ...sqlFunctions.map((id) => ({ id, text: w.functions[id] })),
            ]}
            onChange={(id) => set({ function: id })}
          />
        )}
        {(kind === 'average' || kind === 'top') && (
          <TextField
            label={kind === 'top' ? w.topRows : w.rows}
            name="rows"
            value={choices.rows}
            onChange={(rows) => set({ rows })}
            inputMode="numeric"
          />
        )}
        {kind === 'pivot' && (
          <TextField
            label={w.wells}
            name="wells"
            value={choices.wells}
            onChange={(wells) => set({ wells })}
          />
        )}
      </div>
      {statement === null ? (
        <p className="quiet">{w.missing}</p>
      ) : (
        <pre className="sql-write-text" aria-label={w.statement}>
          {statement}
        </pre>
      )}
      <Button variant="primary" isDisabled={statement === null} onPress={() => statement && onUse(statement)}>
        {w.use}
      </Button>
    </div>
  );
}

interface Names {
  readonly table: string;
  readonly other: string;
  readonly of: (column: ColumnChoice) => string;
  /** The column of measurements; null: the table has none. */
  readonly value: ValueColumn | null;
}

const wholeNumber = (text: string): number | null => (/^\d{1,6}$/.test(text.trim()) ? Number(text) : null);
const orNull = (name: string): string | null => (name === none ? null : name);

/** The statement of the choices; null: something is missing. */
function statementFor(choices: Choices, { table, other, of, value }: Names): string | null {
  const { kind, step } = choices;
  const [time, well, rows] = [of('time'), orNull(of('well')), wholeNumber(choices.rows)];
  switch (kind) {
    case 'resample': {
      const functions: readonly SqlFunction[] =
        choices.function === 'several' ? ['mean', 'min', 'max'] : [choices.function];
      return time && value ? resample({ table, time, well, values: [value], functions, step }) : null;
    }
    case 'join': {
      const [otherTime, add, otherWell] = [of('otherTime'), of('add'), orNull(of('otherWell'))];
      const wells = well !== null && otherWell !== null ? { own: well, other: otherWell } : null;
      return time && otherTime && add && table !== other
        ? joinByTime({ table, time, other, otherTime, add: [add], wells })
        : null;
    }
    case 'pivot': {
      const wells = choices.wells
        .split(/[\s,]+/)
        .filter((id) => /^\d+$/.test(id))
        .map(Number);
      return time && value && well !== null && wells.length > 0
        ? pivotWells({ table, time, well, value, wells, step })
        : null;
    }
    case 'average':
      return of('order') && value && rows !== null
        ? movingAverage({ table, order: of('order'), well, value, rows })
        : null;
    case 'top':
      return value && well !== null && rows !== null ? topByWell({ table, well, value, rows }) : null;
  }
}
