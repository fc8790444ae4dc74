import { pathId } from '../../../shared/column-paths.ts';
import { synonymsOf } from '../../../shared/channels/channels.ts';
import { statementNames } from '../../../shared/channels/plain-names.ts';
import { depthPath, type Dataset } from '../../../shared/datasets/datasets.ts';
import { AppError, visibleLine } from '../../../shared/errors/errors.ts';
import { rangeFieldOf, readRange } from '../../../shared/language/text/conditions.ts';
import type { Session } from '../../contexts.ts';
import { valueOr } from '../../state/loadable.ts';
import { monotonicClock } from '../../state/use-now.ts';
import type { DataColumn, DataColumnOrGroup } from '../../ui/grid/index.ts';
import { plotWords } from '../../words/plot.ts';
import { reportWords } from '../../words/report.ts';
import { words } from '../../words/words.ts';
import { findDataset, wellsInConditions } from '../datasets/dataset-finder.ts';
import { watchUnits } from '../datasets/field-catalogue.ts';
import { logGroups, readLogNames } from '../datasets/logs.ts';
import { addressText } from '../datasets/search.ts';
import { fieldNamesNow } from '../datasets/use-field-names.ts';
import { shownFields } from '../plot/first-choice.ts';
import { plotFieldOf } from '../plot/source.ts';
import { shownNames } from '../plot/use-names.ts';
import { bindQuestion } from '../query/bound-query.ts';
import { conditionsOf } from '../datasets/conditions.ts';
import { currentValues } from '../query/query-kind.ts';
import { withoutAggregate } from '../query/convert-mode.ts';
import { defaultLimit, hasParameters, requestOf, usesSelectedWells } from '../query/query-request.ts';
import { idsWithoutNumbers, namedHeads, unitChanges } from '../records/shown-cells.ts';
import { cellBlock, gridColumns, rowsOfResult, type CellBlock } from '../results/grid-columns.ts';
import { isLimited } from '../results/load-all.ts';
import { emptyReason, emptyTexts } from '../results/calculated-columns.ts';
import { createResults, hasTextRange, type Result } from '../results/results.ts';
import { resolveZone, wellZonesOf } from '../../format/time-view.ts';
import { assetsOfResult } from '../results/times/use-well-zones.ts';
import { listedWells, wellLabel } from '../wells/wells-state.ts';
import { rangeText } from '../query/range/scope-bar.tsx';
import { noPlot, plotPart, type PartPlot, type DrawnResult } from './part-plot.ts';
import type { PartRequest } from './report-tab.ts';

interface PartTable {
  readonly heads: readonly {
    readonly text: string;
    readonly details: string;
    /** The class of its cells; undefined: short texts, in one line. */
    readonly style: 'report-number' | 'report-text' | undefined;
  }[];
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
const maxColumns = 10;
/** Longer texts have several lines. */
const maxCharacters = 24;

/** The wells and the range that a sent query asks for, as far as they can be read from its text. */
function aboutOf(
  session: Session,
  dataset: Dataset,
  conditions: string | null,
  shown: { readonly wells: readonly string[]; readonly zone: string; readonly depthUnit: string },
): { readonly texts: string[]; readonly requestedWells: readonly string[] } {
  const scope = conditions === null ? null : wellsInConditions(session.datasets, dataset, conditions);
  const { labels } = listedWells(session.wells.store.getState());
  const requestedWells = scope?.kind === 'ids' ? scope.ids.map(String) : [];
  const wells =
    scope?.kind === 'ids' ? requestedWells.map((id) => labels.get(id) ?? plotWords.well(id)) : shown.wells;
  const field = rangeFieldOf(dataset.type);
  const range = conditions === null || field === null ? null : readRange(conditions, field);
  const hasRange = range?.kind === 'range' && (range.from ?? range.to) !== null;
  const unit = field?.of === 'time' ? shown.zone : shown.depthUnit;
  const texts = [
    plotWords.wells(wells, false),
    hasRange ? `${rangeText(range, shown.zone)} ${unit}`.trim() : '',
  ];
  return { texts: texts.filter(Boolean), requestedWells };
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
  shown: Omit<Parameters<typeof gridColumns>[0], 'first'>,
  signal: AbortSignal,
): Promise<PartTable> {
  const { held, head, request, computed } = result;
  const shape = held.shape();
  const { first } = rowsOfResult(held, head);
  const isComputed = request.kind !== 'find';
  const all = gridColumns({ ...shown, first, isComputed, computed }).flatMap((column) => leavesOf(column));
  const columns = all.slice(0, maxColumns);
  const count = Math.min(maxRows, shape.rows);
  const block = cellBlock(await held.rows({ from: 0, to: count }, { signal }));
  const rows = Array.from({ length: count }, (_, row) =>
    columns.map(({ column }) => visibleLine(column.text(row, block))),
  );
  return {
    heads: columns.map(({ column: { details, align }, text }, at) => {
      const isLong = rows.some((cells) => (cells[at]?.length ?? 0) > maxCharacters);
      return {
        text: visibleLine(text),
        details: visibleLine(details?.join(' ') ?? ''),
        style: align === 'end' ? 'report-number' : isLong ? 'report-text' : undefined,
      };
    }),
    rows,
    notes: [
      ...(count < shape.rows
        ? [reportWords.rows(count, shape.rows, isLimited(result))]
        : // A query for one record, such as the newest, lacks none.
          count > 1 && isLimited(result)
          ? [reportWords.limited(count)]
          : []),
      ...(all.length > columns.length ? [reportWords.columns(columns.length, all.length)] : []),
    ],
  };
}

/** Runs the query of a part, and draws what its look shows. @throws AppError */
export async function readPart(session: Session, request: PartRequest): Promise<PartContent> {
  const { query, wells, now, signal } = request;
  const { app, connection } = session;
  const dataset = await findDataset(session, query);
  // Its units; a table without them is better than none, and says so.
  await app.fields.load({ connection, address: dataset });
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
  signal.addEventListener('abort', results.actions.close);
  try {
    if (query.look) results.actions.setLook(query.look);
    const values = { ...currentValues(session.wells, wells), now };
    const stored = withoutAggregate(query.question, query.question.pipeline.stages, defaultLimit);
    const question = hasParameters(stored) ? bindQuestion(stored, values) : stored;
    const target = { connection, provider: dataset.provider, dataset: dataset.dataset };
    const outcome = await results.actions.run(() => requestOf(target, question));
    signal.throwIfAborted();
    if (outcome.status === 'failed') throw outcome.error;
    if (outcome.status !== 'loaded') throw new AppError('cancelled', {});
    await results.calculated.actions.update();
    return await contentOf({ session, results, result: outcome.value }, conditionsOf(question), request);
  } finally {
    signal.removeEventListener('abort', results.actions.close);
    results.actions.close();
  }
}

/** What a result shows in the view of its query. @throws AppError */
async function contentOf(
  part: Pick<DrawnResult, 'session' | 'results' | 'result'>,
  conditions: string | null,
  { query, wells, signal, onRows }: PartRequest,
): Promise<PartContent> {
  const { session, results, result } = part;
  const { dataset } = results;
  const { settings } = session.app;
  const { values, stored } = settings.store.getState();
  const { units, grid, zone: times } = results.store.getState();
  const isComputed = result.request.kind !== 'find';
  const listed = listedWells(session.wells.store.getState());
  const assets = assetsOfResult(dataset.type, result);
  const zone = resolveZone(
    times,
    wellZonesOf(assets.length === 0 ? wells : listed.wellsBy('assetId', assets)),
  );
  const field = isComputed ? statementNames : fieldNamesNow({ settings }, dataset);
  const { columns } = result.held.shape();
  const changes = unitChanges(units, values.units, grid.units, idsWithoutNumbers(columns));
  const groups = await logGroups(result.held);
  const logNames = await readLogNames(session, dataset, groups, { unit: units.get(depthPath), changes });
  const named = {
    field,
    unitOf: (id: string) => units.get(id),
    wellName: (id: string) => listed.labels.get(id),
    logNames,
  };
  const names = shownNames(named, changes, synonymsOf(stored.channelNames));
  // A time axis shows dates, never raw milliseconds.
  const shownZone = zone ?? 'UTC';
  const { texts, requestedWells } = aboutOf(session, dataset, conditions, {
    wells: usesSelectedWells(query.question) ? wells.map((well) => wellLabel(listed, well)) : [],
    zone: shownZone,
    depthUnit: units.get(depthPath) ?? '',
  });
  const { computedFrom } = result;
  // Its tables can be of other wells, and of another day.
  if (result.request.kind === 'sql') texts.push(reportWords.sql);
  if (computedFrom !== undefined) texts.push(words.results.computedFrom(computedFrom));
  const common = { about: texts.join(' · '), source: addressText(dataset), isEmpty: result.records === 0 };
  if (common.isEmpty) return { ...common, ...noPlot, table: null };
  const calculated = results.calculated.store.getState().columns.map(({ name, expression }) => {
    return [pathId([name]), { expression, note: null }] as const;
  });
  const hidesIds = values.names === 'plain' && !isComputed;
  const layout = {
    heads: namedHeads(columns, listed.labels.size > 0, hidesIds),
    view: grid,
    zone,
    names: field,
    units,
    changes,
    hasSystem: values.units !== 'stored',
    calculated: new Map(calculated),
    wellNames: listed.labels,
    logNames,
    numbers: values.numbers,
  };
  const view = query.look?.view ?? 'table';
  const table = view === 'plot' ? null : await tableOf(result, layout, signal);
  const plotted = { ...part, names, changes, zone: shownZone, requestedWells, signal, onRows };
  const plot = view === 'plot' || view === 'both' ? await plotPart(plotted) : noPlot;
  return { ...common, ...plot, notes: [...plot.notes, ...resultNotes(part)], table };
}

/** What the window says above the table of a result, and in the heads of its calculated columns. */
function resultNotes({ session, results, result }: Pick<DrawnResult, 'session' | 'results' | 'result'>) {
  const w = words.results;
  const { app, connection } = session;
  const fields = valueOr(app.fields.get({ connection, address: results.dataset }), null);
  const state = results.calculated.store.getState();
  const { columns, facts, merged } = state;
  const { units } = results.store.getState();
  const needsUnits = app.settings.store.getState().values.units !== 'stored' || columns.length > 0;
  const shown = needsUnits ? shownFields(result.held.shape().columns.map(plotFieldOf)) : [];
  const lacksUnits = (!fields || fields.problem) && shown.some(({ id }) => !units.has(id));
  const isMerged = [...facts.values()].some((fact) => fact.needsRowsBefore && emptyReason(fact) === null);
  return [
    ...(result.request.kind !== 'sql' && lacksUnits ? [reportWords.unitsMissing] : []),
    ...emptyTexts(state),
    ...(merged && isMerged ? [w.merged[merged]] : []),
    ...(hasTextRange(result, rangeFieldOf(results.dataset.type)) ? [w.textRange] : []),
  ];
}
