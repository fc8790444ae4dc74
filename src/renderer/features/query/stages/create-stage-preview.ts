import { objectOutlineOf, textOf } from '../../../../shared/language/text/outline.ts';
import { type PipelinePieces, splitPipeline } from '../../../../shared/language/text/pipeline.ts';
import type { StoreApi } from 'zustand/vanilla';
import { createLatestTask } from '../../../state/latest-task.ts';
import { idle, load, loading } from '../../../state/loadable.ts';
import { parseRecords } from '../../records/request.ts';
import { refusalOf } from './stage-list.ts';
import type { StageCardsDependencies, StageCardsState } from './stage-cards.ts';

/** The number of documents in a preview (specification, section 4.1: validate with a small limit first). */
const previewDocuments = 5;
/** The number of records that a preview passes to stages that otherwise read all records. */
const previewRecords = 1000;

/** Stages that pass on records before they have read all; $sort does with an index. */
const streamingStages = new Set([
  '$match',
  '$sort',
  '$limit',
  '$skip',
  '$project',
  '$addFields',
  '$set',
  '$unset',
]);

const operatorOf = (text: string) => objectOutlineOf(text)?.items[0]?.key ?? '';

function isSmallLimit(text: string): boolean {
  const entry = objectOutlineOf(text)?.items[0];
  return entry?.key === '$limit' && Number(textOf(text, entry.value)) <= previewRecords;
}

/**
 * The stages for a preview: those up to the selected one, a small limit at the end, and one before the first
 * stage that reads all records. `sampled`: that limit, if there is one.
 */
function previewOf(pieces: PipelinePieces, at: number): { stages: string; sampled: number | null } {
  const sent = pieces.stages.slice(0, at + 1).flatMap(({ on, text }) => (on ? [text] : []));
  const whole = sent.findIndex((text) => !streamingStages.has(operatorOf(text)));
  const isHeld = whole >= 0 && sent.slice(0, whole).some(isSmallLimit);
  const sampled = whole < 0 || isHeld ? null : previewRecords;
  const limitedStages =
    sampled === null ? sent : sent.toSpliced(whole, 0, `{ $limit: ${String(previewRecords)} }`);
  return {
    stages: `[${[...limitedStages, `{ $limit: ${String(previewDocuments)} }`].join(',\n')}]`,
    sampled,
  };
}

/** The delay after a change, in milliseconds, so that typing sends one request. */
const debounceMs = 400;

export function createStagePreview(
  { api, target, text, bind }: Omit<StageCardsDependencies, 'write'>,
  store: Pick<StoreApi<StageCardsState>, 'getState' | 'setState'>,
) {
  const previewTask = createLatestTask();
  let waiting: ReturnType<typeof setTimeout> | undefined;

  async function preview(at: number): Promise<void> {
    const pieces = splitPipeline(text());
    if (!pieces) return;
    await load(
      previewTask,
      async (signal) => {
        const { stages, sampled } = previewOf(pieces, at);
        const page = await api.query.pipeline({ ...target, stages: await bind(stages) }, { signal });
        return { documents: parseRecords(page.records), ms: page.ms, sampled };
      },
      (part) => store.setState({ preview: part }),
    );
  }

  const close = () => {
    clearTimeout(waiting);
    previewTask.drop();
  };
  return {
    close,
    /** Requests the preview again after the delay, and aborts the current request. */
    schedule(): void {
      close();
      const { selected, cards } = store.getState();
      const at = cards?.findIndex(({ id }) => id === selected) ?? -1;
      // A stage that the service is known to reject shows the reason instead.
      const isRefused = cards?.[at]?.on && refusalOf(cards[at].operator) !== null;
      if (at < 0 || isRefused) return store.setState({ preview: idle });
      store.setState({ preview: loading });
      waiting = setTimeout(() => void preview(at), debounceMs);
    },
  };
}
