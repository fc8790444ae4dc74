import { useDeferredValue, useMemo, useRef, useState } from 'react';
import type { DatasetFields, DatasetType, ScopeField } from '../../../shared/datasets/datasets.ts';
import { pathNames } from '../../../shared/column-paths.ts';
import { type DatasetField, hasNumbers } from '../../../shared/datasets/fields.ts';
import { wordSearch } from '../../format/word-search.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty, Loading } from '../../ui/view-states.tsx';
import { PickList } from '../../ui/pick-list.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { Status } from '../../ui/status.tsx';
import { words } from '../../words/words.ts';
import { columnOrder, kindOf } from '../records/columns.ts';
import { ConnectionFailed } from '../connections/connection-failed.tsx';
import { useTab, useTabState, useSession } from '../../contexts.ts';
import { Copy, ListFilter, Ruler } from 'lucide-react';
import { nameOf, scopeCondition } from '../../../shared/language/scope.ts';
import type { ScopedWell } from '../../../shared/wells/scope.ts';
import { isMeasured } from '../../../shared/datasets/shapes.ts';
import { visibleLine } from '../../../shared/errors/visible-text.ts';
import { formatPercent } from '../../format/numbers.ts';
import { copyText } from '../../ui/clipboard.ts';
import { timeText } from '../records/cell-text.ts';
import { wellIdsOf } from '../datasets/well-ids.ts';
import { UnitForm } from '../datasets/unit-form.tsx';
import { openQuery } from '../query/open-query.ts';

const hasMeasurements = ({ path, types }: DatasetField): boolean => isMeasured(pathNames(path), types);

/** A field: its path, types, unit, share of values, and examples. */
export function FieldRow({ field }: { field: DatasetField }) {
  const dataset = useTabState('dataset', (state) => state.dataset);
  const wells = useTabState('dataset', (state) => state.wells);
  const scope = useTabState('dataset', (state) =>
    state.fields.status === 'loaded' ? state.fields.value.scope : null,
  );
  const session = useSession();
  const { types, unit, description } = field;
  const path = visibleLine(field.path);
  const filter = filterFor(field, dataset.type, wells, scope);
  const row = useRef<HTMLDivElement>(null);
  const [isSettingUnit, setSettingUnit] = useState(false);
  const w = words.datasets;
  return (
    <div ref={row} className="field-row">
      <code className="field-path" title={description === undefined ? path : `${path}: ${description}`}>
        {path}
      </code>
      <span className="field-types">{types.map((type) => w.fieldTypes[type]).join(', ')}</span>
      <span className="field-unit">{unit}</span>
      <FilledBar field={field} />
      <span className="field-example" title={examplesOf(field)}>
        {examplesOf(field)}
      </span>
      <span className="field-actions">
        {hasMeasurements(field) && (
          <Button
            variant="quiet"
            size="small"
            icon={Ruler}
            aria-label={w.setUnit(path)}
            onPress={() => setSettingUnit(true)}
          />
        )}
        <Button
          variant="quiet"
          size="small"
          icon={Copy}
          aria-label={w.copy(path)}
          onPress={() => void copyText(field.path)}
        />
        {filter !== null && (
          <Button
            variant="quiet"
            size="small"
            icon={ListFilter}
            aria-label={w.filterBy(path)}
            onPress={() => openQuery(session, dataset, filter)}
          />
        )}
      </span>
      {isSettingUnit && (
        <UnitForm
          dataset={dataset}
          path={field.path}
          current={unit}
          at={row}
          onClose={() => setSettingUnit(false)}
        />
      )}
    </div>
  );
}

/** The distinct texts of a field, or an example, with the range of measurements. */
function examplesOf(field: DatasetField): string {
  const { values, example, range } = field;
  if (values && values.length > 1) return values.join(' · ');
  const hasRange = range !== undefined && range.min < range.max && hasMeasurements(field);
  return [
    example === undefined ? undefined : exampleText(field.path, example),
    hasRange ? words.datasets.range(range.min, range.max) : undefined,
  ]
    .filter((text) => text !== undefined)
    .join(' · ');
}

/** A stored number of milliseconds says nothing to a person. */
function exampleText(path: string, example: string): string {
  const value = Number(example);
  const names = pathNames(path);
  const time = timeText(value, kindOf(names, [value]), 'UTC');
  return time === null ? example : words.record.time(time, 'UTC');
}

const tokenShare = ({ tokens = [] }: DatasetField): number =>
  Math.min(
    tokens.reduce((sum, { share }) => sum + share, 0),
    1,
  );

/** Shares of the sampled records: with a value, with a null value, null, or absent. */
function sharesOf(field: DatasetField) {
  const { nulls = 0, absent = 0 } = field;
  const tokens = tokenShare(field);
  return { filledShare: Math.max(1 - nulls - absent - tokens, 0), tokens, nulls, absent };
}

/** How often the field has a value, as a bar and a number. */
function FilledBar({ field }: { field: DatasetField }) {
  if (field.nulls === undefined) return <span className="field-filled" />;
  const shares = sharesOf(field);
  const part = (share: number, kind: string) =>
    share > 0 && <span className={`filled-${kind}`} style={{ width: `${share * 100}%` }} />;
  return (
    <span className="field-filled" title={filledText(field)}>
      <span className="filled-bar" aria-hidden>
        {part(shares.filledShare, 'value')}
        {part(shares.tokens, 'token')}
        {part(shares.nulls, 'null')}
      </span>
      <span className="numbers filled-number">{formatPercent(shares.filledShare + 1e-9)}</span>
    </span>
  );
}

function filledText(field: DatasetField): string {
  if (field.nulls === undefined) return '';
  const { filledShare, nulls, absent } = sharesOf(field);
  return words.datasets.filled({
    filled: formatPercent(filledShare + 1e-9),
    nulls: nulls > 0 ? formatPercent(nulls) : null,
    absent: absent > 0 ? formatPercent(absent) : null,
    tokens: (field.tokens ?? []).map(({ value, share }) => [String(value), formatPercent(share)] as const),
  });
}

/**
 * A starting query that filters by a field within the wells: one of its texts, a range from an example value,
 * or the example itself. Null: no value is known.
 */
export function filterFor(
  field: DatasetField,
  type: DatasetType | null,
  wells: readonly ScopedWell[],
  scope: ScopeField | null,
): string | null {
  const condition = conditionOf(field);
  if (condition === null) return null;
  const { assets, companies } = wellIdsOf(wells);
  const scoped = scopeCondition(type, assets.length > 0, { field: scope, companies });
  const filter = `${nameOf(field.path)}: ${condition}`;
  // A condition on the scope field replaces the scope.
  return scoped === null || field.path === scope ? `{ ${filter} }` : `{ ${scoped}, ${filter} }`;
}

function conditionOf(field: DatasetField): string | null {
  const { types, values, example } = field;
  if (values && values.length > 1)
    return `{ $in: [${values.map((text) => JSON.stringify(text)).join(', ')}] }`;
  // Lists, objects, and truncated texts can't be compared.
  if (example === undefined || types.includes('array') || example.endsWith('…"')) return null;
  return hasNumbers(field) || types.includes('date') ? `{ $gte: ${example} }` : example;
}

/** The row as text for screen readers. */
export function fieldText(field: DatasetField): string {
  const { path, types, unit } = field;
  return [
    path,
    types.map((type) => words.datasets.fieldTypes[type]).join(', '),
    unit,
    filledText(field),
    examplesOf(field),
  ]
    .filter((part) => part !== undefined && part !== '')
    .join(', ');
}

const rowHeight = 28;

/** The fields of the dataset, from its type, its definition, and a sample of its records. */
export function FieldsView() {
  const { actions } = useTab('dataset');
  const fields = useTabState('dataset', (state) => state.fields);
  const again = () => void actions.loadFields();
  return (
    <section className="dataset-fields" aria-label={words.datasets.fields}>
      {fields.status === 'idle' && (
        <Empty action={<Button onPress={again}>{words.datasets.askFields}</Button>}>
          {words.datasets.fieldsNotRead}
        </Empty>
      )}
      {fields.status === 'loading' && (
        <Loading what={words.datasets.fieldsLoading} onCancel={() => actions.cancel('fields')} />
      )}
      {fields.status === 'failed' && <ConnectionFailed error={fields.error} onRetry={again} />}
      {fields.status === 'loaded' && <Fields listed={fields.value} />}
    </section>
  );
}

/** The fields in the order of the table's columns: what all records of a dataset share is last. */
const fieldOrder = (fields: readonly DatasetField[]): readonly DatasetField[] =>
  columnOrder(fields.map((field) => ({ field, path: pathNames(field.path), characters: Infinity }))).map(
    ({ field }) => field,
  );

/** The fields whose path, unit, description, or texts contain every word. */
function searchFields(fields: readonly DatasetField[], text: string): readonly DatasetField[] {
  const matches = wordSearch(text);
  return fields.filter(({ path, unit, description, values }) =>
    matches([path, unit, description, ...(values ?? [])].join('\n')),
  );
}

function Fields({ listed }: { listed: DatasetFields }) {
  const { actions } = useTab('dataset');
  const search = useTabState('dataset', (state) => state.search);
  const wells = useTabState('dataset', (state) => state.wells.length);
  const text = useDeferredValue(search);
  const { fields, sampled, of, more, problem } = listed;
  const ordered = useMemo(() => fieldOrder(fields), [fields]);
  const shown = useMemo(() => searchFields(ordered, text), [ordered, text]);
  const w = words.datasets;
  return (
    <>
      <div className="dataset-fields-head">
        <h3>{w.fields}</h3>
        <SearchBox
          className="dataset-fields-search"
          label={w.searchFields}
          placeholder={w.searchFieldsHint}
          value={search}
          onChange={actions.search}
        />
        <Status className="quiet numbers">{w.sampled(sampled, of === 'wells' ? wells : 0)}</Status>
      </div>
      {problem && (
        <Alert isStrip tone="warning">
          {problem.message}
        </Alert>
      )}
      {of === 'any' && wells > 0 && (
        <Alert isStrip tone="info">
          {w.sampledOthers}
        </Alert>
      )}
      <div className="field-row field-row-head" aria-hidden>
        {w.fieldColumns.map((name) => (
          <span key={name}>{name}</span>
        ))}
      </div>
      <div className="dataset-fields-body">
        {shown.length === 0 ? (
          <Empty action={<Button onPress={() => actions.search('')}>{words.clearSearch}</Button>}>
            {w.noField}
          </Empty>
        ) : (
          <PickList
            label={w.fields}
            items={shown}
            keyOf={({ path }) => path}
            nameOf={fieldText}
            rowHeight={rowHeight}
            render={(field) => <FieldRow field={field} />}
          />
        )}
      </div>
      <Status className="list-foot quiet numbers">
        {w.fieldsShown(shown.length, fields.length)} {more && w.moreFields}
      </Status>
    </>
  );
}
