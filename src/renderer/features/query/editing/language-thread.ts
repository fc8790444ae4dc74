import type { Hover } from '../../../../shared/language/editing/hover.ts';
import type { Suggestion } from '../../../../shared/language/editing/suggestion.ts';
import type { KnownWell, Knowledge, TextKind } from '../../../../shared/language/knowledge.ts';
import type { Finding } from '../../../../shared/language/lint/finding.ts';
import type { LimitedRequest, RequestFinding } from '../../../../shared/language/lint/request.ts';
import type { Mentions } from '../../wells/list/protocol.ts';
import { mentionsIn } from './mentions.ts';

/** What is known at an editor. Of all wells only those go along with a question that its text may speak of. */
export interface EditorKnowledge {
  /** With the chosen wells. */
  readonly fixed: Knowledge;
  readonly wellsIn: (mentions: Mentions) => Promise<readonly KnownWell[]>;
}

/** What is asked of a text. */
export type Question =
  | { readonly ask: 'lint'; readonly text: string; readonly kind: TextKind }
  | {
      readonly ask: 'complete' | 'hover';
      readonly text: string;
      readonly kind: TextKind;
      readonly offset: number;
    }
  | { readonly ask: 'format'; readonly text: string }
  | { readonly ask: 'options'; readonly request: LimitedRequest };

export type LanguageRequest =
  | { readonly know: number; readonly knowledge: Knowledge }
  | { readonly forget: number }
  | {
      readonly id: number;
      readonly question: Question;
      readonly knowledge: number;
      readonly wells: readonly KnownWell[];
    };

export type LanguageAnswer = { readonly id: number } & (
  | { readonly findings: Finding[] }
  | { readonly options: RequestFinding[] }
  | { readonly suggestions: Suggestion[] }
  | { readonly hover: Hover | null }
  | { readonly text: string | null }
  | { readonly problem: string }
);

/** What is needed of a worker. */
export interface LanguageWorker {
  postMessage(request: LanguageRequest, transfer: Transferable[]): void;
  terminate(): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<LanguageAnswer>) => void): void;
  addEventListener(type: 'error', listener: () => void): void;
}

/** Looks at texts off this thread. Where the thread fails nothing is found and nothing offered: typing goes on. */
export interface LanguageThread {
  readonly lint: (text: string, kind: TextKind, knowledge: EditorKnowledge) => Promise<readonly Finding[]>;
  readonly complete: (
    text: string,
    kind: TextKind,
    offset: number,
    knowledge: EditorKnowledge,
  ) => Promise<readonly Suggestion[]>;
  readonly hover: (
    text: string,
    kind: TextKind,
    offset: number,
    knowledge: EditorKnowledge,
  ) => Promise<Hover | null>;
  readonly format: (text: string) => Promise<string | null>;
  /** What is wrong with sort, limit and skip. */
  readonly options: (
    request: LimitedRequest,
    knowledge: EditorKnowledge,
  ) => Promise<readonly RequestFinding[]>;
}

const mentionsOf = (question: Extract<Question, { kind: TextKind }>): Mentions | null =>
  question.ask === 'complete' ? mentionsIn(question.text, question.offset) : mentionsIn(question.text);

/** How many knowledges the thread holds at once: more than editors can be seen. */
const held = 24;

/** A thread that is started at the first need. Each knowledge crosses once, not with every question. */
export function createLanguageThread(start: () => LanguageWorker): LanguageThread {
  let thread: LanguageWorker | null = null;
  let lastId = 0;
  const waiting = new Map<number, (answer: LanguageAnswer | null) => void>();
  const told = new Map<Knowledge, number>();

  const started = (): LanguageWorker => {
    if (thread) return thread;
    const made = start();
    thread = made;
    made.addEventListener('message', ({ data }) => {
      waiting.get(data.id)?.(data);
      waiting.delete(data.id);
    });
    // One that failed may go on running, with the memory it holds.
    made.addEventListener('error', () => {
      if (thread !== made) return;
      made.terminate();
      thread = null;
      told.clear();
      for (const tell of waiting.values()) tell(null);
      waiting.clear();
    });
    return made;
  };

  const keyOf = (knowledge: Knowledge): number => {
    const known = told.get(knowledge);
    if (known !== undefined) {
      // The one last used is the last to be let go.
      told.delete(knowledge);
      told.set(knowledge, known);
      return known;
    }
    lastId += 1;
    told.set(knowledge, lastId);
    started().postMessage({ know: lastId, knowledge }, []);
    const [oldest] = told;
    if (told.size > held && oldest) {
      told.delete(oldest[0]);
      started().postMessage({ forget: oldest[1] }, []);
    }
    return told.get(knowledge) ?? lastId;
  };

  const send = (question: Question, knowledge: Knowledge | null, wells: readonly KnownWell[]) =>
    new Promise<LanguageAnswer | null>((resolve) => {
      const worker = started();
      const key = knowledge ? keyOf(knowledge) : 0;
      lastId += 1;
      waiting.set(lastId, resolve);
      worker.postMessage({ id: lastId, question, knowledge: key, wells }, []);
    });
  const ask = (question: Question, knowledge: EditorKnowledge | null): Promise<LanguageAnswer | null> => {
    const mentions = knowledge && 'kind' in question ? mentionsOf(question) : null;
    if (!knowledge || !mentions) return send(question, knowledge?.fixed ?? null, []);
    return knowledge.wellsIn(mentions).then(
      (wells) => send(question, knowledge.fixed, wells),
      () => send(question, knowledge.fixed, []),
    );
  };

  return {
    async lint(text, kind, knowledge) {
      const answer = await ask({ ask: 'lint', text, kind }, knowledge);
      return answer && 'findings' in answer ? answer.findings : [];
    },
    async complete(text, kind, offset, knowledge) {
      const answer = await ask({ ask: 'complete', text, kind, offset }, knowledge);
      return answer && 'suggestions' in answer ? answer.suggestions : [];
    },
    async hover(text, kind, offset, knowledge) {
      const answer = await ask({ ask: 'hover', text, kind, offset }, knowledge);
      return answer && 'hover' in answer ? answer.hover : null;
    },
    async format(text) {
      const answer = await ask({ ask: 'format', text }, null);
      return answer && 'text' in answer ? answer.text : null;
    },
    async options(request, knowledge) {
      const answer = await ask({ ask: 'options', request }, knowledge);
      return answer && 'options' in answer ? answer.options : [];
    },
  };
}
