import { CircleAlert, TriangleAlert, WandSparkles } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { applyFix } from '../../../../shared/language/lint/finding.ts';
import type { LimitedRequest, RequestFinding } from '../../../../shared/language/lint/request.ts';
import { Button } from '../../../ui/button.tsx';
import { words } from '../../../words/words.ts';
import { lintedQuestion } from '../inputs.ts';
import { useKnowledge } from '../knowledge.ts';
import { useTab, useTabState } from '../../../state/contexts.ts';
import { language } from './language.ts';
import './editing.css';

/** How long typing rests before it is looked at, in milliseconds. */
const rest = 400;

const asked = ['sort', 'limit', 'skip'] as const;
type Option = (typeof asked)[number];
interface OptionFinding extends RequestFinding {
  readonly field: Option;
}
const optionOf = (field: string): Option | undefined => asked.find((one) => one === field);

const none: { readonly of: LimitedRequest | null; readonly findings: readonly RequestFinding[] } = {
  of: null,
  findings: [],
};

/** What is found in sort, limit and skip of what is typed now; what was found before is gone with the next letter. */
function useOptionFindings(): readonly OptionFinding[] {
  const text = useTabState('query', (state) => state.text);
  const knowledge = useKnowledge();
  const request = useMemo(() => {
    const linted = lintedQuestion(text);
    return 'limit' in linted ? linted : null;
  }, [text]);
  const [looked, setLooked] = useState(none);
  useEffect(() => {
    if (!request) return undefined;
    let left = false;
    const timer = setTimeout(() => {
      void language.options(request, knowledge).then((findings) => {
        if (!left) setLooked({ of: request, findings });
      });
    }, rest);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [request, knowledge]);
  return looked.of === request
    ? looked.findings.flatMap((finding) => {
        const field = optionOf(finding.field);
        return field ? [{ ...finding, field }] : [];
      })
    : [];
}

/** What is wrong with sort, limit and skip, or most likely not meant, beneath them; said before anything runs. */
export function OptionFindings() {
  const problems = useTabState('query', (state) => state.problems);
  // What a run was refused for already stands under its input.
  const findings = useOptionFindings().filter(({ field }) => problems[field] === undefined);
  if (findings.length === 0) return null;
  return (
    <ul className="findings-list option-findings" aria-label={words.editing.inOptions}>
      {findings.map((finding) => (
        <Line key={`${finding.field} ${finding.code} ${String(finding.start ?? '')}`} finding={finding} />
      ))}
    </ul>
  );
}

/** The value of the input once the finding is mended; null: it can't be mended by itself. */
function mended({ fix, instead }: RequestFinding, value: string): string | null {
  if (fix) return applyFix(value, fix);
  return instead === undefined ? null : String(instead);
}

function Line({ finding }: { finding: OptionFinding }) {
  const { severity, message, field, fix } = finding;
  const { actions } = useTab('query');
  const mode = useTabState('query', (state) => state.text.mode);
  const value = useTabState('query', ({ text }) => (text.mode === 'pipeline' ? '' : text[text.mode][field]));
  const better = mended(finding, value);
  const Icon = severity === 'error' ? CircleAlert : TriangleAlert;
  return (
    <li className={`editing-finding finding-${severity}`}>
      <Icon size={14} aria-hidden />
      <span className="visually-hidden">{words.editing[severity]}</span>
      <span className="finding-field">{words.query[field]}</span>
      <span className="finding-message">{message}</span>
      {better !== null && mode !== 'pipeline' && (
        <Button
          variant="quiet"
          icon={WandSparkles}
          className="finding-fix"
          onPress={() => actions.type(mode, { [field]: better })}
        >
          {fix?.title ?? words.editing.write(better)}
        </Button>
      )}
    </li>
  );
}
