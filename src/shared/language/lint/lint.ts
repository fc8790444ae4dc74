import type { Knowledge, TextKind } from '../knowledge.ts';
import { rootRole, walk } from '../tree/roles.ts';
import { readTree, type TreeNode } from '../tree/tree.ts';
import type { Span } from '../reader.ts';
import { unknownFields } from './fields.ts';
import { nullNumbers, nullNumbersOfGroup } from './null-numbers.ts';
import { makeNotes, replaceBy, type Case, type Finding, type QuickFix, type Rule } from './notes.ts';
import { operators } from './operators.ts';
import { assetIds, scope } from './scope.ts';
import { sortByIndex, sortDirections } from './sort.ts';
import { stageForm, stagesForm, wholePipeline } from './stages.ts';
import { syntaxProblems } from './syntax.ts';
import { times } from './times.ts';

const rules: readonly Rule[] = [sortDirections, stagesForm, stageForm, operators, times, assetIds];

/** What a kind of text must be as a whole; the body of a stage may be anything. */
function wholeForm(root: TreeNode, kind: TextKind, of: Case): boolean {
  if (kind === 'stages' || kind === 'stage' || kind.startsWith('body:') || root.kind === 'object')
    return true;
  of.note(root, {
    severity: 'error',
    code: 'not_object',
    message: 'This must be an object. Put it between { and }.',
  });
  return false;
}

/** Puts a dotted name before a colon in the quotes that it needs; undefined for anything else. */
function quotesAround(text: string, { start, end }: Span): QuickFix | undefined {
  const name = text.slice(start, end);
  const isName = /^[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}\p{N}_$]+)+$/u.test(name);
  return isName && /^\s*:/.test(text.slice(end, end + 100))
    ? replaceBy({ start, end }, `"${name}"`)
    : undefined;
}

/** Checks of the whole text. */
function checkWhole(root: TreeNode | null, kind: TextKind, of: Case): void {
  if (root && (kind === 'query' || kind === 'sort')) unknownFields(root, of);
  if (kind === 'query') scope(root ? [root] : [], { first: root }, of);
  if (kind === 'sort' && root) {
    const query = readTree(of.knowledge.query ?? '').root;
    sortByIndex(root, query ? [query] : undefined, of);
  }
  if (kind === 'group' && root) nullNumbersOfGroup(root, of);
  if (kind !== 'stages') return;
  if (root?.kind === 'list') {
    wholePipeline(root, of);
    nullNumbers(root, of);
  } else if (!root)
    of.note(
      { start: 0, end: of.text.length },
      {
        severity: 'error',
        code: 'stages_empty',
        message: 'A pipeline needs at least one stage. Begin with $match.',
        fix: { title: 'Begin with $match', edits: [{ start: 0, end: 0, text: '[{ $match: {} }]' }] },
      },
    );
}

/**
 * The errors and probable mistakes in a text, in order (specification, sections 4.1 and 8). Never throws. A
 * text that can't be parsed has only its syntax errors. Unknown context isn't checked: without indexes no
 * sorts, without wells no platform ids.
 */
export function lintText(text: string, kind: TextKind, knowledge: Knowledge): Finding[] {
  const notes = makeNotes(text);
  const problems = syntaxProblems(text, knowledge.values.wells);
  for (const { message, span } of problems)
    notes.note(span, { severity: 'error', code: 'syntax', message, fix: quotesAround(text, span) });
  if (problems.length > 0) return notes.findings();
  const of: Case = { text, knowledge, note: notes.note };
  const { root } = readTree(text);
  if (root && !wholeForm(root, kind, of)) return notes.findings();
  if (root) walk(root, rootRole(kind), (node, role) => rules.forEach((rule) => rule(node, role, of)));
  checkWhole(root, kind, of);
  return notes.findings();
}
