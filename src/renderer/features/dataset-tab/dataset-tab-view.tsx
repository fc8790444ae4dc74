import {
  Copy,
  FolderSync,
  Lock,
  Search,
  ShieldCheck,
  Upload,
  KeyRound,
  ListFilter,
  PencilLine,
} from 'lucide-react';
import {
  datasetName,
  type Dataset,
  type DatasetType,
  type ScopeField,
  isMeasured,
} from '../../../shared/datasets/datasets.ts';
import type { DatasetExtent, DatasetFields } from '../../../shared/contract/catalogue.ts';
import { Button } from '../../ui/button.tsx';
import { copyText } from '../../ui/clipboard.ts';
import { TabContext, useApp, useSession, useTab, useTabState, useSessionState } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import { addressText, typeText } from '../datasets/search.ts';
import { useMemo, useRef, useDeferredValue, useState } from 'react';
import { Loading, Empty } from '../../ui/view-states.tsx';
import { ConnectionFailed } from '../connections/connection-failed.tsx';
import type { DatasetTab } from './dataset-tab.ts';
import { ListAge } from '../../ui/list-age.tsx';
import './dataset-tab.css';
import { openQuality } from '../quality-tab/quality-kind.ts';
import { openQuery } from '../query/open-query.ts';
import { openUpload } from '../upload/open-upload.ts';
import { formatBytes, formatCount, formatDepth, formatPercent } from '../../format/numbers.ts';
import { Fact } from '../../ui/fact.tsx';
import { instantOf } from '../../../shared/instants.ts';
import { formatMoment } from '../../format/zoned.ts';
import { Alert } from '../../ui/alert.tsx';
import { pathNames } from '../../../shared/column-paths.ts';
import { type DatasetField, hasNumbers } from '../../../shared/datasets/fields.ts';
import { fieldSearch } from '../datasets/field-options.ts';
import { useSynonyms } from '../settings/use-synonyms.ts';
import { PickList } from '../../ui/pick-list.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { Status } from '../../ui/status.tsx';
import { Section } from '../../ui/section.tsx';
import { columnOrder, kindOf } from '../records/columns.ts';
import { nameOf, scopeCondition } from '../../../shared/language/scope.ts';
import type { ScopedWell } from '../../../shared/wells/wells.ts';
import { visibleLine } from '../../../shared/errors/errors.ts';
import { timeText } from '../records/shown-cells.ts';
import { wellIdsOf } from '../datasets/well-ids.ts';
import { FieldForm } from '../datasets/field-form.tsx';
import { useFieldNames } from '../datasets/use-field-names.ts';
import type { Synonyms } from '../../../shared/channels/channels.ts';
import type { FieldNames } from '../../../shared/channels/plain-names.ts';

const hasMeasurements = ({ path, types }: DatasetField): boolean => isMeasured(pathNames(path), types);

/** Whether a name says more than the path: else the path is shown alone. */
const isOtherName = (name: string, path: string): boolean => name !== path && `data.${name}` !== path;

function FieldRow({ field, names }: { field: DatasetField; names: FieldNames }) {
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
  const [isChanging, setChanging] = useState(false);
  const name = visibleLine(names(field.path).text);
  const w = words.datasets;
  const isPlain = isOtherName(name, path);
  const acts = [
    { icon: PencilLine, label: w.setField(path), run: () => setChanging(true) },
    { icon: Copy, label: w.copy(path), run: () => void copyText(field.path) },
    ...(filter === null
      ? []
      : [
          {
            icon: ListFilter,
            label: w.filterBy(path),
            run: () => void openQuery(session, dataset, filter),
          },
        ]),
  ];
  return (
    <div ref={row} className="field-row grow items-center gap-2 one-line">
      <span className="ellipsis" title={description === undefined ? path : `${path}: ${description}`}>
        {isPlain && `${name} `}
        <code className={isPlain ? 'quiet small mono' : 'small mono'}>{path}</code>
      </span>
      <span className="quiet">{types.map((type) => w.fieldTypes[type]).join(', ')}</span>
      <span className="quiet">{unit}</span>
      <FilledBar field={field} />
      <span className="mono small" title={examplesOf(field)}>
        {examplesOf(field)}
      </span>
      <span className="row gap-0 items-stretch to-end">
        {acts.map(({ icon, label, run }) => (
          <Button key={label} variant="quiet" size="small" icon={icon} aria-label={label} onPress={run} />
        ))}
      </span>
      {isChanging && (
        <FieldForm
          dataset={dataset}
          path={field.path}
          unit={hasMeasurements(field) ? unit : null}
          at={row}
          onClose={() => setChanging(false)}
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

/** Shares of the sampled records: with a value, with a null value, null, or absent. */
function sharesOf(field: DatasetField) {
  const { nulls = 0, absent = 0 } = field;
  const tokenSum = (field.tokens ?? []).reduce((sum, { share }) => sum + share, 0);
  const tokens = Math.min(tokenSum, 1);
  return { filledShare: Math.max(1 - nulls - absent - tokens, 0), tokens, nulls, absent };
}

function FilledBar({ field }: { field: DatasetField }) {
  if (field.nulls === undefined) return <span className="row" />;
  const shares = sharesOf(field);
  const part = (share: number, kind: string) =>
    share > 0 && <span className={`filled-${kind}`} style={{ width: `${share * 100}%` }} />;
  return (
    <span className="row" title={filledText(field)}>
      <span className="filled-bar row gap-0 items-stretch" aria-hidden>
        {part(shares.filledShare, 'value')}
        {part(shares.tokens, 'token')}
        {part(shares.nulls, 'null')}
      </span>
      <span className="numbers filled-number end">{formatPercent(shares.filledShare + 1e-9)}</span>
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
function fieldText(field: DatasetField, names: FieldNames): string {
  const { path, types, unit } = field;
  const { text } = names(path);
  return [
    isOtherName(text, path) ? text : undefined,
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
function FieldsView() {
  const { actions } = useTab('dataset');
  const fields = useTabState('dataset', (state) => state.fields);
  const again = () => void actions.loadFields();
  return (
    <section className="fill stack gap-0 min-0" aria-label={words.datasets.fields}>
      {fields.status === 'idle' && (
        <Empty action={<Button onPress={again}>{words.datasets.askFields}</Button>}>
          {words.datasets.fieldsNotRead}
        </Empty>
      )}
      {fields.status === 'loading' && (
        <Loading what={words.datasets.fieldsLoading} onCancel={() => actions.cancel.fields()} />
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

/** The fields whose name, path, unit, description, or texts contain every word, or that are of a channel with this name. */
function searchFields(
  fields: readonly DatasetField[],
  text: string,
  names: FieldNames,
  synonyms: Synonyms,
): readonly DatasetField[] {
  const matches = fieldSearch(text, synonyms);
  return fields.filter(({ path, unit, description, values }) =>
    matches(path, [names(path).text, unit, description, ...(values ?? [])]),
  );
}

function Fields({ listed }: { listed: DatasetFields }) {
  const { actions } = useTab('dataset');
  const search = useTabState('dataset', (state) => state.search);
  const wells = useTabState('dataset', (state) => state.wells.length);
  const text = useDeferredValue(search);
  const { fields, sampled, of, more, problem } = listed;
  const ordered = useMemo(() => fieldOrder(fields), [fields]);
  const names = useFieldNames(useTabState('dataset', (state) => state.dataset));
  const synonyms = useSynonyms();
  const shown = useMemo(() => searchFields(ordered, text, names, synonyms), [ordered, text, names, synonyms]);
  const w = words.datasets;
  return (
    <>
      <div className="row gap-3 pad-y-2 pad-x-3">
        <h3>{w.fields}</h3>
        <SearchBox
          className="grow max-field"
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
      <div
        className="field-row grow items-center gap-2 one-line field-row-head flex-none line-below surface-quiet quiet small"
        aria-hidden
      >
        {w.fieldColumns.map((name) => (
          <span key={name}>{name}</span>
        ))}
      </div>
      <div className="fill">
        {shown.length === 0 ? (
          <Empty action={<Button onPress={() => actions.search('')}>{words.clearSearch}</Button>}>
            {w.noField}
          </Empty>
        ) : (
          <PickList
            label={w.fields}
            items={shown}
            keyOf={({ path }) => path}
            nameOf={(field) => fieldText(field, names)}
            rowHeight={rowHeight}
            render={(field) => <FieldRow field={field} names={names} />}
          />
        )}
      </div>
      <Status className="list-foot quiet numbers">
        {w.fieldsShown(shown.length, fields.length)} {more && w.moreFields}
      </Status>
    </>
  );
}

const dayMs = 86_400_000;

/** A bound of the extent, from JSON text. Times are in UTC. */
function formatBound(field: string, json: string | null): string {
  if (json === null) return words.unknown;
  const value: unknown = JSON.parse(json);
  if (typeof value !== 'number') return String(value);
  return field === 'timestamp' ? `${formatMoment(value, 'utc')} UTC` : formatDepth(value);
}

const millisecondsOf = (value: unknown): number =>
  typeof value === 'number' ? value : typeof value === 'string' ? instantOf(value) : Number.NaN;

/** The span between the bounds: days, or a length for depths. Null: unknown. */
function formatSpan(field: string, first: string, last: string): string | null {
  const [from, to]: unknown[] = [JSON.parse(first), JSON.parse(last)];
  if (field === 'measured_depth')
    return typeof from === 'number' && typeof to === 'number' ? formatDepth(to - from) : null;
  const ms = millisecondsOf(to) - millisecondsOf(from);
  if (!Number.isFinite(ms) || ms < 0) return null;
  if (ms < dayMs) return words.datasets.underADay;
  return words.datasets.days(Math.round(ms / dayMs), formatCount(Math.round(ms / dayMs)));
}

function ExtentBody() {
  const { actions } = useTab('dataset');
  const extent = useTabState('dataset', (state) => state.extent);
  const again = () => void actions.loadExtent();
  switch (extent.status) {
    case 'idle':
      return (
        <Button className="self-start" onPress={again}>
          {words.datasets.askExtent}
        </Button>
      );
    case 'loading':
      return <Loading what={words.datasets.extentLoading} onCancel={() => actions.cancel.extent()} />;
    case 'failed':
      return <ConnectionFailed error={extent.error} onRetry={again} />;
    case 'loaded':
      return <Extent extent={extent.value} />;
  }
}

function Extent({ extent }: { extent: DatasetExtent }) {
  const { count, field, first, last, unplaced, problem, of, scope } = extent;
  const wells = useTabState('dataset', (state) => state.wells.length);
  const w = words.datasets;
  const span = field === null || first === null || last === null ? null : formatSpan(field, first, last);
  return (
    <>
      {count !== null && (
        <p className="numbers">
          <strong className="large">{formatCount(count)}</strong> {w.records(count)}
          {span !== null && <span className="quiet"> · {span}</span>}
        </p>
      )}
      {count === 0 && wells > 0 && <p className="quiet">{w.noneForWells}</p>}
      {field !== null && count !== 0 && (
        <dl className="facts numbers">
          <Fact name={w.first(field)}>{formatBound(field, first)}</Fact>
          <Fact name={w.last(field)}>{formatBound(field, last)}</Fact>
        </dl>
      )}
      {unplaced && field !== null && <p className="quiet">{w.unplaced(field)}</p>}
      {wells > 0 && of === 'all' && <p className="quiet">{w.belongsToNobody}</p>}
      {wells > 0 && of === 'wells' && scope?.endsWith('company_id') && (
        <p className="quiet">{w.belongsToCompany(scope)}</p>
      )}
      {problem && <Alert tone="warning">{problem.message}</Alert>}
    </>
  );
}

function DatasetFacts() {
  const dataset = useTabState('dataset', (state) => state.dataset);
  const company = useSessionState('directory', ({ companies }) =>
    dataset.companyId === null ? null : (companies.names.get(dataset.companyId) ?? null),
  );
  const w = words.datasets;
  const { statistics, permissions, companyId } = dataset;
  const bytes = (size: number | null) => (size === null ? null : formatBytes(size));
  return (
    <>
      <Section level={3} className="dataset-part stack" heading={w.indexes}>
        <Indexes indexes={dataset.indexes} />
      </Section>
      <Section level={3} className="dataset-part stack" heading={w.statistics}>
        <dl className="facts numbers">
          <Fact name={w.statisticsOf.count}>
            {statistics.count === null ? null : formatCount(statistics.count)}
          </Fact>
          <Fact name={w.statisticsOf.size}>{bytes(statistics.size)}</Fact>
          <Fact name={w.statisticsOf.storageSize}>{bytes(statistics.storageSize)}</Fact>
          <Fact name={w.statisticsOf.indexSize}>{bytes(statistics.indexSize)}</Fact>
        </dl>
      </Section>
      <Section level={3} className="dataset-part stack" heading={w.permissions}>
        {Object.keys(permissions).length === 0 ? (
          <p className="quiet">{w.noPermissions}</p>
        ) : (
          <dl className="facts">
            {Object.entries(permissions).map(([what, how]) => (
              <Fact key={what} name={w.permission(what)}>
                {how === 'request' ? w.request : how}
              </Fact>
            ))}
          </dl>
        )}
      </Section>
      <Section level={3} className="dataset-part stack" heading={w.origin}>
        <dl className="facts">
          <Fact name={w.companyOf}>{company ?? (companyId === null ? null : w.company(companyId))}</Fact>
          <Fact name={w.providerOf}>{dataset.provider}</Fact>
          <Fact name={w.id}>{dataset.id}</Fact>
        </dl>
      </Section>
    </>
  );
}

/** Each index with the sorts that it supports, in its own or the reverse order. */
function Indexes({ indexes }: { indexes: Dataset['indexes'] }) {
  if (indexes.length === 0) return <p className="quiet">{words.datasets.noIndexes}</p>;
  return (
    <ul className="stack">
      {indexes.map(({ name, fields, unique }) => (
        <li key={name} className="stack gap-0 break">
          <code className="small mono">
            {fields.map(({ path, direction }) => `${path} ${direction === 1 ? '↑' : '↓'}`).join(', ')}
          </code>
          {unique && (
            <span className="row gap-1 quiet small">
              <KeyRound size={12} aria-hidden /> {words.datasets.unique}
            </span>
          )}
          <span className="quiet small">{words.datasets.serves(fields.map(({ path }) => path))}</span>
        </li>
      ))}
    </ul>
  );
}

function DatasetHead() {
  const dataset = useTabState('dataset', (state) => state.dataset);
  const session = useSession();
  const { mirrors } = useApp();
  const { description, permissions, temporary, plottable } = dataset;
  const address = addressText(dataset);
  const w = words.datasets;
  return (
    <header className="row wrap items-start pad-y-2 pad-x-3 line-below">
      <div className="grow-text stack gap-1">
        <div className="row wrap">
          <h2 className="large">{datasetName(dataset)}</h2>
          <span className="row gap-0 min-0">
            <code className="small mono">{address}</code>
            <Button
              variant="quiet"
              icon={Copy}
              aria-label={w.copy(address)}
              onPress={() => void copyText(address)}
            />
          </span>
          <span className="dataset-type">{typeText(dataset)}</span>
          {plottable && <span className="dataset-type">{w.plottable}</span>}
          {temporary && <span className="dataset-type">{w.temporary}</span>}
          {permissions['read'] === 'request' && (
            <span className="dataset-type row gap-1">
              <Lock size={12} aria-hidden /> {w.onRequest(['read'])}
            </span>
          )}
        </div>
        {description !== '' && <p className="break quiet">{description}</p>}
      </div>
      <div className="row wrap">
        <Button variant="primary" icon={Search} onPress={() => openQuery(session, dataset)}>
          {w.query}
        </Button>
        <Button icon={ShieldCheck} onPress={() => openQuality(session, dataset)}>
          {words.quality.tab.start}
        </Button>
        <Button icon={FolderSync} onPress={() => mirrors.actions.show(dataset)}>
          {words.mirrors.openForm}
        </Button>
        <Button icon={Upload} onPress={() => openUpload(session, dataset)}>
          {w.upload}
        </Button>
      </div>
    </header>
  );
}

export default function DatasetTabView({ tab }: { tab: DatasetTab }) {
  return (
    <TabContext value={useMemo(() => ({ dataset: tab }), [tab])}>
      <Body />
    </TabContext>
  );
}

function Body() {
  const { actions, dataset } = useTab('dataset');
  const definition = useTabState('dataset', (state) => state.definition);
  const freshness = useTabState('dataset', (state) => state.freshness);
  const wells = useTabState('dataset', (state) => state.wells.length);
  // The error is shown once if both parts fail for the same reason.
  const isShownAbove = useTabState(
    'dataset',
    ({ extent }) => extent.status === 'failed' && extent.error.message === freshness.error?.message,
  );
  const reload = () => void actions.loadDefinition();
  return (
    <section className="dataset-tab stack gap-0 full" aria-label={words.datasets.tab(addressText(dataset))}>
      <DatasetHead />
      <div className="dataset-tab-body fill">
        {/* oxlint-disable-next-line no-noninteractive-tabindex -- what scrolls must be reached by the keyboard */}
        <section className="dataset-tab-facts pad-3 scroll" tabIndex={0} aria-label={words.datasets.facts}>
          <Section
            level={3}
            className="dataset-part stack"
            heading={wells === 0 ? words.datasets.extentOfAll : words.datasets.extentOf(wells)}
          >
            <ExtentBody />
          </Section>
          {definition.status === 'failed' && <ConnectionFailed error={definition.error} onRetry={reload} />}
          {definition.status === 'loading' && (
            <Loading what={words.datasets.definitionLoading} onCancel={() => actions.cancel.definition()} />
          )}
          {definition.status === 'loaded' && (
            <div className="quiet">
              <ListAge
                freshness={isShownAbove ? { ...freshness, error: null } : freshness}
                onAgain={reload}
              />
            </div>
          )}
          {/* Without the definition, the entry of the list is shown. */}
          {definition.status !== 'loading' && <DatasetFacts />}
        </section>
        <FieldsView />
      </div>
    </section>
  );
}
