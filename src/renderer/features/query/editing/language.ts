import type { Knowledge, KnownWell, TextKind } from '../../../../shared/language/knowledge.ts';
import type { LimitedRequest } from '../../../../shared/language/lint/request.ts';
import { openThread, webPort, type ThreadPort } from '../../../../shared/threads.ts';
import type { LanguageCalls } from './language-worker.ts';
import { mentionsIn, type Mentions } from './mentions.ts';

/** What is known at an editor. */
export interface EditorKnowledge {
  /** With the chosen wells. */
  readonly fixed: Knowledge;
  /** The listed wells that a text may speak of: all of them are too many to go along with it. */
  readonly wellsIn: (mentions: Mentions) => readonly KnownWell[];
}

function knownFor(text: string, { fixed, wellsIn }: EditorKnowledge, offset?: number): Knowledge {
  const mentions = mentionsIn(text, offset);
  return mentions ? { ...fixed, wells: [...fixed.wells, ...wellsIn(mentions)] } : fixed;
}

/** Looks at texts off this thread. Where the thread fails nothing is found and nothing offered: typing goes on. */
export function createLanguage(start: () => ThreadPort) {
  const { calls } = openThread<LanguageCalls>(start);
  const none = () => [];
  return {
    lint: (text: string, kind: TextKind, known: EditorKnowledge) =>
      calls.lint({ text, kind, knowledge: knownFor(text, known) }).catch(none),
    complete: (text: string, kind: TextKind, offset: number, known: EditorKnowledge) =>
      calls.complete({ text, kind, offset, knowledge: knownFor(text, known, offset) }).catch(none),
    hover: (text: string, kind: TextKind, offset: number, known: EditorKnowledge) =>
      calls.hover({ text, kind, offset, knowledge: knownFor(text, known) }).catch(() => null),
    format: (text: string) => calls.format(text).catch(() => null),
    /** What is wrong with sort, limit and skip. */
    options: (request: LimitedRequest, { fixed }: EditorKnowledge) =>
      calls.options({ request, knowledge: fixed }).catch(none),
  };
}

/** The one thread that looks at the texts of all editors. */
export const language = createLanguage(() =>
  webPort(new Worker(new URL('./language-worker.ts', import.meta.url), { type: 'module', name: 'language' })),
);
