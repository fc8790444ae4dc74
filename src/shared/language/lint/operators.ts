import { accumulators, windowOperators } from '../catalogue/accumulators.ts';
import type { CatalogueEntry } from '../catalogue/entry.ts';
import { knownExpressions } from '../catalogue/expressions.ts';
import { conditionOperators, queryOperators } from '../catalogue/query-operators.ts';
import { nearestWord } from '../nearest.ts';
import type { Member, ObjectNode, TreeNode } from '../tree/tree.ts';
import { forgottenDollars } from './conditions.ts';
import { nameInPlace, replaceBy, sourceOf, renameFix, type Case, type Rule } from './notes.ts';
import type { Role } from '../tree/roles.ts';

/** Number of members whose names aren't suggested again. */
const maxSiblings = 1000;

const names = (catalogue: ReadonlyMap<string, CatalogueEntry>): string[] => [...catalogue.keys()];

function unknown(
  of: Case,
  { key }: Member,
  { members }: ObjectNode,
  [what, code]: readonly [what: string, code: string],
  knownNames: readonly string[],
): void {
  of.note(key, () => {
    const siblingNames = new Set(members.slice(0, maxSiblings).map((member) => member.key.name));
    const suggestion = nearestWord(
      key.name,
      knownNames.filter((name) => !siblingNames.has(name)),
    );
    return {
      severity: 'warning',
      code,
      message: `${key.name} is not ${what} that Wellbench knows, so the service will likely reject it. ${suggestion ? `Did you mean ${suggestion}?` : 'Check its name.'}`,
      fix: renameFix(of, key, suggestion),
    };
  });
}

function whereFound(of: Case, { key }: Member): void {
  of.note(key, {
    severity: 'error',
    code: 'where',
    message: '$where isn’t supported. Use operators such as $gt, or $expr to compare two fields.',
  });
}

function inQuery(member: Member, node: ObjectNode, of: Case): void {
  const { name } = member.key;
  if (name === '$where') whereFound(of, member);
  else if (name.startsWith('$') && !queryOperators.has(name))
    unknown(of, member, node, ['an operator', 'operator_unknown'], names(queryOperators));
}

function inCondition(node: ObjectNode, of: Case): void {
  if (forgottenDollars(node)) {
    of.note(node, {
      severity: 'warning',
      code: 'operator_dollar',
      message: `Without $, this matches an object value. Use $${node.members[0]?.key.name ?? ''} for the operator.`,
      fix: {
        title: 'Put $ before the operators',
        edits: node.members.map(({ key }) => ({
          start: key.start,
          end: key.end,
          text: nameInPlace(of, key, `$${key.name}`),
        })),
      },
    });
  }
  for (const member of node.members) {
    const { name } = member.key;
    if (name === '$where') whereFound(of, member);
    else if (name.startsWith('$') && !conditionOperators.has(name) && !queryOperators.has(name))
      unknown(of, member, node, ['an operator', 'operator_unknown'], names(conditionOperators));
  }
}

function inExpression(node: ObjectNode, of: Case): void {
  const [member] = node.members;
  if (!member?.key.name.startsWith('$') || knownExpressions.has(member.key.name)) return;
  unknown(of, member, node, ['an operator', 'expression_unknown'], [...knownExpressions]);
}

function inAccumulation(node: ObjectNode, of: Case): void {
  if (!node.members.some(({ key }) => key.name.startsWith('$'))) return accumulatorMissing(node, of);
  for (const member of node.members)
    if (!accumulators.has(member.key.name))
      unknown(of, member, node, ['an accumulator', 'accumulator_unknown'], names(accumulators));
}

function accumulatorMissing(node: TreeNode, of: Case): void {
  const source = sourceOf(of, node);
  const isPath = /^["']\$/.test(source);
  of.note(node, {
    severity: 'warning',
    code: 'accumulator_missing',
    message: 'A group has many values here. Use an accumulator, such as { $avg: "$data.rop" }.',
    fix: isPath ? replaceBy(node, `{ $first: ${source} }`) : undefined,
  });
}

function inWindow(node: ObjectNode, of: Case): void {
  const knownNames = [...names(accumulators), ...names(windowOperators)];
  for (const member of node.members)
    if (member.key.name !== 'window' && !knownNames.includes(member.key.name))
      unknown(of, member, node, ['an operator', 'accumulator_unknown'], knownNames);
}

const objects: Partial<Record<Role['is'], (node: ObjectNode, of: Case) => void>> = {
  query: (node, of) => node.members.forEach((member) => inQuery(member, node, of)),
  condition: inCondition,
  element: inCondition,
  expression: inExpression,
  projection: inExpression,
  accumulation: inAccumulation,
  window: inWindow,
};

/**
 * Checks that operators, accumulators, and expressions are known, and refuses `$where` (specification,
 * section 4.1).
 */
export const operators: Rule = (node, role, of) => {
  if (node.kind === 'object') objects[role.is]?.(node, of);
  else if (role.is === 'accumulation') accumulatorMissing(node, of);
};
