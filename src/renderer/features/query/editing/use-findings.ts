import { useEffect, useEffectEvent, useState } from 'react';
import type { TextKind } from '../../../../shared/language/knowledge.ts';
import type { Finding } from '../../../../shared/language/lint/finding.ts';
import { language, type EditorKnowledge } from './language.ts';

/** How long typing rests before the text is looked at, in milliseconds. */
const rest = 400;

/** What was found in a text, and in which one. */
export interface Looked {
  readonly text: string;
  readonly findings: readonly Finding[];
}

/** What is found in a text, a moment after it was typed; until then what was found before. */
export function useFindings(
  text: string,
  kind: TextKind,
  knowledge: EditorKnowledge,
  onFindings: ((findings: readonly Finding[]) => void) | undefined,
): Looked {
  const [looked, setLooked] = useState<Looked>({ text: '', findings: [] });
  const tell = useEffectEvent((findings: readonly Finding[]) => onFindings?.(findings));
  useEffect(() => {
    let left = false;
    const timer = setTimeout(() => {
      void language.lint(text, kind, knowledge).then((findings) => {
        if (left) return;
        setLooked({ text, findings });
        tell(findings);
      });
    }, rest);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [text, kind, knowledge]);
  return looked;
}
