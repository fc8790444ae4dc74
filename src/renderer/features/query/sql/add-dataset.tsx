import { useEffect, useState, type RefObject } from 'react';
import { Form } from 'react-aria-components/Form';
import { addressOf, type Dataset } from '../../../../shared/datasets/datasets.ts';
import { queryOfWells } from '../../../../shared/language/scope.ts';
import { rangeFieldOf, writeRange } from '../../../../shared/language/text/range.ts';
import { sqlTableName, type SqlDataset } from '../../../../shared/sql/sql.ts';
import { datasetTableName, freeName } from '../../../../shared/sql/table-name.ts';
import { useApp, useAppState, useSession, useSessionState } from '../../../contexts.ts';
import { valueOr } from '../../../state/loadable.ts';
import { useTask } from '../../../state/use-task.ts';
import { Button } from '../../../ui/button.tsx';
import { ComboBox } from '../../../ui/combo-box.tsx';
import { OptionGroup } from '../../../ui/option-group.tsx';
import { PopupAt } from '../../../ui/popup.tsx';
import { Status } from '../../../ui/status.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { words } from '../../../words/words.ts';
import { addressText, searchDatasets } from '../../datasets/search.ts';
import { scopeOf } from '../../../../shared/wells/scope.ts';
import { useTabWells } from '../../tabs/use-tab-wells.ts';
import { boundAt, parseRange, type RangeInputs, type RangeProblem } from '../../../format/range-inputs.ts';

const w = words.sql.dataset;
const range = words.query.range;
/** A count waits until nothing was typed for this time. */
const countAfterMs = 400;

type RangeProblems = Partial<Record<keyof RangeInputs, RangeProblem>>;

/**
 * The query for records of a dataset, or what is wrong with the limits of its range. Relative times become the times that
 * they are now: a table is read once.
 * @param assetIds the wells; empty: all
 * @param typed the limits, in UTC; blank: none
 * @param now Unix milliseconds
 */
export function datasetQuery(
  { type }: Pick<Dataset, 'type'>,
  assetIds: readonly number[],
  typed: { readonly from: string; readonly to: string },
  now: number,
): { readonly query: string } | { readonly problems: RangeProblems } {
  const query = queryOfWells(type, assetIds);
  const field = rangeFieldOf(type);
  if (field === null) return { query };
  const read = parseRange({ ...typed, zone: 'UTC' }, { from: null, to: null }, field.of);
  if ('problems' in read) return read;
  const fixedRange = { from: boundAt(read.range.from, now), to: boundAt(read.range.to, now) };
  return { query: writeRange(query, field, fixedRange) ?? query };
}

interface AddDatasetProps {
  /** The anchor element. */
  readonly at: RefObject<Element | null>;
  readonly onClose: () => void;
}

/** The choices for a table with records of a dataset: its wells and range, and how many records match. */
export function AddDataset({ at, onClose }: AddDatasetProps) {
  return (
    <PopupAt at={at} heading={w.heading} placement="bottom end" onClose={onClose}>
      <DatasetForm onDone={onClose} />
    </PopupAt>
  );
}

function DatasetForm({ onDone }: { onDone: () => void }) {
  const { actions } = useApp().sqlTables;
  const { connection } = useSession();
  const tables = valueOr(
    useAppState('sqlTables', (state) => state.tables),
    [],
  );
  const datasets = valueOr(
    useSessionState('datasets', ({ list }) => list),
    [],
  );
  const selected = useTabWells();
  const [dataset, setDataset] = useState<Dataset | null>(null);
  const [wells, setWells] = useState<'all' | 'selected'>(selected.length > 0 ? 'selected' : 'all');
  const [limits, setLimits] = useState({ from: '', to: '' });
  const [name, setName] = useState('');
  const [problems, setProblems] = useState<RangeProblems>({});
  const [openedAt] = useState(Date.now);
  const assetIds = wells === 'all' ? [] : scopeOf(selected);
  const read = dataset && datasetQuery(dataset, assetIds, limits, openedAt);
  const query = read && 'query' in read ? read.query : null;
  const badName = name.trim() !== '' && !sqlTableName.safeParse(name.trim()).success;
  const count = useTask(actions.count);
  const target = dataset && query !== null ? { connection, ...addressOf(dataset), query } : null;
  const key = target && JSON.stringify(target);
  useEffect(() => {
    count.reset();
    if (!target) return;
    const timer = setTimeout(() => void count.start(target), countAfterMs);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react/exhaustive-deps -- the key stands for the target
  }, [key]);
  const field = rangeFieldOf(dataset?.type ?? null);
  const messages = {
    bad: field?.of === 'depth' ? range.badDepth : range.badTime,
    zone: range.badZone,
    backwards: range.backwards,
  };
  const limit = (end: 'from' | 'to') => (
    <TextField
      name={end}
      label={w[end]}
      mono
      value={limits[end]}
      placeholder={field?.of === 'depth' ? range.depthHint : range.timeHint}
      problem={problems[end] && messages[problems[end]]}
      onChange={(value) => {
        setProblems({});
        setLimits((before) => ({ ...before, [end]: value }));
      }}
    />
  );
  return (
    <Form
      className="stack gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (read && 'problems' in read) setProblems(read.problems);
        if (!target || badName) return;
        const named = name.trim() === '' ? {} : { name: name.trim() };
        const table: SqlDataset = { ...target, ...named, label: addressText(target) };
        void actions.addDataset(table);
        onDone();
      }}
    >
      <ComboBox
        label={w.dataset}
        value={dataset && addressText(dataset)}
        text={dataset ? addressText(dataset) : ''}
        placeholder={w.placeholder}
        emptyText={w.noDatasets}
        hasInitialFocus
        find={(typed) =>
          searchDatasets(datasets, typed, 'all').map((dataset) => ({
            id: addressText(dataset),
            text: addressText(dataset),
            note: dataset.friendlyName,
          }))
        }
        onSelect={(id) => setDataset(datasets.find((dataset) => addressText(dataset) === id) ?? null)}
      />
      {selected.length > 0 && (
        <OptionGroup
          label={w.wells}
          layout="line"
          value={wells}
          options={[
            { id: 'selected', text: w.selectedWells(selected.length) },
            { id: 'all', text: w.allWells },
          ]}
          onChange={setWells}
        />
      )}
      {field && (
        <div className="stack gap-2">
          {limit('from')}
          {limit('to')}
          <p className="field-note">{field.of === 'time' ? w.timeNote : w.depthNote}</p>
        </div>
      )}
      <TextField
        name="name"
        label={w.name}
        mono
        value={name}
        placeholder={dataset ? freeName(datasetTableName(dataset.dataset), tables) : ''}
        problem={badName ? w.badName : undefined}
        onChange={setName}
      />
      <div className="row sql-dataset-end">
        <Status className="quiet numbers">
          {count.isRunning && w.counting}
          {count.error?.message}
          {count.value !== null && w.count(count.value)}
        </Status>
        <Button type="submit" variant="primary" isDisabled={!dataset}>
          {w.add}
        </Button>
      </div>
    </Form>
  );
}
