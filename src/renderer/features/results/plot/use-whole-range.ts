import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { pathId } from '../../../../shared/column-paths.ts';
import { datasetShapes } from '../../../../shared/datasets/shapes.ts';
import type { AppError } from '../../../../shared/errors/errors.ts';
import { useApp, useTab, useTabState } from '../../../contexts.ts';
import { useLoaded } from '../../../state/use-loaded.ts';
import { plotWords } from '../../../words/plot.ts';
import { choiceFor, groupFields } from '../../plot/first-choice.ts';
import { axisOf } from '../../plot/plot.ts';
import type { PlotSource } from '../../plot/source.ts';
import { columnConverter, storedConverter } from '../../records/shown-cells.ts';
import type { ColumnHead } from '../../records/table.ts';
import { useSynonyms } from '../../settings/use-synonyms.ts';
import { isLimited } from '../load-all.ts';
import type { Result } from '../results.ts';
import {
  coversView,
  detailOf,
  loadDetail,
  loadWhole,
  stepsSource,
  withDetail,
  type Detail,
  type Whole,
  type WholeSpec,
} from './whole-range.ts';

/** A plot of all matching records of a result with a limit. */
export interface WholeRange {
  /** Null: the loaded rows are drawn. */
  readonly source: PlotSource | null;
  /** What the plot shows; null: as without a plot of all. */
  readonly text: string | null;
  /** Why not all are drawn, or not in more detail. */
  readonly error: AppError | null;
  /** Draws all matching, or tries again; null: there is nothing to draw, or they are drawn. */
  readonly show: (() => void) | null;
  readonly showRows: () => void;
}

/** How long a zoom must not change before its detail is loaded, in milliseconds. */
const settleMs = 300;

/** A field that an expression of a pipeline can name. */
const isNamable = ({ path }: ColumnHead): boolean => path.every((name) => !/^$|[.$]/.test(name));

/** What to request for the plot of a result; null: the plot draws loaded rows only. */
function useSpec(
  result: Result,
  rows: PlotSource,
  columns: readonly ColumnHead[],
): { readonly spec: WholeSpec | null; readonly zoom: ReturnType<typeof useZoom> } {
  const { plot, dataset, calculated } = useTab('results');
  const calculatedColumns = useStore(calculated.store, (state) => state.columns);
  const selected = useStore(plot.store, (state) => state.choice);
  const synonyms = useSynonyms();
  const choice = choiceFor(selected, dataset.type, rows.fields, synonyms);
  const calculatedIds = new Set(calculatedColumns.map(({ name }) => pathId([name])));
  const stored = new Set(
    columns
      .filter(isNamable)
      .map(({ path }) => pathId(path))
      .filter((id) => !calculatedIds.has(id)),
  );
  const shown = choice?.y.filter((id) => rows.fields.some((field) => field.id === id)) ?? [];
  const index =
    dataset.type === 'time' || dataset.type === 'depth' ? datasetShapes[dataset.type].indexField : null;
  const find = result.asked.kind === 'find' ? result.asked.request : null;
  const canSummarize =
    find !== null &&
    find.skip === 0 &&
    isLimited(result) &&
    index !== null &&
    choice?.x === index &&
    ['lines', 'panels', 'tracks'].includes(choice.kind) &&
    shown.length > 0 &&
    shown.every((id) => stored.has(id));
  // What is loaded has the fields that remain when one is removed.
  const [fields, setFields] = useState(shown);
  const hasFields = shown.every((id) => fields.includes(id));
  if (!hasFields) setFields(shown);
  const groups = groupFields(dataset.type, rows.fields).join('\n');
  const spec = useMemo(
    (): WholeSpec | null =>
      canSummarize && hasFields
        ? {
            find,
            index,
            isTime: dataset.type === 'time',
            groups: groups === '' ? [] : groups.split('\n'),
            fields,
          }
        : null,
    [canSummarize, hasFields, find, index, dataset, groups, fields],
  );
  return { spec, zoom: useZoom(choice) };
}

/** The zoomed range in the stored unit; null: everything, or no range of the records' index. */
function useZoom(choice: ReturnType<typeof choiceFor>) {
  const { plot } = useTab('results');
  const changes = useTab('changes');
  const zoom = useStore(plot.store, (state) => state.zoom);
  return useMemo(() => {
    if (!zoom || !choice || choice.align === 'elapsed' || zoom.axis !== axisOf(choice, changes)) return null;
    const convert = storedConverter(changes, choice.x);
    const { from, to } = zoom.part.x;
    return convert ? { from: convert(from), to: convert(to) } : { from, to };
  }, [zoom, choice, changes]);
}

const settle = async (signal: AbortSignal): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  signal.throwIfAborted();
};

/** More detail of a zoomed range. What was loaded before stays until the next is. */
function useDetail(spec: WholeSpec | null, whole: Whole | null, zoom: ReturnType<typeof useZoom>) {
  const { api } = useApp();
  const [shown, setShown] = useState<{ readonly whole: Whole; readonly detail: Whole } | null>(null);
  const current = shown && shown.whole === whole ? shown.detail : null;
  const [asked, setAsked] = useState<{ readonly whole: Whole; readonly detail: Detail } | null>(null);
  const before = asked && asked.whole === whole ? asked.detail : null;
  const steps = useMemo(
    () => whole && (current ? withDetail(whole, current) : whole.steps),
    [whole, current],
  );
  const detail = useMemo(
    () => spec && whole && steps && detailOf(whole, steps, zoom, before, spec.isTime),
    [spec, whole, steps, zoom, before],
  );
  if (detail !== before) setAsked(whole && detail && { whole, detail });
  const loading = useLoaded(
    useMemo(
      () =>
        spec && detail
          ? async (signal: AbortSignal) => {
              await settle(signal);
              return loadDetail(api.query, spec, detail, signal);
            }
          : null,
      [api, spec, detail],
    ),
  );
  const next = detail === null ? null : loading.status === 'loaded' ? loading.value : current;
  if (next !== current) setShown(whole && next && { whole, detail: next });
  return { steps, detail: current, error: loading.status === 'failed' ? loading.error : null };
}

/**
 * All matching records of a result with a limit, as the minimum and maximum of steps of time or depth that the data
 * service computes. A new result begins with them.
 */
export function useWholeRange(result: Result, rows: PlotSource, columns: readonly ColumnHead[]): WholeRange {
  const { api } = useApp();
  const changes = useTab('changes');
  const units = useTabState('results', (state) => state.units);
  const { spec, zoom } = useSpec(result, rows, columns);
  const [choice, choose] = useState({ result, isWhole: true, attempt: 0 });
  const isWhole = choice.result !== result || choice.isWhole;
  const attempt = choice.result === result ? choice.attempt : 0;
  const load = useMemo(
    () =>
      spec && isWhole && attempt >= 0 ? (signal: AbortSignal) => loadWhole(api.query, spec, signal) : null,
    [api, spec, isWhole, attempt],
  );
  const loading = useLoaded(load);
  const whole = load !== null && loading.status === 'loaded' ? loading.value : null;
  const { steps, detail, error } = useDetail(spec, whole, zoom);
  const count = useMemo(() => (whole ? whole.steps.reduce((sum, step) => sum + step.count, 0) : 0), [whole]);
  const isDetail = whole !== null && detail !== null && zoom !== null && coversView(detail, whole, zoom);
  const width = (isDetail ? detail : whole)?.width ?? 0;
  const hasShorter = !isDetail && (whole?.steps.some((step) => step.width < width) ?? false);
  const index = spec?.index ?? '';
  const isTime = spec?.isTime ?? true;
  const stepText = useMemo(() => {
    if (width === 0) return null;
    const unit = changes[index]?.to ?? units.get(index) ?? '';
    return plotWords.whole.step(
      columnConverter(changes, index)?.(width) ?? width,
      isTime ? null : unit,
      hasShorter,
    );
  }, [width, changes, units, index, isTime, hasShorter]);
  const { fields } = rows;
  const source = useMemo(
    () =>
      spec && steps
        ? stepsSource(steps, spec, {
            fields,
            part: null,
            steps: stepText === null ? undefined : plotWords.whole.extremes(stepText),
          })
        : null,
    [spec, steps, fields, stepText],
  );
  const showRows = () => choose({ result, isWhole: false, attempt });
  const show = () => choose({ result, isWhole: true, attempt: attempt + 1 });
  const none: WholeRange = { source: null, text: null, error: null, show: null, showRows };
  if (!spec) return none;
  if (!isWhole) return { ...none, show };
  if (loading.status === 'failed')
    return { ...none, text: plotWords.whole.failed(result.records), error: loading.error, show };
  if (loading.status !== 'loaded') return { ...none, text: plotWords.whole.loading(result.records) };
  if (!whole) return none;
  if (error) return { ...none, source, text: plotWords.whole.detailFailed, error };
  const text = isDetail ? plotWords.whole.inView(stepText) : plotWords.whole.all(count, stepText ?? '');
  return { ...none, source, text };
}
