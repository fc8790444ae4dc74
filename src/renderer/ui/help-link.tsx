import { CircleQuestionMark } from 'lucide-react';
import { createContext, use } from 'react';
import type { ErrorCode } from '../../shared/errors/errors.ts';
import { words } from '../words/words.ts';
import { Button } from './button.tsx';

/** Shows what to do about an error; null where there is no guide to show. */
export const Explain = createContext<((code: ErrorCode) => void) | null>(null);

// Their sentences say all that there is to say.
const plain: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['invalid_input', 'cancelled']);

/** Leads from an error to its entry in the guide. */
export function HelpLink({ code }: { code: ErrorCode }) {
  const explain = use(Explain);
  if (explain === null || plain.has(code)) return null;
  return (
    <Button variant="quiet" icon={CircleQuestionMark} onPress={() => explain(code)}>
      {words.help.more}
    </Button>
  );
}
