import type { Knowledge } from '../knowledge.ts';
import { placeFinder, type Span, createReader, type Bound } from '../reader.ts';
import { nameOf } from '../scope.ts';
import type { TextEdit } from '../text/edits.ts';
import type { Role } from '../tree/roles.ts';
import type { TreeNode } from '../tree/tree.ts';
import { parseParameter, type Parameter, refuseQuoted } from '../parameters.ts';
import { read } from '../relaxed.ts';

/** The input of every rule. */
export interface Case {
  readonly text: string;
  readonly knowledge: Knowledge;
  readonly note: ReturnType<typeof makeNotes>['note'];
}

export type Rule = (node: TreeNode, role: Role, of: Case) => void;

/** A piece of the text as it was typed. */
export const sourceOf = ({ text }: Case, { start, end }: Span): string => text.slice(start, end);

/** `error` prevents a run; `warning` explains its likely effect. */
export type Severity = 'error' | 'warning';

export interface QuickFix {
  /** What it does: “Write 1”. */
  readonly title: string;
  readonly edits: readonly TextEdit[];
}

/** An error or a probable mistake in a text. */
export interface Finding extends Span {
  readonly severity: Severity;
  /** Which rule, such as `sort_direction`; the same for all findings of one kind. */
  readonly code: string;
  /** The problem, and what to do. */
  readonly message: string;
  /** Of `start`; both from 1. */
  readonly line: number;
  readonly column: number;
  readonly fix?: QuickFix;
}

type Remark = Pick<Finding, 'severity' | 'code' | 'message'> & { readonly fix?: QuickFix | undefined };

/** Maximum number of findings for a text; a broken file has thousands. */
const maxFindings = 200;

/** The notes of a text, without findings. */
export function makeNotes(text: string) {
  const placeOf = placeFinder(text, '');
  const findings: Finding[] = [];
  return {
    /** Adds a finding; after the maximum number, a remark that is given as a function isn't made. */
    note({ start, end }: Span, remark: Remark | (() => Remark)): void {
      if (findings.length >= maxFindings) return;
      const { severity, code, message, fix } = typeof remark === 'function' ? remark() : remark;
      const { line, column } = placeOf(start);
      findings.push({ severity, code, message, start, end, line, column, ...(fix ? { fix } : {}) });
    },
    /** In the order of the text. */
    findings: () => findings.toSorted((a, b) => a.start - b.start),
  };
}

/** A fix that replaces a node. */
export function replaceBy({ start, end }: Span, text: string, title = `Use ${text}`): QuickFix {
  return { title, edits: [{ start, end, text }] };
}

/** A name in the quotes in which another one was typed at a span; without those, in the ones that it needs. */
export function nameInPlace(of: Case, typed: Span, name: string): string {
  const [quote] = /^["'`]/.exec(sourceOf(of, typed)) ?? [];
  return quote === undefined ? nameOf(name) : `${quote}${name}${quote}`;
}

/** A fix that writes a suggested name in place of the typed one. */
export function renameFix(of: Case, typed: Span, name: string | undefined): QuickFix | undefined {
  return name === undefined ? undefined : replaceBy(typed, nameInPlace(of, typed, name), `Use ${name}`);
}

// Any value of the right kind: whether a text can be read does not depend on which one.
function exampleOf(parameter: Parameter, selectedIds: readonly number[]): Bound {
  if (parameter.kind === 'wells') return { kind: 'wells', ids: selectedIds.length > 0 ? selectedIds : [0] };
  if (parameter.kind === 'company') return { kind: 'value', value: 0 };
  if (parameter.kind === 'moment' || parameter.type === 'date') return { kind: 'date', ms: 0 };
  if (parameter.type === 'boolean') return { kind: 'value', value: true };
  return { kind: 'value', value: parameter.type === 'text' ? '' : 0 };
}

/**
 * Reads a text as it will be read when it is sent. Never throws.
 * @param selectedIds the asset ids that `{{wells}}` stands for; none: as with one
 * @returns why it can't be read, each with the whole piece that is wrong
 */
export function syntaxProblems(text: string, selectedIds: readonly number[]) {
  const reader = createReader(text, '', (written, span, refuse) => {
    const parameter = parseParameter(written);
    return typeof parameter === 'string' ? refuse(span, parameter) : exampleOf(parameter, selectedIds);
  });
  if (text.includes('{{')) refuseQuoted(reader);
  read(reader);
  return reader.issues.map(({ message }, at) => ({
    message,
    span: widened(text, reader.spans[at] ?? { start: 0, end: 0 }),
  }));
}

/** A visible span: for a missing token, the character at its place or before it. */
function widened(text: string, { start, end }: Span): Span {
  if (end > start) return { start, end };
  const word = /^[\w$.]+/.exec(text.slice(start, start + 60));
  if (word) return { start, end: start + word[0].length };
  return start < text.length ? { start, end: start + 1 } : { start: Math.max(0, start - 1), end: start };
}
