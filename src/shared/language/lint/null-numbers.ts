import type { DatasetField } from '../../datasets/fields.ts';
import { reshapingStages } from '../catalogue/stages.ts';
import { bodyOf, walk, type Role } from '../tree/roles.ts';
import { scalarOf } from '../tree/scalars.ts';
import { readTree, type ListNode, type Member, type TreeNode } from '../tree/tree.ts';
import { replaceBy, sourceOf, type Case } from './notes.ts';

/** Accumulators whose result a number such as -999.25 changes. They skip null. */
const countsNumbers: ReadonlySet<string> = new Set([
  '$avg',
  '$sum',
  '$min',
  '$median',
  '$percentile',
  '$stdDevPop',
  '$stdDevSamp',
  '$expMovingAvg',
]);
/** Whether a text may have an accumulator that counts numbers such as -999.25. */
export const mayCountNumbers = (text: string): boolean =>
  [...countsNumbers].some((name) => text.includes(name));

const shapesFields: ReadonlySet<string> = new Set([...reshapingStages, '$set', '$addFields', '$facet']);

/** The value that an accumulator computes with: `$avg: "$data.rop"`, or `input` in an object. */
function inputOf({ value }: Member): TreeNode | null {
  if (value?.kind !== 'object') return value;
  return value.members.find(({ key }) => key.name === 'input')?.value ?? null;
}

function percent(share: number): string {
  const rounded = Math.round(share * 100);
  return rounded === 0 ? 'less than 1%' : `${rounded}%`;
}

function warn(operator: string, input: TreeNode, tokens: Tokens, of: Case): void {
  const source = sourceOf(of, input);
  const values = tokens.map(({ value }) => value).join(', ');
  const share = tokens.reduce((sum, token) => sum + token.share, 0);
  of.note(input, {
    severity: 'warning',
    code: 'null_numbers',
    message: `${operator} counts ${values}, which probably means null: ${percent(share)} of the sampled records have it here. Leave it out.`,
    fix: replaceBy(
      input,
      `{ $cond: [{ $in: [${source}, [${values}]] }, null, ${source}] }`,
      `Leave out ${values}`,
    ),
  });
}

/**
 * Warns of means, sums, and the like that count numbers such as -999.25, which loggers write for null. A field
 * that an earlier $match has a condition for isn't reported.
 */
export function nullNumbers({ items }: ListNode, of: Case): void {
  const tokensOf = tokensByPath(of);
  for (const stage of items) {
    const onlyMember = stage.kind === 'object' ? stage.members[0] : undefined;
    if (!onlyMember?.value || tokensOf.size === 0) return;
    const stageName = onlyMember.key.name;
    checkBody(onlyMember.value, bodyOf(stageName), tokensOf, of);
    if (shapesFields.has(stageName)) return;
  }
}

/** The same for the group of an aggregate. Its match is the query of the knowledge. */
export function nullNumbersOfGroup(group: TreeNode, of: Case): void {
  const tokensOf = tokensByPath(of);
  const match = readTree(of.knowledge.query ?? '').root;
  if (match) checkBody(match, bodyOf('$match'), tokensOf, of);
  checkBody(group, bodyOf('$group'), tokensOf, of);
}

type Tokens = NonNullable<DatasetField['tokens']>;

const tokensByPath = ({ knowledge }: Case): Map<string, Tokens> =>
  new Map(knowledge.fields.flatMap(({ path, tokens = [] }) => (tokens.length > 0 ? [[path, tokens]] : [])));

/** Warns of the accumulators in the body of a stage, and removes fields that it has a condition for. */
function checkBody(body: TreeNode, bodyRole: Role, tokensOf: Map<string, Tokens>, of: Case): void {
  walk(body, bodyRole, (node, role) => {
    if (role.is === 'condition') tokensOf.delete(role.field);
    if ((role.is !== 'accumulation' && role.is !== 'window') || node.kind !== 'object') return;
    for (const member of node.members) {
      const input = countsNumbers.has(member.key.name) ? inputOf(member) : null;
      const value = input && scalarOf(of.text, input);
      const tokens =
        value?.kind === 'text' && value.value.startsWith('$')
          ? tokensOf.get(value.value.slice(1))
          : undefined;
      if (input && tokens) warn(member.key.name, input, tokens, of);
    }
  });
}
