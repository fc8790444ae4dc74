import { PenLine } from 'lucide-react';
import { useMemo, useState } from 'react';
import {
  sqlFunctions,
  sqlSteps,
  joinByTime,
  movingAverage,
  pivot,
  resample,
  topByWell,
  type SqlFunction,
} from '../../../../shared/sql/write-sql.ts';
import type { SqlTable, SqlColumn } from '../../../../shared/sql/sql.ts';
import { writeList } from '../../../../shared/value-lists.ts';
import { useApp, useSessionState } from '../../../contexts.ts';
import { listedWells } from '../../wells/wells-state.ts';
import { valueOr } from '../../../state/loadable.ts';
import { useLoaded } from '../../../state/use-loaded.ts';
import { Button } from '../../../ui/button.tsx';
import { Popup } from '../../../ui/popup.tsx';
import { SelectField } from '../../../ui/select-box.tsx';
import { ListField } from '../../../ui/list-field.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { recipeWords } from '../../../words/recipes.ts';
import { useSynonyms } from '../../settings/use-synonyms.ts';
import {
  firstChoices,
  isMeasured,
  isTime,
  noColumn,
  noFacts,
  readChoices,
  recipeKinds,
  recipes,
  tableOf,
  type Choices,
  type RecipeField,
  type TextChoice,
  isText,
  type ReadChoices,
  type TableFacts,
} from './recipe-choices.ts';
import { factorOf, unitOf } from '../../../../shared/channels/units.ts';
import {
  connections,
  dailySummary,
  daysAgainstDepth,
  meanByTop,
  resampleAll,
  statePeriods,
  timeInStates,
} from '../../../../shared/sql/recipes.ts';
import { rowsOfList, wellpath } from '../../../../shared/sql/wellpath.ts';

const number = (value: string): number | null =>
  /^[+-]?\d{1,9}(?:\.\d{1,9})?$/.test(value.trim()) ? Number(value) : null;
const positive = (value: string): number | null => {
  const read = number(value);
  return read !== null && read > 0 ? read : null;
};
const whole = (value: string): number | null => (/^\d{1,6}$/.test(value.trim()) ? Number(value) : null);

/** The names of the wells of a column with ids or with names. */
function namesOf(
  { name, type }: SqlColumn,
  { texts }: TableFacts,
  wellNames: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const values = new Set((texts[name] ?? []).map((text) => text.trim().toLowerCase()));
  const isNamed = isText({ type });
  return new Map(
    [...wellNames].filter(([id, wellName]) => values.has(isNamed ? wellName.trim().toLowerCase() : id)),
  );
}

/**
 * The statement of the choices; null: something is missing.
 * @param wellNames by asset id as text, for a table with ids and another one with names
 */
export function statementOf(
  choices: Choices,
  read: ReadChoices,
  facts: TableFacts,
  wellNames: ReadonlyMap<string, string>,
): string | null {
  const { kind, step, texts, only } = choices;
  const { chosen, column, per } = read;
  const [table, other] = [read.table?.name, read.other?.name];
  if (table === undefined) return null;
  const orNull = (choice: Parameters<ReadChoices['chosen']>[0]): string | null => chosen(choice) || null;
  const [time, well, value, hole] = [chosen('time'), orNull('well'), column('value'), column('hole')];
  const maxGap = positive(texts.maxGap);
  const states =
    time && chosen('state') && maxGap ? { table, time, well, state: chosen('state'), maxGap } : null;
  const bothWells = () => {
    const [ownWell, otherWell] = [column('well'), column('otherWell')];
    if (!ownWell || !otherWell) return null;
    const wells = { own: ownWell.name, other: otherWell.name };
    if (isText(ownWell) === isText(otherWell)) return wells;
    return {
      ...wells,
      named: { idsIn: isText(ownWell) ? 'other' : 'own', names: namesOf(ownWell, facts, wellNames) } as const,
    };
  };
  const list = read.list === noColumn ? null : { column: read.list, fields: facts.lists[read.list] ?? [] };
  const functions: readonly SqlFunction[] =
    choices.function === 'several' ? ['mean', 'min', 'max'] : [choices.function];
  switch (kind) {
    case 'resample':
      return time && value ? resample({ table, time, well, values: [value], functions, step }) : null;
    case 'resampleAll': {
      const index = column('index');
      if (!index) return null;
      const depth = isTime(index) ? null : positive(texts.depthStep);
      const values = (read.table?.columns ?? []).filter(
        (column) => isMeasured(column) && column.name !== index.name,
      );
      if (values.length === 0 || (!isTime(index) && depth === null)) return null;
      return resampleAll({
        table,
        index,
        well,
        values,
        step: depth === null ? { time: step } : { depth },
      });
    }
    case 'states':
      return states && timeInStates(states);
    case 'periods':
      return states && statePeriods({ ...states, depth: hole ?? null, only: only || null });
    case 'connections': {
      const [bit, tolerance] = [column('bit'), number(texts.tolerance)];
      return states && hole && bit && read.inSlips && tolerance !== null
        ? connections({ ...states, hole, bit, inSlips: read.inSlips, tolerance })
        : null;
    }
    case 'tops': {
      const [top, label] = [column('top'), chosen('label')];
      if (other === undefined || !hole || !value || !top || !label) return null;
      const [from, to] = [unitOf(top.unit ?? ''), unitOf(hole.unit ?? '')];
      const factor = from && to ? (factorOf(from, to) ?? null) : 1;
      if (factor === null) return null;
      return meanByTop({
        table,
        depth: hole,
        value,
        tops: other,
        top,
        label,
        factor,
        wells: bothWells(),
      });
    }
    case 'daily': {
      const hours = number(texts.hours);
      return time && hole && value && hours !== null
        ? dailySummary({ table, time, well, depth: hole, value, hours })
        : null;
    }
    case 'days':
      return time && hole ? daysAgainstDepth({ table, time, well, depth: hole }) : null;
    case 'join': {
      const [otherTime, add] = [chosen('otherTime'), chosen('add')];
      return time && other !== undefined && otherTime && add
        ? joinByTime({ table, time, other, otherTime, add: [add], wells: bothWells() })
        : null;
    }
    case 'pivot': {
      const [rows, columns, order] = [column('rowsBy'), chosen('columnsBy'), time || chosen('rowsBy')];
      const depth = positive(texts.depthStep);
      if (!rows || !columns || !value || read.values.length === 0) return null;
      if (read.hasDepthSteps(rows) && depth === null) return null;
      return pivot({
        table,
        rows,
        step: isTime(rows) ? { time: step } : read.hasDepthSteps(rows) && depth !== null ? { depth } : null,
        well: [rows.name, columns].includes(well ?? '') ? null : well,
        columns,
        values: read.values,
        value,
        functions,
        order,
      });
    }
    case 'average': {
      const rows = whole(texts.rows);
      return chosen('order') && value && rows !== null
        ? movingAverage({ table, order: chosen('order'), well, value, rows })
        : null;
    }
    case 'top': {
      const rows = whole(texts.topRows);
      return value && well !== null && rows !== null ? topByWell({ table, well, value, rows }) : null;
    }
    case 'list':
      return list && rowsOfList({ table, well, ...list });
    case 'path': {
      const [depth, inclination, azimuth] = [chosen('depth'), chosen('inclination'), chosen('azimuth')];
      const [length, section] = [positive(per), number(texts.section)];
      if (!depth || !inclination || !azimuth || !length || (section === null && texts.section.trim()))
        return null;
      const survey = orNull('survey');
      return wellpath({ table, well, survey, list, depth, inclination, azimuth, per: length, section });
    }
  }
}

const w = recipeWords;

interface WriteSqlProps {
  readonly tables: readonly SqlTable[];
  /** Replaces the statement, and runs it. */
  readonly onUse: (statement: string) => void;
}

/** Writes a statement from a few choices, which it shows before it is used. */
export function WriteSql({ tables, onUse }: WriteSqlProps) {
  if (tables.length === 0) return null;
  return (
    <Popup
      isWide
      heading={w.heading}
      placement="bottom start"
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

function WriteForm({ tables, onUse }: WriteSqlProps) {
  const { actions } = useApp().sqlTables;
  const [choices, setChoices] = useState(firstChoices);
  const synonyms = useSynonyms();
  const set = (change: Partial<Choices>) => setChoices((before) => ({ ...before, ...change }));
  const table = tableOf(choices, tables, synonyms);
  const loadedFacts = useLoaded(
    useMemo(() => (table ? (signal: AbortSignal) => actions.facts(table, signal) : null), [actions, table]),
  );
  const facts = valueOr(loadedFacts, noFacts);
  const read = readChoices(choices, tables, facts, synonyms);
  const { names } = useSessionState('wells', listedWells);
  const statement = statementOf(choices, read, facts, names);
  const tableField = (which: 'table' | 'other') => (
    <SelectField
      key={which}
      label={w[which]}
      value={read[which]?.name ?? ''}
      options={tables
        .filter(({ name }) => which === 'table' || name !== read.table?.name)
        .map(({ name }) => ({ id: name, text: name }))}
      onChange={(name) => set({ [which]: name })}
    />
  );
  const defaults: Partial<Record<TextChoice, string>> = {
    values: writeList(read.values.map(String)),
    section: w.lastAzimuth,
    per: read.per,
  };
  const inputOf = (field: RecipeField) => {
    switch (field.kind) {
      case 'other':
        return tableField('other');
      case 'column': {
        // A table without lists has a row for each station.
        if (field.choice === 'list' && choices.kind === 'path' && read.poolOf('list').length === 0)
          return null;
        return (
          <SelectField
            key={field.choice}
            label={w.columns[field.choice]}
            value={read.chosen(field.choice)}
            options={[
              ...(read.isOptional(field.choice) ? [{ id: noColumn, text: w.none }] : []),
              ...read.poolOf(field.choice).map(({ name }) => ({ id: name, text: name })),
            ]}
            onChange={(name) => set({ columns: { ...choices.columns, [field.choice]: name } })}
          />
        );
      }
      case 'step':
        return (
          <SelectField
            key="step"
            label={w.step}
            value={choices.step}
            options={sqlSteps.map((id) => ({ id, text: w.steps[id] }))}
            onChange={(step) => set({ step })}
          />
        );
      case 'function':
        return (
          <SelectField
            key="function"
            label={w.function}
            value={choices.function}
            options={[
              { id: 'several', text: w.allFunctions },
              ...sqlFunctions.map((id) => ({ id, text: w.functions[id] })),
            ]}
            onChange={(id) => set({ function: id })}
          />
        );
      case 'inSlips':
      case 'only':
        return (
          <SelectField
            key={field.kind}
            label={w[field.kind]}
            value={field.kind === 'only' ? choices.only : read.inSlips}
            options={[
              ...(field.kind === 'only' ? [{ id: '', text: w.allStates }] : []),
              ...read.states.map((state) => ({ id: state, text: state })),
            ]}
            onChange={(state) => set({ [field.kind]: state })}
          />
        );
      case 'text': {
        const props = {
          label: w.textIn(w.texts[field.choice], read.unitOfText(field.choice)),
          name: field.choice,
          value: choices.texts[field.choice],
          placeholder: defaults[field.choice] ?? '',
          onChange: (value: string) => set({ texts: { ...choices.texts, [field.choice]: value } }),
        };
        return field.choice === 'values' ? (
          <ListField key={field.choice} {...props} notFound={read.notFound} />
        ) : (
          <TextField key={field.choice} {...props} inputMode="decimal" />
        );
      }
    }
  };
  const isPivot = choices.kind === 'pivot';
  const index = read.column(isPivot ? 'rowsBy' : 'index');
  const fields = recipes[choices.kind].filter(
    (field) =>
      !['resampleAll', 'pivot'].includes(choices.kind) ||
      !index ||
      (field.kind === 'step'
        ? isTime(index)
        : field.kind !== 'text' ||
          field.choice !== 'depthStep' ||
          (isPivot ? read.hasDepthSteps : isMeasured)(index)),
  );
  const about = w.about[choices.kind];
  return (
    <div className="sql-write">
      <div className="sql-write-fields">
        <SelectField
          label={w.kind}
          value={choices.kind}
          options={recipeKinds.map((id) => ({ id, text: w.kinds[id] }))}
          onChange={(id) => set({ kind: id })}
        />
        {tableField('table')}
        {fields.map(inputOf)}
      </div>
      <div className="row sql-write-end">
        {/* Beside the button: why it is disabled. */}
        <p className="quiet grow">
          {statement !== null
            ? about
            : loadedFacts.status === 'loading'
              ? w.reading
              : w.missing[choices.kind]}
        </p>
        <Button
          variant="primary"
          isDisabled={statement === null}
          onPress={() => statement && onUse(statement)}
        >
          {w.use}
        </Button>
      </div>
      {statement === null ? (
        <p className="quiet">{about}</p>
      ) : (
        <pre className="sql-write-text" aria-label={w.statement}>
          {statement}
        </pre>
      )}
    </div>
  );
}
