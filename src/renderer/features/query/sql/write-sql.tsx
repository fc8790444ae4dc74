import { PenLine } from 'lucide-react';
import { useMemo, useState } from 'react';
import { sqlFunctions, sqlSteps } from '../../../../shared/sql/write-sql.ts';
import type { SqlTable } from '../../../../shared/sql/sql.ts';
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
} from './recipe-choices.ts';
import { statementOf } from './recipe-statement.ts';

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
