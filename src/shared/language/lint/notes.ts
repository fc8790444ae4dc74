import type { Knowledge } from '../knowledge.ts';
import { placeFinder, type Span } from '../reader.ts';
import type { Role } from '../tree/roles.ts';
import type { TreeNode } from '../tree/tree.ts';

/** The input of every rule. */
export interface Case {
  readonly text: string;
  readonly knowledge: Knowledge;
  readonly note: Notes['note'];
}

/** Checks one node in its role. */
export type Rule = (node: TreeNode, role: Role, of: Case) => void;

/** The piece as it was typed. */
export const sourceOf = ({ text }: Case, { start, end }: Span): string => text.slice(start, end);

/** `error` prevents a run; `warning` explains its likely effect. */
export type Severity = 'error' | 'warning';

/** A change of a text. Edits of one fix do not overlap; offsets are those of the text before all of them. */
interface TextEdit extends Span {
  readonly text: string;
}

export interface QuickFix {
  /** What it does: “Write 1”. */
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

/** Something that is wrong with a text, or most likely not meant. */
export interface Finding extends Span {
  readonly severity: Severity;
  /** Which rule, such as `sort_direction`; the same for all findings of one kind. */
  readonly code: string;
  /** What is wrong, and what to do. */
  readonly message: string;
  /** Of `start`; both from 1. */
  readonly line: number;
  readonly column: number;
  readonly fix?: QuickFix;
}

/** The text after a fix. */
export function applyFix(text: string, { edits }: QuickFix): string {
  let done = 0;
  let result = '';
  for (const { start, end, text: by } of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(done, start) + by;
    done = end;
  }
  return result + text.slice(done);
}

/** A rule's message about a node. */
export interface Remark {
  readonly severity: Severity;
  readonly code: string;
  readonly message: string;
  readonly fix?: QuickFix | undefined;
}

/** Gathers what the rules find in one text, with line and column. */
export interface Notes {
  /** Adds a finding; after the maximum number, a remark that is given as a function isn't made. */
  readonly note: (span: Span, remark: Remark | (() => Remark)) => void;
  /** In the order of the text. */
  readonly findings: () => Finding[];
}

/** Maximum number of findings for a text; a broken file has thousands. */
const maxFindings = 200;

/** Collects findings for a text, up to a maximum number. */
export function makeNotes(text: string): Notes {
  const placeOf = placeFinder(text, '');
  const findings: Finding[] = [];
  return {
    note({ start, end }, remark) {
      if (findings.length >= maxFindings) return;
      const { severity, code, message, fix } = typeof remark === 'function' ? remark() : remark;
      const { line, column } = placeOf(start);
      findings.push({ severity, code, message, start, end, line, column, ...(fix ? { fix } : {}) });
    },
    findings: () => findings.toSorted((a, b) => a.start - b.start),
  };
}

/** A fix that replaces a node. */
export function replaceBy({ start, end }: Span, text: string, title = `Use ${text}`): QuickFix {
  return { title, edits: [{ start, end, text }] };
}
