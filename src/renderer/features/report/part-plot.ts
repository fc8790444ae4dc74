import type { StoreApi } from 'zustand/vanilla';
import { synonymsOf } from '../../../shared/channels/channels.ts';
import { datasetName, depthPath } from '../../../shared/datasets/datasets.ts';
import { append } from '../../../shared/lists.ts';
import { AppError, toAppError } from '../../../shared/errors/errors.ts';
import type { PlotChoice } from '../../../shared/tabs/plot.ts';
import { dataUrlOf } from '../../api/files.ts';
import type { Session } from '../../contexts.ts';
import { sharedMaxAgeMs } from '../../state/resource.ts';
import { plotWords } from '../../words/plot.ts';
import { reportWords } from '../../words/report.ts';
import { words } from '../../words/words.ts';
import { readLogNames } from '../datasets/logs.ts';
import { findDataset } from '../datasets/dataset-finder.ts';
import { barsOf, type BarTableProps } from '../plot/bars.tsx';
import { categoryFields, firstChoice, groupFields, shownFields } from '../plot/first-choice.ts';
import type { Content, Drawn, Statistics } from '../plot/content.ts';
import { fieldName, type PlotNames } from '../plot/names.ts';
import { notesOf } from '../notes/notes.tsx';
import {
  markedOverlay,
  noteOverlays,
  overlayAxis,
  overlaySubject,
  overlayTexts,
  type LoadedOverlay,
  type OverlayAxis,
} from '../plot/overlays/chart-marks.ts';
import { absentFields, fittingPlot } from '../plot/plot-bar.tsx';
import { savePicture } from '../plot/saving.ts';
import { createScene } from '../plot/scene.ts';
import type { PlotSource } from '../plot/source.ts';
import { thinner } from '../plot/thinner.ts';
import type { UnitChanges } from '../records/shown-cells.ts';
import { isCompleteResult } from '../results/load-all.ts';
import { recordsSource, stepTextOf, wholeSpecOf } from '../results/plot/whole-source.ts';
import { parseSort, typedSort, type Result, type Results } from '../results/results.ts';
import { loadWhole, stepsSource } from '../results/whole-range.ts';

/** The plot of a part: a picture or bars, or why there is none. */
export interface PartPlot {
  /** A `data:` address, and what the picture shows. */
  readonly picture: { readonly address: string; readonly text: string } | null;
  readonly bars: BarTableProps | null;
  readonly notes: readonly string[];
}

export const noPlot: PartPlot = { picture: null, bars: null, notes: [] };

/** A result that is drawn, and how its fields and wells are shown. */
export interface DrawnResult {
  readonly session: Session;
  readonly results: Results;
  readonly result: Result;
  readonly names: PlotNames;
  readonly changes: UnitChanges;
  /** An IANA name. */
  readonly zone: string;
  /** The asset ids, as text, of the wells that the query names. */
  readonly requestedWells: readonly string[];
  readonly signal: AbortSignal;
  /** Called with the number of records that were read. */
  readonly onRows: (rows: number) => void;
}

/** About the area of a picture in pixels. */
const sizes = { across: 480, wide: 1150, tall: 1100, half: 560 };

const sourceOf = (result: Result): PlotSource => {
  const shape = result.held.shape();
  return recordsSource(result.held, shape, isCompleteResult(result, shape.held));
};

const specOf = ({ result, results }: DrawnResult, choice: PlotChoice) =>
  wholeSpecOf(result, results.dataset.type, {
    choice,
    columns: result.held.shape().columns,
    calculated: results.calculated.store.getState().columns,
  });

/** Loads all records of a find that the service can't summarize for the plot. @throws AppError */
async function allRecords(plotted: DrawnResult, choice: PlotChoice): Promise<Result> {
  const { results, result, onRows, signal } = plotted;
  const isRead = isCompleteResult(result, result.held.shape().held);
  if (isRead || result.request.kind !== 'find' || specOf(plotted, choice)) return result;
  const { loadAll } = results;
  const stop = loadAll.store.subscribe((state) => {
    if (state.status === 'running') onRows(state.done);
  });
  await results.actions.loadAll().finally(stop);
  signal.throwIfAborted();
  const { run, lastResult } = results.store.getState();
  const loading = loadAll.store.getState();
  const error = run.status === 'failed' ? run.error : loading.status === 'failed' ? loading.error : null;
  if (error) throw error;
  if (!lastResult) return result;
  // The columns were calculated before all rows were loaded.
  await results.calculated.actions.show(lastResult.held, parseSort(typedSort(lastResult.request)));
  return lastResult;
}

/** What a plot shows, and which of its fields the records don't have. */
function choiceOf({ session, results, result, names }: DrawnResult): {
  readonly choice: PlotChoice | null;
  readonly missing: string;
} {
  const { fields } = sourceOf(result);
  const synonyms = synonymsOf(session.app.settings.store.getState().stored.channelNames);
  const chosen = results.plot.store.getState().choice;
  if (!chosen) return { choice: firstChoice(results.dataset.type, fields, synonyms), missing: '' };
  const fitting = fittingPlot(chosen, fields, synonyms);
  if (fitting) return { choice: fitting, missing: '' };
  const absent = absentFields(chosen, fields);
  const has = (id: string) => !absent.includes(id);
  return {
    choice: has(chosen.x) && chosen.y.some(has) ? chosen : null,
    missing: absent.map((id) => names.field(id).line).join(', '),
  };
}

/** All matching records: in steps that the service computes, or as they are loaded, and a note if they are not all. */
async function wholeSource(
  plotted: DrawnResult,
  choice: PlotChoice,
): Promise<{ readonly source: PlotSource; readonly note?: string }> {
  const { session, results, result, changes, signal } = plotted;
  const spec = specOf(plotted, choice);
  const rows = sourceOf(result);
  if (!spec) return { source: rows };
  try {
    const whole = await loadWhole(session.app.api.query, spec, signal);
    if (!whole) return { source: rows };
    const { steps } = whole;
    const width = steps.every(({ count }) => count === 1) ? 0 : whole.width;
    const hasShorter = steps.some((step) => step.width < width);
    const text = stepTextOf(width, { ...spec, hasShorter, changes, units: results.store.getState().units });
    const { fields } = rows;
    const about = text === null ? {} : { steps: plotWords.whole.extremes(text) };
    return { source: stepsSource(steps, spec, { fields, part: null, ...about }) };
  } catch (error) {
    signal.throwIfAborted();
    const { message } = toAppError(error);
    return { source: rows, note: `${plotWords.whole.failed(result.records)} ${message}` };
  }
}

/** The state of a store as soon as it fits. Rejects when the signal aborts. */
const stateOf = <State>(
  { getState, subscribe }: Pick<StoreApi<State>, 'getState' | 'subscribe'>,
  signal: AbortSignal,
  fits: (state: State) => boolean,
): Promise<State> =>
  new Promise((resolve, reject) => {
    const look = () => fits(getState()) && resolve(getState());
    const stop = subscribe(look);
    signal.addEventListener('abort', stop, { once: true });
    signal.addEventListener('abort', () => reject(new AppError('cancelled', {})), { once: true });
    look();
  });

/** Draws a plot outside the view. @returns null: it has no points @throws AppError */
async function drawPlot(
  { results, changes, signal }: DrawnResult,
  source: PlotSource,
  choice: PlotChoice,
  isHalf: boolean,
): Promise<{ readonly drawn: Drawn; readonly statistics: Statistics | null } | null> {
  const scene = createScene(thinner);
  const { kind, crossplot, plan } = choice;
  const needsStatistics = kind === 'scatter' && (crossplot?.hasRegression || crossplot?.hasHistograms);
  scene.actions.resize(kind === 'tracks' ? sizes.tall : isHalf ? sizes.half : sizes.wide, sizes.across);
  try {
    const groups = groupFields(results.dataset.type, source.fields, plan !== undefined);
    await scene.actions.show(source, choice, groups, changes);
    const state = await stateOf(scene.store, signal, ({ content, drawn: shown, statistics }) =>
      content.status === 'loaded'
        ? content.value.extent === null ||
          (shown?.content === content.value && (!needsStatistics || statistics !== null))
        : content.status === 'failed',
    );
    if (state.content.status === 'failed') throw state.content.error;
    const { drawn, statistics } = state;
    return drawn && { drawn, statistics };
  } finally {
    scene.actions.close();
  }
}

/** The marks of a plot's overlays and the notes of its wells, in the unit of its axis: each rejects with an AppError. */
function overlaysOf(
  { session, names, requestedWells }: DrawnResult,
  axis: OverlayAxis | null,
  content: Content,
): Promise<LoadedOverlay[]>[] {
  const { connection, app } = session;
  const subject = overlaySubject(content, axis, names, requestedWells);
  const { overlays, wells, along, unit } = subject;
  const notes = async () => {
    const list = await session.notes.list.value(connection, { maxAgeMs: sharedMaxAgeMs });
    return noteOverlays(notesOf(list.notes, wells), subject, along, unit);
  };
  return [
    ...overlays.map(async (overlay) => {
      const { type } = await findDataset(session, overlay);
      const read = await session.overlays.value({ overlay, type, wells }, { maxAgeMs: sharedMaxAgeMs });
      const catalogue = await app.fields.value({ connection, address: overlay }).catch(() => null);
      return [markedOverlay(overlay, read, catalogue?.units.get(overlay.from), unit)];
    }),
    notes(),
  ];
}

async function picturePart(plotted: DrawnResult, choice: PlotChoice): Promise<PartPlot> {
  const { session, results, changes, zone, requestedWells } = plotted;
  const { source, note } = await wholeSource(plotted, choice);
  const axis = overlayAxis(choice, source.fields);
  const notes = note === undefined ? [] : [note];
  // A crossplot may still carry the overlays of the plot’s former kind.
  if (!axis && choice.kind !== 'scatter' && choice.overlays?.length) notes.push(plotWords.overlays.noAxis);
  const { plan } = choice;
  const main = await drawPlot(plotted, source, choice, plan !== undefined);
  if (!main) return { ...noPlot, notes: [...notes, reportWords.noNumbers] };
  // Its records can be of further wells.
  const { groups } = main.drawn.content;
  const depths = { unit: results.store.getState().units.get(depthPath), changes };
  const logNames = await readLogNames(session, results.dataset, groups, depths);
  const names = { ...plotted.names, logNames };
  const planChoice: PlotChoice | null = plan
    ? { kind: 'scatter', x: plan.x, y: [plan.y], align: 'recorded', plan }
    : null;
  const left = main.drawn.content.lines.reduce((sum, { tokens }) => sum + tokens, 0);
  if (left > 0) notes.push(`${plotWords.tokens(left)}.`);
  const planDrawn = planChoice && (await drawPlot(plotted, source, planChoice, true));
  const settled = await Promise.allSettled(overlaysOf(plotted, axis, main.drawn.content));
  const overlays = settled.flatMap((overlay) => (overlay.status === 'fulfilled' ? overlay.value : []));
  for (const overlay of settled)
    if (overlay.status === 'rejected')
      notes.push(plotWords.overlays.failed(toAppError(overlay.reason).message));
  append(notes, overlayTexts(overlays));
  const picture = await savePicture({
    ...main,
    plan: planDrawn?.drawn ?? null,
    fields: source.fields,
    zone,
    names,
    title: datasetName(results.dataset),
    overlays,
    areMarksAcross: axis?.isAcross ?? false,
    print: true,
    requestedWells,
  });
  const text = reportWords.picture(choice.y.map((id) => fieldName(id, names)).join(', '));
  return { ...noPlot, picture: { address: await dataUrlOf(picture), text }, notes };
}

async function barsPart(
  { results, result, names, changes }: DrawnResult,
  { y }: PlotChoice,
): Promise<PartPlot> {
  const source = sourceOf(result);
  const ids = shownFields(source.fields).map(({ id }) => id);
  const field = y.find((id) => ids.includes(id)) ?? ids[0] ?? '';
  const categories = categoryFields(results.dataset.type, source.fields);
  const bars = await barsOf(source, categories, field);
  const notes = source.part ? [words.results.partName(source.part)] : [];
  return { ...noPlot, notes, bars: { bars, field, categories, names, changes } };
}

/** Draws the plot of a result of all matching records, dark on white. @throws AppError */
export async function plotPart(plotted: DrawnResult): Promise<PartPlot> {
  const { choice, missing } = choiceOf(plotted);
  if (!choice)
    return { ...noPlot, notes: [missing === '' ? plotWords.nothing : reportWords.noPlot(missing)] };
  const whole = { ...plotted, result: await allRecords(plotted, choice) };
  const plot = await (choice.kind === 'bars' ? barsPart(whole, choice) : picturePart(whole, choice));
  return missing === '' ? plot : { ...plot, notes: [reportWords.withoutFields(missing), ...plot.notes] };
}
