import { CircleAlert, TriangleAlert, WandSparkles } from 'lucide-react';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import type { Finding, Severity } from '../../../../shared/language/lint/notes.ts';
import type { RequestFinding } from '../../../../shared/language/lint/request.ts';
import { applyEdits } from '../../../../shared/language/text/edits.ts';
import { useTab, useTabState } from '../../../contexts.ts';
import type { Problem } from '../../../state/problems.ts';
import { createLatestTask } from '../../../state/latest-task.ts';
import { Button } from '../../../ui/button.tsx';
import { Status } from '../../../ui/status.tsx';
import { words } from '../../../words/words.ts';
import { lintInput } from '../query-request.ts';
import { language } from './language.ts';
import { useKnowledge } from './knowledge.ts';
import './editing.css';

/** The delay between the last key press and the checks, in milliseconds. */
const debounceMs = 400;

/**
 * The findings of a text, shortly after it was typed; until then the previous ones.
 * @param look a new function for each new text; null: nothing to check
 */
export function useFindings<Findings>(look: (() => Promise<Findings>) | null): Findings | null {
  const [shown, setShown] = useState<Findings | null>(null);
  useEffect(() => {
    if (look === null) return undefined;
    const task = createLatestTask();
    const timer = setTimeout(() => {
      void task.run(look, {
        onDone: setShown,
        // Without checks, those of the text before would be wrong.
        onFailed: () => setShown(null),
      });
    }, debounceMs);
    return () => {
      clearTimeout(timer);
      task.drop();
    };
  }, [look]);
  return shown;
}

const noMarks: readonly never[] = [];

/** The mark of a problem in a text; none: there is no problem. */
export const marksOf = (problem: Problem | null | undefined) =>
  problem ? [{ message: problem.message, line: problem.line ?? 1, column: problem.column ?? 1 }] : noMarks;

interface LineProps {
  readonly finding: { readonly severity: Severity; readonly message: string };
  readonly place: ReactNode;
  readonly fix: { readonly title: string; readonly onPress: () => void } | undefined;
}

function FindingLine({ finding: { severity, message }, place, fix }: LineProps) {
  const Icon = severity === 'error' ? CircleAlert : TriangleAlert;
  return (
    <li className="editing-finding row small">
      <Icon size={14} className={`tone-${severity}`} aria-hidden />
      <span className="visually-hidden">{words.editing[severity]}</span>
      {place}
      <span className="finding-message grow break">{message}</span>
      {fix && (
        <Button
          variant="quiet"
          icon={WandSparkles}
          className="finding-fix flex-none ellipsis"
          onPress={fix.onPress}
        >
          {fix.title}
        </Button>
      )}
    </li>
  );
}

export interface FindingListProps {
  readonly id: string;
  readonly findings: readonly Finding[];
  readonly onShow: (finding: Finding) => void;
  readonly onFix: (finding: Finding) => void;
}

/** Further findings are marked in the text only. */
const maxLines = 50;

/** The findings of a text, below it: also for screen readers, and for users without a mouse. */
export function FindingList({ id, findings, onShow, onFix }: FindingListProps) {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  return (
    <div id={id} className={findings.length > 0 ? 'editing-findings scroll faint-above surface' : undefined}>
      <Status className="visually-hidden">{words.editing.found(errors, findings.length - errors)}</Status>
      {findings.length > 0 && (
        <ul aria-label={words.editing.findings}>
          {findings.slice(0, maxLines).map((finding) => (
            <FindingLine
              key={`${finding.code} ${finding.start} ${finding.end}`}
              finding={finding}
              place={
                <button
                  type="button"
                  className="finding-place flex-none round mono small quiet"
                  onClick={() => onShow(finding)}
                  aria-label={words.query.at(finding.line, finding.column)}
                >
                  {finding.line}:{finding.column}
                </button>
              }
              fix={finding.fix && { title: finding.fix.title, onPress: () => onFix(finding) }}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

const options = ['sort', 'limit', 'skip'] as const;

/** The input's value after the fix; null: there is no automatic fix. */
function mended({ fix, instead }: RequestFinding, value: string): string | null {
  if (fix) return applyEdits(value, fix.edits);
  return instead === undefined ? null : String(instead);
}

/** Problems of sort, limit, and skip, shown before a run. */
export function OptionFindings() {
  const { actions } = useTab('query');
  const text = useTabState('query', (state) => state.text);
  const problems = useTabState('query', (state) => state.problems);
  const knowledge = useKnowledge();
  const look = useMemo(() => {
    const request = lintInput(text);
    if (request?.kind !== 'find') return null;
    return async () => ({ of: text, findings: await language.options(request, knowledge) });
  }, [text, knowledge]);
  const checked = useFindings(look);
  const { mode } = text;
  // Findings are outdated after the next key press.
  if (checked?.of !== text || mode !== 'find') return null;
  const lines = checked.findings.flatMap((finding) => {
    const field = options.find((option) => option === finding.field);
    // A problem that stopped a run is already shown below its input.
    if (!field || problems[field] !== undefined) return [];
    const better = mended(finding, text[mode][field]);
    const fix = better !== null && {
      title: finding.fix?.title ?? (better === '' ? words.editing.clear : words.editing.write(better)),
      onPress: () => actions.type(mode, { [field]: better }),
    };
    return (
      <FindingLine
        key={`${field} ${finding.code} ${String(finding.start ?? '')}`}
        finding={finding}
        place={<span className="flex-none quiet">{words.query[field]}</span>}
        fix={fix || undefined}
      />
    );
  });
  if (lines.length === 0) return null;
  return (
    <ul className="option-findings" aria-label={words.editing.inOptions}>
      {lines}
    </ul>
  );
}
