import { complete } from '../../../../shared/language/editing/complete.ts';
import { formatText } from '../../../../shared/language/editing/format.ts';
import { hoverAt } from '../../../../shared/language/editing/hover.ts';
import type { Knowledge, TextKind } from '../../../../shared/language/knowledge.ts';
import { lintText } from '../../../../shared/language/lint/lint.ts';
import { lintOptions, type LimitedRequest } from '../../../../shared/language/lint/request.ts';
import { ownPort, serve } from '../../../../shared/threads.ts';

interface EditorText {
  readonly text: string;
  readonly kind: TextKind;
  readonly knowledge: Knowledge;
}
type EditorPosition = EditorText & { readonly offset: number };

// A separate thread: typing stays smooth while long texts are checked.
const calls = {
  lint: ({ text, kind, knowledge }: EditorText) => lintText(text, kind, knowledge),
  complete: ({ text, kind, offset, knowledge }: EditorPosition) => complete(text, kind, offset, knowledge),
  hover: ({ text, kind, offset, knowledge }: EditorPosition) =>
    hoverAt(text, kind, offset, knowledge, Date.now()),
  format: (text: string) => formatText(text),
  options: ({ request, knowledge }: { readonly request: LimitedRequest; readonly knowledge: Knowledge }) =>
    lintOptions(request, knowledge),
};

export type LanguageCalls = typeof calls;

serve(ownPort(), calls);
