import { complete } from '../../../../shared/language/editing/complete.ts';
import { formatText } from '../../../../shared/language/editing/format.ts';
import { hoverAt } from '../../../../shared/language/editing/hover.ts';
import type { Knowledge, TextKind } from '../../../../shared/language/knowledge.ts';
import { lintText } from '../../../../shared/language/lint/lint.ts';
import { lintOptions, type LimitedRequest } from '../../../../shared/language/lint/request.ts';
import { ownPort, serve } from '../../../../shared/threads.ts';

interface TypedText {
  readonly text: string;
  readonly kind: TextKind;
  readonly knowledge: Knowledge;
}
type TypedAt = TypedText & { readonly offset: number };

// A thread of its own, so that a text of thousands of lines can be typed on while it is looked at.
const calls = {
  lint: ({ text, kind, knowledge }: TypedText) => lintText(text, kind, knowledge),
  complete: ({ text, kind, offset, knowledge }: TypedAt) => complete(text, kind, offset, knowledge),
  hover: ({ text, kind, offset, knowledge }: TypedAt) => hoverAt(text, kind, offset, knowledge, Date.now()),
  format: (text: string) => formatText(text),
  options: ({ request, knowledge }: { readonly request: LimitedRequest; readonly knowledge: Knowledge }) =>
    lintOptions(request, knowledge),
};

export type LanguageCalls = typeof calls;

serve(ownPort(), calls);
