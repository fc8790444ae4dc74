import {
  combiningStages,
  reshapingStages,
  stages as knownStages,
  writingStages,
} from '../catalogue/stages.ts';
import { nearestWord } from '../nearest.ts';
import type { Span } from '../reader.ts';
import { scalarOf } from '../tree/scalars.ts';
import type { ListNode, Member, ObjectNode, TreeNode } from '../tree/tree.ts';
import { replaceBy, sourceOf, renameFix, type Case, type QuickFix, type Rule } from './notes.ts';
import { scope } from './scope.ts';
import { sortByIndex } from './sort.ts';

const error = (code: string, message: string, fix?: QuickFix) =>
  ({ severity: 'error', code, message, fix }) as const;

function unknownStage({ key }: Member, of: Case): void {
  of.note(key, () => {
    const withDollar = key.name.startsWith('$') ? key.name : `$${key.name}`;
    const suggestion = knownStages.has(withDollar) ? withDollar : nearestWord(withDollar, knownStages.keys());
    return error(
      'stage_unknown',
      `${key.name} isn't a stage. ${suggestion ? `Did you mean ${suggestion}?` : 'Use one such as $match, $sort, or $group.'}`,
      renameFix(of, key, suggestion),
    );
  });
}

function oneKey(stage: ObjectNode, of: Case): void {
  of.note(stage, () => {
    const parts = stage.members.map((member) => sourceOf(of, member));
    // Only a stage in a list can be followed by another one.
    const inList = /[[,]/.test(of.text.charAt(endBefore(of.text, stage.start) - 1));
    const stages = parts.map((part) => `{ ${part} }`).join(', ');
    return error(
      'stage_keys',
      parts.length === 0
        ? 'This stage is empty. Add one operator, such as { $match: { } }, or remove it.'
        : `A stage must have one operator, but this has ${parts.length}. Split it into separate stages.`,
      inList && parts.length > 1 ? replaceBy(stage, stages, 'Split into separate stages') : undefined,
    );
  });
}

/** Requires a whole number of at least `min`. */
function wholeNumber({ key, value }: Member, min: number, of: Case): void {
  if (!value || value.kind === 'parameter') return;
  const number = scalarOf(of.text, value);
  const amount = number?.kind === 'number' ? Number(number.value) : NaN;
  if (Number.isInteger(amount) && amount >= min) return;
  const guess = Number.isFinite(amount) ? Math.max(min, Math.round(amount)) : undefined;
  of.note(
    value,
    error(
      key.name === '$limit' ? 'stage_limit' : 'stage_skip',
      `${key.name} must be a whole number of ${min} or more. Use one such as ${min === 0 ? 0 : 100}.`,
      guess === undefined ? undefined : replaceBy(value, String(guess)),
    ),
  );
}

/** Checks one stage: one known operator, which doesn't write (specification, section 4.1). */
export const stageForm: Rule = (node, role, of) => {
  if (role.is !== 'stage') return;
  if (node.kind !== 'object') {
    of.note(node, error('stage_form', 'A stage must be an object, such as { $match: { } }.'));
    return;
  }
  const writes = node.members.find(({ key }) => writingStages.has(key.name));
  if (writes) {
    const message = `${writes.key.name} writes data, which queries aren't allowed to do. Remove it, and export the results instead.`;
    of.note(node, () => error('stage_writes', message, removed(node, of)));
    return;
  }
  const [onlyMember] = node.members;
  if (!onlyMember || node.members.length > 1) return oneKey(node, of);
  if (!knownStages.has(onlyMember.key.name)) return unknownStage(onlyMember, of);
  if (onlyMember.key.name === '$limit') wholeNumber(onlyMember, 1, of);
  if (onlyMember.key.name === '$skip') wholeNumber(onlyMember, 0, of);
};

/** The end of what precedes an offset, without the spaces between. */
function endBefore(text: string, offset: number): number {
  let at = offset;
  while (/\s/.test(text.charAt(at - 1))) at--;
  return at;
}

/** Removes a stage with the comma after it, or before it if it is the last. */
function removed({ start, end }: Span, { text }: Case): QuickFix | undefined {
  const commaAfter = /^\s*,/.exec(text.slice(end));
  const before = endBefore(text, start) - 1;
  if (!commaAfter && text[before] !== ',') return undefined;
  const span = commaAfter ? { start, end: end + commaAfter[0].length } : { start: before, end };
  return { title: 'Remove this stage', edits: [{ ...span, text: '' }] };
}

/** A pipeline, nested or not, has at least one stage. */
export const stagesForm: Rule = (node, role, of) => {
  if (role.is !== 'stages') return;
  if (node.kind === 'list') return;
  const fix =
    node.kind === 'object' ? replaceBy(node, `[${sourceOf(of, node)}]`, 'Put it between [ and ]') : undefined;
  of.note(node, error('stages_form', 'A pipeline must be a list of stages. Put it between [ and ].', fix));
};

/** Checks a whole pipeline: it has stages, is narrowed to wells, and sorts by an index. */
export function wholePipeline(list: ListNode, of: Case): void {
  if (list.items.length === 0) {
    of.note(
      list,
      error(
        'stages_empty',
        'A pipeline needs at least one stage. Begin with $match.',
        replaceBy(list, '[{ $match: {} }]'),
      ),
    );
    return;
  }
  const leading = stagesBefore(list, reshapingStages);
  const matches = leading.filter(({ key }) => key.name === '$match').flatMap(({ value }) => value ?? []);
  // $documents provides its own records.
  if (leading.length > 0) scope(matches, { list, first: matches[0] ?? null }, of);
  limitBeforeGroup(list, of);
  const queries: TreeNode[] = [];
  for (const { key, value } of leading) {
    if (key.name === '$match' && value) queries.push(value);
    else if (key.name === '$sort' && value) return sortByIndex(value, queries, of);
    else if (key.name !== '$limit' && key.name !== '$skip') return;
  }
}

/** Warns of a limit before the first stage that combines records: it doesn't combine all that match. */
function limitBeforeGroup({ items }: ListNode, of: Case): void {
  const stageNames = items.map((stage) => (stage.kind === 'object' ? stage.members[0]?.key.name : undefined));
  const combining = stageNames.findIndex((name) => name !== undefined && combiningStages.has(name));
  const at = stageNames.findIndex((name, index) => name === '$limit' && index < combining);
  const stage = items[at];
  if (!stage) return;
  of.note(stage, () => ({
    severity: 'warning',
    code: 'limit_before_group',
    message: `This limit comes before ${stageNames[combining] ?? ''}, so only the first records are combined, not all that match. Remove it, or put it after that stage.`,
    fix: removed(stage, of),
  }));
}

/** The only members of the stages before the first of these. */
function stagesBefore({ items }: ListNode, ends: ReadonlySet<string>): Member[] {
  const before: Member[] = [];
  for (const stage of items) {
    const onlyMember = stage.kind === 'object' ? stage.members[0] : undefined;
    if (!onlyMember || (ends.has(onlyMember.key.name) && before.length > 0)) break;
    before.push(onlyMember);
    if (ends.has(onlyMember.key.name)) break;
  }
  return before.some(({ key }) => key.name === '$documents') ? [] : before;
}
