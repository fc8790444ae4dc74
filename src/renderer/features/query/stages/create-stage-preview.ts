import { objectIn, textOf } from '../../../../shared/language/text/outline.ts';
import { type PipelinePieces, takeApart } from '../../../../shared/language/text/pipeline.ts';
import type { StoreApi } from 'zustand/vanilla';
import { createLatestTask } from '../../../state/latest-task.ts';
import { idle, load, loading } from '../../../state/loadable.ts';
import { recordsIn } from '../../records/request.ts';
import { refusalOf } from './stage-list.ts';
import type { StageCardsNeeds, StageCardsState } from './stage-cards.ts';

/** How many documents a preview shows (specification, section 4.1: validate with a small limit first). */
const previewDocuments = 5;
/** How many records a preview lets through to stages that would otherwise work on all that there are. */
const previewRecords = 1000;

/** Stages that can hand on their first records before they have seen the last one; with $sort, by an index. */
const passing = new Set(['$match', '$sort', '$limit', '$skip', '$project', '$addFields', '$set', '$unset']);

const operatorOf = (text: string) => objectIn(text)?.items[0]?.key ?? '';

/** Whether a $limit already holds what goes on within the bounds of a preview. */
function limits(text: string): boolean {
  const entry = objectIn(text)?.items[0];
  return entry?.key === '$limit' && Number(textOf(text, entry.value)) <= previewRecords;
}

/**
 * What is asked for the first documents behind a stage: the stages up to it, a small limit at their end, and one before
 * the first stage that works on all records. `sampled`: that limit, where there is one.
 */
function previewOf(pieces: PipelinePieces, at: number): { stages: string; sampled: number | null } {
  const sent = pieces.stages.slice(0, at + 1).flatMap(({ on, text }) => (on ? [text] : []));
  const whole = sent.findIndex((text) => !passing.has(operatorOf(text)));
  const isHeld = whole >= 0 && sent.slice(0, whole).some(limits);
  const sampled = whole < 0 || isHeld ? null : previewRecords;
  const asked = sampled === null ? sent : sent.toSpliced(whole, 0, `{ $limit: ${String(previewRecords)} }`);
  return { stages: `[${[...asked, `{ $limit: ${String(previewDocuments)} }`].join(',\n')}]`, sampled };
}

/** How long after a change the preview is asked for, so that typing asks once. */
const politeMs = 400;

export function createPreviewing(
  { api, target, text, bind }: Omit<StageCardsNeeds, 'write'>,
  store: Pick<StoreApi<StageCardsState>, 'getState' | 'setState'>,
) {
  const previewing = createLatestTask();
  let waiting: ReturnType<typeof setTimeout> | undefined;

  async function preview(at: number): Promise<void> {
    const pieces = takeApart(text());
    if (!pieces) return;
    await load(
      previewing,
      async (signal) => {
        const { stages, sampled } = previewOf(pieces, at);
        const page = await api.query.pipeline({ ...target, stages: await bind(stages) }, { signal });
        return { documents: recordsIn(page.records), ms: page.ms, sampled };
      },
      (part) => store.setState({ preview: part }),
    );
  }

  const close = () => {
    clearTimeout(waiting);
    previewing.drop();
  };
  return {
    close,
    /** Asks anew, a moment later; what runs is about a text that is no more. */
    schedule(): void {
      close();
      const { chosen, cards } = store.getState();
      const at = cards?.findIndex(({ id }) => id === chosen) ?? -1;
      // What is known to be refused is not asked for: why stands with the stage.
      const isRefused = cards?.[at]?.on && refusalOf(cards[at].operator) !== null;
      if (at < 0 || isRefused) return store.setState({ preview: idle });
      store.setState({ preview: loading });
      waiting = setTimeout(() => void preview(at), politeMs);
    },
  };
}
