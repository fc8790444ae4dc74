import { complete } from '../../../../shared/language/editing/complete.ts';
import { formatText } from '../../../../shared/language/editing/format.ts';
import { hoverAt } from '../../../../shared/language/editing/hover.ts';
import { knowingNothing, type Knowledge } from '../../../../shared/language/knowledge.ts';
import { lintText } from '../../../../shared/language/lint/lint.ts';
import { lintOptions } from '../../../../shared/language/lint/request.ts';
import type { LanguageAnswer, LanguageRequest } from './language-thread.ts';

// Runs in a worker, so that a text of thousands of lines is looked at while it is typed on. TypeScript's DOM library has
// no type for a worker's own scope; these two members are all we use of it.
interface WorkerScope {
  addEventListener(type: 'message', listener: (event: MessageEvent<LanguageRequest>) => void): void;
  postMessage(answer: LanguageAnswer, transfer: Transferable[]): void;
}
const scope = globalThis as unknown as WorkerScope;
const known = new Map<number, Knowledge>();

function answer({
  id,
  question,
  knowledge: key,
  wells,
}: Extract<LanguageRequest, { id: number }>): LanguageAnswer {
  const fixed = known.get(key) ?? knowingNothing;
  const knowledge = wells.length === 0 ? fixed : { ...fixed, wells: [...fixed.wells, ...wells] };
  switch (question.ask) {
    case 'lint':
      return { id, findings: lintText(question.text, question.kind, knowledge) };
    case 'complete':
      return { id, suggestions: complete(question.text, question.kind, question.offset, knowledge) };
    case 'hover':
      return { id, hover: hoverAt(question.text, question.kind, question.offset, knowledge, Date.now()) };
    case 'format':
      return { id, text: formatText(question.text) };
    case 'options':
      return { id, options: lintOptions(question.request, knowledge) };
  }
}

scope.addEventListener('message', ({ data: request }) => {
  if ('know' in request) known.set(request.know, request.knowledge);
  else if ('forget' in request) known.delete(request.forget);
  else {
    let said: LanguageAnswer;
    try {
      said = answer(request);
    } catch (error) {
      said = { id: request.id, problem: error instanceof Error ? error.message : String(error) };
    }
    scope.postMessage(said, []);
  }
});
