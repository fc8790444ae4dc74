import type { Knowledge, KnownWell, TextKind } from '../../../../shared/language/knowledge.ts';
import type { LimitedRequest } from '../../../../shared/language/lint/request.ts';
import { openThread, webPort, type ThreadPort } from '../../../../shared/threads.ts';
import type { LanguageCalls } from './language-worker.ts';
import { findMentions, type Mentions } from './mentions.ts';

export interface EditorKnowledge {
  /** Including the selected wells. */
  readonly base: Knowledge;
  /** The listed wells that a text mentions: the whole list is too large to send. */
  readonly findWells: (mentions: Mentions) => readonly KnownWell[];
}

function knowledgeAt(text: string, { base, findWells }: EditorKnowledge, offset?: number): Knowledge {
  const mentions = findMentions(text, offset);
  return mentions ? { ...base, wells: [...base.wells, ...findWells(mentions)] } : base;
}

/** Checks texts in a worker. If it fails, there are no findings and no completion, and typing continues. */
export function createLanguage(start: () => ThreadPort) {
  const { calls } = openThread<LanguageCalls>(start);
  const none = () => [];
  return {
    lint: (text: string, kind: TextKind, knowledge: EditorKnowledge) =>
      calls.lint({ text, kind, knowledge: knowledgeAt(text, knowledge) }).catch(none),
    complete: (text: string, kind: TextKind, offset: number, knowledge: EditorKnowledge) =>
      calls.complete({ text, kind, offset, knowledge: knowledgeAt(text, knowledge, offset) }).catch(none),
    hover: (text: string, kind: TextKind, offset: number, knowledge: EditorKnowledge) =>
      calls.hover({ text, kind, offset, knowledge: knowledgeAt(text, knowledge) }).catch(() => null),
    format: (text: string) => calls.format(text).catch(() => null),
    /** Problems of sort, limit, and skip. */
    options: (request: LimitedRequest, { base }: EditorKnowledge) =>
      calls.options({ request, knowledge: base }).catch(none),
  };
}

/** The worker that all editors share. */
export const language = createLanguage(() =>
  webPort(new Worker(new URL('./language-worker.ts', import.meta.url), { type: 'module', name: 'language' })),
);
