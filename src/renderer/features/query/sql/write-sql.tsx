import { PenLine } from 'lucide-react';
import { useEffect, useState } from 'react';
import { sqlFunctions, sqlSteps } from '../../../../shared/sql/write-sql.ts';
import type { SqlTable } from '../../../../shared/sql/sql.ts';
import { useApp } from '../../../contexts.ts';
import { useTask } from '../../../state/use-task.ts';
import { Button } from '../../../ui/button.tsx';
import { Popup } from '../../../ui/popup.tsx';
import { SelectField } from '../../../ui/select-box.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { recipeWords } from '../../../words/recipes.ts';
import {
  firstChoices,
  hasDepthSteps,
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
  const set = (change: Partial<Choices>) => setChoices((before) => ({ ...before, ...change }));
  const table = tableOf(choices, tables);
  const loading = useTask(actions.facts);
  useEffect(() => {
    loading.reset();
    if (table) void loading.start(table);
    // oxlint-disable-next-line react/exhaustive-deps -- the task is new in each render
  }, [table]);
  const facts = loading.value ?? noFacts;
  const read = readChoices(choices, tables, facts);
  const statement = statementOf(choices, read, facts);
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
  const field = (of: RecipeField) => {
    switch (of.kind) {
      case 'other':
        return tableField('other');
      case 'column': {
        // A table without lists has a row for each station.
        if (of.of === 'list' && choices.kind === 'path' && read.poolOf('list').length === 0) return null;
        return (
          <SelectField
            key={of.of}
            label={w.columns[of.of]}
            value={read.chosen(of.of)}
            options={[
              ...(read.isOptional(of.of) ? [{ id: noColumn, text: w.none }] : []),
              ...read.poolOf(of.of).map(({ name }) => ({ id: name, text: name })),
            ]}
            onChange={(name) => set({ columns: { ...choices.columns, [of.of]: name } })}
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
            key={of.kind}
            label={w[of.kind]}
            value={of.kind === 'only' ? choices.only : read.inSlips}
            options={[
              ...(of.kind === 'only' ? [{ id: '', text: w.allStates }] : []),
              ...read.states.map((state) => ({ id: state, text: state })),
            ]}
            onChange={(state) => set({ [of.kind]: state })}
          />
        );
      case 'text':
        return (
          <TextField
            key={of.of}
            label={w.textIn(w.texts[of.of], read.unitOfText(of.of))}
            name={of.of}
            value={of.of === 'per' ? read.per : choices.texts[of.of]}
            placeholder={
              of.of === 'values' ? read.values.join(', ') : of.of === 'section' ? w.lastAzimuth : ''
            }
            onChange={(value) => set({ texts: { ...choices.texts, [of.of]: value } })}
            {...(of.of === 'values' ? {} : { inputMode: 'decimal' })}
          />
        );
    }
  };
  const isPivot = choices.kind === 'pivot';
  const index = read.column(isPivot ? 'rowsBy' : 'index');
  const fields = recipes[choices.kind].filter(
    (kind) =>
      !['resampleAll', 'pivot'].includes(choices.kind) ||
      !index ||
      (kind.kind === 'step'
        ? isTime(index)
        : kind.kind !== 'text' || kind.of !== 'depthStep' || (isPivot ? hasDepthSteps : isMeasured)(index)),
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
        {fields.map(field)}
      </div>
      <div className="row sql-write-end">
        {/* Beside the button: why it is disabled. */}
        <p className="quiet grow">
          {statement !== null ? about : loading.isRunning ? w.reading : w.missing[choices.kind]}
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
