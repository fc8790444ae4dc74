import { pathId } from '../../../shared/column-paths.ts';
import { synonymsOf } from '../../../shared/channels/synonyms.ts';
import { statementNames } from '../../../shared/channels/plain-names.ts';
import { scopeFieldOf } from '../../../shared/datasets/shapes.ts';
import type { Dataset } from '../../../shared/datasets/datasets.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import { rangeFieldOf, readRange, type Bound } from '../../../shared/language/text/range.ts';
import { readScope } from '../../../shared/language/text/scope.ts';
import { visibleLine } from '../../../shared/errors/visible-text.ts';
import type { QuestionText } from '../../../shared/query/question.ts';
import type { Session } from '../../contexts.ts';
import { formatBound } from '../../format/range-inputs.ts';
import { monotonicClock } from '../../state/use-now.ts';
import type { DataColumn, DataColumnOrGroup } from '../../ui/grid/index.ts';
import { plotWords } from '../../words/plot.ts';
import { reportWords } from '../../words/report.ts';
import { words } from '../../words/words.ts';
import { findDataset } from '../datasets/dataset-finder.ts';
import { watchUnits } from '../datasets/field-catalogue.ts';
import { addressText } from '../datasets/search.ts';
import { fieldNamesNow } from '../datasets/use-field-names.ts';
import { shownNames } from '../plot/use-names.ts';
import { bindQuestion } from '../query/bound-query.ts';
import { conditionsOf } from '../query/conditions.ts';
import { currentValues } from '../query/query-kind.ts';
import { hasParameters, requestOf, usesSelectedWells } from '../query/query-request.ts';
import { unitChanges, withWellNames } from '../records/shown-cells.ts';
import { cellBlock, gridColumns, rowsOfResult, type CellBlock } from '../results/grid-columns.ts';
import { isLimited } from '../results/load-all.ts';
import { createResults, type Result } from '../results/results.ts';
import { resolveZone, wellZonesOf } from '../results/times/time-view.ts';
import { assetsOfResult } from '../results/times/use-well-zones.ts';
import { listedWells } from '../wells/wells-state.ts';
import { calculateColumns, noPlot, plotPart, type PartPlot, type PlottedResult } from './part-plot.ts';
import type { PartRequest } from './report-tab.ts';

interface PartTable {
  readonly heads: readonly { readonly text: string; readonly details: string; readonly isNumber: boolean }[];
  readonly rows: readonly (readonly string[])[];
  /** What isn't shown. */
  readonly notes: readonly string[];
}

/** What a part of a report shows: texts and pictures, which stay when the records are released. */
export interface PartContent extends PartPlot {
  /** Wells and range. */
  readonly about: string;
  /** The address of the dataset. */
  readonly source: string;
  readonly isEmpty: boolean;
  readonly table: PartTable | null;
}

const maxRows = 50;
/** As many as a sheet of paper has room for. */
const maxColumns = 12;

/** The wells and the range that a query asks for, as far as they can be read from its text. */
function aboutOf(
  session: Session,
  dataset: Dataset,
  {
    bound,
    wells,
    zone,
    unit,
  }: {
    readonly bound: QuestionText;
    readonly wells: readonly string[];
    readonly zone: string;
    /** Of a depth. */
    readonly unit: string;
  },
): { readonly text: string; readonly assets: readonly string[] } {
  const conditions = conditionsOf(bound);
  const path = session.datasets.actions.scopeOf(dataset) ?? scopeFieldOf(dataset.type);
  const scope = conditions === null || !path.endsWith('asset_id') ? null : readScope(conditions, path);
  const { names } = listedWells(session.wells.store.getState());
  const assets = scope?.kind === 'ids' ? scope.ids.map(String) : [];
  const shownWells = scope?.kind === 'ids' ? assets.map((id) => names.get(id) ?? plotWords.well(id)) : wells;
  const field = rangeFieldOf(dataset.type);
  const range = conditions === null || field === null ? null : readRange(conditions, field);
  const { between, since, until } = words.query.range;
  const textOf = (bound: Bound) => formatBound(bound, zone).replace(/:00$/, '');
  const rangeText = (() => {
    if (range?.kind !== 'range' || (!range.from && !range.to)) return [];
    const { from, to } = range;
    const text = from
      ? to
        ? between(textOf(from), textOf(to))
        : since(textOf(from))
      : until(to ? textOf(to) : '');
    return [`${text} ${field?.of === 'time' ? zone : unit}`.trim()];
  })();
  return { text: [plotWords.wells(shownWells, false), ...rangeText].filter(Boolean).join(' · '), assets };
}

/** The columns of a table, with the names of the columns that they are nested under. */
const leavesOf = (
  column: DataColumnOrGroup<CellBlock>,
  parents: readonly string[] = [],
): { readonly column: DataColumn<CellBlock>; readonly text: string }[] => {
  const names = [...parents, column.header];
  if ('children' in column) return column.children.flatMap((child) => leavesOf(child, names));
  return column.hidden ? [] : [{ column, text: names.join(' ') }];
};

/** The first rows as the table shows them. @throws AppError */
async function tableOf(
  result: Result,
  shown: Omit<Parameters<typeof gridColumns>[0], 'heads' | 'first'>,
  signal: AbortSignal,
): Promise<PartTable> {
  const { held, head, asked, computed } = result;
  const shape = held.shape();
  const { first } = rowsOfResult(held, head);
  const heads = shown.wellNames?.size ? withWellNames(shape.columns) : shape.columns;
  const isComputed = asked.kind !== 'find';
  const all = gridColumns({ ...shown, heads, first, isComputed, computed }).flatMap((column) =>
    leavesOf(column),
  );
  const columns = all.slice(0, maxColumns);
  const count = Math.min(maxRows, shape.rows);
  const block = cellBlock(await held.rows({ from: 0, to: count }, signal));
  const total = shape.isComplete && !isLimited(result) ? shape.rows : null;
  return {
    heads: columns.map(({ column: { details, align }, text }) => ({
      text: visibleLine(text),
      details: visibleLine(details?.join(' ') ?? ''),
      isNumber: align === 'end',
    })),
    rows: Array.from({ length: count }, (_, row) =>
      columns.map(({ column }) => visibleLine(column.text(row, block))),
    ),
    notes: [
      ...(total === count ? [] : [reportWords.rows(count, total)]),
      ...(all.length > columns.length ? [reportWords.columns(columns.length, all.length)] : []),
    ],
  };
}

/**
 * Runs the query of a part, and draws what its look shows.
 * @throws AppError
 */
export async function readPart(session: Session, request: PartRequest): Promise<PartContent> {
  const { query, wells, now, signal, onRows } = request;
  const { app, connection } = session;
  const dataset = await findDataset(session, query);
  const key = { connection, address: dataset };
  // A table without units is better than none.
  await app.fields.load(key);
  signal.throwIfAborted();
  const results = createResults(
    {
      records: app.records,
      views: session.views,
      watchUnits: (address, onUnits) => watchUnits(app.fields, { connection, address }, onUnits),
      initialZone: () => app.settings.store.getState().values.times,
      now: monotonicClock,
    },
    dataset,
  );
  const stop = () => results.actions.close();
  signal.addEventListener('abort', stop);
  try {
    if (query.look) results.actions.setLook(query.look);
    const { question } = query;
    const values = { ...currentValues(session.wells, wells), now };
    const bound = hasParameters(question) ? bindQuestion(question, values) : question;
    const target = { connection, provider: dataset.provider, dataset: dataset.dataset };
    const outcome = await results.actions.run(() => requestOf(target, bound));
    signal.throwIfAborted();
    if (outcome.status !== 'loaded')
      throw outcome.status === 'failed' ? outcome.error : new AppError('cancelled', {});
    await calculateColumns(results, outcome.value);
    const part = { session, connection, dataset, results, signal, onRows };
    return await contentOf(part, outcome.value, { bound, request });
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

/** What a result shows in the view of its query. @throws AppError */
async function contentOf(
  part: Pick<PlottedResult, 'session' | 'connection' | 'dataset' | 'results' | 'signal' | 'onRows'>,
  result: Result,
  { bound, request }: { readonly bound: QuestionText; readonly request: PartRequest },
): Promise<PartContent> {
  const { session, dataset, results } = part;
  const { query, wells } = request;
  const view = query.look?.view ?? 'table';
  const { settings } = session.app;
  const { values, stored } = settings.store.getState();
  const isComputed = result.asked.kind !== 'find';
  const listed = listedWells(session.wells.store.getState());
  const assets = assetsOfResult(dataset.type, result);
  const zones = wellZonesOf(assets.length === 0 ? wells : listed.wellsBy('assetId', assets));
  const { units, grid } = results.store.getState();
  const zone = resolveZone(results.store.getState().zone, zones);
  const fieldNames = isComputed ? statementNames : fieldNamesNow({ settings }, dataset);
  const changes = unitChanges(units, values.units, grid.units);
  const synonyms = synonymsOf(stored.channelNames);
  const named = {
    field: fieldNames,
    unitOf: (id: string) => units.get(id),
    wellName: (id: string) => listed.names.get(id),
  };
  const names = shownNames(named, changes, synonyms);
  const about = aboutOf(session, dataset, {
    bound,
    wells: usesSelectedWells(query.question) ? wells.map(({ name }) => name) : [],
    zone: zone ?? 'UTC',
    unit: names.unitOf(rangeFieldOf(dataset.type)?.path ?? '') ?? '',
  });
  const common = { about: about.text, source: addressText(dataset), isEmpty: result.records === 0 };
  if (common.isEmpty) return { ...common, ...noPlot, table: null };
  const hasPlot = view === 'plot' || view === 'both';
  const shown = { changes, units, synonyms, names, askedWells: about.assets, zone: zone ?? 'UTC' };
  const table =
    view === 'plot'
      ? null
      : await tableOf(
          result,
          {
            view: grid,
            zone,
            names: fieldNames,
            units,
            changes,
            calculated: new Map(
              results.calculated.store
                .getState()
                .columns.map(({ name, expression }) => [pathId([name]), { expression, note: null }]),
            ),
            wellNames: listed.names,
            hidesAssets: values.names === 'plain' && !isComputed,
            numbers: values.numbers,
          },
          part.signal,
        );
  const plot = hasPlot ? await plotPart({ ...part, ...shown, result }) : noPlot;
  return { ...common, ...plot, table };
}
