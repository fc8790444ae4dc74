import { objectIn, textOf } from '../../../../shared/language/text/outline.ts';
import type { PipelinePieces } from '../../../../shared/language/text/pipeline.ts';

/** How many documents a preview shows (specification, section 4.1: validate with a small limit first). */
export const previewDocuments = 5;
/** How many records a preview lets through to stages that would otherwise work on all that there are. */
export const previewRecords = 1000;

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
export function previewOf(pieces: PipelinePieces, at: number): { stages: string; sampled: number | null } {
  const sent = pieces.stages.slice(0, at + 1).flatMap(({ on, text }) => (on ? [text] : []));
  const whole = sent.findIndex((text) => !passing.has(operatorOf(text)));
  const isHeld = whole >= 0 && sent.slice(0, whole).some(limits);
  const sampled = whole < 0 || isHeld ? null : previewRecords;
  const asked = sampled === null ? sent : sent.toSpliced(whole, 0, `{ $limit: ${String(previewRecords)} }`);
  return { stages: `[${[...asked, `{ $limit: ${String(previewDocuments)} }`].join(',\n')}]`, sampled };
}
