import type { StoreApi } from 'zustand/vanilla';
import { latest } from '../../../state/latest.ts';
import { failed, full, idle, loading } from '../../../state/loadable.ts';
import { recordsIn } from '../../records/page-text.ts';
import { takeApart } from '../../../../shared/language/text/pipeline.ts';
import { previewOf } from './preview.ts';
import { refusalOf } from './refusal.ts';
import type { StageCardsNeeds, StageCardsState } from './stage-cards.ts';

/** How long after a change the preview is asked for, so that typing asks once. */
const politeMs = 400;

/** Asks for the first documents behind the stage that is looked at. */
export interface Previewing {
  /** Asks anew, a moment later; what runs is about a text that is no more. */
  readonly schedule: () => void;
  readonly close: () => void;
}

export function createPreviewing(
  { api, target, text, bind }: Omit<StageCardsNeeds, 'write'>,
  store: Pick<StoreApi<StageCardsState>, 'getState' | 'setState'>,
): Previewing {
  const previewing = latest();
  let waiting: ReturnType<typeof setTimeout> | undefined;

  async function preview(at: number): Promise<void> {
    const pieces = takeApart(text());
    if (!pieces) return;
    await previewing.run(
      async (signal) => {
        const { stages, sampled } = previewOf(pieces, at);
        const page = await api.query.pipeline({ ...target, stages: await bind(stages) }, { signal });
        return { documents: recordsIn(page.records), ms: page.ms, sampled };
      },
      {
        done: (value) => store.setState({ preview: full(value) }),
        failed: (error) => store.setState({ preview: failed(error) }),
        cancelled: () => store.setState({ preview: idle }),
      },
    );
  }

  const close = () => {
    clearTimeout(waiting);
    previewing.drop();
  };
  return {
    close,
    schedule() {
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
