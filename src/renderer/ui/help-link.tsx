import { CircleQuestionMark } from 'lucide-react';
import { use } from 'react';
import type { ErrorCode } from '../../shared/errors/errors.ts';
import { AppContext } from '../state/contexts.ts';
import { words } from '../words/words.ts';
import { Button } from './button.tsx';

// Their sentences say all that there is to say.
const plain: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['invalid_input', 'cancelled']);

/** Leads from an error to its entry in the guide. */
export function HelpLink({ code }: { code: ErrorCode }) {
  const app = use(AppContext);
  if (app === null || plain.has(code)) return null;
  return (
    <Button variant="quiet" icon={CircleQuestionMark} onPress={() => app.explain(code)}>
      {words.help.more}
    </Button>
  );
}
